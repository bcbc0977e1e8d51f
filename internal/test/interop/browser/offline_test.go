package browser_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
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
			for _, view := range []string{"changes", "ai", "resources", "grid"} {
				p.click("#tab-"+view, "")
				p.wait(`document.querySelector("#view-` + view + `").innerText.trim() !== ""`)
			}
			p.waitText("#problems", "Problems")
			if s.direct != "" {
				p.fill("#host", "shop.example")
				p.click("#live button", "Fetch")
				p.waitText("#about", "unreachable")
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

// exportFile exports the page as one file, and returns its URL.
func exportFile(t *testing.T) string {
	t.Helper()
	if shared.tool == "" {
		t.Skipf("%s is not set", variable)
	}
	name := filepath.Join(t.TempDir(), "robots.html")
	runTool(t, "", "serve", "--export", name)
	return "file://" + name
}

// The page as one file works from a disk: it requests nothing, not even from this machine. It says
// what it cannot do, follows edits, keeps and saves files.
func TestOneFile(t *testing.T) {
	t.Parallel()
	url := exportFile(t)
	p := newTab(t)
	var requested recorder
	if err := chromedp.Listen(p.ctx, func(event any) {
		sent, ok := event.(*network.EventRequestWillBeSent)
		if !ok || regexp.MustCompile(`^(?:file|blob|data):`).MatchString(sent.Request.URL) {
			return
		}
		requested.mu.Lock()
		requested.seen = append(requested.seen, sent.Request.URL)
		requested.mu.Unlock()
	}); err != nil {
		t.Fatal(err)
	}
	with := state{Text: "User-agent: *\nDisallow: /b\n", Agents: []string{"FooBot"}, URLs: []string{"/a", "/b"}}
	p.do(chromedp.Navigate(url + with.fragment()))
	p.waitReady()
	p.wantGrid(with.Text, with.Agents, with.URLs)
	p.waitText("#live", "cannot fetch")
	p.openFile("other.txt", []byte("User-agent: *\nDisallow: /a\n"))
	p.wantGrid("User-agent: *\nDisallow: /a\n", with.Agents, with.URLs)
	p.edit(2, "c")
	const edited = "User-agent: *\nDisallow: /ac\n"
	p.wantGrid(edited, with.Agents, with.URLs)
	p.waitText("#slot-changes", "Opens")
	p.wantDownload(edited)
	p.click("#slot-share button", "Copy link")
	p.waitText("#slot-share", "on this computer")
	p.reload()
	p.wantGrid(edited, with.Agents, with.URLs)
	p.do(chromedp.Navigate(url + "?lang=de"))
	p.waitText("#live", "nicht abrufen")
	if hosts := requested.hosts(); len(hosts) > 0 {
		t.Errorf("the page requested %q", hosts)
	}
}
