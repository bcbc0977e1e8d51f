package fleet_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// proxy is a reverse proxy with its file in deploy, whose addresses and times are changed.
type proxy struct {
	program, from string // the Debian package that has it
	file          string
	before, after string   // that file, so that it is a whole configuration
	arguments     []string // in the folder of the file
	asks          bool     // /readyz of each replica, at the same port
	server        func(address string) string
	changes       func(servers, address, adminPort string) []change
}

// change replaces what a pattern matches; the file must have it.
type change struct{ pattern, with string }

var proxies = []proxy{nginx, caddy}

var nginx = proxy{
	program: "nginx", from: "nginx-light", file: "nginx.conf",
	before: `
daemon off; master_process off; pid nginx.pid; worker_rlimit_nofile 16384;
events { worker_connections 8192; }
http {
	access_log off;
	client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
`,
	after:     "}\n",
	arguments: []string{"-p", ".", "-c", "nginx.conf", "-e", "error.log"},
	server: func(address string) string {
		return fmt.Sprintf("server %s max_fails=1 fail_timeout=%ds;\n", address, int(failTime.Seconds()))
	},
	changes: func(servers, address, adminPort string) []change {
		return []change{
			{`(?m)(^ *server 127.*\n)+`, servers},
			{`keepalive_timeout 15s`, fmt.Sprintf("keepalive_timeout %dms", idleTime.Milliseconds())},
			{`listen 443 ssl`, "listen " + address},
			{`(?m)^ *ssl_certificate.*\n`, ""},
		}
	},
}

var caddy = proxy{
	program: "caddy", from: "caddy", file: "Caddyfile",
	before:    "{\n\tadmin off\n\tauto_https off\n}\n",
	arguments: []string{"run", "--config", "Caddyfile", "--adapter", "caddyfile"},
	asks:      true,
	server:    func(address string) string { return " " + address },
	changes: func(servers, address, adminPort string) []change {
		return []change{
			{`( 10\.0\.0\.\d:8070)+`, servers},
			{`keepalive 15s`, "keepalive " + idleTime.String()},
			{`health_port 8071`, "health_port " + adminPort},
			{`health_timeout 2s`, "health_timeout 1m"}, // a busy machine is not a replica that is down
			{`health_interval 2s`, "health_interval " + (idleTime / 2).String()},
			{`(?m)^robots\.example \{`, "http://" + address + " {"},
		}
	},
}

// start starts the proxy for replicas, and returns its address.
func (p proxy) start(t *testing.T, replicas []*replica) string {
	t.Helper()
	program, err := exec.LookPath(p.program)
	if err != nil {
		t.Skipf("NOT TESTED: replicas after %s; install it, on Debian: apt-get install %s", p.program, p.from)
	}
	site, err := os.ReadFile("../../../../../deploy/" + p.file)
	if err != nil {
		t.Fatal(err)
	}
	var servers strings.Builder
	for _, r := range replicas {
		servers.WriteString(p.server(r.address))
	}
	address := fmt.Sprintf("127.0.0.1:%d", valkeytest.FreePorts(t, 1)[0])
	config := p.before + string(site) + p.after
	for _, c := range p.changes(servers.String(), address, replicas[0].adminPort) {
		pattern := regexp.MustCompile(c.pattern)
		if !pattern.MatchString(config) {
			t.Fatalf("deploy/%s has no %s", p.file, c.pattern)
		}
		config = pattern.ReplaceAllString(config, c.with)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, p.file), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(folder, "error.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	process := exec.Command(program, p.arguments...)
	process.Dir, process.Stderr = folder, log
	process.Env = append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	if err := valkeytest.StartProcess(process); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill() // it may have ended
		_ = process.Wait()
		if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("%s: %.4000s", p.program, text)
		}
	})
	valkeytest.WaitUntil(t, p.program+" answers", func() bool {
		response, err := http.Get("http://" + address + "/openapi.json")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
	return address
}

// TestOriginAfterProxy: the page's own requests are accepted after a proxy on any port, and those of
// another port are not.
func TestOriginAfterProxy(t *testing.T) {
	inParallel(t)
	for _, p := range proxies {
		t.Run(p.program, func(t *testing.T) {
			inParallel(t)
			address := p.start(t, p.replicas(t, 1, "none"))
			for origin, want := range map[string]int{"http://" + address: http.StatusOK, "http://127.0.0.1": http.StatusForbidden} {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/v1/outline", strings.NewReader(`{"body":""}`))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Origin", origin)
				response, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				if response.StatusCode != want {
					t.Errorf("%s: %s, want %d", origin, response.Status, want)
				}
			}
		})
	}
}
