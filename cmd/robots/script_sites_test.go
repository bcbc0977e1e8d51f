package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptSites are the sites of one script. They count what they are asked for.
type scriptSites struct {
	env   *testscript.Env
	ended chan struct{}

	mu    sync.Mutex
	asked map[string]map[string]int // by the site's name, and by what it was asked for
	sent  map[string]map[string]int // by the site's name, and by the Authorization of a request
}

// withSites starts the sites of a script whose name begins with "site_" or
// "fetch_", and tells it where they are:
//
//	$SITE         has the robots.txt of the shop
//	$SITE404      answers so, as do $SITE401, but not to a request with credentials, and $SITE503
//	$SITEHOPS     leads to its file over two redirects of its own
//	$SITEPRIVATE  redirects to $SITE by the name "localhost", which is another host
//	$SITESLOW     never answers
//	$SITELATE     answers after two seconds
//	$SITECUT      breaks off in the middle of its file
//	$SITEPART     sends the whole file as a part, with status 206
//	$SITEPAGE     has a web page for a robots.txt, with orders for a terminal
//	$SITELONG     has the robots.txt of the shop, and then more bytes than crawlers read
//	$SITELOSING   breaks off its first response at its third request; others get the file
//	$SITEVIA      redirects to that file, once it has been requested
//	$SITEEDGE     sends the challenge of a CDN, status 403, with escapes in its headers
//	$SITETLS      has a certificate that no authority has signed
//	$SITECLOSED   is a port without a listener
//	$SITEMAPS     has the shop's robots.txt and sitemaps: the index /sitemap.xml, and
//	              /away.xml, which redirects to /1.xml by the name "localhost"; /bomb.xml.gz
//	              and /many.xml are beyond the limits, /line.xml.gz has a line break at its end
//	$PROXY        is an HTTP proxy that has the shop's robots.txt for shop.example
//	$HOST404      is the host of $SITE404, and $LOGIN404 its URL with a password; so of the others
//	$SITENAME     has the files of the folder sites/SITENAME of the script; those in
//	              "headers" are the lines of all its responses but robots.txt. In the files
//	              {SITENAME} is its URL, and {AWAYSITENAME} that with another name of the host
//	$MANYPORT     is a port with the shop's robots.txt at each address of the machine
func withSites(env *testscript.Env, shop []byte) {
	name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
	if !strings.HasPrefix(name, "site_") && !strings.HasPrefix(name, "fetch_") {
		return
	}
	s := &scriptSites{env: env, ended: make(chan struct{}), asked: make(map[string]map[string]int),
		sent: make(map[string]map[string]int)}
	env.Values[sitesKey{}] = s
	file := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "max-age=7200")
		w.Header().Set("Content-Type", "text/plain")
		w.Write(shop)
	}
	site := s.start("SITE", file)
	s.start("SITEEDGE", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Server", "cloudflare \xFF"+strings.Repeat("x", 1000))
		w.Header().Set("Cf-Mitigated", "challenge")
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, "<!DOCTYPE html><title>Just a moment...</title>")
	})
	for _, status := range []int{401, 404, 503} {
		s.start("SITE"+strconv.Itoa(status), func(w http.ResponseWriter, r *http.Request) {
			if status == http.StatusUnauthorized && r.Header.Get("Authorization") != "" {
				file(w, r)
				return
			}
			w.WriteHeader(status)
		})
	}
	s.start("SITEHOPS", func(w http.ResponseWriter, r *http.Request) {
		if next := map[string]string{"/robots.txt": "/one", "/one": "/two?x=1"}[r.URL.Path]; next != "" {
			http.Redirect(w, r, next, http.StatusFound)
			return
		}
		file(w, r)
	})
	s.start("SITEPRIVATE", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(site, "127.0.0.1", "localhost", 1)+"/robots.txt", http.StatusMovedPermanently)
	})
	s.start("SITESLOW", func(_ http.ResponseWriter, r *http.Request) { s.wait(r, time.Hour) })
	s.start("SITELATE", func(w http.ResponseWriter, r *http.Request) {
		s.wait(r, 2*time.Second)
		file(w, r)
	})
	s.start("SITECUT", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(shop)))
		w.Write(shop[:len(shop)/2])
	})
	s.start("SITEPART", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", len(shop)-1, len(shop)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(shop)
	})
	s.start("SITEPAGE", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!DOCTYPE html>\n<title>\x1b[31mshop</title>\nSitemap: https://shop.example/\x1b[31m\n")
	})
	s.start("SITELONG", func(w http.ResponseWriter, r *http.Request) {
		file(w, r)
		fmt.Fprint(w, strings.Repeat("# more tea\n", 50_000))
	})
	s.start("SITEMAPS", sitemaps(file))
	s.start("PROXY", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host != "shop.example" {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		file(w, r)
	})
	s.startLosing(file)
	s.startOdd(file)
	s.startFolders()
	env.Defer(func() { close(s.ended) }) // the last comes first: the sites can close then
}

// startLosing starts two sites with which the request of one run fails after another
// run has had the answer.
func (s *scriptSites) startLosing(file http.HandlerFunc) {
	requested, lost := make(chan struct{}), make(chan struct{})
	var requests atomic.Int64
	losing := s.start("SITELOSING", func(w http.ResponseWriter, r *http.Request) {
		switch requests.Add(1) {
		case 1:
			close(requested)
			select {
			case <-lost:
			case <-s.ended:
			}
			panic(http.ErrAbortHandler)
		case 3:
			close(lost)
		}
		file(w, r)
	})
	s.start("SITEVIA", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-requested:
		case <-s.ended:
		}
		http.Redirect(w, r, losing+"/robots.txt", http.StatusFound)
	})
}

// startFolders starts the sites of the folders in "sites".
func (s *scriptSites) startFolders() {
	folders, _ := filepath.Glob(filepath.Join(s.env.WorkDir, "sites", "*"))
	var names []string // each twice, with its URL
	for _, folder := range folders {
		name := filepath.Base(folder)
		headers, _ := os.ReadFile(filepath.Join(folder, "headers"))
		url := s.start(name, func(w http.ResponseWriter, r *http.Request) {
			text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(r.URL.Path)))
			if r.URL.Path == "/robots.txt" {
				w.Header().Set("Content-Type", "text/plain")
			} else {
				for line := range strings.Lines(string(headers)) {
					key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
					w.Header().Add(key, value)
				}
			}
			if err != nil {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			w.Write([]byte(strings.NewReplacer(names...).Replace(string(text))))
		})
		names = append(names, "{"+name+"}", url, "{AWAY"+name+"}", strings.Replace(url, "127.0.0.1", "localhost", 1))
	}
}

// sitemaps answers with the sitemaps of a site, whose robots.txt is another handler's.
func sitemaps(file http.HandlerFunc) http.HandlerFunc {
	var asked atomic.Bool
	return func(w http.ResponseWriter, r *http.Request) {
		here := "http://" + r.Host
		list := func(root, entry string, paths ...string) string {
			var text strings.Builder
			for _, path := range paths {
				text.WriteString("<" + entry + "><loc>" + here + path + "</loc></" + entry + ">\n")
			}
			return "<" + root + ">\n" + text.String() + "</" + root + ">\n"
		}
		switch r.URL.Path {
		case "/robots.txt":
			file(w, r)
		case "/sitemap.xml":
			fmt.Fprint(w, list("sitemapindex", "sitemap", "/1.xml", "/2.xml.gz"))
		case "/1.xml":
			fmt.Fprint(w, list("urlset", "url", "/cart", "/tea"))
		case "/later.xml": // is not there at the first request
			if !asked.Swap(true) {
				http.NotFound(w, r)
				return
			}
			fmt.Fprint(w, list("urlset", "url", "/tea"))
		case "/2.xml.gz":
			w.Write(zipped(list("urlset", "url", "/zipped")))
		case "/line.xml.gz":
			w.Write(append(zipped(list("urlset", "url", "/zipped")), '\n'))
		case "/bomb.txt.gz":
			// It is a list of URLs, because XML takes half a minute with the race detector. The
			// members are compressed before the answer begins: a slow machine would make this
			// a site that sends its body too slowly.
			w.Write(zipped(here + "/tea\n"))
			w.Write(bytes.Repeat(zipped("#"+strings.Repeat(" ", 1<<20-2)+"\n"), 51))
		case "/many.xml":
			fmt.Fprint(w, list("urlset", "url", slices.Repeat([]string{"/tea"}, 50_001)...))
		case "/away.xml":
			http.Redirect(w, r, strings.Replace(here, "127.0.0.1", "localhost", 1)+"/1.xml", http.StatusFound)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}
}

// zipped returns text as a member of a gzip file.
func zipped(text string) []byte {
	var member bytes.Buffer
	w := gzip.NewWriter(&member)
	io.WriteString(w, text)
	w.Close()
	return member.Bytes()
}

// startOdd starts what is no plain site on 127.0.0.1.
func (s *scriptSites) startOdd(file http.HandlerFunc) {
	tls := httptest.NewUnstartedServer(file)
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // a refused certificate is no news
	tls.StartTLS()
	s.tell("SITETLS", tls)

	many := httptest.NewUnstartedServer(s.counted("MANY", file))
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		s.env.T().Fatal(err)
	}
	many.Listener.Close()
	many.Listener = listener
	many.Start()
	s.tell("MANY", many)
	s.env.Setenv("MANYPORT", strconv.Itoa(listener.Addr().(*net.TCPAddr).Port))

	// The client's port of an open connection has no listener, and no server of another script
	// gets it, which may happen to the port of a closed server.
	closed, err := net.Dial("tcp", tls.Listener.Addr().String())
	if err != nil {
		s.env.T().Fatal(err)
	}
	s.env.Defer(func() { closed.Close() })
	s.env.Setenv("SITECLOSED", "http://"+closed.LocalAddr().String())
}

func (s *scriptSites) start(name string, handler http.HandlerFunc) string {
	server := httptest.NewServer(s.counted(name, handler))
	s.tell(name, server)
	return server.URL
}

func (s *scriptSites) tell(name string, server *httptest.Server) {
	s.env.Defer(server.Close)
	s.env.Setenv(name, server.URL)
	scheme, host, _ := strings.Cut(server.URL, "://")
	s.env.Setenv(strings.Replace(name, "SITE", "HOST", 1), host)
	s.env.Setenv(strings.Replace(name, "SITE", "LOGIN", 1), scheme+"://me:SECRET%40%2F@"+host)
}

func (s *scriptSites) counted(name string, handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		if s.asked[name] == nil {
			s.asked[name], s.sent[name] = make(map[string]int), make(map[string]int)
		}
		s.sent[name][r.Header.Get("Authorization")]++
		s.asked[name][r.Host+r.URL.Path]++
		s.mu.Unlock()
		handler(w, r)
	}
}

// wait waits, but not for longer than anyone wants the answer.
func (s *scriptSites) wait(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	case <-s.ended:
	}
}

type sitesKey struct{}

// lockSites returns the sites of a script, locked.
func lockSites(ts *testscript.TestScript) *scriptSites {
	s := ts.Value(sitesKey{}).(*scriptSites)
	s.mu.Lock()
	return s
}

// asked is a script command, "asked SITE NAMES TIMES": it wants that the site has
// been asked for its robots.txt under so many names so often under each, and for
// nothing else.
func asked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: asked SITE NAMES TIMES")
	}
	names, err := strconv.Atoi(args[1])
	ts.Check(err)
	times, err := strconv.Atoi(args[2])
	ts.Check(err)
	s := lockSites(ts)
	defer s.mu.Unlock()
	if got := len(s.asked[args[0]]); got != names {
		ts.Fatalf("%s was asked for %d things, want %d", args[0], got, names)
	}
	for what, got := range s.asked[args[0]] {
		if got != times || !strings.HasSuffix(what, "/robots.txt") {
			ts.Fatalf("%s was asked for %s %d times, want %d times its robots.txt", args[0], what, got, times)
		}
	}
}

// requested is a script command, "requested SITE 'PATH TIMES'...": it wants that the site has been
// asked for these paths so often, and for nothing else.
func requested(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: requested SITE 'PATH TIMES'...")
	}
	s := lockSites(ts)
	defer s.mu.Unlock()
	var got []string
	for what, times := range s.asked[args[0]] {
		got = append(got, fmt.Sprint(what[strings.IndexByte(what, '/'):], " ", times))
	}
	slices.Sort(got)
	if want := slices.Sorted(slices.Values(args[1:])); !slices.Equal(got, want) {
		ts.Fatalf("%s was asked for %q, want %q", args[0], got, want)
	}
}

// sentCredentials is a script command, "credentials SITE AUTHORIZATION TIMES": it wants that
// so many requests to the site had this header.
func sentCredentials(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: credentials SITE AUTHORIZATION TIMES")
	}
	times, err := strconv.Atoi(args[2])
	ts.Check(err)
	s := lockSites(ts)
	defer s.mu.Unlock()
	if got := s.sent[args[0]][args[1]]; got != times {
		ts.Fatalf("%s got %d requests with %q, want %d: %v", args[0], got, args[1], times, s.sent[args[0]])
	}
}
