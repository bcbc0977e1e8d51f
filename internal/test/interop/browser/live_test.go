package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// The live file of a site is fetched, with its status, hops, freshness and headers, and
// becomes the file before. An edit then shows what it opens and closes, with a witness
// and the crawlers; the merge view shows the lines.
func TestLive(t *testing.T) {
	t.Parallel()
	s := serve(t)
	to := site(t, map[string]string{"/r.txt": shop})
	from := site(t, map[string]string{"/robots.txt": "redirect:" + to + "/r.txt"})
	p := open(t, s, state{Text: "User-agent: *\nDisallow: /x\n", Agents: shopAgents, URLs: shopURLs})
	p.fetch(from)
	p.wantGrid(shop, shopAgents, shopURLs)
	p.waitText("#site .status", "200")
	p.waitText("#site", "1 redirect")
	p.click("#site summary", "")
	for _, want := range []string{"301", from + "/robots.txt", to + "/r.txt", "Fresh until", "max-age=3600", "text/plain"} {
		p.waitText("#site table", want)
	}
	p.waitText(".diff-summary", "The text in the editor is the same as")

	// Closes: /teas for everybody but Googlebot and GPTBot. Opens: /cart.
	p.edit(2, "x")
	p.keys(kb.Enter + "Disallow: /teas")
	after := strings.Replace(shop, "Disallow: /cart\n", "Disallow: /cartx\nDisallow: /teas\n", 1)
	p.wantGrid(after, shopAgents, shopURLs)
	p.waitText(".diff-summary", "Opens")
	p.waitText(".diff-summary", "Closes")
	for _, test := range []struct{ row, witness, before, after string }{
		{".diff-opens", "/cart", "Disallow: /cart", "no rule"},
		{".diff-closes", "/teas", "no rule", "Disallow: /teas"},
	} {
		for _, part := range []string{test.witness, test.before, test.after, "any crawler that follows the group for *"} {
			p.waitText(test.row, part)
		}
	}
	// The witness becomes a row of the grid and is explained.
	p.click("#tab-changes", "")
	p.click(".diff-closes button.link", "/teas")
	witness := evaluate[string](p, `document.querySelector(".diff-closes button.link").textContent`)
	p.wantGrid(after, shopAgents, append(shopURLs[:len(shopURLs):len(shopURLs)], witness))
	p.waitText("#explanation .why", "may not fetch "+witness)

	p.inChanges("Show differences")
	p.waitText("#slot-merge", "Disallow: /teas")
	p.wait(`document.querySelector("#slot-merge .cm-deletedChunk, #slot-merge .cm-deletedLine")?.textContent.includes("Disallow: /cart")`)
	p.wait(`document.querySelector("#slot-merge .cm-insertedLine, #slot-merge .cm-changedLine")`)
	p.inChanges("Back to the editor")
	p.wait(find("#editor .cm-line", "Disallow: /teas"))

	p.inChanges("Undo all edits")
	p.wait(editorText + `.startsWith(` + quote(shop[:60]) + `)`)
	p.waitText(".diff-summary", "The text in the editor is the same as")
}

// A fetch that gives no file keeps the text, its edits and the file before. The page says
// what applies to the site, and that the verdicts are not about it.
func TestLiveFailures(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), state{Text: shop, Agents: shopAgents, URLs: shopURLs})
	p.expect("Failed to load resource")
	from := site(t, map[string]string{"/robots.txt": shop})
	p.fetch(from)
	p.waitText("#site .status", "200")
	p.edit(2, "x")
	edited := strings.Replace(shop, "Disallow: /cart\n", "Disallow: /cartx\n", 1)
	p.wantGrid(edited, shopAgents, shopURLs)

	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(broken.Close)
	closed := fmt.Sprintf("http://127.0.0.1:%d", valkeytest.FreePorts(t, 1)[0])
	missing := site(t, nil)
	for _, test := range []struct{ url, status, means string }{
		{broken.URL, "503", "may fetch nothing"},
		{closed, "no answer", "is unknown"},
		{"http://10.1.2.3", "", "not public"}, // the service hides addresses
		{missing, "404", "may fetch everything"},
	} {
		p.fetch(test.url)
		p.waitText("#about", test.url)
		if test.status != "" {
			p.waitText("#about .missed .status", test.status)
		}
		p.waitText("#about .warning", test.means)
		p.wait(fmt.Sprintf(`document.querySelector("#site").textContent.includes(%s)`, quote(from))) // the file before
		p.wait(fmt.Sprintf(`!!document.querySelector("#about .missed button:not(.quiet)") === %v`, test.url == missing))
		p.wantGrid(edited, shopAgents, shopURLs)
	}
	// Without a scheme https is tried; http is one click away.
	host := strings.TrimPrefix(from, "http://")
	p.fetch(host)
	p.waitText("#about .warning", "no secure connection (https)")
	p.click("#about .missed button", "Try http://")
	p.waitText("#site .status", "200")
	p.wantGrid(shop, shopAgents, shopURLs)
	p.click("#notice button", "Undo")
	p.wantGrid(edited, shopAgents, shopURLs)
	p.fetch(missing)
	p.waitText("#about .warning", "may fetch everything")

	p.click("#about .missed button", "Start with an empty file")
	p.waitText("#editor", "Empty: nothing is disallowed.")
	p.wantGrid("", shopAgents, shopURLs)
	p.wait(`document.querySelector("#about").textContent === ""`)
	p.fetch(broken.URL)
	p.waitText("#about", broken.URL)
	p.fetch(from)
	p.wantGrid(shop, shopAgents, shopURLs)
	p.wait(`document.querySelector("#about").textContent === ""`)
}
