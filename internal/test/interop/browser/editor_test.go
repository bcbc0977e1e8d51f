package browser_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Keys, crawlers, patterns, wildcards, URLs and comments have colours of their own.
func TestColours(t *testing.T) {
	t.Parallel()
	with := shopState
	with.Text = "# a comment\nUser-agent: Googlebot\nDisallow: /*?sort=\nSitemap: https://shop.example/s.xml\n"
	p := open(t, serve(t), with)
	colour := `((kind) => { const e = document.querySelector("#editor .tok-" + kind); return e ? e.textContent + "|" + getComputedStyle(e).color : ""; })`
	texts := map[string]string{"comment": "# a comment", "key": "User-agent", "agent": "Googlebot", "wildcard": "*", "url": "https://shop.example/s.xml"}
	var colours []string
	for kind, want := range texts {
		p.wait(colour + "(" + quote(kind) + `) !== ""`)
		text, c, _ := strings.Cut(evaluate[string](p, colour+"("+quote(kind)+")"), "|")
		if text != want {
			t.Errorf("%s: got %q, want %q", kind, text, want)
		}
		colours = append(colours, c)
	}
	slices.Sort(colours)
	if len(slices.Compact(colours)) != len(texts) {
		t.Errorf("two kinds have one colour: %v", colours)
	}
	// Those of a text that replaces it, and of what is typed after a token.
	p.openFile("other.txt", []byte("# b\nUser-agent: x\nDisallow: /y # c\n"))
	comments := `[...document.querySelectorAll("#editor .tok-comment")].map((e) => e.textContent).join() === `
	p.wait(comments + `"# b,# c"`)
	p.edit(1, "2"+kb.Enter+"Allow: /")
	p.wait(comments + `"# b2,# c" && document.querySelectorAll("#editor .tok-key").length === 3`)
}

// A finding is underlined, in the editor and in the list below it, and is fixed on a
// click in either.
func TestFix(t *testing.T) {
	t.Parallel()
	with := shopState
	with.Text = "User-agent: *\nDissalow: /cart\n"
	s := serve(t)
	p := open(t, s, with)
	p.wait(`document.querySelector("#editor .cm-lintRange")?.textContent.includes("Dissalow")`)
	same(t, "the line of the finding", evaluate[string](p, `getComputedStyle(document.querySelector("#editor .cm-lintRange")).textDecorationLine`), "underline")
	p.waitText("#problems", "Dissalow")
	evaluate[bool](p, `(new MutationObserver(() => (window.wasStale ||= document.querySelector("#problems.stale") !== null)).observe(document.querySelector("#problems"), { attributes: true }), true)`)
	p.click("#problems button.fix", "")
	p.wait(`window.wasStale && !document.querySelector("#problems.stale")`) // it says that it checks
	p.wait(editorText + `.includes("Disallow: /cart")`)
	p.wantGrid("User-agent: *\nDisallow: /cart\n", with.Agents, with.URLs)
	p.wait(`!document.querySelector("#editor .cm-lintRange")`)

	p.click("#editor .cm-content", "")
	p.keys("z", chromedp.ModifierCtrl)
	p.wantGrid(with.Text, with.Agents, with.URLs)
	p.wait(`document.querySelector("#editor .cm-lintRange")`) // the findings are those of this text again

	// There is no button for all fixes, because none here is proved to keep all verdicts.
	p.wait(`document.querySelector("#problems .fix-all").hidden`)

	// Nor is there one for a single fix, which has its own.
	single := open(t, s, state{Text: "User-agent: *\nDisallow: /a\nNoindex: /x\n", Agents: with.Agents, URLs: with.URLs})
	single.wait(find("#problems button.fix", "remove the line") + ` && document.querySelector("#problems .fix-all").hidden`)

	// The tooltip of the underlined text fixes too.
	p.until("a click in the tooltip", func() (bool, string) {
		p.hover(`document.querySelector("#editor .cm-lintRange")`) // once more if what moved took the tooltip away
		at, err := try[[]float64](p, `new Promise((done) => setTimeout(() => {
			const r = document.querySelector(".cm-tooltip .cm-diagnosticAction")?.getBoundingClientRect();
			done(r ? [r.x + r.width / 2, r.y + r.height / 2] : []);
		}, 700))`)
		if err != nil || len(at) != 2 {
			return false, fmt.Sprint(at, err)
		}
		p.do(chromedp.MouseClickXY(at[0], at[1]))
		return true, ""
	})
	p.wantGrid("User-agent: *\nDisallow: /cart\n", with.Agents, with.URLs)

	// The button for all makes every fix that is proved to change no verdict, and only those.
	untidy := state{Text: "user-agent : *\nDisallow: /b/\nDisallow /cart\n\nUser-agent: FooBot\nDisallow: /a/\nDisallow: /a/\nDisallow: /a/\nNoindex: /x\n",
		Agents: with.Agents, URLs: []string{"/a/", "/cart"}}
	p = open(t, s, untidy)
	p.click("#problems .fix-all", "Fix ")
	p.waitText("#status .message", "fixed")
	p.wantGrid(evaluate[string](p, editorText), untidy.Agents, untidy.URLs)
	fixed := evaluate[string](p, editorText)
	if got, want := want(fixed, untidy.Agents, untidy.URLs),
		want(untidy.Text, untidy.Agents, untidy.URLs); fixed == strings.TrimSuffix(untidy.Text, "\n") ||
		!slices.Equal(words(got), words(want)) {
		t.Errorf("the fixed file is %q", fixed)
	}
}

// Undo after a text was pasted over the example leads back to the example, with its URLs, and redo to the text. If the
// example was deleted first, it leads back step by step.
func TestUndonePaste(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := visit(t, s.url)
	p.waitReady()
	shows := func(text, urls string) {
		p.Helper()
		p.wait(editorText + `.startsWith(` + quote(text) + `) && document.querySelector("#url-list").value.startsWith(` + quote(urls) + `)`)
	}
	const example, urls = "# An example", "/account/help\n"
	all := func() {
		p.click(editorContent, "")
		p.keys("a", chromedp.ModifierCtrl)
	}
	paste := func(text string) {
		evaluate[bool](p, `((data) => (data.setData("text/plain", `+quote(text)+`), document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))))(new DataTransfer()) || true`)
	}
	shows(example, urls)
	all()
	paste("User-agent: *\nDisallow: /x\n")
	shows("User-agent: *\nDisallow: /x", "/")
	p.keys(kb.End)
	p.insert("y")
	p.fill("#url-list", "/xy")
	for range 2 {
		p.do(chromedp.Focus(chromedp.CSS(editorContent)))
		p.keys("z", chromedp.ModifierCtrl)
		p.wait(`!` + editorText + `.includes("y")`)
		p.keys("z", chromedp.ModifierCtrl)
		shows(example, urls)
		p.keys("y", chromedp.ModifierCtrl)
		shows("User-agent: *\nDisallow: /x", "/xy")
		p.keys("y", chromedp.ModifierCtrl)
		p.wait(editorText + `.includes("y")`)
	}
	// A document that comes back in another way has no edits to undo, although its text and place are of the history.
	for range 2 {
		p.do(chromedp.Focus(chromedp.CSS(editorContent)))
		p.keys("z", chromedp.ModifierCtrl)
	}
	shows(example, urls)
	p.do(chromedp.NavigateBack())
	shows("User-agent: *\nDisallow: /x", "/xy")
	p.do(chromedp.Focus(chromedp.CSS(editorContent)))
	p.keys("z", chromedp.ModifierCtrl)
	p.keys(kb.End)
	p.insert("z")
	p.wait(editorText + `.includes("z") && ` + editorText + `.includes("/x")`)
	shows("User-agent: *\n", "/xy")

	p = visit(t, s.url)
	p.waitReady()
	all()
	p.keys(kb.Delete)
	shows("", "/")
	paste("User-agent: *\nDisallow: /x\n")
	shows("User-agent: *\nDisallow: /x", "/")
	p.keys("z", chromedp.ModifierCtrl)
	p.wait(`document.querySelector("#editor .cm-placeholder")`)
	p.keys("z", chromedp.ModifierCtrl)
	shows(example, urls)
	// A list that was written since stays.
	all()
	p.keys(kb.Delete)
	shows("", "/")
	p.fill("#url-list", "/own")
	p.do(chromedp.Focus(chromedp.CSS(editorContent)))
	p.keys("z", chromedp.ModifierCtrl)
	shows(example, "/own")
}

// words returns the verdicts without lines, in the order of their keys.
func words(v verdicts) (list []string) {
	for key, verdict := range v {
		word, _, _ := strings.Cut(verdict, " ")
		list = append(list, key+" "+word)
	}
	slices.Sort(list)
	return list
}

// hover moves the mouse to the middle of an element.
func (p *tab) hover(element string) {
	p.Helper()
	x, y := p.place(element)
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x-3, y),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

// The mouse over a line, a crawler and a key shows what they mean.
func TestHover(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), shopState)
	for _, test := range []struct{ element, want string }{
		{`[...document.querySelectorAll("#editor .tok-agent")].find((e) => e.textContent === "GPTBot")`, "OpenAI"},
		{`[...document.querySelectorAll("#editor .tok-key")].find((e) => e.textContent === "Sitemap")`, "sitemap"},
		{`[...document.querySelectorAll("#editor .tok-pattern")].find((e) => e.textContent === "/private/")`, "/private/"},
	} {
		p.wait(test.element)
		p.hover(test.element)
		waitValue(p, "a tooltip with "+test.want, `document.querySelector(".cm-tooltip .hover")?.textContent.toLowerCase() ?? ""`, func(got string) bool {
			return strings.Contains(got, strings.ToLower(test.want))
		})
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 5, 5))
		p.wait(`!document.querySelector(".cm-tooltip .hover")`)
	}

	// An edit ends the explanation of the text before, although the mouse stays.
	p.edit(2, "")
	p.hover(`[...document.querySelectorAll("#editor .tok-pattern")].find((e) => e.textContent === "/cart")`)
	p.waitText(".cm-tooltip .hover", "/cart")
	p.keys("x")
	p.wait(`!document.querySelector(".cm-tooltip .hover")`)
}

// Keys and crawlers are completed, with the keyboard.
func TestCompletion(t *testing.T) {
	t.Parallel()
	with := shopState
	with.Text = "User-agent: *\n"
	p := open(t, serve(t), with)
	p.edit(2, "Disa")
	p.wait(find(".cm-tooltip-autocomplete li[aria-selected]", "Disallow"))
	p.settle(".cm-tooltip-autocomplete")
	p.keys(kb.Enter)
	p.wait(editorText + `.includes("Disallow: ")`)
	p.keys("/cart")
	p.wantGrid("User-agent: *\nDisallow: /cart", with.Agents, with.URLs)

	p.keys(kb.Enter + kb.Enter + "User-agent: GPTB")
	p.wait(find(".cm-tooltip-autocomplete li", "GPTBot"))
	p.settle(".cm-tooltip-autocomplete")
	p.keys(kb.Enter)
	p.wait(editorText + `.endsWith("User-agent: GPTBot")`)
}

// settle waits for longer than CodeMirror ignores keys in a new list of completions, by
// the clock of the page.
func (p *tab) settle(selector string) {
	p.Helper()
	evaluate[bool](p, fmt.Sprintf(`new Promise((done) => {
		const start = performance.now();
		const look = () => document.querySelector(%s) && performance.now() - start > 120 ? done(true) : requestAnimationFrame(look);
		look();
	})`, quote(selector)))
}

// Format makes the layout uniform and changes no verdict.
func TestFormat(t *testing.T) {
	t.Parallel()
	with := shopState
	with.Text = "user-agent:*\n  disallow :   /cart   \nALLOW:/cart/help\n"
	p := open(t, serve(t), with)
	p.click("#tools button", "Format")
	p.waitText("#status .message", "Formatted")
	text := evaluate[string](p, editorText)
	if !strings.Contains(text, "Disallow: /cart\n") || strings.Contains(text, "  ") {
		t.Errorf("the formatted file is %q", text)
	}
	p.wantGrid(text, with.Agents, with.URLs)
	p.click("#tools button", "Format")
	p.waitText("#status .message", "already uniform")
}

// Lines of any end are kept: a file with CRLF is saved with CRLF.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), state{Text: "User-agent: *\nDisallow: /cart\n", LineEnd: 1, Agents: shopAgents, URLs: shopURLs})
	p.waitText("#status .size", "CRLF")
	p.waitText("#status .size", "32 bytes")
	p.wantDownload("User-agent: *\r\nDisallow: /cart\r\n")
}
