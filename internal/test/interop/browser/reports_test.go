package browser_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The pages that commands write with --report have nothing that axe-core finds, and need no
// horizontal scrolling, light and dark, wide and on a phone.
func TestReports(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.expect("favicon.ico") // the server of the test has none
	folder := t.TempDir()
	writeFile(t, folder, "shop.example.txt", []byte(shop))
	writeFile(t, folder, "robots.txt", []byte(shop))
	writeFile(t, folder, "access.log", []byte(`192.0.2.1 - - [01/Nov/2026:10:00:00 +0000] "GET /cart HTTP/1.1" 200 512 "-" "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"
192.0.2.2 - - [02/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512 "-" "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"
`))
	for name, arguments := range map[string][]string{
		"audit":   {"audit", "--quiet", "shop.example.txt"},
		"changes": {"audit", "--quiet", "2025=shop.example.txt", "2026=shop.example.txt"},
		"visits":  {"visits", "--file", "robots.txt", "--served-since", "2026-10-01", "access.log"},
	} {
		runTool(t, folder, append(arguments, "--report", "report.html")...)
		text, err := os.ReadFile(filepath.Join(folder, "report.html"))
		if err != nil {
			t.Fatal(err)
		}
		p.do(chromedp.Navigate(site(t, map[string]string{"/": strings.Replace(string(text), "<!DOCTYPE", "<!doctype", 1)})))
		looks := []look{wideLight, wideDark, phoneLight, phoneDark}
		for _, l := range looks {
			p.look(l)
			p.wait(`document.documentElement.scrollWidth <= innerWidth`)
			if l.name == wideLight.name || l.name == phoneDark.name { // each width once
				p.wantAccessible(name+", "+l.name, "color-contrast")
			}
		}
		// Contrast takes longer the more elements there are, a minute on a busy machine: of rows with the same elements
		// and classes one stays.
		evaluate[bool](p, `(() => {
			const seen = new Set();
			for (const row of document.querySelectorAll("tr")) {
				const form = [row, ...row.querySelectorAll("*")].map((e) => e.tagName + " " + e.className).join();
				seen.has(form) ? row.remove() : seen.add(form);
			}
			return true;
		})()`)
		for _, l := range looks {
			p.look(l)
			p.wantAccessible(name + ", " + l.name)
		}
	}
}
