package browsertest_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
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
	agents, urls := []string{"Googlebot", "GPTBot", "Foo_Bot"}, []string{"/", "/cart", "/a|b", "/=1", "/c,d\"e", "/`x`"}
	p := open(t, serve(t), state{Text: shop, Agents: agents, URLs: urls})
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "robots.txt"), []byte(shop), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(flags ...string) string {
		args := append(append([]string{"check", "--file", "robots.txt", "--agent", strings.Join(agents, ","), "--grid"}, flags...), urls...)
		command := exec.Command(shared.tool, args...)
		command.Dir = folder
		output, err := command.Output()
		if code := command.ProcessState.ExitCode(); err != nil && code != 1 {
			t.Fatal(err)
		}
		return string(output)
	}
	p.copyOf("grid", "url,Googlebot")
	if got, want := p.download(func() { p.click("dialog button", "Save") }), check("--excel"); got != want {
		t.Errorf("the grid is %q, want %q", got, want)
	}
	table, _, _ := strings.Cut(check("--lines", "--format", "markdown"), "\n\n")
	if got := p.copyOf("markdown", "| url |"); got != table+"\n" {
		t.Errorf("the grid is\n%s\nwant\n%s", got, table)
	}
}

// Ctrl+C on a cell copies the sentence that explains it, and elsewhere what is selected.
func TestCopiedSentence(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), shopState)
	evaluate[bool](p, `(addEventListener("copy", (event) => (window.copied = event.clipboardData.getData("text/plain"))), true)`)
	p.selectCell("Googlebot", "/private/press/draft/2")
	p.waitText("#explanation .why", "draft")
	p.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		key := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "c", Code: "KeyC", WindowsVirtualKeyCode: 'C', Modifiers: int64(chromedp.ModifierCtrl), Commands: []string{"copy"}}
		_, err := chromedp.Call(ctx, input.DispatchKeyEvent, key)
		return err
	}))
	const want = "disallowed: Googlebot may not fetch /private/press/draft/2 – line 10 Disallow: /private/press/draft decides."
	p.until("the sentence", func() (bool, string) {
		got := evaluate[string](p, `window.copied ?? ""`)
		return got == want, got
	})
	p.waitText("#status .message", "Copied: disallowed")
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
	var pdf []byte
	p.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		result, err := chromedp.Call(ctx, cdppage.PrintToPDF, cdppage.PrintToPDFParams{})
		if err == nil {
			pdf = result.Data
		}
		return err
	}))
	if pages := bytes.Count(pdf, []byte("/Type /Page\n")); pages < 3 {
		t.Errorf("%d pages", pages)
	}
	if *shots != "" {
		if err := os.WriteFile(filepath.Join(*shots, "paper.pdf"), pdf, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.wait(`document.querySelector("#print") === null`)

	// The same sheet as text.
	evaluate[bool](p, `dispatchEvent(new Event("beforeprint"))`)
	p.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return err
	}))
	sheet := p.text("body")
	for _, want := range []string{"robots.txt: https://shop.example/robots.txt", "disallowed: FooBot may not fetch /cart", "What the edit changes", "Closes paths", "/private/press/draft/2", "# the end"} {
		if !strings.Contains(sheet, want) {
			t.Errorf("not on paper: %s", want)
		}
	}
	for _, unwanted := range []string{"Download", "Copy link", "Compare with"} {
		if strings.Contains(sheet, unwanted) {
			t.Errorf("on paper: %s", unwanted)
		}
	}
	if n := evaluate[int](p, `document.querySelectorAll("#print .lines li").length`); n != strings.Count(text, "\n") {
		t.Errorf("%d lines are on paper, want %d", n, strings.Count(text, "\n"))
	}
	if n := evaluate[int](p, `document.querySelectorAll("#print td").length - document.querySelectorAll("#print .diff-details td").length`); n != len(shopURLs)*len(shopAgents) {
		t.Errorf("%d cells are on paper", n)
	}
	for _, text := range evaluate[[]string](p, `(() => {
		const cells = [...document.querySelectorAll("#print :is(th, td)")].map((e) => ({ text: e.textContent, at: e.getBoundingClientRect() }));
		return cells.filter(({ at: a }, i) => cells.slice(0, i).some(({ at: b }) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).map(({ text }) => text);
	})()`) {
		t.Errorf("on paper it covers another cell: %s", text)
	}
}
