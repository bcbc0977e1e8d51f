package browser_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// service is a running robots serve, behind a server that records what the browser
// requests, and holds, changes or refuses it. Requests of workers are recorded too.
type service struct {
	url    string // of the recording server, with a slash at the end
	direct string // of robots serve; empty for an exported folder

	mu       sync.Mutex
	requests []request
	handler  http.Handler
	rules    []rule
}

type request struct{ method, target, body string }

// rule replaces the handler of a path that contains a part.
type rule struct {
	part    string
	handler http.Handler
}

// starts are the two ways to serve the page.
var starts = map[string]func(*testing.T) *service{
	"service": func(t *testing.T) *service { return serve(t) },
	"folder":  static,
}

// needsService lists the tests that make no sense on an exported folder.
var needsService = map[string]string{
	"TestCompareWith":    fetches,
	"TestCopies":         "curl sends a request to the service",
	"TestDocuments":      fetches,
	"TestFetchedBytes":   fetches,
	"TestFirstVerdict":   "the first answers come from the service",
	"TestLive":           fetches,
	"TestLiveFailures":   fetches,
	"TestNoStorage":      fetches,
	"TestOwnPaths":       fetches,
	"TestPicture":        fetches,
	"TestRemarks":        "the service answers all calls",
	"TestServerFirst":    "the first answers come from the service",
	"TestWithoutScripts": "without scripts the service answers",
}

const fetches = "the service fetches a robots.txt"

// serve serves the page by robots serve, which may fetch from loopback. Tests without
// flags share one process. With -folder it serves the exported folder.
func serve(t *testing.T, flags ...string) *service {
	t.Helper()
	if shared.tool == "" {
		t.Skipf("%s is not set", variable)
	}
	if *folder {
		if reason := needsService[t.Name()]; reason != "" {
			t.Skip(reason)
		}
		return static(t)
	}
	direct := shared.service
	if len(flags) > 0 {
		url, stop, err := start(flags...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(stop)
		direct = url
	}
	to, err := url.Parse(direct)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	return record(t, proxy, direct)
}

// start starts robots serve and returns its URL.
func start(flags ...string) (url string, stop func(), err error) {
	flags = append([]string{"serve", "--listen", "127.0.0.1:0", "--admin", "none", "--cache", "none", "--log", "none",
		"--proxy", "none", "--allow-range", "127.0.0.0/8", "--origin-interval", "-1s"}, flags...)
	command := exec.Command(shared.tool, flags...)
	output, err := command.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	var problems bytes.Buffer
	command.Stderr = &problems
	if err := command.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("robots serve prints no address: %w %s", err, &problems)
	}
	return strings.TrimSpace(line), stop, nil
}

// static serves the exported folder.
func static(t *testing.T) *service {
	t.Helper()
	if shared.tool == "" {
		t.Skipf("%s is not set", variable)
	}
	return record(t, http.FileServer(http.Dir(shared.folder)), "")
}

func record(t *testing.T, handler http.Handler, direct string) *service {
	s := &service{handler: handler, direct: direct}
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s.url = server.URL + "/"
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // a body that is cut is recorded as far as it came
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	s.requests = append(s.requests, request{r.Method, r.URL.RequestURI(), string(body)})
	handler := s.handler
	for _, rule := range s.rules {
		if strings.Contains(r.URL.Path, rule.part) {
			handler = rule.handler
		}
	}
	s.mu.Unlock()
	handler.ServeHTTP(w, r)
}

// replace answers requests whose path contains a part by a handler; nil ends that.
func (s *service) replace(part string, handler http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rules := []rule{}
	for _, r := range s.rules {
		if r.part != part {
			rules = append(rules, r)
		}
	}
	if handler != nil {
		rules = append(rules, rule{part, handler})
	}
	s.rules = rules
}

// stop closes every connection at its first request, as if the service had ended.
func (s *service) stop() {
	s.replace("/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }))
}

// recorded returns the requests whose target contains a part.
func (s *service) recorded(part string) []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []request
	for _, r := range s.requests {
		if strings.Contains(r.target, part) {
			found = append(found, r)
		}
	}
	return found
}

// site starts a website from which the service fetches: texts by path.
func site(t *testing.T, texts map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := texts[r.URL.Path]
		if target, found := strings.CutPrefix(text, "redirect:"); found {
			http.Redirect(w, r, target, http.StatusMovedPermanently)
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		kind := "text/plain; charset=utf-8"
		if strings.HasSuffix(r.URL.Path, ".xml") {
			kind = "application/xml"
		} else if strings.HasPrefix(text, "<!doctype") {
			kind = "text/html; charset=utf-8"
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "max-age=3600")
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// held answers when a channel is closed.
func held(release <-chan struct{}, handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
			handler.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
}
