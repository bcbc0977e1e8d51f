package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A fetched file decides for its own site. URLs of another are unknown until a click fetches
// their file, which then decides; neither the grid nor an export shows the verdict of one site
// for a URL of the other. A reload keeps both files.
func TestSites(t *testing.T) {
	t.Parallel()
	s := serve(t)
	a := site(t, map[string]string{"/robots.txt": "User-agent: *\nDisallow: /cart\n# three lines\n"})
	b := site(t, map[string]string{"/robots.txt": "User-agent: *\n\nDisallow: /tea\n"})
	urls := []string{a + "/cart", a + "/tea", b + "/cart", b + "/tea"}
	p := open(t, s, state{Text: "", Agents: []string{"GPTBot"}, URLs: urls})
	p.fetch(a)
	want := verdicts{"GPTBot " + urls[0]: "disallowed 2", "GPTBot " + urls[1]: "allowed", "GPTBot " + urls[2]: "unknown", "GPTBot " + urls[3]: "unknown"}
	p.wantVerdicts(want)
	p.waitText("#sites", "2 URLs of "+b+": unknown, because its own file decides.")
	accessible := func(state string) {
		t.Helper()
		for _, l := range []look{phoneDark, wideLight} {
			p.look(l)
			p.wantVerdicts(want)
			p.wantAccessible(state + ", " + l.name)
		}
	}
	accessible("a missing file")
	p.wait(find("#grid .remark", "Another site’s file decides: "+b+"/robots.txt"))
	csv := p.copyOf("csv", urls[3])
	if line := b + "/tea,GPTBot,unknown,,,other-site,none,google,,,,,," + b + "/robots.txt"; !strings.Contains(csv, line) {
		t.Errorf("the answers as CSV have no line %s:\n%s", line, csv)
	}
	p.click("dialog.share-dialog button", "Close")
	p.selectCell("GPTBot", urls[3])
	p.waitText("#explanation .why", "the file of another site decides. It is "+b+"/robots.txt.")

	p.click("#sites button", "Fetch the file of "+b)
	want["GPTBot "+urls[2]], want["GPTBot "+urls[3]] = "allowed", "disallowed 3"
	p.wantVerdicts(want)
	p.waitText("#sites", b+"/robots.txt decides about its URLs (status 200).")
	accessible("a fetched file")
	p.selectCell("GPTBot", urls[3])
	p.waitText("#explanation .why", "The file is "+b+"/robots.txt.")
	if lit := p.lit("lit-decides"); len(lit) > 0 {
		t.Errorf("lines %v of the editor are lit for another site's file", lit)
	}
	p.wantNone("a line that decides on paper", `(() => {
		dispatchEvent(new Event("beforeprint"));
		const marked = [...document.querySelectorAll("#print .lines .decides")].map((line) => line.textContent);
		dispatchEvent(new Event("afterprint"));
		return marked;
	})()`)
	p.reload()
	p.wantVerdicts(want)
	// The file in the editor is edited: only its site changes.
	p.edit(2, "")
	p.keys("x")
	want["GPTBot "+urls[0]] = "allowed"
	p.wantVerdicts(want)
	// The second site comes into the editor; the first one's file, as it was fetched, stays.
	p.fetch(b)
	want["GPTBot "+urls[0]] = "disallowed 2"
	p.wantVerdicts(want)

	// A pasted text has no site: it is compared with all URLs, which the page says.
	p = open(t, s, state{Text: "User-agent: *\nDisallow: /\n", Agents: []string{"GPTBot"}, URLs: urls})
	p.waitText("#sites", "2 URLs of "+b+": compared with this text, but its own file decides.")
	for _, url := range urls {
		want["GPTBot "+url] = "disallowed 2"
	}
	p.wantVerdicts(want)
	p.wantNone("no remark on paper", `(() => {
		dispatchEvent(new Event("beforeprint"));
		const rows = [...document.querySelectorAll("#print .sheet tbody tr")].map((row) => row.textContent);
		dispatchEvent(new Event("afterprint"));
		return rows.slice(2).filter((text) => !text.includes(`+quote("but "+b+"/robots.txt governs it")+`));
	})()`)

	// The file of a site with which it is compared decides for that site only.
	p.inChanges("Compare with")
	p.wait(`document.querySelector("dialog[open] #compare-url")`)
	p.enter("#compare-url", a)
	p.click("#tab-grid", "")
	p.waitText(".diff-details", "Verdicts change for 1 of the 2 checked URLs. 2 URLs of other sites are not compared.")
	p.wait(`document.querySelectorAll("#grid td .was").length === 1`)
	if changes := p.copyOf("changes", "agent,effect"); strings.Count(changes, "\n") != 2 || !strings.Contains(changes, "GPTBot,closes,"+urls[1]+",") {
		t.Errorf("the changes are\n%s", changes)
	}

	// A link says which file is in the editor, and not only with which it is compared.
	link := p.copyOf("link", "#s1.")
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
	p.waitText(".diff-details", "2 URLs of other sites are not compared.")
	p.wantVerdicts(want)
}
