package fetch_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// proxy is a proxy on loopback for HTTP, HTTPS or SOCKS5. It knows the servers of an
// internet by name and records what it was told to connect to.
type proxy struct {
	url    *url.URL
	routes map[string]string // host and port to a loopback address
	login  string            // "user:password" if it requires one
	status int               // with which it rejects every request, if not 0

	mu   sync.Mutex
	seen []string
}

func startProxy(t *testing.T, scheme string, routes map[string]string) *proxy {
	p := &proxy{routes: routes, url: &url.URL{Scheme: scheme}}
	switch scheme {
	case "socks5":
		p.url.Host = listen(t, func(_ *faultServer, conn net.Conn) { p.socks(conn) }).Addr().String()
	default:
		server := httptest.NewUnstartedServer(p)
		server.Config.ErrorLog = log.New(io.Discard, "", 0) // a refused certificate is expected
		if scheme == "https" {
			server.TLS = serverConfig(false, nil)
			server.StartTLS()
		} else {
			server.Start()
		}
		t.Cleanup(server.Close)
		p.url.Host = server.Listener.Addr().String()
	}
	return p
}

func (p *proxy) connect(hostPort string) (net.Conn, error) {
	p.mu.Lock()
	p.seen = append(p.seen, hostPort)
	p.mu.Unlock()
	server, ok := p.routes[hostPort]
	if !ok {
		return nil, errors.New("no route to " + hostPort)
	}
	return net.Dial("tcp", server)
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if want := "Basic " + base64.StdEncoding.EncodeToString([]byte(p.login)); p.login != "" && r.Header.Get("Proxy-Authorization") != want {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	if p.status != 0 {
		w.WriteHeader(p.status)
		return
	}
	target := r.Host
	if _, _, err := net.SplitHostPort(target); err != nil {
		target = net.JoinHostPort(target, "80")
	}
	conn, err := p.connect(target)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer conn.Close()
	if r.Method != http.MethodConnect {
		r.Header.Del("Proxy-Authorization")
		transport := http.Transport{
			DialContext:       func(context.Context, string, string) (net.Conn, error) { return conn, nil },
			DisableKeepAlives: true,
		}
		response, err := transport.RoundTrip(r)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer response.Body.Close()
		for name, values := range response.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(response.StatusCode)
		_, _ = io.Copy(w, response.Body)
		return
	}
	w.WriteHeader(http.StatusOK)
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	join(client, buffered, conn)
}

func join(client net.Conn, fromClient io.Reader, server net.Conn) {
	done := make(chan bool, 2)
	go func() { _, _ = io.Copy(server, fromClient); done <- true }()
	go func() { _, _ = io.Copy(client, server); done <- true }()
	<-done
	client.Close()
	server.Close()
	<-done
}

// socks serves one connection of SOCKS5. [RFC 1928, RFC 1929]
func (p *proxy) socks(conn net.Conn) {
	read := func(n int) []byte {
		b := make([]byte, n)
		if _, err := io.ReadFull(conn, b); err != nil {
			return nil
		}
		return b
	}
	head := read(2)
	if head == nil || read(int(head[1])) == nil {
		return
	}
	method := byte(0)
	if p.login != "" {
		method = 2
	}
	_, _ = conn.Write([]byte{5, method})
	if p.login != "" {
		head := read(2)
		if head == nil {
			return
		}
		user := read(int(head[1]))
		password := read(int(read(1)[0]))
		ok := string(user)+":"+string(password) == p.login
		_, _ = conn.Write([]byte{1, map[bool]byte{true: 0, false: 1}[ok]})
		if !ok {
			return
		}
	}
	request := read(4)
	if request == nil {
		return
	}
	var host string
	switch request[3] {
	case 1:
		host = net.IP(read(4)).String()
	case 3:
		host = string(read(int(read(1)[0])))
	case 4:
		host = net.IP(read(16)).String()
	}
	server, err := p.connect(net.JoinHostPort(host, strconv.Itoa(int(binary.BigEndian.Uint16(read(2))))))
	if err != nil {
		_, _ = conn.Write([]byte{5, 4, 0, 1, 0, 0, 0, 0, 0, 0})
		return
	}
	_, _ = conn.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	join(conn, conn, server)
}

type proxied struct {
	names *internet
	*proxy
}

// newProxied starts two sites, http and https, at the names site.example and
// inside.example, and a proxy in front of them. /private redirects to a private
// address.
func newProxied(t *testing.T, scheme string) *proxied {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.Header.Get("User-Agent"); strings.HasPrefix(to, "Redirect/http") {
			http.Redirect(w, r, strings.TrimPrefix(to, "Redirect/"), http.StatusFound)
			return
		}
		for name := range r.Header {
			if strings.HasPrefix(name, "Proxy") {
				t.Errorf("the site received the header %s", name)
			}
		}
		fmt.Fprint(w, file)
	})
	plain, secure := startSites(t, handler, "site.example")
	routes := map[string]string{}
	for _, host := range []string{"site.example", "inside.example", "unknown.example", "10.0.0.1"} {
		routes[host+":80"], routes[host+":443"] = plain.String(), secure.String()
	}
	names := &internet{names: map[string][]string{"site.example": {"8.8.8.8"}, "inside.example": {"10.0.0.1"}, "both.example": {"8.8.8.8 10.0.0.1"}}}
	p := startProxy(t, scheme, routes)
	names.servers = map[string]string{p.url.Host: p.url.Host} // nothing else can be dialled
	return &proxied{names, p}
}

func (p *proxied) config() fetch.Config {
	return fetch.Config{UserAgent: userAgent,
		Network: fetch.Network{Resolver: p.names, Dial: p.names.dial, TLS: testRoots(), Proxy: http.ProxyURL(p.url)}}
}

// TestProxies fetches through each kind of proxy, with and without a login. The
// proxy receives the host by name, and its own private address is not checked.
func TestProxies(t *testing.T) {
	for _, scheme := range []string{"http", "https", "socks5"} {
		for _, login := range []string{"", "user:secret#@/"} {
			p := newProxied(t, scheme)
			p.login = login
			if login != "" {
				user, password, _ := strings.Cut(login, ":")
				p.url.User = url.UserPassword(user, password)
			}
			for _, site := range []string{"http://site.example", "https://site.example", "http://unknown.example"} {
				p.seen, p.names.dialled = nil, nil
				r := expectVerdict(t, newGuarded(t, p.config()), site, wholeFile)
				o, _ := origin.Of(site)
				if want := []string{o.Addr()}; !slices.Equal(p.seen, want) {
					t.Errorf("%s, %s: the proxy was told to connect to %q", scheme, site, p.seen)
				}
				if want := []string{p.url.Host}; !slices.Equal(p.names.dialled, want) {
					t.Errorf("%s, %s: the client dialled %q, want the proxy only", scheme, site, p.names.dialled)
				}
				if want := scheme + "://" + p.url.Host; r.Proxy != want {
					t.Errorf("Result.Proxy = %q, want %q", r.Proxy, want)
				}
			}
		}
	}
}

// TestProxyTargets checks that the guard checks targets before the proxy receives
// them, on every hop.
func TestProxyTargets(t *testing.T) {
	const refused, refusedAfter = "disallow-all assumed 0: refused address", "disallow-all assumed 0 after 1: refused address"
	for _, scheme := range []string{"http", "socks5"} {
		for _, test := range []struct {
			site, redirect string
			change         func(*fetch.Config)
			want           string
			seen           []string
		}{
			{"http://inside.example", "", nil, refused, nil},
			{"https://inside.example", "", nil, refused, nil},
			{"http://both.example", "", nil, refused, nil},
			{"http://10.0.0.1", "", nil, refused, nil},
			{"http://127.0.0.1:22", "", nil, refused, nil},
			{"http://[::1]", "", nil, refused, nil},
			{"ftp://site.example", "", nil, refused, nil},
			{"http://site.example", "http://inside.example/", nil, refusedAfter, []string{"site.example:80"}},
			{"http://site.example", "http://169.254.169.254/latest/meta-data", nil, refusedAfter, []string{"site.example:80"}},
			{"http://site.example:81", "", func(c *fetch.Config) { c.Network.Guard.Ports = []uint16{80} }, refused, nil},
			{"http://10.0.0.1", "", func(c *fetch.Config) { c.Network.Guard.Allow = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} }, wholeFile, []string{"10.0.0.1:80"}},
			{"http://inside.example", "", func(c *fetch.Config) { c.Network.AllowPrivate = true }, wholeFile, []string{"inside.example:80"}},
			{"http://inside.example", "", func(c *fetch.Config) { c.Network.Trusts = func(origin.Origin) bool { return true } }, wholeFile, []string{"inside.example:80"}},
		} {
			p := newProxied(t, scheme)
			config := p.config()
			if test.change != nil {
				test.change(&config)
			}
			if test.redirect != "" {
				config.UserAgent, config.Agents = "Redirect/"+test.redirect, []string{"FooBot"}
			}
			expectVerdict(t, newGuarded(t, config), test.site, test.want)
			if !slices.Equal(p.seen, test.seen) {
				t.Errorf("%s, %s to %s: the proxy was told to connect to %q, want %q", scheme, test.site, test.redirect, p.seen, test.seen)
			}
		}
	}
}

// TestProxyFaults checks that a proxy's refusal is no answer of the site: a 407 is
// not "no restrictions". What is due to the proxy alone is local trouble. No error
// contains the password.
func TestProxyFaults(t *testing.T) {
	const fault, local = "disallow-all assumed 0: proxy", "local assumed 0: local"
	rejects := func(status int) func(*proxied, *fetch.Config) {
		return func(p *proxied, _ *fetch.Config) { p.status = status }
	}
	for _, test := range []struct {
		name, scheme, site string
		change             func(*proxied, *fetch.Config)
		want               string
	}{
		{"login required", "http", "http://site.example", func(p *proxied, _ *fetch.Config) { p.login = "user:other" }, local},
		{"login required, CONNECT", "http", "https://site.example", func(p *proxied, _ *fetch.Config) { p.login = "user:other" }, local},
		{"login required, SOCKS", "socks5", "http://site.example", func(p *proxied, _ *fetch.Config) { p.login = "user:other" }, local},
		{"CONNECT forbidden", "http", "https://site.example", rejects(403), local},
		{"CONNECT not found", "http", "https://site.example", rejects(404), local},
		{"bad gateway, CONNECT", "http", "https://site.example", rejects(502), fault},
		{"bad gateway", "http", "http://site.example", rejects(502), "disallow-all assumed 502: status"},
		{"no route, SOCKS", "socks5", "http://site.example:82", nil, fault},
		{"nothing listens", "http", "http://site.example", func(_ *proxied, c *fetch.Config) {
			c.Network.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: "127.0.0.1:1", User: url.UserPassword("user", "secret")})
		}, local},
		{"another scheme", "http", "http://site.example", func(_ *proxied, c *fetch.Config) {
			c.Network.Proxy = http.ProxyURL(&url.URL{Scheme: "gopher", Host: "127.0.0.1:1", User: url.UserPassword("user", "secret")})
		}, local},
		{"no proxy is found", "http", "http://site.example", func(_ *proxied, c *fetch.Config) {
			c.Network.Proxy = func(*http.Request) (*url.URL, error) { return nil, errors.New("http://user:secret@proxy.example") }
		}, local},
		{"certificate of the proxy", "https", "http://site.example", func(_ *proxied, c *fetch.Config) { c.Network.TLS = &tls.Config{RootCAs: x509.NewCertPool()} }, local},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProxied(t, test.scheme)
			p.url.User = url.UserPassword("user", "secret")
			config := p.config()
			if test.change != nil {
				test.change(p, &config)
			}
			r := expectVerdict(t, newGuarded(t, config), test.site, test.want)
			if strings.Contains(fmt.Sprintf("%+v %v", *r, r.Err), "secret") {
				t.Errorf("the result contains the password: %+v, %v", *r, r.Err)
			}
		})
	}
}
