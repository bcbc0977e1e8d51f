package browsertest_test

import (
	"net/http"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// Misspelt crawlers, texts that are no URLs, and URLs of other sites have a remark.
func TestRemarks(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.replace("robots.wasm", http.NotFoundHandler()) // the service answers all calls
	from := site(t, map[string]string{"/robots.txt": shop})
	p := open(t, s, state{Text: shop, Agents: []string{"Gogglebot", "GPTBot"}, URLs: []string{"/cart", "nonsense", from + "/x", "https://b.example/x"}})
	p.expect("Failed to load resource")
	p.waitText("#grid th .remark", "not a URL")
	p.wait(`document.querySelectorAll("#grid th .remark").length === 2`) // b.example is not the site of the first URL
	p.fill("#host", from)
	p.keys(kb.Enter)
	p.wait(`document.querySelectorAll("#grid th .remark").length === 2`)
	p.waitText("#grid tr:nth-child(4) .remark", "https://b.example/robots.txt")
	p.waitText("#slot-crawlers .remark", "Gogglebot is not a known crawler")
	p.click("#slot-crawlers .remark button", "Googlebot")
	p.wantGrid(shop, []string{"Googlebot", "GPTBot"}, []string{"/cart", "nonsense", from + "/x", "https://b.example/x"})
	p.wait(`!document.querySelector("#slot-crawlers .remark")`)
}
