package watch_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// nginxSite is a site that nginx serves from a folder. With a file "down" it answers 503,
// with a file "away" it redirects to another host.
const nginxSite = `
daemon off; master_process off; pid nginx.pid; error_log error.log;
events { worker_connections 64; }
http {
	access_log off; default_type text/plain;
	client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
	server {
		listen ADDRESS; root site;
		location = /robots.txt {
			if (-f $document_root/down) { return 503; }
			if (-f $document_root/away) { return 302 http://localhost:PORT/other.txt; }
		}
	}
}`

// startNginx starts nginx, and returns the folder of the site and its host.
func startNginx(t *testing.T) (folder, host string) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed; on Debian: apt-get install nginx-light")
	}
	port := strconv.Itoa(valkeytest.FreePorts(t, 1)[0])
	host = "127.0.0.1:" + port
	prefix := t.TempDir()
	folder = filepath.Join(prefix, "site")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	config := strings.NewReplacer("ADDRESS", host, "PORT", port).Replace(nginxSite)
	if err := os.WriteFile(filepath.Join(prefix, "nginx.conf"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "-p", prefix, "-c", "nginx.conf", "-e", "error.log")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	for range 12_000 { // two minutes
		if conn, err := net.Dial("tcp", host); err == nil {
			conn.Close()
			return folder, host
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nginx does not listen")
	return "", ""
}

// network is the network of a client, which can fail.
type network struct {
	dial    func() error
	resolve func() error
}

func (n *network) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if n.resolve != nil {
		return nil, n.resolve()
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

func (n *network) client(t *testing.T) *fetch.Client {
	t.Helper()
	c, err := newClient(fetch.Network{Resolver: n,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if n.dial != nil {
				return nil, &net.OpError{Op: "dial", Net: network, Err: n.dial()}
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestStory: of twenty edits of a site that nginx serves, ten are silent and ten are
// reported; of five faults of our own none is.
func TestStory(t *testing.T) {
	t.Parallel()
	folder, host := startNginx(t)
	port := host[strings.LastIndexByte(host, ':'):]
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	write("other.txt", shop)
	write("robots.txt", shop)
	n := &network{}
	client := n.client(t)
	out := &collected{}
	site := "shop.example" + port
	p := &passes{
		t: t, folder: t.TempDir(), hosts: []string{site, "news.example" + port, "mail.example" + port}, now: start, outputs: []watch.Output{out},
		fetch: func(ctx context.Context, url string) (*fetch.Result, error) { return client.Robots(ctx, url) },
	}
	p.hosts = p.hosts[:1] // the edits are on all names of one server, so one is enough
	p.want(out, 0)

	reported := 0
	edit := func(name, text string, want string) {
		t.Helper()
		write("robots.txt", text)
		p.want(out, 360)
		if want == "" {
			p.want(out, 70)
			return
		}
		reported++
		p.want(out, 70, "http://"+site+want)
	}
	replaced := func(old, new string) string { return strings.Replace(shop, old, new, 1) }
	none := ""
	edit("comment", "# new\n"+shop, none)
	edit("no comment", strings.TrimPrefix(shop, "# shop\n"), none)
	edit("order of rules", replaced("Disallow: /cart\nDisallow: /search\n", "Disallow: /search\nDisallow: /cart\n"), none)
	edit("case", strings.ReplaceAll(shop, "Disallow", "disallow"), none)
	edit("CRLF", strings.ReplaceAll(shop, "\n", "\r\n"), none)
	edit("byte order mark", "\ufeff"+shop, none)
	edit("blank lines", strings.ReplaceAll(shop, "\n", "\n\n"), none)
	edit("needless rule", replaced("/cart\n", "/cart\nDisallow: /cart/x\n"), none)
	edit("needless star", replaced("/cart\n", "/cart*\n"), none)
	edit("order of sitemaps", replaced("Sitemap: https://shop.example/a.xml\nSitemap: https://shop.example/b.xml", "Sitemap: https://shop.example/b.xml\nSitemap: https://shop.example/a.xml"), none)

	edit("closes", closed, " closes the whole site for any crawler that follows the group for *")
	edit("opens", shop, " opens ")
	edit("path", replaced("/cart\n", "/cart\nDisallow: /tmp\n"), " closes /tmp for any crawler that follows the group for *")
	edit("sitemap", replaced("/cart\n", "/cart\nDisallow: /tmp\n")+"Sitemap: https://shop.example/c.xml\n", ": Sitemap: added")
	edit("web page", "<!DOCTYPE html><title>Shop</title>", ": the file is a web page now")
	edit("back", shop, " closes ")
	edit("use", replaced("User-agent: *\n", "User-agent: *\nContent-Signal: ai-train=no\n"), ": Content-Signal for any crawler that follows the group for *: added ai-train=no")
	edit("truncated", replaced("User-agent: *\n", "User-agent: *\nContent-Signal: ai-train=no\n")+strings.Repeat("# long\n", 80_000), ": crawlers read only the first")
	write("down", "")
	edit("503", replaced("User-agent: *\n", "User-agent: *\nContent-Signal: ai-train=no\n"), ": status 503")
	remove("down")
	p.want(out, 360)
	p.want(out, 70, "http://"+site+" answers again")
	write("away", "")
	edit("away", "", ": served by localhost, previously by shop.example")
	if reported != 10 {
		t.Errorf("%d edits were reported", reported)
	}
	remove("away")
	write("robots.txt", shop)
	p.want(out, 360)
	p.want(out, 70, "http://"+site+": served by shop.example")

	p.hosts = []string{site, "news.example" + port, "mail.example" + port}
	p.want(out, 360)
	testOwnFaults(t, p, out, n)
}

// testOwnFaults runs passes during faults of this machine, and after them.
func testOwnFaults(t *testing.T, p *passes, out *collected, n *network) {
	quiet := func(name string, mayFail bool) {
		t.Helper()
		for range 4 {
			if _, err := p.run(40); err != nil && !mayFail {
				t.Errorf("%s: %v", name, err)
			}
			if got := out.take(); len(got) > 0 {
				t.Errorf("%s: reported %q", name, got)
			}
		}
	}
	for name, fault := range map[string]*net.DNSError{
		"the resolver does not answer": {Err: "i/o timeout", IsTimeout: true},
		"the resolver knows no name":   {Err: "no such host", IsNotFound: true},
	} {
		n.resolve = func() error { return fault }
		quiet(name, false)
		n.resolve = nil
		quiet("after: "+name, false)
	}
	for _, errno := range []syscall.Errno{syscall.ENETUNREACH, syscall.ECONNREFUSED} {
		n.dial = func() error { return os.NewSyscallError("connect", errno) }
		quiet(errno.Error(), false)
		n.dial = nil
		quiet("after: "+errno.Error(), false)
	}
	for name, order := range map[string]string{"disk full": "PRAGMA max_page_count = 1", "locked": "PRAGMA busy_timeout = 20"} {
		unlock := func() {}
		p.prepare = func(s *watch.Store) {
			if err := s.Exec(order); err != nil {
				t.Fatal(err)
			}
			if name == "locked" {
				unlock = lock(t, p.folder)
			}
		}
		if name != "locked" {
			p.hosts = append(p.hosts, manyHosts(p.hosts[0])...) // that need pages
		}
		failed := false
		for range 3 {
			_, err := p.run(60)
			failed = failed || err != nil
			unlock()
			if got := out.take(); len(got) > 0 {
				t.Errorf("%s: reported %q", name, got)
			}
		}
		if !failed {
			t.Errorf("%s: no run failed", name)
		}
		p.hosts, p.prepare = p.hosts[:3], nil
		quiet("after: "+name, false)
	}
	p.now = p.now.Add(-48 * time.Hour)
	quiet("the clock was set back", false)
	p.now = p.now.Add(480 * time.Hour)
	quiet("the clock was set forward", false)
}

func manyHosts(host string) (hosts []string) {
	for i := range 500 {
		hosts = append(hosts, fmt.Sprintf("s%d.%s", i, host))
	}
	return hosts
}

// lock locks the store of a folder as another process would.
func lock(t *testing.T, folder string) (unlock func()) {
	t.Helper()
	other, err := watch.OpenStore(t.Context(), folder, slog.New(slog.DiscardHandler))
	if err == nil {
		err = other.Exec("BEGIN IMMEDIATE")
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := errors.Join(other.Exec("ROLLBACK"), other.Close()); err != nil {
			t.Error(err)
		}
	}
}
