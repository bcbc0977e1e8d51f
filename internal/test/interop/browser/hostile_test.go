package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// hostile is a file with markup, bidirectional controls, control bytes and long lines.
var hostile = strings.Join([]string{
	`# </textarea></script><script>window.hacked = 1</script>`,
	"User-agent: *",
	`Disallow: /<img src=x onerror="window.hacked=2">`,
	`Disallow: /"><svg onload=window.hacked=3>`,
	"Disallow: /\u202ecod.exe\u2066x",
	"Disallow: /nul\x00\x01\x1b[31mred\x7f",
	"Disallow: /\u200b\ufeffzero",
	"Disallow: /long" + strings.Repeat("*a", 250_000),
	"Disallow: /" + strings.Repeat("b", 500_000),
	`Sitemap: javascript:window.hacked=4`,
	`Sitemap: https://x.example/"onmouseover="window.hacked=5`,
	`<script>window.hacked=6</script>: <iframe srcdoc="x">`,
	"Content-Signal: <b>ai-train</b>=no",
	"Clean-param: <marquee>",
	"User-agent: <u>Foo\u202eBot</u>",
	"Allow: /",
	"",
}, "\n")

// safe is a JavaScript expression: what markup of the file has done to the page.
const safe = `[String(window.hacked ?? ""), ...[...document.querySelectorAll("script, img, svg, iframe, marquee, object, embed, b, u")].filter((e) => e.id !== "script" && !e.matches("img.cm-widgetBuffer:not([src])")).map((e) => e.outerHTML.slice(0, 80))].filter((s) => s !== "")`

func (p *tab) wantSafe(where string) {
	p.Helper()
	p.wantNone(where+": the page has", safe)
}

// A hostile robots.txt is text everywhere, and the page stays usable.
func TestHostileFile(t *testing.T) {
	t.Parallel()
	s := serve(t)
	web := site(t, map[string]string{"/robots.txt": hostile})
	urls := []string{"/", `/<img src=x onerror="window.hacked=2">`, "/nul", `/"><svg onload=window.hacked=3>x`}
	p := open(t, s, state{Text: shop, Agents: []string{"FooBot", "Googlebot"}, URLs: urls})
	if s.direct != "" {
		p.fill("#host", web)
		p.click("#live button", "Fetch")
		// The service reads 500 KiB of it, as crawlers do.
		cut := hostile[:strings.LastIndex(hostile[:500<<10], "\n")+1]
		p.wait(editorText + `.slice(0, 200).includes("window.hacked = 1")`)
		p.wantGrid(cut, []string{"FooBot", "Googlebot"}, urls)
		p.wantSafe("fetched")
		if got := evaluate[string](p, `document.querySelector("#editor").innerText`); strings.Contains(got, "\u202e") {
			t.Error("the editor shows a bidirectional control as such")
		}
	}

	// The whole file, opened from this device, and everything that shows parts of it.
	name := writeFile(t, t.TempDir(), "<img src=x onerror=alert(1)>.txt", []byte(hostile))
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#tools input[type=file]"), []string{name}))
	p.waitText("#status .message", "is open")
	p.selectCell("FooBot", urls[1])
	p.waitText("#explanation .why", "FooBot may fetch /<img")
	p.wantSafe("explained")
	for _, view := range []string{"changes", "ai", "resources", "grid"} {
		p.click("#tab-"+view, "")
		p.wait(`document.querySelector("#view-` + view + `").innerText.trim() !== ""`)
		if view == "resources" {
			p.findResources("https://shop.example/", `<script src='/"><img src=x onerror=window.hacked=7>'></script><img src="/`+"\u202e"+`x.png">`)
			p.waitText("#slot-resources", "2 resources")
		}
		p.wantSafe(view)
	}
	p.edit(3, "z")
	p.waitText("#slot-changes", "line 3")
	p.wantSafe("changes")
	p.inChanges("Show differences")
	p.wait(find("#slot-merge .cm-line", "<img"))
	p.wantSafe("merge")
	p.inChanges("Back to the editor")
	p.copyOf("expectations", "allow: /<img")
	p.wantSafe("dialog")
	p.click("dialog button", "Close")

	// The page is as usable as before.
	p.click("#dialect", "")
	p.choose("#dialect", "google")
	p.fill("#url-list", "/a\n/nul")
	p.until("answers for the new URLs", func() (bool, string) {
		got := p.grid()
		return len(got) == 4 && got["FooBot /a"] != "", difference(got, nil)
	})
	for _, text := range []string{`document.body.innerText`, `[...document.querySelectorAll("#problems, #grid, #explanation, #slot-changes")].map((e) => e.textContent).join("")`} {
		if got := evaluate[string](p, text); strings.ContainsAny(got, "\u202e\u2066\x1b\x00") {
			t.Errorf("%s has control characters of the file", text)
		}
	}
}
