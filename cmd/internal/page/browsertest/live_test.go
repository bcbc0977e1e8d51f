package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// The live file of a site is fetched, with its status, hops, freshness and headers, and
// becomes the file before. An edit then shows what it opens and closes, with a witness
// and the crawlers; the merge view shows the lines.
func TestLive(t *testing.T) {
	s := serve(t)
	to := site(t, map[string]string{"/r.txt": shop})
	from := site(t, map[string]string{"/robots.txt": "redirect:" + to + "/r.txt"})
	p := open(t, s, state{Text: "User-agent: *\nDisallow: /x\n", Agents: shopAgents, URLs: shopURLs})
	p.fill("#host", from)
	p.keys(kb.Enter)
	p.wantGrid(shop, shopAgents, shopURLs)
	p.waitText("#site .status", "200")
	p.waitText("#site", "1 redirect")
	p.click("#site summary", "")
	for _, want := range []string{"301", from + "/robots.txt", to + "/r.txt", "Fresh until", "max-age=3600", "text/plain"} {
		p.waitText("#site table", want)
	}
	p.waitText(".diff-summary", "The text is that of")

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
		for _, part := range []string{test.witness, test.before, test.after, "any other crawler"} {
			p.waitText(test.row, part)
		}
	}
	// The witness becomes a row of the grid and is explained.
	p.click(".diff-closes button.link", "/teas")
	witness := evaluate[string](p, `document.querySelector(".diff-closes button.link").textContent`)
	p.wantGrid(after, shopAgents, append(shopURLs[:len(shopURLs):len(shopURLs)], witness))
	p.waitText("#explanation .why", "may not fetch "+witness)

	p.click("#slot-changes button", "Show differences")
	p.waitText("#slot-merge", "Disallow: /teas")
	p.wait(`document.querySelector("#slot-merge .cm-deletedChunk, #slot-merge .cm-deletedLine")?.textContent.includes("Disallow: /cart")`)
	p.wait(`document.querySelector("#slot-merge .cm-insertedLine, #slot-merge .cm-changedLine")`)
	p.click("#slot-changes button", "Back to the editor")
	p.wait(find("#editor .cm-line", "Disallow: /teas"))

	p.click("#slot-changes button", "Undo all edits")
	p.wait(editorText + `.startsWith(` + quote(shop[:60]) + `)`)
	p.waitText(".diff-summary", "The text is that of")
}

// A site without an answer, and one that is refused, are told, and change nothing.
func TestLiveFailures(t *testing.T) {
	p := open(t, serve(t), shopState)
	p.expect("Failed to load resource")
	p.fill("#host", "http://10.1.2.3")
	p.keys(kb.Enter)
	p.until("a message about the refused address", func() (bool, string) {
		got := p.text("#status .message") + p.text("#site")
		return strings.Contains(got, "10.1.2.3") && !strings.Contains(got, "Fetching"), got
	})
	p.fill("#host", site(t, nil))
	p.keys(kb.Enter)
	p.waitText("#site .status", "404")
	p.waitText("#site .warning", "may fetch everything")
}
