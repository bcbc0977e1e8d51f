package browser_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// look is how a page is shown.
type look struct {
	name          string
	width, height int64
	media         map[string]string // CSS media features
}

var (
	wideLight  = look{"wide light", 1280, 900, map[string]string{"prefers-color-scheme": "light"}}
	wideDark   = look{"wide dark", 1280, 900, map[string]string{"prefers-color-scheme": "dark"}}
	phoneLight = look{"phone light", 360, 740, map[string]string{"prefers-color-scheme": "light"}}
	phoneDark  = look{"phone dark", 360, 740, map[string]string{"prefers-color-scheme": "dark"}}
)

func (p *tab) look(l look) {
	p.Helper()
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: l.width, Height: l.height, DeviceScaleFactor: 1, Mobile: l.width < 500,
	})
	var features []*emulation.MediaFeature
	for name, value := range l.media {
		features = append(features, &emulation.MediaFeature{Name: name, Value: value})
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
	p.wait(fmt.Sprintf("innerWidth === %d", l.width))
}

var allViews = []string{"grid", "changes", "ai", "resources"}

// full is a state in which every part of the page has content.
func full() state {
	before := shop
	text := strings.Replace(shop, "Disallow: /cart\n", "Disallow: /basket\nDissalow: /typo\nContent-Signal: ai-train=no\n", 1)
	text += "\nUser-agent: BarBot\n" + strings.Repeat("Disallow: /x/\n", 6) + "Noindex: /y/\n"
	return state{Text: text, Before: &before, Name: "before.txt",
		Agents: shopAgents, URLs: shopURLs}
}

// openFull opens a page in which every part has content.
func openFull(t *testing.T, s *service) *tab {
	t.Helper()
	p := open(t, s, full())
	p.selectCell("Googlebot", "/private/press/draft/2")
	p.waitText("#explanation .why", "Googlebot may not fetch")
	p.wait(`document.querySelector("#slot-changes [data-change]")`)
	p.wait(`document.querySelector("#problems .finding")`)
	p.wait(find("#problems .fix-all", "Fix "))
	p.unfold("#explanation details")
	return p
}

// show shows a view and waits for its content.
func (p *tab) show(view string) {
	p.Helper()
	p.click("#tab-"+view, "")
	switch view {
	case "grid":
		p.unfold("#tree")
		p.wait(`document.querySelector("#tree li")`)
	case "changes":
		p.wait(`document.querySelector("#slot-changes .diff-summary").textContent !== ""`)
	case "ai":
		p.wait(`document.querySelector("#slot-ai .ai-blocks")`)
	case "resources":
		if p.text("#slot-resources table") == "" {
			p.findResources("https://shop.example/page", `<link rel=stylesheet href="/search/a.css"><script src="/b.js"></script>`)
		}
		p.wait(`document.querySelector("#slot-resources table")`)
	}
}

// findResources fills the form of the view "resources", in any language.
func (p *tab) findResources(url, html string) {
	p.Helper()
	p.fill("#resources-url", url)
	p.fill("#resources-html", html)
	p.click("#slot-resources form button", "")
}

// axe is the name of axe-core's program, which ./build installs.
const axe = "../../../../cmd/internal/frontends/page/node_modules/axe-core/axe.min.js"

type violation struct {
	ID, Impact, Help string
	Nodes            []struct{ Target []any }
}

// violations returns what axe-core finds. It runs in a world of its own: the page does not
// see it, and its policy does not apply to it.
func (p *tab) violations(source string, without ...string) (found []violation) {
	p.Helper()
	rules := "{}"
	for _, rule := range without {
		rules = fmt.Sprintf("{ ...%s, %s: { enabled: false } }", rules, quote(rule))
	}
	tree := call(p, page.GetFrameTree, cdp.Empty{})
	world := call(p, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: tree.FrameTree.Frame.ID,
		WorldName: "axe"})
	result := call(p, runtime.Evaluate, runtime.EvaluateParams{
		Expression: source + `;axe.run(document, { resultTypes: ["violations"], rules: ` + rules + ` }).then((result) => result.violations)`,
		ContextID:  world.ExecutionContextID, AwaitPromise: new(true), ReturnByValue: new(true),
	})
	if result.ExceptionDetails != nil {
		p.Fatalf("axe-core: %s", result.ExceptionDetails.Text)
	}
	if err := json.Unmarshal([]byte(result.Result.Value), &found); err != nil {
		p.Fatal(err)
	}
	return found
}

// wantAccessible reports everything that axe-core finds without some of its rules, if that is installed.
func (p *tab) wantAccessible(where string, without ...string) {
	p.Helper()
	source, err := os.ReadFile(axe)
	if err != nil {
		p.Log("axe-core is not installed: run cmd/internal/frontends/page/build")
		return
	}
	for _, v := range p.violations(string(source), without...) {
		for _, n := range v.Nodes {
			p.Errorf("%s: %s %s: %s %q", where, v.Impact, v.ID, v.Help, fmt.Sprint(n.Target...))
		}
	}
}

// axe-core reports nothing serious in any view, light and dark, wide and on a phone.
func TestAxe(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(axe)
	if err != nil {
		t.Skip("axe-core is not installed: run cmd/internal/frontends/page/build")
	}
	s := serve(t)
	p := openFull(t, s)
	counts := map[string]int{}
	check := func(p *tab, where string) {
		t.Helper()
		for _, v := range p.violations(string(source)) {
			counts[v.Impact] += len(v.Nodes)
			var targets []string
			for _, n := range v.Nodes {
				targets = append(targets, fmt.Sprint(n.Target...))
			}
			line := fmt.Sprintf("%s: %s %s: %s %q", where, v.Impact, v.ID, v.Help, targets)
			if v.Impact == "serious" || v.Impact == "critical" {
				t.Error(line)
			} else {
				t.Log(line)
			}
		}
	}
	looks := []look{wideLight, phoneDark}
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		looks = append(looks, wideDark, phoneLight)
	}
	for _, l := range looks {
		p.look(l)
		for _, view := range allViews {
			p.show(view)
			check(p, l.name+", "+view)
		}
		p.show("grid")
		p.inChanges("Show differences")
		p.wait(find("#slot-merge .cm-line", "Disallow"))
		check(p, l.name+", differences")
		p.inChanges("Back to the editor")
		p.copyOf("robots", "robots check")
		check(p, l.name+", dialog")
		p.click("dialog button", "Close")
	}
	t.Logf("axe-core: elements by impact: %v", counts)
	if s.direct == "" {
		return // without scripts the service answers
	}
	plain := newTab(t)
	plain.scripts(false)
	plain.do(chromedp.Navigate(s.url))
	plain.scripts(true) // axe-core is one; Chromium then hides the form
	plain.wait(`((e) => (e.replaceWith(...e.childNodes), true))(document.querySelector("noscript"))`)
	check(plain, "without scripts")
	plain.write("textarea[name=body]", shop)
	plain.write("textarea[name=urls]", "https://shop.example/cart")
	plain.click("form button", "Check")
	plain.wait(`document.querySelector("table.answers")`)
	check(plain, "answers without scripts")
}

// The page needs no horizontal scrolling at 200 % zoom, on a phone and on the narrowest
// one that WCAG names.
func TestNarrow(t *testing.T) {
	t.Parallel()
	p := openFull(t, serve(t))
	for _, l := range []look{{"200 % zoom", 640, 450, nil}, {"phone", 360, 740, nil}, {"400 % zoom", 320, 256, nil}} {
		p.look(l)
		for _, view := range allViews {
			p.show(view)
			p.wantNone(fmt.Sprintf("%s, %s: wider than %d pixels", l.name, view, l.width), `document.documentElement.scrollWidth <= innerWidth ? [] :
				[String(document.documentElement.scrollWidth), ...[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + "#" + e.id + "." + e.className).slice(0, 8)]`)
		}
	}
}

// Dark colours, fewer motions and forced colours are obeyed.
func TestMedia(t *testing.T) {
	t.Parallel()
	p := openFull(t, serve(t))
	luminance := `(() => {
		const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number);
		const [R, G, B] = getComputedStyle(document.body).color.match(/[\d.]+/g).map(Number);
		return [r + g + b, R + G + B];
	})()`
	p.look(wideLight)
	light := evaluate[[]float64](p, luminance)
	p.look(wideDark)
	dark := evaluate[[]float64](p, luminance)
	if light[0] < 600 || light[1] > 200 || dark[0] > 150 || dark[1] < 500 {
		t.Errorf("background and text: light %v, dark %v", light, dark)
	}
	p.wait(`document.querySelector("#editor .cm-editor") && (() => { const c = getComputedStyle(document.querySelector("#editor .cm-editor")).backgroundColor.match(/[\d.]+/g).map(Number); return c[0] + c[1] + c[2] < 200; })()`)

	p.look(look{"reduced", 1280, 900, map[string]string{"prefers-reduced-motion": "reduce"}})
	p.wantNone("it moves although the user wants no motion", `[...document.querySelectorAll("*")].filter((e) => {
		const s = getComputedStyle(e);
		const long = (list) => list.split(",").some((time) => parseFloat(time) > 0.01);
		return long(s.transitionDuration) || (s.animationName !== "none" && long(s.animationDuration)) || s.scrollBehavior === "smooth";
	}).map((e) => e.tagName + "." + e.className).slice(0, 10)`)

	p.look(look{"forced", 1280, 900, map[string]string{"forced-colors": "active"}})
	p.wantNone("no outline with forced colours", `['#grid [aria-selected="true"]', "#editor .cm-line.lit-decides"].filter((e) => getComputedStyle(document.querySelector(e)).outlineStyle === "none")`)
}

// The accessibility tree has tables with headers, live regions, and names.
func TestAccessibilityTree(t *testing.T) {
	t.Parallel()
	p := openFull(t, serve(t))
	p.show("ai")
	p.show("changes")
	for _, name := range []string{"opens", "closes"} {
		p.wait(find("#slot-changes [data-change]", name))
	}
	p.show("grid")
	roles := map[string][]string{}
	var live []string
	for _, node := range call(p, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if node.Ignored || node.Role == nil {
			continue
		}
		role, name := text(node.Role), text(node.Name)
		roles[role] = append(roles[role], name)
		for _, property := range node.Properties {
			if property.Name == "live" && text(property.Value) == "polite" {
				live = append(live, role)
			}
		}
	}
	for role, names := range map[string][]string{
		"columnheader": {"Googlebot", "GPTBot", "FooBot"},
		"rowheader":    {"/private/press/draft/2"},
		"gridcell":     {"disallowed , line 12", "allowed , was disallowed"},
		"grid":         {"Verdicts"},
		"tab":          {"Verdicts", "Changes", "AI", "Resources"},
		"combobox":     {"Crawlers", "Dialect"},
		"textbox":      {"URLs or paths"},
		"main":         {""},
		"contentinfo":  {""},
		"banner":       {""},
	} {
		for _, name := range names {
			if !slices.ContainsFunc(roles[role], func(got string) bool { return strings.Contains(got, name) }) {
				t.Errorf("no %s with the name %q among %q", role, name, roles[role])
			}
		}
	}
	if len(live) < 4 {
		t.Errorf("the live regions are %q: want those of the answer, the edit, the messages and the panels", live)
	}
	for _, role := range []string{"button", "textbox", "combobox", "checkbox", "tab", "link"} {
		if slices.Contains(roles[role], "") {
			t.Errorf("a %s has no name", role)
		}
	}
}

func text(value *accessibility.Value) string {
	if value == nil {
		return ""
	}
	var text string
	_ = json.Unmarshal([]byte(value.Value), &text) // "" for what is no string
	return text
}

// The keyboard reaches everything, shows where it is, and is trapped nowhere.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	p := openFull(t, serve(t))
	for _, view := range []string{"changes", "ai", "resources", "grid"} {
		p.show(view)
		p.walk(view)
	}

	// The skip links lead into the editor and the answers, and keep the address; arrows move
	// in the grid and in the tabs.
	const skips = `(document.querySelector(".skips a").focus(), window.addressBefore = location.href, true)`
	evaluate[bool](p, skips)
	p.keys(kb.Enter)
	p.wait(`document.activeElement.matches("#editor .cm-content")`)
	evaluate[bool](p, skips)
	p.keys(kb.Tab)
	p.wait(`document.activeElement.getAttribute("href") === "#answers"`)
	p.keys(kb.Enter)
	p.wait(`document.activeElement.getAttribute("role") === "gridcell" && location.href === window.addressBefore`)
	p.keys(kb.Home, chromedp.ModifierCtrl)
	p.keys(kb.ArrowDown + kb.ArrowDown + kb.ArrowRight)
	p.waitText("#explanation .why", "GPTBot may not fetch /search")
	p.wait(cell("GPTBot", "/search") + ` === document.activeElement`)
	p.keys(kb.End)
	p.waitText("#explanation .why", "FooBot may fetch /search")
	// The focus stays in its cell when the width changes.
	p.look(look{"narrower", 1180, 900, nil})
	p.wait(cell("FooBot", "/search") + ` === document.activeElement && document.querySelector("#grid .frame").clientWidth < 650`)
	p.look(wideLight)
	p.wait(cell("FooBot", "/search") + ` === document.activeElement`)
	p.keys(kb.Enter) // to the line that decides
	p.wait(`document.activeElement.closest("#editor") && document.querySelector("#editor .cm-activeLine").textContent.includes("Allow: /search$")`)
	p.do(chromedp.Focus(chromedp.CSS("#tab-grid")))
	p.keys(kb.ArrowRight)
	p.wait(`document.activeElement.id === "tab-changes" && document.querySelector("#slot-changes [data-change]").checkVisibility()`)
	p.keys(kb.End)
	p.wait(`document.activeElement.id === "tab-resources"`)
	p.keys(kb.Home)
	p.wait(`document.activeElement.id === "tab-grid"`)

	// The dialog opens, closes with Escape and gives the focus back.
	p.do(chromedp.Focus(chromedp.JSPath(`[...document.querySelectorAll("#slot-share button")].at(-1).closest("#slot-share").querySelector("[aria-haspopup=dialog]")`)))
	p.keys(kb.Enter)
	p.wait(`document.querySelector("dialog").open && document.activeElement.closest("dialog")`)
	p.keys(kb.Escape)
	p.wait(`!document.querySelector("dialog").open && document.activeElement.getAttribute("aria-haspopup") === "dialog"`)
}

// walk presses Tab from the start of the page to its end.
func (p *tab) walk(where string) {
	p.Helper()
	evaluate[bool](p, `(window.reached = new Set([document.querySelector(".skips a")]), document.querySelector(".skips a").focus(), true)`)
	const focusable = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]")].filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && e.tabIndex >= 0 && !e.closest("[inert]"))`
	end := false
	for range 200 {
		p.keys(kb.Tab)
		// The editor draws its outline some frames after it got the focus.
		at := evaluate[string](p, `(async () => {
			const e = document.activeElement;
			if (!e || e === document.body || window.reached.has(e)) return "end";
			window.reached.add(e);
			for (let frames = 0; frames < 120; frames++) {
				const s = getComputedStyle(e), around = getComputedStyle(e.closest(".cm-editor") ?? e), at = e.getBoundingClientRect();
				const visible = (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== "none" || around.outlineStyle !== "none";
				if (visible && at.bottom > 0 && at.top < innerHeight) return "";
				await new Promise(requestAnimationFrame);
			}
			return e.outerHTML.slice(0, 120);
		})()`)
		if at == "end" {
			end = true
			break
		}
		if at != "" {
			p.Errorf("%s: the focus is not visible on %s", where, at)
		}
	}
	if !end {
		p.Errorf("%s: the keyboard does not come to the end of the page", where)
	}
	p.wantNone(where+": Tab does not reach", focusable+`.filter((e) => !window.reached.has(e)).map((e) => e.outerHTML.slice(0, 120))`)
}
