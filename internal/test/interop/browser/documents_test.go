package browser_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// reload loads the page again, as its button does.
func (p *tab) reload() {
	p.Helper()
	evaluate[bool](p, `window.beforeReload = true`)
	call(p, page.Reload, page.ReloadParams{})
	p.wait(`!window.beforeReload && document.querySelector("#grid table")`)
}

// documents opens the list of documents and returns its names.
func (p *tab) documents() []string {
	p.Helper()
	if !evaluate[bool](p, `document.querySelector("dialog[open] ul.documents") !== null`) {
		p.click("#tools button", "Documents")
		p.wait(`document.querySelector("dialog[open] ul.documents")`)
	}
	return evaluate[[]string](p, `[...document.querySelectorAll("dialog[open] ul.documents li button.link")].map((e) => e.textContent)`)
}

func (p *tab) wantDocuments(want ...string) {
	p.Helper()
	p.untilDocuments(want, func(got []string) bool { return slices.Equal(got, want) })
}

// wantLatest waits for the latest documents. Older ones without edits may be gone.
func (p *tab) wantLatest(want ...string) {
	p.Helper()
	p.untilDocuments(want, func(got []string) bool {
		return len(got) >= len(want) && slices.Equal(got[:len(want)], want)
	})
}

// wantNames waits for documents in any order.
func (p *tab) wantNames(want ...string) {
	p.Helper()
	p.untilDocuments(want, func(got []string) bool { return slices.Equal(slices.Sorted(slices.Values(got)), want) })
}

func (p *tab) untilDocuments(want []string, holds func([]string) bool) {
	p.Helper()
	p.until("documents "+strings.Join(want, ", "), func() (bool, string) {
		got := p.documents()
		return holds(got), strings.Join(got, ", ")
	})
}

// TestSlowStorage: if the browser takes seconds to find what it keeps, a reload shows that all the same, and not the
// text of the link.
func TestSlowStorage(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		const open = IDBFactory.prototype.open;
		IDBFactory.prototype.open = function (...name) {
			const request = open.apply(this, name);
			Object.defineProperty(request, "onsuccess", { set: (then) => request.addEventListener("success", () => setTimeout(then, 3_000)) });
			return request;
		};`})
	p.do(chromedp.Navigate(serve(t).url + shopState.fragment()))
	p.wantGrid(shop, shopAgents, shopURLs)
	p.edit(2, "2")
	edited := strings.Replace(shop, "/cart\n", "/cart2\n", 1)
	p.wantGrid(edited, shopAgents, shopURLs)
	p.wait(`Object.values(sessionStorage).join().includes('"id":')`) // the edit is written, so the session has no copy of it
	p.reload()
	p.wantGrid(edited, shopAgents, shopURLs)
}

// The text, crawlers and URLs of a tab survive a reload, with and without a link; what
// replaces edits says so and offers them again.
func TestReload(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, shopState)
	p.edit(2, "2")
	edited := strings.Replace(shop, "/cart\n", "/cart2\n", 1)
	p.wantGrid(edited, shopAgents, shopURLs)
	p.fill("#url-list", "/cart2\n/x")
	p.wantGrid(edited, shopAgents, []string{"/cart2", "/x"})
	p.selectCell("GPTBot", "/x")
	p.reload() // at once, before anything was written
	p.wantGrid(edited, shopAgents, []string{"/cart2", "/x"})
	p.wait(cell("GPTBot", "/x") + `.getAttribute("aria-selected") === "true"`)
	p.waitText("#notice", "your edits of the text in the link")
	p.wantDocuments("From a link")
	p.wait(`document.querySelector("ul.documents button.link:disabled")`) // it is open, and no copy of it
	p.click("dialog[open] button", "Close")

	// The text of the link is one click away, and so are the edits then.
	p.click("#notice button", "Show the text of the link")
	p.wantGrid(shop, shopAgents, shopURLs)
	p.waitText("#notice", "are kept in Documents")
	p.click("#notice button", "Undo")
	p.wantGrid(edited, shopAgents, []string{"/cart2", "/x"})

	// A new tab without a link offers the latest edits, as a copy if they are open.
	third, fourth := p.second(), p.second()
	third.do(chromedp.Navigate(s.url))
	third.waitText("#notice", "Continue with your edits")
	third.edit(1, " third")
	third.wantLatest("Example", "From a link")
	fourth.do(chromedp.Navigate(s.url))
	fourth.waitText("#notice", "Continue with your edits of “Example”")
	fourth.click("#notice button", "Open")
	fourth.wait(editorText + `.includes(" third")`)
	fourth.edit(1, " fourth")
	fourth.wantLatest("Example (2)", "Example", "From a link")
	third.reload()
	third.wait(editorText + `.includes(" third\n")`)
}

// second opens another tab of the same profile.
func (p *tab) second() *tab {
	p.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	p.Cleanup(cancel)
	other := &tab{T: p.T, ctx: ctx}
	if err := chromedp.Listen(ctx, other.event); err != nil {
		p.Fatal(err)
	}
	return other
}

// Documents are kept by site. Fetching replaces edits, but does not lose them; deleting is
// undone, deleting all is asked about.
func TestDocuments(t *testing.T) {
	t.Parallel()
	live := site(t, map[string]string{"/robots.txt": "User-agent: *\nDisallow: /live\n"})
	host := strings.TrimPrefix(live, "http://")
	p := openReady(t, serve(t), state{Text: shop, Agents: shopAgents, URLs: []string{"/cart2", "/live"}})
	p.edit(2, "2")
	p.fetch(live)
	p.wantGrid("User-agent: *\nDisallow: /live\n", shopAgents, []string{"/cart2", "/live"})
	p.waitText("#notice", "Your edits of “From a link” are kept")
	p.click("#notice button", "Undo")
	p.wait(editorText + `.includes("/cart2")`)
	p.wantDocuments("From a link", host)
	p.click("ul.documents button.link", host)
	p.wantGrid("User-agent: *\nDisallow: /live\n", shopAgents, []string{"/cart2", "/live"})

	p.openFile("robots.txt", []byte("User-agent: *\nDisallow: /file\n"))
	p.wantDocuments("robots.txt", host, "From a link")
	p.click("ul.documents li:nth-child(3) button", "Delete")
	p.wantDocuments("robots.txt", host)
	p.click("dialog[open] button", "Undo")
	p.wantDocuments("From a link", "robots.txt", host)

	// A document with a name of one's own, the open one or another, remains although its
	// site is fetched again.
	rename := func(row int, name string) {
		t.Helper()
		p.click(fmt.Sprintf("ul.documents li:nth-child(%d) button", row), "Rename")
		p.enter("ul.documents input", name)
	}
	rename(3, "before relaunch")
	p.wantNames("From a link", "before relaunch", "robots.txt")
	rename(2, "open one")
	p.wantNames("From a link", "before relaunch", "open one")
	p.waitText("#site strong", "open one")
	p.wait(`document.title.startsWith("open one")`)
	p.click("ul.documents li:nth-child(1) button", "Rename")
	p.keys(kb.Escape)
	p.click("ul.documents button.link", "before relaunch")
	p.wantGrid("User-agent: *\nDisallow: /live\n", shopAgents, []string{"/cart2", "/live"})
	p.fetch(live)
	p.wait(`!document.querySelector("form[role=search]").hasAttribute("aria-busy")`)
	p.wantLatest(host, "before relaunch")
	const text = "User-agent: *\nDisallow: /live\n"
	remove := func() {
		t.Helper()
		p.click("ul.documents li:nth-child(1) button", "Delete "+host)
		p.wantNames("From a link", "before relaunch", "open one")
		p.wait(editorText + ` === ""`) // the open document was closed
	}
	remove()
	p.click("dialog[open] button", "Undo")
	p.wantGrid(text, shopAgents, []string{"/cart2", "/live"})
	p.wantLatest(host, "before relaunch")
	remove()
	p.click("dialog[open] button", "Close")
	p.waitText("#notice", "“"+host+"” is deleted.")
	p.click("#notice button", "Undo")
	p.wantGrid(text, shopAgents, []string{"/cart2", "/live"})
	p.wantLatest(host, "before relaunch")
	remove()
	p.reload()
	p.wait(editorText + ` === ""`)
	p.wantNames("From a link", "before relaunch", "open one")

	// Documents of one name have numbers.
	p.click("dialog[open] button", "Close")
	p.openFile("open one", []byte(text))
	p.wantNames("From a link", "before relaunch", "open one", "open one (2)")
	p.click("ul.documents li:nth-child(1) button", "Delete open one (2)")
	p.wantNames("From a link", "before relaunch", "open one")
	p.click("dialog[open] button", "Delete all")
	p.waitText("[role=alertdialog]", "all 3 documents")
	p.click("[role=alertdialog] button", "Cancel")
	p.wantNames("From a link", "before relaunch", "open one")
	p.click("dialog[open] button", "Delete all")
	p.click("[role=alertdialog] button", "Delete all")
	p.wantDocuments()
	p.click("dialog[open] button", "New document")
	p.wait(editorText + ` === ""`)
	p.wantDocuments() // an empty document is kept once it was edited
	p.click("dialog[open] button", "Close")
	p.edit(1, "x")
	p.wait(editorText + ` === "x"`)
	p.wantDocuments("Untitled")
	p.waitText("ul.documents .help", "1 line")
	p.click("dialog[open] button", "Close")
	p.edit(1, "")
	p.until("an empty editor", func() (bool, string) { // a busy page may lose a key: it is pressed again then
		p.keys(kb.Backspace)
		text := evaluate[string](p, editorText)
		return text == "", text
	})
	p.wantDocuments("Untitled")
	p.waitText("ul.documents .help", "0 lines")
}

// A browser that keeps nothing is no reason to lose edits: the page says so, and asks.
func TestNoStorage(t *testing.T) {
	t.Parallel()
	live := site(t, map[string]string{"/robots.txt": "User-agent: *\nDisallow: /live\n"})
	p := newTab(t)
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `IDBFactory.prototype.open = () => { throw new DOMException("private", "SecurityError"); }; Storage.prototype.getItem = Storage.prototype.setItem = () => { throw new DOMException("private", "SecurityError"); };`})
	p.do(chromedp.Navigate(serve(t).url + state{Text: shop, Agents: shopAgents, URLs: shopURLs}.fragment()))
	p.wantGrid(shop, shopAgents, shopURLs)
	p.waitText("#notice", "keeps no documents here")
	p.edit(2, "2")
	edited := strings.Replace(shop, "/cart\n", "/cart2\n", 1)
	p.wantGrid(edited, shopAgents, shopURLs)
	p.fetch(live)
	p.waitText("[role=alertdialog]", "will be lost")
	p.click("[role=alertdialog] button", "Cancel")
	p.wantGrid(edited, shopAgents, shopURLs)
	p.click("#live button", "Fetch")
	p.click("[role=alertdialog] button", "Replace it")
	p.wantGrid("User-agent: *\nDisallow: /live\n", shopAgents, shopURLs)
	p.click("#notice button", "Undo")
	p.wantGrid(edited, shopAgents, shopURLs)
}
