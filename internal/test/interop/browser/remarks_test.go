package browser_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Misspelt crawlers, texts that are no URLs, and URLs of other sites have a remark.
func TestRemarks(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.replace("robots.wasm", http.NotFoundHandler()) // the service answers all calls
	from := site(t, map[string]string{"/robots.txt": shop})
	none := []string{"nonsense", "htp:/x", "foo/bar", "*", "http://[::1", "mailto:a@b", "https://"}
	urls := []string{"/cart", from + "/x", "https://b.example/x", "https://b.example/a-path-that-is-so-long-that-it-does-not-fit", "//other.example/x"}
	p := visit(t, s.url+state{Text: shop, Agents: []string{"Gogglebot", "GPTBot"},
		URLs: slices.Insert(slices.Clone(urls), 1, none...)}.fragment())
	p.expect("Failed to load resource")
	p.wantGrid(shop, []string{"Gogglebot", "GPTBot"}, urls) // what is no URL has no verdict
	p.waitText("#grid .summary", "2 crawlers × 5 URLs")
	for _, text := range none[:5] { // as many as are named
		p.waitText("#urls .remarks", "“"+text+"”")
	}
	p.waitText("#urls .remarks", "not a URL: a URL begins with")
	p.wait(`document.querySelectorAll("#grid th .remark").length === 3`) // of other sites than the first URL
	p.fetch(from)
	p.waitText("#site .status", "200")
	for place, want := range []string{"", "", "https://b.example/robots.txt", "https://b.example/robots.txt", "http://other.example/robots.txt"} {
		p.waitText(fmt.Sprintf("#grid tbody tr:nth-child(%d) th", place+1), want)
	}
	p.wait(`document.querySelectorAll("#grid th .remark").length === 3`)
	for _, l := range []look{wideLight, phoneLight} {
		p.look(l)
		p.wait(fmt.Sprintf(`document.querySelector("#grid table").matches(".cards") === %v && document.querySelector("#grid .remark")`, l.width < 500))
		p.wantNone(l.name+": cut off", `[...document.querySelectorAll("#grid th:has(.remark), #grid .remark")].filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)`)
	}
	p.look(wideLight)
	p.waitText("#slot-crawlers .remark", "Gogglebot is not a known crawler")
	p.click("#slot-crawlers .remark button", "Googlebot")
	verdicts := want(shop, []string{"Googlebot", "GPTBot"}, urls)
	for key := range verdicts {
		if _, url, _ := strings.Cut(key, " "); slices.Contains(urls[2:], url) {
			verdicts[key] = "unknown" // the file is of another site
		}
	}
	p.wantVerdicts(verdicts)
	p.wait(`!document.querySelector("#slot-crawlers .remark")`)
	p.fill("#url-list", "nonsense")
	p.waitText("#grid .note", "Add URLs or paths")
	p.wait(`!document.querySelector("#grid td")`)
}
