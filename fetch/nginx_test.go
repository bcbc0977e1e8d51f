package fetch_test

import (
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// nginxConfig has one server per port: PORT0, PORT1 and so on.
const nginxConfig = `
daemon off; master_process off; pid nginx.pid; error_log error.log;
events { worker_connections 64; }
http {
	access_log off; default_type text/plain;
	client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
	limit_req_zone $server_port zone=robots:64k rate=1r/m;
	server { listen 127.0.0.1:PORT0; root full; }
	server { listen 127.0.0.1:PORT1; root full; gzip on; gzip_min_length 1; }
	server { listen 127.0.0.1:PORT2; root packed; gzip_static always; }
	server { listen 127.0.0.1:PORT3; root full; ssi on; ssi_types text/plain; }
	server { listen 127.0.0.1:PORT4; root full; location = /robots.txt { return 301 /moved/robots.txt; } }
	server { listen 127.0.0.1:PORT5; root empty; }
	server { listen 127.0.0.1:PORT6; add_header Retry-After 120 always; return 503; }
	server { listen 127.0.0.1:PORT7; root full; limit_req zone=robots; limit_req_status 429; }
	server { listen 127.0.0.1:PORT8; return 444; }
	server { listen 127.0.0.1:PORT9 ssl http2; root full; ssl_certificate cert.pem; ssl_certificate_key key.pem; }
}`

// TestNginx fetches from a real nginx.
func TestNginx(t *testing.T) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed; on Debian: apt-get install nginx-light")
	}
	const ports = 10
	urls := startNginx(t, program, ports)
	client := newClient(t,
		fetch.Config{Freshness: fetch.Freshness{NoCache: true}, Network: fetch.Network{TLS: testRoots()}})
	for i, want := range [ports][]string{
		{wholeFile},
		{wholeFile},
		{wholeFile},
		{wholeFile},
		{followed},
		{"allow-all network 404"},
		{"disallow-all assumed 503: status"},
		{wholeFile, "disallow-all assumed 429: status"}, // one a minute
		{cut},
		{wholeFile},
	} {
		for _, want := range want {
			r := expectVerdict(t, client, urls[i], want)
			if wait := time.Until(r.NextTry); r.Status == 503 && (wait < 110*time.Second || wait > 120*time.Second) {
				t.Errorf("server %d: next try in %v, want what Retry-After says", i, wait)
			}
		}
	}
}

func startNginx(t *testing.T, program string, ports int) (urls []string) {
	prefix := t.TempDir()
	config := nginxConfig
	for i, port := range valkeytest.FreePorts(t, ports) {
		address := fmt.Sprintf("127.0.0.1:%d", port)
		scheme := "http"
		if strings.Contains(config, fmt.Sprintf("PORT%d ssl", i)) {
			scheme = "https"
		}
		urls = append(urls, scheme+"://"+address)
		config = strings.ReplaceAll(config, fmt.Sprintf("127.0.0.1:PORT%d", i), address)
	}
	tls := serverConfig(false, nil).Certificates[0]
	key, err := x509.MarshalECPrivateKey(tls.PrivateKey.(*ecdsa.PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"nginx.conf": []byte(config), "full/robots.txt": []byte(file), "full/moved/robots.txt": []byte(file),
		"packed/robots.txt.gz": gzipped(file), "empty/x": nil,
		"cert.pem": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: tls.Certificate[0]}),
		"key.pem":  pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: key}),
	} {
		name = filepath.Join(prefix, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log := new(strings.Builder)
	command := exec.Command(program, "-p", prefix, "-c", "nginx.conf", "-e", "error.log")
	command.Stderr = log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	for range 12_000 { // two minutes
		if conn, err := net.Dial("tcp", strings.TrimPrefix(urls[0], "http://")); err == nil {
			conn.Close()
			return urls
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("nginx does not answer: %s", log)
	return nil
}
