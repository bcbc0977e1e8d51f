package browser_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The grid as CSV and Markdown is that of the tool.
func TestSheets(t *testing.T) {
	t.Parallel()
	agents := []string{"Googlebot", "GPTBot", "Foo_Bot"}
	urls := []string{"/", "/cart", "/a|b", "/=1", "/c,d\"e", "/`x`"}
	p := open(t, serve(t), state{Text: shop, Agents: agents, URLs: urls})
	file := writeFile(t, t.TempDir(), "robots.txt", []byte(shop))
	check := func(flags ...string) string {
		output, _ := runTool(t, "", slices.Concat([]string{"check", "--file", file, "--agent", strings.Join(agents, ","), "--grid"}, flags, urls)...)
		return output
	}
	p.copyOf("grid", "url,Googlebot")
	same(t, "the grid", p.download(func() { p.click("dialog button", "Save") }), check("--excel"))
	table, _, _ := strings.Cut(check("--lines", "--format", "markdown"), "\n\n")
	same(t, "the grid", p.copyOf("markdown", "| url |"), table+"\n")
}

// Ctrl+C on a cell copies the sentence that explains it, and elsewhere what is selected.
func TestCopiedSentence(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), shopState)
	evaluate[bool](p, `(addEventListener("copy", (event) => (window.copied = event.clipboardData.getData("text/plain"))), true)`)
	p.selectCell("Googlebot", "/private/press/draft/2")
	p.waitText("#explanation .why", "draft")
	call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeRawKeyDown, Key: "c", Code: "KeyC", WindowsVirtualKeyCode: 'C',
		Modifiers: int64(chromedp.ModifierCtrl), Commands: []string{"copy"},
	})
	const want = "Googlebot may not fetch /private/press/draft/2 – line 10 Disallow: /private/press/draft decides."
	waitValue(p, "the sentence", `window.copied ?? ""`, func(got string) bool { return got == want })
	p.waitText("#status .message", "Copied: Googlebot may not fetch")
}

// On paper are the verdict, the whole grid, the differences, and the file with the numbers
// of its lines; nothing else.
func TestPaper(t *testing.T) {
	t.Parallel()
	before := shop
	text := strings.Replace(shop, "/cart\n", "/c\n", 1) + strings.Repeat("# a long file\n", 300) + "# the end\n"
	p := open(t, serve(t), state{Text: text, Before: &before, Name: "https://shop.example/robots.txt", Agents: shopAgents, URLs: shopURLs})
	p.selectCell("FooBot", "/cart")
	p.waitText("#explanation .why", "line 2")
	p.waitText(".diff-details", "closes")
	pdf := call(p, cdppage.PrintToPDF, cdppage.PrintToPDFParams{}).Data
	if pages := bytes.Count(pdf, []byte("/Type /Page\n")); pages < 3 {
		t.Errorf("%d pages", pages)
	}
	if *shots != "" {
		writeFile(t, *shots, "paper.pdf", pdf)
	}
	p.wait(`document.querySelector("#print") === null`)

	// The same sheet as text.
	evaluate[bool](p, `dispatchEvent(new Event("beforeprint"))`)
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	sheet := p.text("body")
	for _, want := range []string{"robots.txt: https://shop.example/robots.txt", "FooBot may not fetch /cart", "Changes", "Closes /c", "/private/press/draft/2", "# the end"} {
		if !strings.Contains(sheet, want) {
			t.Errorf("not on paper: %s", want)
		}
	}
	for _, unwanted := range []string{"Download", "Copy link", "Compare with"} {
		if strings.Contains(sheet, unwanted) {
			t.Errorf("on paper: %s", unwanted)
		}
	}
	same(t, "lines on paper", evaluate[int](p, `document.querySelectorAll("#print .lines li").length`), strings.Count(text, "\n"))
	same(t, "cells on paper", evaluate[int](p, `document.querySelectorAll("#print td").length - document.querySelectorAll("#print .diff-details td").length`), len(shopURLs)*len(shopAgents))
	p.wantNone("on paper it covers another cell", `(() => {
		const cells = [...document.querySelectorAll("#print :is(th, td)")].map((e) => ({ text: e.textContent, at: e.getBoundingClientRect() }));
		return cells.filter(({ at: a }, i) => cells.slice(0, i).some(({ at: b }) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).map(({ text }) => text);
	})()`)
}
