package browser_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A URL with a password is refused before any request, is shown nowhere in clear, and the
// note has the command that takes it.
func TestCredentials(t *testing.T) {
	t.Parallel()
	s := serve(t)
	if s.direct == "" {
		t.Skip("without a service nothing is fetched")
	}
	p := open(t, s, state{Text: shop, Agents: shopAgents, URLs: shopURLs})
	p.click("#host", "")
	p.insert("https://me:secret@staging.example/")
	p.keys(kb.Enter)
	p.waitText("#about .warning", "https://***@staging.example/ has a user name or password, which this page sends nowhere")
	p.waitText("#about .warning", "robots check --agent Googlebot https://***@staging.example/")
	p.wantNone("the password is shown", `(document.documentElement.outerHTML + [...document.querySelectorAll("input, textarea")].map((field) => field.value).join()).includes("secret") ? ["secret"] : []`)
	if sent := s.recorded("/v1/fetch"); len(sent) > 0 {
		t.Errorf("%d requests were sent", len(sent))
	}
}

// Each call about a site that never answers ends with a click, within 100 ms, and the page is
// as it was: a fetch into the editor, one of the file of another site, one to compare with, a
// sitemap and what may be done with a URL. While one runs, axe-core finds nothing.
func TestStop(t *testing.T) {
	t.Parallel()
	s := serve(t)
	if s.direct == "" {
		t.Skip("without a service nothing is fetched")
	}
	a := site(t, map[string]string{"/robots.txt": shop})
	urls := []string{a + "/cart", "https://slow.example/a"}
	p := open(t, s, state{Text: shop, Agents: shopAgents, URLs: urls})
	p.fetch(a)
	p.waitText("#sites", "1 URL of https://slow.example: unknown")
	shown := p.grid()
	same(t, "the verdict about the other site", shown["GPTBot "+urls[1]], "unknown")
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	for _, call := range []string{"fetch", "sitemap", "permit"} {
		s.replace("/v1/"+call, held(never, http.NotFoundHandler()))
	}
	stop := func(within, status string) {
		t.Helper()
		p.wait(find(within+" button", "Stop"))
		p.wantAccessible("during a call in " + within)
		took := evaluate[float64](p, `new Promise((done) => {
			const stop = `+find(within+" button", "Stop")+`, start = performance.now();
			new MutationObserver(() => stop.hidden && done(performance.now() - start)).observe(stop, { attributes: true });
			stop.focus();
			stop.click();
		})`)
		// The aim is 100 ms. A call that is not ended waits for its site, half a minute.
		t.Logf("Stop in %s took %.0f ms", within, took)
		if took > 5000 {
			t.Errorf("the call in %s ended after %.0f ms", within, took)
		}
		p.waitText(status, "Stopped.")
		p.wait(`document.activeElement.closest(` + quote(within) + `)`) // the focus is not lost
		p.wantVerdicts(shown)
	}
	p.fetch("https://slow.example")
	p.wait(`document.querySelector("#live form").getAttribute("aria-busy") === "true"`)
	stop("#live", "#status .message")
	p.click("#sites button", "Fetch the file of https://slow.example")
	stop("#sites", "#sites [role=status]")

	p.inChanges("Compare with")
	p.wait(`document.querySelector("dialog[open] #compare-url")`)
	p.enter("#compare-url", "https://slow.example")
	stop("dialog.compare", "dialog.compare [role=status]")
	// The end of the dialog is that of its call too.
	p.enter("#compare-url", "https://slow.example")
	p.wait(find("dialog.compare button", "Stop"))
	p.click("dialog.compare button", "Close")
	p.wait(`[...document.querySelectorAll("dialog.compare button")].find((button) => button.textContent === "Stop").hidden`)

	p.show("grid")
	p.click("#slot-urls summary", "")
	p.enter("#urls-sitemap", "https://slow.example/sitemap.xml")
	stop("#slot-urls", "#slot-urls [role=status]")

	p.show("ai")
	p.unfold("[data-part=letter]")
	p.enter("#permit-url", "https://slow.example/a")
	p.wait(find(".permit button", "Stop"))
	p.wantAccessible("during a call about a URL")
	p.click(".permit button", "Stop")
	p.waitText(".permit [role=status]", "Stopped.")
	for _, call := range []string{"fetch", "sitemap", "permit"} {
		s.replace("/v1/"+call, nil)
	}
}

// Back and Forward lead through the files that were in the editor, also after a reload.
func TestBack(t *testing.T) {
	t.Parallel()
	s := serve(t)
	if s.direct == "" {
		t.Skip("without a service nothing is fetched")
	}
	var sites, texts []string
	for _, path := range []string{"/a", "/b"} {
		text := "User-agent: *\nDisallow: " + path + "\n"
		sites, texts = append(sites, site(t, map[string]string{"/robots.txt": text})), append(texts, text)
	}
	p := open(t, s, state{Text: shop, Agents: shopAgents, URLs: shopURLs})
	// Until the reload nothing is written: what is being written then must not be lost.
	p.wait(`navigator.locks.query = () => new Promise(() => {})`)
	shows := func(text string) {
		p.wait(editorText + `.startsWith(` + quote(strings.TrimSuffix(text, "\n")[:20]) + `) && ` + editorText + `.includes(` +
			quote(strings.Split(text, "\n")[1]) + `)`)
	}
	for i, from := range sites {
		p.fetch(from)
		shows(texts[i])
	}
	p.do(chromedp.NavigateBack())
	shows(texts[0])
	p.reload()
	shows(texts[0])
	p.do(chromedp.NavigateBack())
	shows(shop)
	p.do(chromedp.NavigateForward())
	shows(texts[0])
	p.do(chromedp.NavigateForward())
	shows(texts[1])
}

// The journey of a person who knows only the page: two sites and a staging text that is
// pasted, 300 URLs and five crawlers; find the rule, filter by a crawler, edit, and save what
// changes. With mouse and keyboard; on a phone; while a third site never answers; and with a
// reload, or Back and Forward, at every step.
func TestJourney(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		look   look
		silent bool // a third site never answers
		again  bool // each step is followed by a reload, and by Back and Forward
	}{
		{name: "wide", look: wideLight}, {name: "phone", look: look{"phone", 390, 844, phoneDark.media}}, {name: "silent", look: wideDark, silent: true}, {name: "again", look: wideLight, again: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t)
			if s.direct == "" {
				t.Skip("without a service nothing is fetched")
			}
			journey(t, s, test.look, test.silent, test.again)
		})
	}
}

func journey(t *testing.T, s *service, l look, silent, again bool) {
	a := site(t, map[string]string{"/robots.txt": "User-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nDisallow: /\n"})
	b := site(t, map[string]string{"/robots.txt": "User-agent: *\nAllow: /\n"})
	var urls []string
	for i := range 150 {
		folder := []string{"cart", "tea"}[i%2]
		urls = append(urls, fmt.Sprintf("%s/%s/%d", a, folder, i), fmt.Sprintf("%s/%s/%d", b, folder, i))
	}
	agents := []string{"Googlebot", "Bingbot", "GPTBot", "ClaudeBot", "FooBot"}
	p := newTab(t)
	p.do(chromedp.Navigate(s.url + state{Agents: agents, URLs: urls}.fragment()))
	p.look(l)
	summary := func(text string) {
		t.Helper()
		p.waitText("#grid .summary", text)
		if !again {
			return
		}
		p.wait(complete)
		p.reload()
		p.waitText("#grid .summary", text)
		if evaluate[bool](p, `navigation.canGoBack && navigation.currentEntry.index > 1`) {
			p.do(chromedp.NavigateBack(), chromedp.NavigateForward())
			p.waitText("#grid .summary", text)
		}
	}
	summary("1,500 allowed")
	p.fetch(a)
	summary("750 unknown")
	if silent {
		never := make(chan struct{})
		t.Cleanup(func() { close(never) })
		s.replace("/v1/fetch", held(never, http.NotFoundHandler()))
		p.fetch("https://silent.example")
		p.until("the request", func() (bool, string) {
			sent := s.recorded("/v1/fetch")
			return len(sent) == 2, fmt.Sprint(sent)
		})
		s.replace("/v1/fetch", nil) // it still waits, and everything else goes on
	}
	p.click("#sites button", "Fetch the file of "+b)
	summary("1,050 allowed · 450 disallowed")
	p.wait(`document.querySelector("#explanation .why").textContent === "GPTBot may not fetch 150 of 300 URLs, Googlebot, Bingbot and ClaudeBot 75 each, 1 more crawler some."`)

	// The URLs are in sections by host; the head has that of the first row.
	same(t, "the origin in the head", p.text("#grid .corner"), a)
	if rows := evaluate[[]string](p, gridRows); !strings.HasPrefix(rows[1], a) {
		t.Errorf("the second row is %s", rows[1])
	}

	// The count of a crawler filters, with the mouse and with keys; on a phone, which has no
	// heads of columns, in the bar of filters.
	const heads = `[...document.querySelectorAll("#grid thead button")]`
	head := heads + `.find((button) => button.textContent.startsWith("GPTBot"))`
	wide := l.width > 500
	p.wait(head + `.querySelector(".count").textContent === "150"`)
	if wide {
		p.click("#grid thead button", "GPTBot")
		p.waitText("#grid .summary", "150 shown")
		p.wait(head + `.getAttribute("aria-pressed") === "true"`)
		p.selectCell("GPTBot", urls[0])
		p.keys(kb.ArrowUp)
		p.wait(`document.activeElement === ` + head)
		p.keys(kb.Enter)
		p.wait(head + `.getAttribute("aria-pressed") === "false"`)
		p.keys(kb.ArrowLeft + kb.ArrowDown)
		p.wait(cell("Bingbot", urls[0]) + ` === document.activeElement`)
		p.keys(kb.PageDown + kb.Home)
		p.wait(cell("Googlebot", urls[20]) + ` === document.activeElement`)
		p.keys(kb.End)
		p.wait(cell("FooBot", urls[20]) + ` === document.activeElement`)
		p.keys(kb.End, chromedp.ModifierCtrl)
		p.wait(cell("FooBot", urls[299]) + ` === document.activeElement`)
		same(t, "the origin in the head", p.text("#grid .corner"), b)
		p.keys(kb.Home, chromedp.ModifierCtrl)
	} else {
		p.wait(find(".filter button", "GPTBot") + `.textContent === "GPTBot 150"`)
		p.click(".filter button", "GPTBot")
		p.waitText("#grid .summary", "150 shown")
		p.wait(find(".filter button", "GPTBot") + `.getAttribute("aria-pressed") === "true"`)
		p.wantAccessible("a filter on a phone")
		p.do(chromedp.Focus(chromedp.JSPath(find(".filter button", "GPTBot"))))
		p.keys(kb.Enter)
		p.wait(find(".filter button", "GPTBot") + `.getAttribute("aria-pressed") === "false"`)
	}
	p.waitText("#grid .summary", "1,050 allowed")

	// The rule, an edit, and what it changes.
	p.selectCell("Googlebot", urls[0])
	p.waitText("#explanation .why", "Disallow: /cart")
	p.edit(2, "/old")
	summary("1,350 allowed · 150 disallowed")
	p.waitText(".diff-summary", "Opens")
	p.waitText(".diff-changes li", "/cart/0") // one's own URL, and not what the proof found
	p.wait(`[...document.querySelectorAll(".diff-changes li")].map((row) => row.querySelector(".number").textContent).join() === " · 75 of your URLs"`)
	csv := p.copyOf("changes", "Disallow: /cart")
	if lines := strings.Count(csv, "\n"); lines != 301 || !strings.Contains(csv, "Googlebot,opens,"+urls[0]+",2,Disallow: /cart,,\n") || strings.Contains(csv, b) {
		t.Errorf("%d lines of changes:\n%.400s", lines, csv)
	}
	p.click("dialog.share-dialog button", "Close")

	// A staging file is pasted over the text: it is of the same site.
	p.click("#editor .cm-content", "")
	p.keys("a", chromedp.ModifierCtrl)
	p.keys(kb.Delete)
	p.insert("User-agent: *\nDisallow: /tea\n")
	summary("1,125 allowed · 375 disallowed")
	if silent {
		p.wait(`document.querySelector("#live form").getAttribute("aria-busy") === "true"`)
		p.click("#live button", "Stop")
		p.waitText("#status", "Stopped.")
		p.waitText("#grid .summary", "1,125 allowed · 375 disallowed")
	}
}
