package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	neturl "net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// password is in each URL that a person types, a file lists or a site sends.
const password = "pa55w0rd"

// misspelt are URLs that only a person reads as such, because browsers refuse them or read them otherwise.
var misspelt = []string{`http:\\me:` + password + `@h/`, "http:/me:" + password + "@h/", "me:" + password + "@h", "http://me:my " + password + "@h/",
	"http://me:my/" + password + "@h/", "https://me:" + password + "?x@h", "//me:my#" + password + "@h", "me:" + password + "/x@h", "ftp://me@x.example:" + password + `\x@h`}

// withPassword puts a user name and the password into a URL.
func withPassword(url string) string { return strings.Replace(url, "://", "://me:"+password+"@", 1) }

// leaky is a site whose responses have URLs with passwords: as the targets of redirects, in headers, pages,
// documents and sitemaps.
type leaky struct{ *httptest.Server }

func newLeaky(t *testing.T) leaky {
	var l leaky
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.answer(w, r.URL.Path)
	}))
	t.Cleanup(l.Close)
	return l
}

// away is the URL of the site with another name of its host, and the password.
func (l leaky) away() string {
	return withPassword(strings.Replace(l.URL, "127.0.0.1", "localhost", 1))
}

func (l leaky) answer(w http.ResponseWriter, path string) {
	header := w.Header()
	switch path {
	case "/robots.txt":
		// Lines of a file are shown as they are, so they have no password.
		fmt.Fprintf(w, "User-agent: *\nDisallow: /cart\nLicense: %s/robots.xml\n", l.URL)
	case "/.well-known/tdmrep.json":
		fmt.Fprintf(w, `[{"location":"*","tdm-reservation":1,"tdm-policy":"%s/policy.json"}]`, l.away())
	case "/sitemap.xml":
		fmt.Fprintf(w, "<sitemapindex><sitemap><loc>%s/urls.xml</loc></sitemap></sitemapindex>", withPassword(l.URL))
	case "/urls.xml":
		fmt.Fprintf(w, "<urlset><url><loc>%s/tea</loc></url><url><loc>%s/cart</loc></url><url><loc>%s</loc></url></urlset>",
			withPassword(l.URL), l.away(), strings.Join(append(misspelt, "http://me:"+password+"@/"), "</loc></url><url><loc>"))
	case "/moved":
		header.Set("Location", l.away()+"/page")
		w.WriteHeader(http.StatusFound)
	case "/broken":
		header.Set("Location", misspelt[4])
		w.WriteHeader(http.StatusFound)
	case "/robots.xml", "/header.xml", "/page.xml":
		header.Set("Content-Type", "application/rsl+xml")
		fmt.Fprintf(w, `<rsl xmlns="https://rslstandard.org/rsl"><content url="%[1]s/" server="%[1]s/s"><license><prohibits type="usage">search</prohibits><payment type="purchase"><custom>%[1]s/c</custom></payment></license></content></rsl>`, l.away())
	default:
		header.Set("Content-Type", "text/html")
		header.Set("Link", `<`+withPassword(l.URL)+`/header.xml>; rel="license"`)
		header.Set("TDM-Policy", l.away()+"/policy.json")
		header.Set("TDM-Reservation", "1")
		fmt.Fprintf(w, `<title>Tea</title><base href="%[1]s/"><link rel=license href="%[1]s/page.xml"><meta name=tdm-policy content="%[1]s/p"><script src="%[1]s/a.js"></script><a href="%[1]s/">x</a>`, l.away())
		for _, url := range misspelt[4:] { // browsers read the others as paths
			fmt.Fprintf(w, `<link rel=license href="%[1]s"><meta name=tdm-policy content="%[1]s"><script src="%[1]s"></script><img src="%[1]s">`, url)
			header.Add("Link", `<`+url+`>; rel="license"`)
		}
	}
}

// redirecting is a site whose robots.txt redirects to a URL with a password.
func redirecting(t *testing.T, location string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Location"] = []string{location}
		w.WriteHeader(http.StatusFound)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// passwordInputs writes files with URLs that have a password, and returns the folder.
func passwordInputs(t *testing.T, l leaky) string {
	dir := t.TempDir()
	url := withPassword(l.URL)
	block := "HTTP/1.1 302 Found\r\nLocation: " + l.away() + "/r2.txt\r\n\r\n"
	line, err := json.Marshal(map[string]any{"url": url + "/robots.txt", "status": 200, "body": "User-agent: *\nDisallow: /cart\n"})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"robots.txt": "User-agent: *\nDisallow: /cart\n", "new.txt": "User-agent: *\nDisallow: /c\n",
		"urls":     url + "/tea\n" + url + "/cart\nhttp://me:" + password + "@/x\nme:" + password + "@shop.example\n",
		"urls.csv": "url,x\n" + url + "/cart,1\n" + l.away() + "/tea,2\n", "hosts": url + "\n", "page.html": `<link rel=license href="` + url + `/l.xml">`,
		"access.log": `192.0.2.1 - - [01/Mar/2026:13:00:00 +0000] "GET ` + url + `/cart HTTP/1.1" 200 1 "` + url + `/ref" "GPTBot/1.0 (+` + url + `/bot)"` + "\n" +
			`192.0.2.1 - - [01/Mar/2026:13:00:00 +0000] "GET /cart HTTP/1.1" 200 1 "` + url + `/ref" "GPTBot/1.0"` + "\n",
		"a.jsonl": string(line) + "\n",
		"a.csv":   "url,status,location,body\n" + url + "/robots.txt,302," + l.away() + "/r2.txt,\n",
		"a.warc": fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nContent-Type: application/http; msgtype=response\r\n"+
			"Content-Length: %d\r\n\r\n%s\r\n\r\n", url+"/robots.txt", len(block), block),
		"t.robots-test":     "robots: robots.txt\nagents: FooBot\nallow: " + url + "/cart\nallow-all: " + url + "/\n",
		"s.robots-test":     "robots: " + url + "/robots.txt\nagents: FooBot\nallow: " + url + "/cart\n",
		"u.robots-test":     "robots: robots.txt\nagents: FooBot\nurls: urls\nallow: " + url + "/cart\n",
		".robotslint.yaml":  "url: " + url + "/robots.txt\n",
		"sub/crawlers.json": "{}",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// TestPasswords: no command shows the password of a URL that a person types, a file lists or a site sends,
// in any format, and no file that a command writes has it.
func TestPasswords(t *testing.T) {
	l := newLeaky(t)
	dir := passwordInputs(t, l)
	t.Chdir(dir)
	url, out := withPassword(l.URL), t.TempDir()
	moved := redirecting(t, l.away()+"/robots.txt")
	broken := redirecting(t, "http://me:"+password+"@[::1/robots.txt")
	ftp := redirecting(t, "ftp://me:"+password+"@shop.example/robots.txt")
	loop := redirecting(t, withPassword(moved)+"/x")
	slash, query, mark := redirecting(t, misspelt[4]), redirecting(t, misspelt[5]), redirecting(t, misspelt[6])
	write(t, filepath.Join(dir, "hosts"), strings.Join([]string{l.URL, moved, broken, ftp, loop, slash, query, mark}, "\n"))
	for _, url := range misspelt {
		for _, command := range []string{"check", "check --as-sent", "explain", "explain --as-sent", "permit"} {
			for _, format := range []string{"", "--json"} {
				call := strings.Fields(command + " --file robots.txt " + format)
				if _, stdout, stderr := runTool(t, append(call, url)...); strings.Contains(stdout+stderr, password) {
					t.Errorf("robots %s %s %s shows %s %s", command, format, url, stdout, stderr)
				}
			}
		}
	}
	formats := []string{"", "--json", "--format=csv", "--format=markdown"}
	answers := append(formats, "--grid", "--grid --json", "--grid --format=csv", "--group-by=line", "--group-by=line --json")
	sites := append([]string{url, url + "/cart", moved, broken, ftp, loop, slash, query, mark}, misspelt[4:]...)
	lists := []string{url + "/cart " + moved + "/tea " + broken + "/x " + ftp + "/x " + loop + "/x", "--urls urls", "--urls urls.csv", "--urls access.log", "--sitemap " + url + "/sitemap.xml",
		"--file robots.txt --urls urls", "--file robots.txt --site " + url + " --urls urls.csv"}
	asked, masked := map[string]int{}, 0
	ask := func(args string, formats ...string) {
		t.Helper()
		if len(formats) == 0 {
			formats = []string{""}
		}
		for _, format := range formats {
			call := strings.Fields(args + " " + format)
			_, stdout, stderr := runTool(t, call...)
			shown := stdout + stderr
			if at := strings.Index(shown, password); at >= 0 {
				t.Errorf("robots %s %s shows …%s…", args, format, shown[max(0, at-150):min(len(shown), at+80)])
			}
			if strings.Contains(stderr, "unknown flag") || strings.Contains(stderr, "has no effect") || strings.Contains(stderr, "unknown command") {
				t.Errorf("robots %s %s: %s", args, format, stderr)
			}
			asked[call[0]]++
			masked += strings.Count(shown, "***@")
		}
	}
	all := formats
	for i, list := range lists {
		from, follow := "", ""
		if !strings.Contains(list, "--file") {
			from, follow = " --cache none --allow-private", " --follow"
		}
		ask("check --agent FooBot"+from+" "+list, answers...)
		if i > 1 { // the formats do not depend on how the URLs were read
			formats, answers = formats[:2], answers[:2]
		}
		ask("explain --agent FooBot"+from+" "+list, formats...)
		ask("permit"+from+follow+" "+list, formats...)
		ask("permit --operator OpenAI"+from+follow+" "+list, formats...)
	}
	formats = all
	ask("permit --file robots.txt --html page.html --response-header Link:<"+url+"/l.xml>;rel=license /tea", formats...)
	for _, site := range sites {
		ask("fetch --verbose --allow-private "+site, formats...)
		ask("ai --allow-private "+site, append(formats, "--each")...)
		ask("overview --allow-private " + site)
		ask("diff --allow-private "+site+" robots.txt", "", "--format=json", "--format=csv")
		ask("diff --allow-private robots.txt "+site, "", "--format=json", "--format=csv")
		from := " --allow-private --variants=false "
		if !strings.Contains(site, "://") {
			from = " " // a file
		}
		ask("lint"+from+site, "", "--format=json", "--format=sarif", "--format=github", "--format=gitlab", "--format=junit")
		ask("watch --once --allow-private --history h "+site, "", "--json")
		ask("history --history h "+site, "", "--json")
		ask("cache show --cache c " + site)
	}
	ask("diff robots.txt new.txt --urls urls", "", "--format=json", "--format=csv")
	ask("diff robots.txt new.txt --urls urls --site "+url, "", "--format=json", "--format=csv")
	ask("lint robots.txt", "", "--format=json")
	ask("lint " + url + "/robots.txt robots.txt --allow-private")
	ask("check --allow-private --agent FooBot --cache c " + moved + "/x " + broken + "/x " + ftp + "/x")
	ask("cache list --cache c", formats...)
	ask("cache purge --cache c " + url)
	ask("test t.robots-test s.robots-test u.robots-test", "", "--json", "--format=junit")
	ask("test --allow-private t.robots-test --url "+moved, "", "--json", "--junit "+filepath.Join(out, "j.xml"))
	ask("minimize "+url, "")
	ask("fmt --check " + url)
	ask("generate --no ai-training --into " + url)
	ask("crawlers compare " + url)
	ask("crawlers GPTBot/1.0(+"+url+")", formats...)
	audit := "--agent FooBot --allow-incomplete --keep-going --lint --out " + filepath.Join(out, "o.csv") + " --out " + filepath.Join(out, "o.jsonl") + " --bodies-out " +
		filepath.Join(out, "b.jsonl") + " --crawlers-out " + filepath.Join(out, "c.csv") + " --report " + filepath.Join(out, "r.html")
	for _, input := range []string{"a.jsonl", "a.csv", "a.warc", "--allow-private --cache none --hosts hosts", "--urls urls a.jsonl", "1=a.jsonl 2=a.csv", "--history h a.jsonl"} {
		ask("audit "+input+" "+audit, formats...)
	}
	visits := "--hits-out " + filepath.Join(out, "h.csv") + " --addresses-out " + filepath.Join(out, "a.csv") + " --out " + filepath.Join(out, "v.jsonl") + " --report " + filepath.Join(out, "v.html")
	for _, input := range []string{"access.log", "--file robots.txt --served-since 2026-01-01 access.log", "--site " + url + " access.log", "--history h access.log"} {
		ask("visits "+input+" "+visits, formats...)
	}
	if masked < 300 {
		t.Errorf("only %d URLs are masked", masked)
	}
	for _, cmd := range allCommands() {
		name, _, _ := strings.Cut(strings.TrimPrefix(cmd.CommandPath(), "robots "), " ")
		if asked[name] == 0 && !slices.Contains([]string{"robots", "completion", "help", "lsp", "man", "policy", "serve", "version"}, name) {
			t.Errorf("robots %s is not tested", name)
		}
	}
	err := filepath.WalkDir(out, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if at := strings.Index(string(text), password); at >= 0 {
			t.Errorf("%s has …%s…", filepath.Base(name), text[max(0, at-150):min(len(text), at+80)])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPasswordsInWrongPlaces: no command shows the password of a URL as its argument or as the value of any of
// its flags, even where it expects something else.
func TestPasswordsInWrongPlaces(t *testing.T) {
	t.Chdir(t.TempDir())
	const url = "http://me:" + password + "@127.0.0.1:1/x"
	tried := map[string]bool{} // each place gets a misspelt one too
	var watching sync.WaitGroup
	defer watching.Wait()
	try := func(args ...string) {
		t.Helper()
		tried[strings.Join(args, " ")] = true
		limit := time.Second // a service might start
		ends := func() {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			var out strings.Builder
			code := run(ctx, args, func(string) string { return "" }, strings.NewReader(""), &out, &out)
			if at := strings.Index(out.String(), password); at >= 0 {
				t.Errorf("robots %q ends with %d and shows …%s…", args, code, out.String()[max(0, at-150):min(out.Len(), at+80)])
			}
		}
		if args[0] != "watch" {
			ends()
			return
		}
		// It does not end before its time, and runs of it wait for another only if both have the same history.
		limit = 3 * time.Second // for all of them
		args = append(args, "--history="+fmt.Sprint("watched", len(tried)))
		watching.Go(ends)
	}
	flags := map[string]bool{}
	for _, cmd := range allCommands() {
		path := strings.Fields(cmd.CommandPath())[1:]
		try(append(slices.Clone(path), url)...)
		try(append(slices.Clone(path), misspelt[len(tried)%len(misspelt)])...)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			namesOther := f.Name == "history" || f.Name == "operator" // messages and letters repeat these names
			if key := f.Name + f.Usage; f.Value.Type() != "bool" && !namesOther && !flags[key] {
				flags[key] = true
				try(append(slices.Clone(path), "--"+f.Name+"="+url, "http://127.0.0.1:1")...)
				try(append(slices.Clone(path), "--"+f.Name+"="+misspelt[len(flags)%len(misspelt)], "http://127.0.0.1:1")...)
			}
		})
	}
	if len(tried) < 240 {
		t.Errorf("only %d calls", len(tried))
	}
}

// TestPasswordsOfService: no answer of the service shows the password of a URL in a request or in a response of a
// site, nor does the page for browsers without scripts.
func TestPasswordsOfService(t *testing.T) {
	l := newLeaky(t)
	servers := map[string]string{
		"8.8.1.1:80": redirecting(t, withPassword("http://shop.example")+"/robots.txt"), "8.8.1.2:80": redirecting(t, "http://me:"+password+"@[::1/robots.txt"),
		"8.8.1.3:80": redirecting(t, "ftp://me:"+password+"@shop.example/robots.txt"),
	}
	var dialled sync.Map
	service := serveWith(t, serve.Config{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled.Store(address, true)
		return new(net.Dialer).DialContext(ctx, network, strings.TrimPrefix(cmp.Or(servers[address], l.URL), "http://"))
	}})
	const url = "http://me:" + password + "@shop.example/cart"
	const page = `<link rel=license href="` + url + `"><base href="` + url + `"><script src="` + url + `"></script>`
	const body = "User-agent: *\nDisallow: /cart\n"
	header := []map[string]string{{"name": "Link", "value": `<` + url + `>; rel="license"`}, {"name": "TDM-Reservation", "value": "1"}, {"name": "TDM-Policy", "value": url}}
	sent, masked := 0, 0
	send := func(path, media string, request []byte) {
		t.Helper()
		response, err := http.Post(service+path, media, bytes.NewReader(request))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		if at := strings.Index(string(answer), password); at >= 0 {
			t.Errorf("%s %s shows …%s…", path, request, answer[max(0, at-150):min(len(answer), at+80)])
		}
		if response.StatusCode >= 500 || strings.Contains(string(answer), `"unknown-call"`) {
			t.Errorf("%s %s: %s %s", path, request, response.Status, answer)
		}
		masked += strings.Count(string(answer), "***@")
		sent++
	}
	type fields map[string]any
	for operation, requests := range map[string][]fields{
		"check": {{"urls": append(misspelt, url)}, {"urls": append(misspelt, url), "body": body}, {"urls": []string{url, "http://h1-1.example/x", "http://h1-2.example/x", "http://h1-3.example/x"}}, {"urls": []string{url}, "body": body},
			{"urls": []string{"http://h1-1.example/x"}}, {"urls": []string{"http://h1-2.example/x", "http://h1-3.example/x"}}},
		"explain":   {{"urls": []string{url}}, {"urls": []string{url}, "body": body}, {"urls": []string{"http://h1-1.example/x"}}, {"urls": []string{"http://h1-2.example/x"}}},
		"fetch":     {{"url": url}, {"url": "http://h1-1.example/"}, {"url": "http://h1-2.example/"}, {"url": "http://h1-3.example/"}},
		"sitemap":   {{"url": url}, {"url": "http://shop.example/urls.xml"}},
		"resources": {{"url": url}, {"url": url, "html": page}, {"url": "http://shop.example/tea"}, {"url": "http://shop.example/moved"}},
		"permit": {{"url": url}, {"url": url, "body": body}, {"url": "http://shop.example/tea", "follow": true, "markdown": true}, {"url": "http://h1-1.example/x", "follow": true},
			{"url": "http://shop.example/moved"}, {"url": "http://shop.example/broken"}, {"url": "http://shop.example/x", "body": body, "header": header, "html": page, "markdown": true,
				"documents": map[string]string{url: "<rsl/>"}, "tdmrep": `[{"location":"*","tdm-reservation":1,"tdm-policy":"` + url + `"}]`}},
		"urls":    {{"text": strings.Join(misspelt, "\n"), "site": url}, {"text": url + "\nme:" + password + "@shop.example\nhttp://me:" + password + "@/\n"}, {"text": "/x\n", "site": url}},
		"remarks": {{"agents": misspelt, "urls": misspelt, "site": misspelt[4]}, {"agents": []string{url}, "urls": []string{url, "http://me:" + password + "@/"}, "site": url}, {"urls": []string{url}}},
		"lint":    {{"body": body, "url": url, "file": "robots.txt"}}, "ai": {{"body": body, "name": url}},
		"diff": {{"before": body, "after": "", "urls": []string{url}}},
	} {
		if _, asksAboutURL := requests[0]["url"]; asksAboutURL {
			for _, url := range misspelt[4:] { // browsers read the others as URLs of a host http
				requests = append(requests, fields{"url": url}, fields{"url": url, "body": body})
			}
		}
		for _, r := range requests {
			request, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			send("/v1/"+operation, "application/json", request)
		}
	}
	send("/v1/check", "application/x-ndjson", []byte("{}\n\""+url+"\"\n\"http://h1-1.example/x\"\n\"http://me:"+password+"@/\"\n"))
	send("/v1/check", "application/x-ndjson", []byte(`{"output":"grid"}`+"\n\""+url+"\"\n\"http://h1-2.example/x\"\n"))
	form, err := http.Get(service + "/")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(form.Body)
	form.Body.Close()
	token := regexp.MustCompile(`name="?token"? value="?([^" >]+)`).FindSubmatch(text)
	if err != nil || token == nil {
		t.Fatalf("no token in %s, %v", text, err)
	}
	for _, fields := range []neturl.Values{{"site": {url}, "urls": {url}}, {"body": {body}, "urls": misspelt}, {"site": misspelt[4:5], "urls": misspelt[5:6]}, {"body": {body}, "urls": {url + "\nhttp://me:" + password + "@/\n"}}, {"site": {"http://h1-1.example"}, "urls": {"/x"}}, {"site": {"http://h1-2.example"}, "urls": {"/x"}}} {
		fields.Set("token", string(token[1]))
		send("/form", "application/x-www-form-urlencoded", []byte(fields.Encode()))
	}
	for address := range servers {
		if _, ok := dialled.Load(address); !ok {
			t.Errorf("%s was not asked", address)
		}
	}
	if sent < 35 || masked < 20 {
		t.Errorf("%d requests, %d masked URLs", sent, masked)
	}
}
