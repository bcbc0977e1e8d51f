package browser_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// download returns the file that an act of the test downloads.
func (p *tab) download(act func()) string {
	p.Helper()
	folder := p.TempDir()
	p.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
			Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder,
			BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
		})
		return err
	}))
	act()
	var text string
	p.until("a downloaded file", func() (bool, string) {
		files, err := os.ReadDir(folder)
		if err != nil || len(files) != 1 || strings.HasSuffix(files[0].Name(), ".crdownload") ||
			strings.HasPrefix(files[0].Name(), ".") {
			return false, "no file"
		}
		body, err := os.ReadFile(filepath.Join(folder, files[0].Name()))
		text = string(body)
		return err == nil && text != "", "it is empty"
	})
	return text
}

// wantDownload downloads the text in the editor and compares it.
func (p *tab) wantDownload(want string) {
	p.Helper()
	same(p, "the download", p.download(func() { p.click("#tools button", "Download") }), want)
}

// copyOf returns a text of the dialog for copies.
func (p *tab) copyOf(kind, want string) string {
	p.Helper()
	if !evaluate[bool](p, `document.querySelector("dialog.share-dialog")?.open ?? false`) {
		p.click("#slot-share button", "Copy or save")
		p.wait(`document.querySelector("dialog[open] #share-kind").value === "file"`)
	}
	p.choose("#share-kind", kind)
	p.wait(`document.querySelector("#share-text").value.includes(` + quote(want) + `)`)
	return evaluate[string](p, `document.querySelector("#share-text").value`)
}

// The copied command, request and expectations give the verdicts that the page shows.
func TestCopies(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, shopState)
	folder := t.TempDir()
	writeFile(t, folder, "robots.txt", []byte(shop))
	run := func(script string) []byte {
		t.Helper()
		command := exec.Command("sh")
		command.Dir = folder
		command.Stdin = strings.NewReader(script)
		command.Env = append(os.Environ(), "PATH="+filepath.Dir(shared.tool)+string(filepath.ListSeparator)+os.Getenv("PATH"))
		var problems bytes.Buffer
		command.Stderr = &problems
		output, err := command.Output()
		if code := command.ProcessState.ExitCode(); err != nil && code != 1 {
			t.Errorf("%v: %s\n%s", err, &problems, script)
		}
		return output
	}
	type answer struct {
		Agent, URL, Verdict string
		Line                int
	}
	collect := func(answers []answer) verdicts {
		v := verdicts{}
		for _, a := range answers {
			v[a.Agent+" "+a.URL] = strings.TrimSuffix(a.Verdict+" "+strings.TrimPrefix(string(mustJSON(t, a.Line)), "0"), " ")
		}
		return v
	}
	shown := p.grid()

	command := p.copyOf("robots", "robots check")
	// The dialog has the height of what it shows.
	p.wait(`document.querySelector("#share-text").clientHeight > 150 && document.querySelector("dialog.share-dialog").scrollHeight < 500`)
	var answers []answer
	for line := range bytes.Lines(run(strings.TrimSpace(command) + " --json\n")) {
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if text := difference(collect(answers), shown); text != "" {
		t.Errorf("the command\n%s gives other verdicts:\n%s", command, text)
	}

	if _, err := exec.LookPath("curl"); err != nil {
		t.Error("curl is not installed")
	}
	request := p.copyOf("curl", "curl ")
	var result struct{ Answers []answer }
	if err := json.Unmarshal(run(request), &result); err != nil {
		t.Fatal(err)
	}
	if text := difference(collect(result.Answers), shown); text != "" {
		t.Errorf("the request\n%s gives other verdicts:\n%s", request, text)
	}

	expectations := p.copyOf("expectations", "agents:")
	same(t, "the saved expectations", p.download(func() { p.click("dialog button", "Save") }), expectations)
	// They are the page's: one wrong verdict fails.
	for status, text := range []string{expectations, strings.Replace(expectations, "deny: /cart", "allow: /cart", 1)} {
		writeFile(t, folder, "site.robots-test", []byte(text))
		if output, got := runTool(t, folder, "test", "site.robots-test"); got != status {
			t.Errorf("the expectations have status %d, want %d:\n%s\n%s", got, status, output, text)
		}
	}

	same(t, "the file", p.copyOf("file", "User-agent"), shop)
	if got := p.copyOf("csv", "url,agent"); strings.Count(got, "\n") != len(shown)+1 {
		t.Errorf("the answers as CSV are %q", got)
	}
}

func mustJSON(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A link opens the same state; its data are in the fragment, which no request carries.
// Once the worker answers, no request carries the file either.
func TestLink(t *testing.T) {
	t.Parallel()
	for name, start := range starts {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			const secret = "Disallow: /secret-of-this-test"
			before := shop
			with := state{Text: strings.Replace(shop, "Disallow: /cart", secret+"\nDisallow: /cart", 1), Before: &before, Name: "before.txt", Agents: []string{"Googlebot", "FooBot"},
				URLs: []string{"/secret-of-this-test", "/cart"}, Dialect: "google"}
			p := openReady(t, s, shopState)
			s.forget()
			p.do(chromedp.Evaluate[chromedp.Void]("location.hash = " + quote(with.fragment())))
			p.wantGrid(with.Text, with.Agents, with.URLs)
			link := p.copyOf("link", "#s1.")
			if !strings.HasPrefix(link, s.url+"#s1.") {
				t.Errorf("the link is %q", link)
			}
			other := visit(t, link)
			other.wantGrid(with.Text, with.Agents, with.URLs)
			other.waitText(".diff-summary", "Closes")
			for _, r := range s.recorded("") {
				if strings.Contains(r.target, "s1.") || strings.Contains(r.target, "secret") {
					t.Errorf("the request %s %s carries the state", r.method, r.target)
				}
				if name == "folder" && r.method != "GET" {
					t.Errorf("%s %s", r.method, r.target)
				}
			}
			// The tab whose worker answers sent nothing.
			uploads := 0
			for _, r := range s.recorded("v1/") {
				if strings.Contains(r.body, "secret") {
					uploads++
				}
			}
			if name == "folder" && uploads > 0 {
				t.Errorf("%d requests carry the file", uploads)
			}
		})
	}
}

// forget removes what was recorded.
func (s *service) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// Links that are damaged, hostile or of another version are refused with a sentence, and
// leave the page as it is.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, shopState)
	whole := state{Text: shop, Agents: shopAgents, URLs: shopURLs}.fragment()
	wrongType := pack([]byte(`{"t":{"toString":"x"},"e":0,"a":[],"p":[],"u":[],"d":"google","v":"grid"}`))
	bomb := pack([]byte(`{"t":"` + strings.Repeat("a", 40<<20) + `","e":0,"a":[],"p":[],"u":[],"d":"google","v":"grid"}`))
	proto := pack([]byte(`{"__proto__":{"t":"x"},"constructor":{},"e":0,"a":[],"p":[],"u":[],"d":"google","v":"grid"}`))
	for name, test := range map[string]struct{ fragment, want string }{
		"cut":           {whole[:len(whole)/2], "damaged"},
		"version":       {"#s9." + whole[4:], "another version"},
		"not base64":    {"#s1.<script>alert(1)</script>", "damaged"},
		"not deflate":   {"#s1.AAAA", "damaged"},
		"not JSON":      {pack([]byte("<b>x</b>")), "damaged"},
		"wrong types":   {wrongType, "damaged"},
		"prototype":     {proto, "damaged"},
		"bomb":          {bomb, "too large"},
		"unknown view":  {pack([]byte(`{"t":"","e":0,"a":[],"p":[],"u":[],"d":"google","v":"<b>"}`)), "damaged"},
		"too many URLs": {state{Text: shop, URLs: make([]string, 10_001)}.fragment(), "damaged"},
	} {
		t.Log(name)
		p.do(chromedp.Evaluate[chromedp.Void](`location.hash = ""`))
		evaluate[string](p, `document.querySelector("#status .message").textContent = ""`)
		p.do(chromedp.Evaluate[chromedp.Void]("location.hash = " + quote(test.fragment)))
		p.waitText("#status .message", test.want)
		p.wantGrid(shop, shopAgents, shopURLs)
	}
}
