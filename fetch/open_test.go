package fetch_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/test/localnames"
	"github.com/kosterhq/robotstxt/origin"
)

// newGuarded returns a client with the address guard. Without a Resolver it knows no names
// but localhost.
func newGuarded(t testing.TB, config fetch.Config) *fetch.Client {
	t.Helper()
	if config.Network.Resolver == nil {
		config.Network.Resolver = localnames.Resolver()
	}
	config.UserAgent = cmp.Or(config.UserAgent, userAgent)
	c, err := fetch.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func read(t *testing.T, c *fetch.Client, url string) (string, error) {
	t.Helper()
	body, err := c.Open(t.Context(), url, 1<<20)
	if err != nil {
		return "", err
	}
	defer body.Close()
	text, err := io.ReadAll(body)
	return string(text), err
}

// TestOpenFaults: no error of a hostile server contains words of Go.
func TestOpenFaults(t *testing.T) {
	for group, faults := range httpFaults() {
		for _, f := range faults {
			t.Run(group+"/"+f.name, func(t *testing.T) {
				t.Parallel()
				_, err := read(t, newGuarded(t, f.clientConfig(5*time.Second)), f.serve(t))
				if err != nil {
					fetch.CheckWords(t, err.Error())
				}
				var fault *fetch.FaultError
				if err != nil && !errors.As(err, &fault) {
					t.Errorf("%T: %v", err, err)
				}
			})
		}
	}
}

// TestOpen: redirects are followed within a limit, each address is checked, and a file is
// decoded and has a limit.
func TestOpen(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/hop":
			http.Redirect(w, r, "/file", http.StatusFound)
		case "/ftp":
			http.Redirect(w, r, "ftp://shop.example/", http.StatusFound)
		case "/away":
			http.Redirect(w, r, "http://localhost:"+r.URL.Query().Get("port")+"/file", http.StatusFound)
		case "/file":
			fmt.Fprintf(w, "%s %q", r.Header.Get("User-Agent"), r.Header.Get("Referer"))
		case "/caf\xc3\xa9|/":
			io.WriteString(w, r.RequestURI)
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(gzipped("zipped"))
		case "/br":
			w.Header().Set("Content-Encoding", "br")
		case "/most":
			w.Write(make([]byte, 1<<20))
		case "/long":
			w.Write(make([]byte, 1<<20+1))
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(gzipBomb())
		default:
			w.WriteHeader(http.StatusGone)
		}
	}))
	defer server.Close()
	o, err := origin.Of(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := newGuarded(t,
		fetch.Config{Network: fetch.Network{Trusts: func(other origin.Origin) bool { return other == o }}})
	port := fmt.Sprint(o.Port())
	for _, test := range []struct{ url, text, kind string }{
		{server.URL + "/file", `"`, ""},
		{server.URL + "/hop", `"`, ""},
		{server.URL + "/caf%c3%a9|%2f?sig=a%2fb", "/caf%c3%a9%7C%2f?sig=a%2fb", ""},
		{server.URL + "/gzip", "zipped", ""},
		{strings.Replace(server.URL, "127.0.0.1", "2130706433", 1) + "/x/../file", `"`, ""},
		{strings.Replace(server.URL, "127.0.0.1", "%3127.0.0.1", 1) + "/file", `"`, ""},
		{" http:\\\\" + strings.TrimPrefix(server.URL, "http://") + "\\file", `"`, ""},
		{server.URL + "/most", "\x00", ""},
		{server.URL + "/lost", "HTTP status 410", "status"},
		{server.URL + "/loop", "HTTP status 302", "status"},
		{server.URL + "/ftp", "HTTP status 302", "status"},
		{server.URL + "/br", `the server sent Content-Encoding "br", but only gzip was requested`, "invalid response"},
		{server.URL + "/long", "the response is too large", "invalid response"},
		{server.URL + "/bomb", "the response is too large", "invalid response"},
		{server.URL + "/away?port=" + port, "refused to connect to ", "refused address"},
		{"http://localhost:" + port + "/", "refused to connect to ", "refused address"},
		{"ftp://shop.example/", "only robots.txt can be fetched over FTP", "invalid response"},
	} {
		text, err := read(t, c, test.url)
		kind := ""
		if err != nil {
			text = err.Error()
			if fault := (*fetch.FaultError)(nil); errors.As(err, &fault) {
				kind = fault.Kind
			}
		}
		if !strings.Contains(text, test.text) || kind != test.kind {
			t.Errorf("%s: %.200q of kind %q, want %q of kind %q", test.url, text, kind, test.text, test.kind)
		}
	}
	if _, err := c.Open(t.Context(), "no URL", 1); !errors.As(err, new(*origin.Error)) {
		t.Errorf("no URL: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Open(cancelled, server.URL+"/file", 1); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	open, err := c.Open(t.Context(), server.URL+"/most", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	c.Close()
	if _, err := c.Open(t.Context(), server.URL+"/file", 1); err != fetch.ErrClosed {
		t.Errorf("closed: %v", err)
	}
	if n, err := open.Read(make([]byte, 1)); n != 0 || err != fetch.ErrClosed {
		t.Errorf("a read after Close: %d bytes, %v", n, err)
	}
}

// TestOpenResponse: one request, whose response is returned with any status; its lines stay apart.
func TestOpenResponse(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		w.Header().Add("X-Robots-Tag", "a: noindex")
		w.Header().Add("X-Robots-Tag", "b: noindex")
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/page", http.StatusFound)
			return
		}
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "nothing here")
	}))
	defer server.Close()
	c := newGuarded(t, fetch.Config{Network: fetch.Network{AllowPrivate: true}})
	for path, status := range map[string]int{"/moved": 302, "/page": 404} {
		asked = nil
		response, err := c.OpenResponse(t.Context(), server.URL+path, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != status || len(response.Header["X-Robots-Tag"]) != 2 || len(asked) != 1 {
			t.Errorf("%s: status %d, %v, asked for %v, %v", path, response.StatusCode, response.Header, asked, err)
		}
		if path == "/page" && string(text) != "nothing here" {
			t.Errorf("%q", text)
		}
	}
	if _, err := newGuarded(t, fetch.Config{}).OpenResponse(t.Context(), server.URL, 1); err == nil {
		t.Error("the address guard lets a page through")
	}
}

// TestOpenStored: a file is requested as it is stored, with the caller's headers, and any status returns. A redirect
// from https to http is refused, even to a trusted host.
func TestOpenStored(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "plain")
	}))
	defer plain.Close()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "identity" {
			t.Errorf("%v", r.Header)
		}
		w.Header().Set("Content-Encoding", "gzip") // a server's word for a file that is stored compressed
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/file", http.StatusFound)
		case "/downgraded":
			http.Redirect(w, r, plain.URL, http.StatusFound)
		case "/missing":
			http.NotFound(w, r)
		default:
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader("0123456789"))
		}
	}))
	defer server.Close()
	c := newGuarded(t, fetch.Config{Network: fetch.Network{AllowPrivate: true,
		TLS: server.Client().Transport.(*http.Transport).TLSClientConfig}})
	for path, want := range map[string]string{"/moved": "206 56789", "/missing": "404 404 page not found\n"} {
		response, err := c.OpenStored(t.Context(), server.URL+path, http.Header{"Range": {"bytes=5-"}})
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		if got := fmt.Sprint(response.StatusCode, " ", string(text)); got != want || err != nil {
			t.Errorf("%s: %q, %v", path, got, err)
		}
		response.Body.Close()
	}
	fault := (*fetch.FaultError)(nil)
	if _, err := c.OpenStored(t.Context(), server.URL+"/downgraded", nil); !errors.As(err, &fault) || fault.Kind != "refused address" {
		t.Errorf("%v", err)
	}
}

// TestOpenProxyAddress: a redirect to the address of the proxy that the request has used
// is checked like any other.
func TestOpenProxyAddress(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	}))
	defer site.Close()
	p := startProxy(t, "http", map[string]string{"shop.example:80": site.Listener.Addr().String()})
	c := newGuarded(t, fetch.Config{
		Network: fetch.Network{
			Resolver: &internet{names: map[string][]string{"shop.example": {"8.8.8.8"}}},
			Proxy: func(r *http.Request) (*url.URL, error) {
				if r.URL.Host == p.url.Host { // as http.ProxyFromEnvironment does for loopback
					return nil, nil
				}
				return p.url, nil
			},
		},
	})
	text, err := read(t, c, "http://shop.example/?to="+url.QueryEscape(p.url.String()+"/admin"))
	if err == nil || !strings.Contains(err.Error(), "refused to connect to 127.0.0.1") {
		t.Errorf("%q, %v", text, err)
	}
}

type dripSite struct {
	pause  time.Duration
	bytes  int
	opened atomic.Int32
}

func (d *dripSite) RoundTrip(r *http.Request) (*http.Response, error) {
	d.opened.Add(1)
	return &http.Response{StatusCode: http.StatusOK, ProtoMajor: 1, ContentLength: -1, Request: r,
		Header: http.Header{},
		Body:   &dripping{dripSite: d, done: r.Context().Done()}}, nil
}

type dripping struct {
	*dripSite
	done <-chan struct{}
}

func (d *dripping) Read(p []byte) (int, error) {
	select {
	case <-time.After(d.pause):
		clear(p[:min(d.bytes, len(p))])
		return min(d.bytes, len(p)), nil
	case <-d.done:
		return 0, context.Canceled
	}
}

func (d *dripping) Close() error { return nil }

// TestOpenSlowly: a transfer below the least rate, or longer than ten timeouts, ends. The
// time between reads does not count.
func TestOpenSlowly(t *testing.T) {
	for _, test := range []struct {
		drip *dripSite
		want string
		took time.Duration
	}{
		{&dripSite{pause: time.Second, bytes: 1}, "the body arrives too slowly", 5 * time.Second},
		{&dripSite{pause: time.Second, bytes: 200}, "the body takes too long to arrive", 30 * time.Second},
		{&dripSite{pause: time.Hour, bytes: 1}, "the body arrives too slowly", 5 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := newClient(t,
				fetch.Config{Network: fetch.Network{Transport: test.drip},
					Limits: fetch.Limits{Timeout: 3 * time.Second}})
			began := time.Now()
			_, err := read(t, c, "http://shop.example/")
			var fault *fetch.FaultError
			if took := time.Since(began); !errors.As(err, &fault) ||
				fault.Text != test.want+" (context canceled)" && fault.Text != test.want || fault.Kind != "timeout" || took != test.took {
				t.Errorf("%v after %v, want %s after %v", err, took, test.want, test.took)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		c := newClient(t,
			fetch.Config{Network: fetch.Network{Transport: &dripSite{pause: time.Millisecond, bytes: 100}},
				Limits: fetch.Limits{Timeout: 3 * time.Second}})
		body, err := c.Open(t.Context(), "http://shop.example/", 1000)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if n, err := body.Read(make([]byte, 100)); n != 100 || err != nil {
				t.Errorf("%d bytes, %v", n, err)
			}
			time.Sleep(time.Minute)
		}
		body.Close()
	})
}

// TestOpenIsFetch: a file counts as a fetch until its end or Close, and so does its
// address.
func TestOpenIsFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &dripSite{pause: time.Second, bytes: 1000}
		c := newClient(t,
			fetch.Config{Network: fetch.Network{Transport: site}, Limits: fetch.Limits{MaxFetches: 2, MaxFetchRate: 1}})
		began := time.Now()
		first, err := c.Open(t.Context(), "http://1.example/", 100)
		if err != nil {
			t.Fatal(err)
		}
		second, err := c.Open(t.Context(), "http://2.example/", 100)
		if err != nil {
			t.Fatal(err)
		}
		if since := time.Since(began); since != time.Second {
			t.Errorf("the second file began after %v", since)
		}
		go func() { _, _ = c.Robots(context.Background(), "http://3.example/") }()
		time.Sleep(time.Minute)
		if n := site.opened.Load(); n != 2 {
			t.Errorf("%d requests at the same time", n)
		}
		_, _ = io.ReadAll(first) // its end
		time.Sleep(time.Minute)
		if n := site.opened.Load(); n != 3 {
			t.Errorf("%d requests after the end of a file", n)
		}
		second.Close()
		first.Close()
	})
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	c := newClient(t,
		fetch.Config{Network: fetch.Network{AllowPrivate: true}, Limits: fetch.Limits{MaxFetchesPerAddress: 1}})
	_, err := c.Open(t.Context(), server.URL, 100)
	if n := fetch.AddressesInUse(c); err == nil || n != 0 {
		t.Errorf("%v, and %d addresses are in use", err, n)
	}
}

// TestRequestRefused: what Network.Request refuses is no fault of the site, and after a
// redirect a fresh file in memory replaces it.
func TestRequestRefused(t *testing.T) {
	requests := map[string]int{}
	site := roundTrip(func(r *http.Request) (*http.Response, error) {
		requests[r.URL.Host]++
		response := httptest.NewRecorder()
		if r.URL.Host == "shop.example" {
			fmt.Fprint(response, file)
		} else {
			http.Redirect(response, r, "http://shop.example"+r.URL.Path, http.StatusFound)
		}
		return response.Result(), nil
	})
	left := 1
	errEnough := errors.New("enough")
	var seen []string
	c := newClient(t, fetch.Config{Network: fetch.Network{
		Transport: site,
		Request: func(_ context.Context, r fetch.Request) error {
			if r.From == (origin.Origin{}) && r.Origin.Host() != "refused.example" {
				return nil
			}
			seen = append(seen, r.From.String()+" "+r.Origin.String())
			left--
			if left < 0 {
				return errEnough
			}
			return nil
		},
	}, KeepBodies: true})
	if _, err := read(t, c, "http://1.example/other.xml"); err != nil || requests["shop.example"] != 1 {
		t.Errorf("the first redirect: %v, %v", err, requests)
	}
	r, err := c.Robots(t.Context(), "http://2.example/")
	if err != nil || r.Outcome != fetch.OutcomeLocal || !errors.Is(r.Err, errEnough) ||
		len(r.Hops) != 0 && requests["shop.example"] != 1 {
		t.Errorf("a refused redirect: %+v, %v", r, err)
	}
	if want := "the redirect to http://shop.example was not followed: enough"; r.Err.Error() != want {
		t.Errorf("the error is %q", r.Err)
	}
	if _, err := read(t, c, "http://3.example/other.xml"); !errors.Is(err, errEnough) {
		t.Errorf("a refused file: %v", err)
	}
	if _, err := c.Robots(t.Context(), "http://shop.example/"); err != nil || requests["shop.example"] != 2 {
		t.Errorf("the target: %v, %v", err, requests)
	}
	r, err = c.Robots(t.Context(), "http://4.example/")
	if err != nil || r.Outcome != fetch.OutcomeRules || r.URL != "http://shop.example/robots.txt" || string(r.Body()) != file || requests["shop.example"] != 2 {
		t.Errorf("a redirect to a known file: %+v, %v, %v", r, err, requests)
	}
	if len(seen) != 4 || seen[0] != "http://1.example http://shop.example" {
		t.Errorf("Request was called for %q", seen)
	}
	for _, url := range []string{"http://refused.example/", "ftp://refused.example/"} {
		r, err = c.Robots(t.Context(), url)
		var fault *fetch.FaultError
		if r != nil || !errors.Is(err, errEnough) || !errors.As(err, &fault) || !fault.Local() || !strings.Contains(err.Error(), "://refused.example was not requested: enough") {
			t.Errorf("a refused first request: %+v, %v", r, err)
		}
	}
	if _, err := read(t, c, "http://refused.example/other.xml"); !errors.Is(err, errEnough) || requests["refused.example"] != 0 {
		t.Errorf("a refused first request of a file: %v, %v", err, requests)
	}
}

// TestRequestRefusedForOne: a call that may not request a site does not take the answer from
// those that may, although they share its fetch, and nothing of it is remembered.
func TestRequestRefusedForOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type poorKey struct{}
		asked := make(chan struct{})
		requests := 0
		c := newClient(t, fetch.Config{Network: fetch.Network{
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				requests++
				response := httptest.NewRecorder()
				fmt.Fprint(response, file)
				return response.Result(), nil
			}),
			Request: func(ctx context.Context, r fetch.Request) error {
				if ctx.Value(poorKey{}) == nil {
					return nil
				}
				<-asked
				return errors.New("enough")
			},
		}})
		poor := context.WithValue(t.Context(), poorKey{}, true)
		var calls sync.WaitGroup
		calls.Go(func() {
			if r, err := c.Robots(poor, "http://shop.example/"); err == nil {
				t.Errorf("the call that may not: %+v", r)
			}
		})
		synctest.Wait()
		for range 10 {
			calls.Go(func() {
				if r, err := c.Robots(t.Context(), "http://shop.example/"); err != nil || r.Outcome != fetch.OutcomeRules {
					t.Errorf("another call: %+v, %v", r, err)
				}
			})
		}
		synctest.Wait()
		close(asked)
		calls.Wait()
		if _, err := c.Robots(poor, "http://shop.example/"); err != nil || requests != 1 {
			t.Errorf("%v, and %d requests", err, requests)
		}
	})
}

// TestRequestEach: Network.Request is called once for each request that a site gets, with the
// values of the call that causes it, whatever the call, and although an address is busy.
func TestRequestEach(t *testing.T) {
	type callKey struct{}
	var mu sync.Mutex
	called, causes, got := map[string]int{}, map[any]int{}, map[string]int{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.Host)
		mu.Lock()
		got[host]++
		mu.Unlock()
		switch r.URL.Path {
		case "/robots.txt":
			http.Redirect(w, r, "/1", http.StatusFound)
		case "/1":
			http.Redirect(w, r, "http://"+strings.Replace(r.Host, "a.", "b.", 1)+"/2", http.StatusFound)
		default:
			time.Sleep(10 * time.Millisecond) // so that the address is busy for others
			fmt.Fprint(w, file)
		}
	}))
	defer site.Close()
	_, port, _ := net.SplitHostPort(site.Listener.Addr().String())
	names := map[string][]string{}
	for i := range 4 {
		names[fmt.Sprintf("a.%d.example", i)], names[fmt.Sprintf("b.%d.example", i)] = []string{"127.0.0.1"}, []string{"127.0.0.1"}
	}
	c := newClient(t, fetch.Config{Limits: fetch.Limits{MaxFetchesPerAddress: 1}, Network: fetch.Network{
		AllowPrivate: true, Resolver: &internet{names: names},
		Request: func(ctx context.Context, r fetch.Request) error {
			mu.Lock()
			defer mu.Unlock()
			called[r.Origin.Host()]++
			causes[ctx.Value(callKey{})]++
			if cause := ctx.Value(callKey{}); r.IsFile != (cause == "open" || cause == "response") {
				t.Errorf("%+v, caused by %v", r, cause)
			}
			return nil
		},
	}})
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			url := fmt.Sprintf("http://a.%d.example:%s/", i, port)
			call := func(name string) context.Context { return context.WithValue(t.Context(), callKey{}, name) }
			if _, err := c.Robots(call("robots"), url); err != nil {
				t.Error(err)
			}
			if _, err := c.Refresh(call("refresh"), url); err != nil {
				t.Error(err)
			}
			if body, err := c.Open(call("open"), url+"robots.txt", 1000); err != nil {
				t.Error(err)
			} else {
				body.Close()
			}
			if response, err := c.OpenResponse(call("response"), url+"robots.txt", 1000); err != nil {
				t.Error(err)
			} else {
				response.Body.Close()
			}
		})
	}
	all.Wait()
	if len(got) != 8 || !maps.Equal(called, got) {
		t.Errorf("called for %v; the sites got %v", called, got)
	}
	if want := (map[any]int{"robots": 12, "refresh": 12, "open": 12, "response": 4}); !maps.Equal(causes, want) {
		t.Errorf("caused by %v, want %v", causes, want)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestHideAddresses: no text that leaves the client names an address of its network, and
// the log names them all.
func TestHideAddresses(t *testing.T) {
	local, remote := &net.TCPAddr{IP: net.IP{10, 1, 2, 3}, Port: 4711}, &net.TCPAddr{IP: net.IP{10, 1, 2, 4}, Port: 80}
	proxied := func(*http.Request) (*url.URL, error) { return url.Parse("http://user:secret@proxy.internal:3128") }
	public := &internet{names: map[string][]string{"vm.example": {"8.8.8.8"}, "proxy.internal": {"10.9.9.9"}}}
	for name, test := range map[string]struct {
		config  fetch.Config
		text    string // public
		private string
	}{
		"a refused address": {fetch.Config{Network: fetch.Network{Resolver: &internet{names: map[string][]string{"vm.example": {"10.1.2.3"}}}}}, "refused to connect: the address of the host is not public", "10.1.2.3:80 (vm.example)"},
		"a refused port":    {fetch.Config{Network: fetch.Network{Resolver: public, Guard: fetch.Guard{Ports: []uint16{443}}}}, "refused to connect: port 80 is not among the allowed ports", "8.8.8.8:80 (vm.example)"},
		"a name server": {fetch.Config{Network: fetch.Network{Resolver: &noHost{net.DNSError{Err: "no such host", Name: "vm.example", Server: "10.1.2.3:53",
			IsNotFound: true}}}},
			"there is no such host as vm.example", "10.1.2.3:53"},
		"a reset": {fetch.Config{Network: fetch.Network{
			Resolver: public,
			Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "read", Net: "tcp", Source: local, Addr: remote, Err: syscall.ECONNRESET}
			},
		}}, "the connection was reset", "10.1.2.3:4711->10.1.2.4:80"},
		"another error": {fetch.Config{Network: fetch.Network{
			Resolver: public,
			Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, errors.New("no way from 10.1.2.3")
			},
		}}, "the request failed (invalid response)", "no way from 10.1.2.3"},
		"a proxy": {fetch.Config{Network: fetch.Network{
			Resolver: public,
			Proxy:    proxied,
			Dial: func(_ context.Context, _, address string) (net.Conn, error) {
				return nil, errors.New("cannot reach " + address)
			},
		}}, "the proxy cannot be used", "cannot reach 10.9.9.9:3128"},
	} {
		var log bytes.Buffer
		var event error
		test.config.Network.HideAddresses, test.config.Logger = true, slog.New(slog.NewTextHandler(&log, nil))
		test.config.Observe = func(e fetch.Event) {
			if e.Err != nil {
				event = e.Err
			}
		}
		c := newGuarded(t, test.config)
		r := fetch.Expect(t, c, "http://vm.example/")
		if r.Err == nil || !strings.Contains(r.Err.Error(), test.text) || !strings.Contains(r.Detail, test.text) ||
			!strings.Contains(event.Error(), test.text) || r.Proxy != "" {
			t.Errorf("%s: the fault is %v, the detail %q, the event %v, want %q", name, r.Err, r.Detail, event, test.text)
		}
		_, err := c.Open(t.Context(), "http://vm.example/sitemap.xml", 100)
		if err == nil || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: the error of a file is %v, want %q", name, err, test.text)
		}
		for _, text := range []string{r.Err.Error(), r.Detail, event.Error(), err.Error()} {
			for _, private := range []string{"10.1.", "10.9.", "8.8.8.8", "internal", "secret"} {
				if strings.Contains(text, private) {
					t.Errorf("%s: %q names %s", name, text, private)
				}
			}
		}
		if n := strings.Count(log.String(), test.private); n != 2 || strings.Contains(log.String(), "secret") {
			t.Errorf("%s: the log has %d times %q: %s", name, n, test.private, &log)
		}
	}
}

type noHost struct{ net.DNSError }

func (r *noHost) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return nil, &r.DNSError
}
