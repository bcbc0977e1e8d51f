package browser_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The text in the editor is compared with itself before edits, a site, a file and an older
// document. The sentence about the whole site comes first, then the paths.
func TestCompareWith(t *testing.T) {
	t.Parallel()
	const staging = "User-agent: *\nDisallow: /\n"
	live := site(t, map[string]string{"/robots.txt": "User-agent: *\nDisallow: /cart\n"})
	s := serve(t)
	p := openReady(t, s, state{Text: staging, Agents: shopAgents, URLs: []string{"/", "/cart", "/x"}})
	compare := func() {
		t.Helper()
		p.inChanges("Compare with")
		p.wait(`document.querySelector("dialog[open] #compare-url")`)
	}
	summary := func(want string) {
		t.Helper()
		p.waitText(".diff-summary", want)
		if text := p.text(editorContent); !strings.Contains(text, "Disallow: /") {
			t.Errorf("the text in the editor is %q", text)
		}
	}

	compare()
	p.enter("#compare-url", live+"/shop/")
	summary("Compared with " + live + "/robots.txt: Closes the whole site for any crawler that follows the group for *; it was open except /cart.")
	p.waitText(".diff-changes", "closes")
	// The other site has no part in the findings and commands of this text.
	if command := p.copyOf("robots", "robots check"); !strings.Contains(command, "--file") {
		t.Errorf("the command is %q", command)
	}
	p.click("dialog[open] button", "Close")

	compare()
	evaluate[bool](p, `(() => {
		const transfer = new DataTransfer(), field = document.querySelector("#compare-file");
		transfer.items.add(new File([Uint8Array.from(atob(`+quote(base64.StdEncoding.EncodeToString([]byte("User-agent: *\nDisallow: /m\xFCller\n")))+`), (c) => c.charCodeAt(0))], "old.txt"));
		field.files = transfer.files;
		return field.dispatchEvent(new Event("change"));
	})()`)
	summary("Compared with old.txt: Closes the whole site for any crawler that follows the group for *; it was open except /m%FCller.")

	// The rows above the editor say which file is which; what a button takes away comes back. A sign
	// alone closes a message.
	p.waitText("#site", "Compared with: old.txt")
	p.wantNone("× that does not close a message", `[...document.querySelectorAll("button")].filter((button) => button.textContent === "×" && button.title !== "Close").map((button) => button.title)`)
	p.click("#site button", "End the comparison")
	p.waitText("#notice", "no longer compared with old.txt")
	p.waitText(".diff-summary", "Edit the text, or compare it with another")
	p.click("#notice button", "Undo")
	summary("Compared with old.txt: Closes")

	// The crawlers of the grid are not all for which a verdict changes.
	p.waitText(".diff-details", "Verdicts change for 3 of the 3 checked URLs.")
	for range shopAgents {
		p.click("#slot-crawlers .chip", "")
	}
	p.click("#tab-grid", "")
	p.enter("#crawler-input", "Googlebot")
	p.wantGrid(staging, []string{"Googlebot"}, []string{"/", "/cart", "/x"})
	p.openFile("two.txt", []byte("User-agent: *\nDisallow: /cart\nDisallow: /x\n\nUser-agent: Googlebot\nDisallow: /x\n"))
	p.edit(6, "y")
	p.edit(3, "y")
	p.edit(2, "y")
	p.waitText(".diff-details", "Verdicts change for 2 of the 3 checked URLs for some crawler, but for only 1 of them for the crawlers in the grid.")

	// A fetch ends the comparison with a file, also while the differences are shown.
	compare()
	p.click("dialog[open] button", "The text as it is now")
	p.edit(2, "z")
	// An answer that arrives while the button is pressed moves it away, once.
	evaluate[bool](p, `document.querySelector("#slot-changes").addEventListener("mousedown", () => (document.querySelector(".diff-summary").style.paddingBlockEnd = "20rem"), { once: true }) ?? true`)
	p.inChanges("Show differences")
	p.wait(`document.querySelector("#slot-merge .cm-content")`)
	p.fetch(live)
	p.waitText(".diff-summary", "The text in the editor is the same as "+live+"/robots.txt.")
	p.click("#notice button", "Undo")
	p.waitText(".diff-summary", "Opens ")
	p.openFile("staging.txt", []byte(staging))
	p.enter("#crawler-input", shopAgents[1])

	// An older document: the one that the page had before a file was opened.
	p.openFile("robots.txt", []byte("User-agent: *\nAllow: /\nDisallow: /private\n"))
	compare()
	p.click("dialog[open] ul.documents button.link", "From a link")
	summary("Compared with From a link: Opens all but /private for any crawler that follows the group for *; it was closed.")

	compare()
	p.click("dialog[open] button", "The text as it is now")
	p.waitText(".diff-summary", "is the same as the text that was kept at")
	p.edit(3, "2")
	summary("Opens /private (except /private2) for any crawler that follows the group for *.")
	p.inChanges("Undo all edits")
	p.waitText(".diff-summary", "is the same as")
	p.click("#notice button", "Undo")
	summary("Opens /private")

	// The example, and a text that is pasted over it, are compared with themselves before edits.
	q := p.second()
	q.do(chromedp.Navigate(s.url))
	q.waitReady()
	q.edit(3, "2")
	q.waitText(".diff-summary", "Opens ")
	q.click(editorContent, "")
	q.keys("a", chromedp.ModifierCtrl)
	evaluate[bool](q, `(() => {
		const clipboardData = new DataTransfer();
		clipboardData.setData("text/plain", "User-agent: *\nDisallow: /old\n");
		return document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
	})()`)
	q.waitText("#notice", "Your edits of “Example” are kept in Documents.")
	q.waitText(".diff-summary", "Edit the text, or compare it with another")
	q.wait(`document.title.startsWith("Untitled ")`)
	q.edit(2, "2")
	q.waitText(".diff-summary", "Opens /old (except /old2) for any crawler that follows the group for *.")
}

const editorContent = "#editor .cm-content"

// Undoing all edits while the differences are shown returns to the editor, with the whole text.
func TestUndoneDifferences(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), shopState)
	p.edit(2, "2")
	p.inChanges("Show differences")
	p.wait(`document.querySelector("#slot-merge .cm-content")`)
	p.inChanges("Undo all edits")
	p.wait(`!document.querySelector("#editor").hidden && !document.querySelector("#slot-merge .cm-content")`)
	p.wait(editorText + `.startsWith(` + quote(shop[:60]) + `)`)
}

// A fix beside the differences leaves the cursor and the edits there as they are.
func TestFixBesideDifferences(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), state{Text: "User-agent: *\nDisallow: /a\nNoindex: /x\nDisallow: /b\nDisallow: /c\n", Agents: shopAgents, URLs: shopURLs})
	p.edit(4, "2")
	p.inChanges("Show differences")
	p.wait(`document.querySelector("#slot-merge .cm-content")`)
	p.click("#slot-merge .cm-line:nth-of-type(2)", "Disallow: /a")
	p.keys(kb.End)
	p.insert("1")
	p.wait(editorText + `.includes("/a1") && !document.querySelector("#problems.stale")`)
	p.click("#problems button.fix", "remove the line")
	p.wait(`!` + editorText + `.includes("Noindex")`)
	p.do(chromedp.Focus(chromedp.CSS("#slot-merge .cm-content")))
	p.insert("3")
	p.wait(editorText + `.includes("/a13")`)
}
