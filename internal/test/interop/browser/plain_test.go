package browser_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Without scripts a form works, with the file in it or that of a site.
func TestWithoutScripts(t *testing.T) {
	t.Parallel()
	s := serve(t)
	web := site(t, map[string]string{"/robots.txt": shop})
	p := newTab(t)
	p.scripts(false)
	p.do(chromedp.Navigate(s.url))
	same(t, "the editor, which cannot work, is visible", evaluate[bool](p, `document.querySelector("#page")?.checkVisibility() ?? false`), false)
	check := func(url string) {
		t.Helper()
		agents := []string{"Googlebot", "FooBot"}
		urls := []string{url + "/cart", url + "/private/x", url + "/search?q=<b>"}
		p.write("textarea[name=agents]", strings.Join(agents, "\n"))
		p.write("textarea[name=urls]", strings.Join(urls, "\n"))
		p.click("form button", "Check")
		p.wait(`document.querySelectorAll("table.answers tbody tr").length === 6`)
		got := evaluate[verdicts](p, `Object.fromEntries([...document.querySelectorAll("table.answers tbody tr")].map((row) => {
			const [agent, url, verdict, line] = [...row.cells].map((cell) => cell.textContent);
			return [agent + " " + url, (verdict + " " + (line === "–" ? "" : line)).trim()];
		}))`)
		if text := difference(got, want(shop, agents, urls)); text != "" {
			t.Errorf("%s: the form answers otherwise:\n%s", url, text)
		}
	}
	p.write("textarea[name=body]", shop)
	check("https://shop.example")

	p.do(chromedp.Navigate(s.url))
	p.write("input[name=site]", web)
	check(web)

	p.do(chromedp.Navigate(s.url))
	p.expect("status of 4")
	p.write("textarea[name=urls]", "no URL at all")
	p.click("form button", "Check")
	p.waitText("[role=alert]", "")
	p.wait(`document.querySelector("[role=alert]")`)
}

// scripts permits or forbids the scripts of pages.
func (p *tab) scripts(permitted bool) {
	p.Helper()
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !permitted})
	p.scriptless = !permitted
}

// write types into a field of the form.
func (p *tab) write(selector, text string) {
	p.Helper()
	p.click(selector, "")
	p.keys("a", chromedp.ModifierCtrl)
	p.insert(text)
	p.wait(`document.querySelector(` + quote(selector) + `).value.length === ` + strconv.Itoa(len([]rune(text))))
}

// Before the WebAssembly is loaded, and if it never is, the service answers.
func TestServerFirst(t *testing.T) {
	t.Parallel()
	s := serve(t)
	release := make(chan struct{})
	s.replace("robots.wasm", held(release, s.handler))
	p := open(t, s, shopState)
	p.edit(2, "x")
	after := strings.Replace(shop, "/cart", "/cartx", 1)
	p.wantGrid(after, shopAgents, shopURLs)
	if len(s.recorded("v1/check")) < 2 {
		t.Error("the service was not asked")
	}
	if evaluate[string](p, `document.querySelector("#engine-state").dataset.state`) == "ready" {
		t.Error("the page says that its engine is loaded")
	}
	close(release)
	p.waitReady()
	s.forget()
	p.edit(2, "y")
	p.wantGrid(strings.Replace(shop, "/cart", "/cartxy", 1), shopAgents, shopURLs)
	for _, r := range s.recorded("v1/") {
		t.Errorf("the service was asked for %s although the worker answers", r.target)
	}
}

// The policy of the page, in a header or in its meta element, stops what a defect in it
// could do: scripts of others, requests to others, and markup from text.
func TestPolicy(t *testing.T) {
	t.Parallel()
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			other := site(t, map[string]string{"/": "x"})
			p := open(t, s, shopState)
			p.expect("Content Security Policy")
			p.expect("TrustedHTML")
			p.expect("TrustedScript")
			p.expect("Refused to")
			p.expect("violates the following")
			for what, attempt := range map[string]string{
				"another origin": `fetch(` + quote(other) + `, { mode: "no-cors" }).then(() => "done", () => "refused")`,
				"an image":       `new Promise((done) => { const i = new Image(); i.onload = () => done("done"); i.onerror = () => done("refused"); i.src = ` + quote(other+"/x.png") + `; })`,
				"a script":       `new Promise((done) => { const s = document.createElement("script"); try { s.append("window.inline = 1"); document.body.append(s); } catch {} done(window.inline ? "done" : "refused"); })`,
				"markup":         `(() => { try { document.createElement("p").innerHTML = "<b>x</b>"; return "done"; } catch { return "refused"; } })()`,
				"a style":        `(() => { const s = document.createElement("style"); s.textContent = "body { z-index: 7 }"; document.body.append(s); return getComputedStyle(document.body).zIndex === "7" ? "done" : "refused"; })()`,
			} {
				same(t, what, evaluate[string](p, attempt), "refused")
			}
		})
	}
}
