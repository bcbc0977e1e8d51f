package browser_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/kosterhq/robotstxt"
)

// state is what a link of the page contains.
type state struct {
	Text     string   `json:"t"`
	LineEnd  int      `json:"e"`
	Before   *string  `json:"b,omitempty"`
	Name     string   `json:"n,omitempty"`
	Agents   []string `json:"a"`
	Purposes []string `json:"p"`
	URLs     []string `json:"u"`
	Dialect  string   `json:"d"`
	View     string   `json:"v"`
}

// fragment returns the state as the page's links have it.
func (s state) fragment() string {
	if s.View == "" {
		s.View = "grid"
	}
	s.Agents = append([]string{}, s.Agents...)
	s.Purposes = append([]string{}, s.Purposes...)
	s.URLs = append([]string{}, s.URLs...)
	text, _ := json.Marshal(s) // these types have no error
	return pack(text)
}

// pack returns a text as a fragment.
func pack(text []byte) string {
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestCompression) // the level exists
	_, _ = w.Write(text)                                    // a buffer has no errors
	_ = w.Close()
	return "#s1." + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// shop is the file that most tests use.
const shop = `User-agent: *
Disallow: /cart
Disallow: /search
Allow: /search$
Disallow: /*?sort=

User-agent: Googlebot
Disallow: /private/
Allow: /private/press
Disallow: /private/press/draft

User-agent: GPTBot
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`

var (
	shopAgents = []string{"Googlebot", "GPTBot", "FooBot"}
	shopURLs   = []string{"/", "/cart", "/search", "/search?q=tea", "/private/press/1", "/private/press/draft/2", "/teas?sort=price"}
	shopState  = state{Text: shop, Agents: shopAgents, URLs: shopURLs}
)

// open opens the page with a state and waits for its right answers.
func open(t *testing.T, s *service, with state) *tab {
	t.Helper()
	p := visit(t, s.url+with.fragment())
	p.wantGrid(with.Text, with.Agents, with.URLs)
	p.wait(complete)
	return p
}

// visit opens a URL in a tab of its own.
func visit(t *testing.T, url string) *tab {
	t.Helper()
	p := newTab(t)
	p.do(chromedp.Navigate(url))
	return p
}

// complete is a JavaScript expression: whether everything is there that a page loads after
// its verdicts. It moves what is below it, and a click would miss.
const complete = `(() => {
	const has = (selector) => document.querySelector(selector) !== null;
	return has("#slot-share button") && has("#slot-urls summary") && has("#slot-changes button") && has("#problems .count") &&
		document.querySelector("#problems .count").textContent !== "…" && !has('[aria-busy="true"]');
})()`

// openReady opens the page and waits until its worker answers.
func openReady(t *testing.T, s *service, with state) *tab {
	t.Helper()
	p := open(t, s, with)
	p.waitReady()
	return p
}

func (p *tab) waitReady() {
	p.Helper()
	p.wait(`document.querySelector("#engine-state")?.dataset.state === "ready"`)
}

// verdicts are answers by "crawler URL": the verdict, and the line if one decides.
type verdicts map[string]string

// encoded writes the characters that a browser does not send, of those that tests use.
var encoded = strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E", `"`, "%22")

// want returns the verdicts of the engine.
func want(text string, agents, urls []string) verdicts {
	v := verdicts{}
	robots := robotstxt.Parse([]byte(text))
	for _, agent := range agents {
		rules := robots.Rules(strings.Split(agent, ":")...)
		for _, url := range urls {
			allowed, line := rules.Verdict(encoded.Replace(url))
			word := map[bool]string{true: "allowed", false: "disallowed"}[allowed]
			if line > 0 {
				word += " " + strconv.Itoa(line)
			}
			v[agent+" "+url] = word
		}
	}
	return v
}

// readGrid is a JavaScript expression: the verdicts in the grid as they are read out.
const readGrid = `(() => {
  const table = document.querySelector("#grid table"), answers = {};
  if (!table) return answers;
  const name = (cell) => (cell.querySelector(".url, .crawler")?.title ?? cell.textContent).trim(); // a common origin is left out
  const columns = [...table.tHead.rows[0].cells].slice(1).map(name);
  for (const row of table.tBodies[0].rows) {
    const [head, ...cells] = row.cells;
    cells.forEach((cell, i) => {
      const [agent, url] = [columns[i], name(head)];
      const word = cell.querySelector(".word")?.textContent ?? "", line = cell.querySelector(".line")?.textContent ?? "";
      answers[agent + " " + url] = (word + " " + line).trim();
    });
  }
  return answers;
})()`

// grid returns the verdicts that the page shows.
func (p *tab) grid() verdicts {
	p.Helper()
	return evaluate[verdicts](p, readGrid)
}

// wantGrid waits until the grid has the verdicts of the engine for a file.
func (p *tab) wantGrid(text string, agents, urls []string) {
	p.Helper()
	p.wantVerdicts(want(text, agents, urls))
}

func (p *tab) wantVerdicts(want verdicts) {
	p.Helper()
	p.until("the verdicts of the engine", func() (bool, string) {
		got, err := try[verdicts](p, readGrid)
		if err != nil {
			return false, err.Error()
		}
		if len(got) == len(want) {
			return maps.Equal(got, want), difference(got, want)
		}
		// Of a long list only the rows in view are in the document.
		cells, err := try[int](p, gridSize)
		if err != nil {
			return false, err.Error()
		}
		shown := verdicts{}
		for key := range got {
			shown[key] = want[key]
		}
		return cells == len(want) && len(got) >= 10 && maps.Equal(got, shown), difference(got, want)
	})
}

// gridSize is a JavaScript expression: the number of cells of the grid, with those that are
// not in the document.
const gridSize = `((table) => (table.getAttribute("aria-rowcount") - 1) * (table.getAttribute("aria-colcount") - 1))(document.querySelector("#grid table"))`

func difference(got, want verdicts) string {
	var lines []string
	for key, verdict := range want {
		if got[key] != verdict {
			lines = append(lines, fmt.Sprintf("%s: got %q, want %q", key, got[key], verdict))
		}
	}
	for key := range got {
		if want[key] == "" {
			lines = append(lines, "not wanted: "+key)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines[:min(len(lines), 12)], "\n")
}

// quote returns a text as a JavaScript string.
func quote(text string) string {
	quoted, _ := json.Marshal(text) // a string has no error
	return string(quoted)
}

// find is a JavaScript expression: the visible element with a selector and, if text is not
// empty, with a text that contains it.
func find(selector, text string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%s)].find((e) => e.checkVisibility({ visibilityProperty: true }) && (e.textContent + " " + (e.getAttribute("aria-label") ?? "")).includes(%s))`,
		quote(selector), quote(text))
}

// click clicks with the mouse on the middle of an element, once that is visible and not
// covered. An answer that arrives meanwhile moves the layout, and another element gets the
// click: then it clicks once more, as a person does.
func (p *tab) click(selector, text string) {
	p.Helper()
	element := find(selector, text)
	p.until("a click on "+element, func() (bool, string) {
		x, y := p.place(element)
		evaluate[bool](p, fmt.Sprintf(`(() => {
			const got = (event) => {
				// What is around it gets the click if it moved between the press and the release.
				const e = %s, to = event.target, hit = e?.contains(to) || to.contains?.(e) && to.matches?.("label, summary");
				globalThis.missed &&= !hit || event.type === "mousedown" && e;
			};
			globalThis.missed = true;
			for (const kind of ["mousedown", "click"]) addEventListener(kind, got, { capture: true, once: true });
			return true;
		})()`, element))
		p.do(chromedp.MouseClickXY(x, y))
		// What a press alone takes away gets no click, and a new document knows nothing of one.
		missed, err := try[bool](p, `globalThis.missed?.isConnected ?? globalThis.missed ?? false`)
		return err != nil || !missed || p.scriptless, "another element got the click"
	})
}

// place scrolls to an element and returns its middle, once that is not covered and no
// longer moves: answers that arrive change the layout.
func (p *tab) place(element string) (x, y float64) {
	p.Helper()
	p.until("an element that can be clicked: "+element, func() (bool, string) {
		before := [2]float64{x, y}
		at, err := try[[]float64](p, fmt.Sprintf(`(() => {
			const e = %s;
			if (!e || e.disabled || e.ariaDisabled === "true") return [];
			e.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
			const r = e.getClientRects()[0];
			if (!r) return [];
			const x = r.x + Math.min(r.width / 2, 200), y = r.y + r.height / 2, there = document.elementFromPoint(x, y);
			return e.contains(there) || there?.contains(e) && there.matches("label, summary") ? [x, y] : [];
		})()`, element))
		if err != nil {
			return false, err.Error()
		}
		if len(at) != 2 {
			return false, "it is missing, disabled or covered"
		}
		x, y = at[0], at[1]
		return before == [2]float64{x, y}, "it moves"
	})
	return x, y
}

// text returns the visible text of the first element with a selector.
func (p *tab) text(selector string) string {
	p.Helper()
	return evaluate[string](p, fmt.Sprintf(`document.querySelector(%s)?.innerText ?? ""`, quote(selector)))
}

// waitText waits until an element has a text.
func (p *tab) waitText(selector, text string) {
	p.Helper()
	content := fmt.Sprintf(`document.querySelector(%s)?.textContent ?? ""`, quote(selector))
	waitValue(p, selector+" with "+text, content, func(got string) bool { return strings.Contains(got, text) })
}

// inChanges clicks on a button of the view of changes, and returns to the grid unless it opens a dialog.
func (p *tab) inChanges(button string) {
	p.Helper()
	p.click("#tab-changes", "")
	p.click("#slot-changes button", button)
	if button != "Compare with" {
		p.click("#tab-grid", "")
	}
}

// unfold opens a disclosure with a click, unless it is open.
func (p *tab) unfold(selector string) {
	p.Helper()
	if !evaluate[bool](p, fmt.Sprintf(`document.querySelector(%s).open`, quote(selector))) {
		p.click(selector+" > summary", "")
	}
}

// keys presses keys, with modifiers. A character arrives only if the page does not handle
// the key, as with a keyboard.
func (p *tab) keys(keys string, modifiers ...chromedp.Modifier) {
	p.Helper()
	for _, r := range keys {
		for _, event := range pressed(r, modifiers) {
			call(p, input.DispatchKeyEvent, *event)
		}
	}
}

// pressed returns the events of a key: down, with the character that it would type, and up.
func pressed(r rune, modifiers []chromedp.Modifier) []*input.DispatchKeyEventParams {
	var down, up *input.DispatchKeyEventParams
	for _, event := range kb.Encode(r) {
		for _, m := range modifiers {
			event.Modifiers |= int64(m)
		}
		switch event.Type {
		case kb.KeyChar:
			if event.Modifiers&^int64(chromedp.ModifierShift) == 0 {
				down.Type = input.DispatchKeyEventTypeKeyDown
				down.Text = event.Text
				down.UnmodifiedText = event.UnmodifiedText
			}
		case kb.KeyUp:
			up = event
		default:
			down = event
		}
	}
	return []*input.DispatchKeyEventParams{down, up}
}

// editorText is a JavaScript expression: the text in the editor, as far as it is drawn.
const editorText = `[...document.querySelectorAll("#editor .cm-line")].map((line) => (line.querySelector(".cm-placeholder") ? "" : line.textContent)).join("\n")`

// edit puts the cursor at the end of a line of the editor, counted from 1 and drawn, and
// types a text.
func (p *tab) edit(line int, text string) {
	p.Helper()
	element := fmt.Sprintf(`document.querySelectorAll("#editor .cm-line")[%d]`, line-1)
	p.until("the cursor in "+element, func() (bool, string) {
		x, y := p.place(element)
		p.do(chromedp.MouseClickXY(x, y))
		active, err := try[bool](p, element+`?.classList.contains("cm-activeLine") && document.activeElement.matches(`+quote(editorContent)+`)`)
		return err == nil && active, fmt.Sprint(active, err)
	})
	p.keys(kb.End)
	p.keys(text)
}

// cell is a selector-like JavaScript expression: the cell of a crawler and a URL.
func cell(agent, url string) string {
	return fmt.Sprintf(`(() => {
		const table = document.querySelector("#grid table"), name = (cell) => (cell.querySelector(".url, .crawler")?.title ?? cell.textContent).trim();
		const [row, column] = [%[2]s, %[1]s];
		const at = [...table.tHead.rows[0].cells].findIndex((cell) => name(cell) === column);
		return [...table.tBodies[0].rows].find((r) => name(r.cells[0]) === row)?.cells[at];
	})()`, quote(agent), quote(url))
}

// selectCell clicks on a cell of the grid. It clicks once more if rows that move take the
// click, as a user does.
func (p *tab) selectCell(agent, url string) {
	p.Helper()
	p.until("the cell is selected", func() (bool, string) {
		x, y := p.place(cell(agent, url))
		p.do(chromedp.MouseClickXY(x, y))
		selected, err := try[bool](p, cell(agent, url)+`?.getAttribute("aria-selected") === "true"`)
		return err == nil && selected, fmt.Sprint(selected, err)
	})
}

// insert types a text at once, as a paste does.
func (p *tab) insert(text string) {
	p.Helper()
	call(p, input.InsertText, input.InsertTextParams{Text: text})
}

// enter replaces the text of a field and presses Enter.
func (p *tab) enter(selector, text string) {
	p.Helper()
	p.fill(selector, text)
	p.keys(kb.Enter)
}

// fetch fetches the file of a site.
func (p *tab) fetch(url string) {
	p.Helper()
	p.enter("#host", url)
}

// fill replaces the text of a field.
func (p *tab) fill(selector, text string) {
	p.Helper()
	p.click(selector, "")
	p.keys("a", chromedp.ModifierCtrl)
	p.keys(kb.Delete)
	p.insert(text)
	p.wait(fmt.Sprintf(`document.querySelector(%s).value === %s`, quote(selector), quote(text)))
}
