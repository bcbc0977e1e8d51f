package browser_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// cacheNames is a JavaScript expression: the caches of the service worker.
const cacheNames = `caches.keys().then((names) => names.join("\n"))`

// waitOffline waits until the page says that it works without a network.
func (p *tab) waitOffline() {
	p.Helper()
	p.waitText("#offline-state", "offline")
}

// Once loaded, the page works without the service: it opens again, and its worker answers.
func TestOffline(t *testing.T) {
	t.Parallel()
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			p := openReady(t, s, shopState)
			p.waitOffline()
			p.expect("Failed to load resource")
			s.stop()
			with := state{Text: "User-agent: *\nDisallow: /b\n", Agents: []string{"FooBot"}, URLs: []string{"/a", "/b"}}
			p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.url+with.fragment()))
			p.wantGrid(with.Text, with.Agents, with.URLs)
			p.edit(2, "c")
			p.wantGrid("User-agent: *\nDisallow: /bc\n", with.Agents, with.URLs)
			// Everything but the sites is there.
			for _, view := range []string{"tree", "ai", "resources", "grid"} {
				p.click("#tab-"+view, "")
				p.wait(`document.querySelector("#view-` + view + `").innerText.trim() !== ""`)
			}
			p.waitText("#problems", "Problems")
			if s.direct != "" {
				p.fill("#host", "shop.example")
				p.click("#live button", "Fetch")
				p.waitText("#status .message", "unreachable")
			}
		})
	}
}

// A new build is used at the next visit and drops the files of the old one.
func TestNewBuild(t *testing.T) {
	t.Parallel()
	s := static(t)
	p := openReady(t, s, shopState)
	p.waitOffline()
	old := evaluate[string](p, `document.documentElement.dataset.build`)
	if names := evaluate[string](p, cacheNames); strings.Count(names, "robotstxt-page") != 1 || !strings.Contains(names, old) {
		t.Fatalf("the caches are %q, and the build is %s", names, old)
	}
	const next = "0123456789ab"
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(shared.folder)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.html", "serviceworker.js"} {
		body, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		text := string(body)
		if !strings.Contains(text, old) {
			t.Fatalf("%s does not name its build", name)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(strings.ReplaceAll(text, old, next)),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.replace("/", http.FileServer(http.Dir(folder)))
	p.do(chromedp.Navigate(s.url), chromedp.Reload())
	p.wait(`document.documentElement.dataset.build === ` + quote(next))
	waitValue(p, "the cache of the new build, and no other", cacheNames, func(names string) bool {
		return strings.Contains(names, next) && !strings.Contains(names, old)
	})
	p.waitReady()
}
