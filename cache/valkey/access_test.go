package valkey_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

func parse(t *testing.T, text string) valkey.Config {
	t.Helper()
	cfg, err := valkey.ParseURL(text)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Timeout = patient
	return cfg
}

// wantRefused checks that Open returns an error with text but without the
// password.
func wantRefused(t *testing.T, cfg valkey.Config, text string) {
	t.Helper()
	var err error
	eventually(t, aWhile, func() error {
		var s *valkey.Store
		s, err = valkey.Open(t.Context(), cfg)
		if err != nil {
			return nil
		}
		defer s.Close()
		if s.Stats().Trouble { // on a busy machine the refusal comes after Open
			return errors.New("the store was not refused in time")
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), text) || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("Open: err = %v, want one with %q", err, text)
	}
}

// permissions are those that Config.Username documents.
var permissions = []string{"~robotstxt:*", "-@all", "+get", "+set", "+del", "+getrange", "+pexpire", "+pttl", "+scan", "+evalsha", "+eval", "+ping", "+cluster|slots"}

func TestUser(t *testing.T) {
	server := valkeytest.Start(t)
	server.Do(append([]string{"ACL", "SETUSER", "fetcher", "on", ">s3cret/@:%"}, permissions...)...)
	server.Do("ACL", "SETUSER", "default", "off")
	address := server.Addr()

	s := open(t, withPrefix(parse(t, "valkey://fetcher:s3cret%2F%40:%25@"+address), "robotstxt:"))
	works(t, s)
	if err := acquire(t, s, "of its own", time.Minute).Renew(t.Context(), time.Minute); err != nil {
		t.Errorf("Renew: %v", err)
	}
	if n, err := s.PurgeAll(t.Context()); n == 0 || err != nil {
		t.Errorf("PurgeAll = %d, %v", n, err)
	}
	wantRefused(t, parse(t, "valkey://fetcher:s3cret@"+address), "WRONGPASS")
	wantRefused(t, parse(t, "valkey://"+address), "NOAUTH")

	other := open(t, withPrefix(parse(t, "valkey://fetcher:s3cret%2F%40:%25@"+address), "other:"))
	if _, err := other.Get(t.Context(), origin); err == nil || !strings.Contains(err.Error(), "NOPERM") {
		t.Errorf("Get with another prefix: err = %v, want NOPERM", err)
	}
}

func withPrefix(cfg valkey.Config, prefix string) valkey.Config {
	cfg.Prefix = prefix
	return cfg
}

func TestDatabase(t *testing.T) {
	server := valkeytest.Start(t)
	first := open(t, parse(t, "redis://"+server.Addr()+"?prefix=p:"))
	second := open(t, parse(t, "redis://"+server.Addr()+"/1?prefix=p:"))
	put(t, first, origin, entry(0, "in database 0"))
	wantAbsent(t, second, origin)
	wantRefused(t, parse(t, "redis://"+server.Addr()+"/999"), "DB index")
}

func TestAddressesOfNoCluster(t *testing.T) {
	one, other := valkeytest.Start(t), valkeytest.Start(t)
	wantRefused(t, parse(t, "valkey://"+one.Addr()+","+other.Addr()), "not a Cluster")
}

func TestTLS(t *testing.T) {
	folder := t.TempDir()
	certificate, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	writeCertificate(t, certificate, key)
	port := strconv.Itoa(valkeytest.FreePorts(t, 1)[0])
	valkeytest.Start(t, "--tls-port", port, "--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate)

	address := "127.0.0.1:" + port
	ca := "?tls_ca=" + url.QueryEscape(certificate)
	own := "&tls_cert=" + url.QueryEscape(certificate) + "&tls_key=" + url.QueryEscape(key)
	works(t, open(t, parse(t, "valkeys://"+address+ca+own)))
	wantRefused(t, parse(t, "rediss://"+address), "certificate")
	wantRefused(t, parse(t, "rediss://"+address+ca+own+"&tls_name=other.example"), "other.example")
	wantRefused(t, parse(t, "rediss://"+stranger(t, "HTTP/1.1 400 Bad Request\r\n\r\n")+ca+own), "TLS")
}

// writeCertificate writes a self-signed certificate for the loopback address.
func writeCertificate(t *testing.T, certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:        true, BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		certificate: {Type: "CERTIFICATE", Bytes: signed},
		key:         {Type: "PRIVATE KEY", Bytes: encoded},
	} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSentinel kills the master. The store must find its replacement.
func TestSentinel(t *testing.T) {
	t.Parallel()
	master := valkeytest.Start(t)
	host, port, _ := strings.Cut(master.Addr(), ":")
	replica := valkeytest.Start(t, "--replicaof", host+" "+port, "--repl-diskless-sync-delay", "0")
	valkeytest.WaitUntil(t, "the replica is synchronised", func() bool {
		return strings.Contains(replica.Do("INFO", "replication").(string), "master_link_status:up")
	})
	// After the replica, because it looks for replicas every ten seconds only.
	sentinel := valkeytest.StartSentinel(t, master)
	valkeytest.WaitUntil(t, "the sentinel knows the replica", func() bool {
		return strings.Contains(sentinel.Do("INFO", "sentinel").(string), "slaves=1")
	})

	wantRefused(t, parse(t, "valkey://"+sentinel.Addr()+"?sentinel=nobody"), `monitor no master named "nobody"`)
	cfg := parse(t, "valkey://"+sentinel.Addr()+"?sentinel=mymaster")
	cfg.Timeout = 5 * time.Second // a busy machine is no fault of the store
	s := open(t, cfg)
	works(t, s)
	put(t, s, origin, entry(0, "on both"))
	master.Do("WAIT", "1", "1000")
	master.Kill()
	eventually(t, aWhile, func() error {
		_, err := s.PutIfNewer(t.Context(), origin, entry(time.Minute, "on the new master"))
		return err
	})
	works(t, s)
	wantText(t, s, origin, "on the new master")
}

func TestOpenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := valkey.Open(ctx, valkey.Config{Addresses: []string{"127.0.0.1:1"}}); err != context.Canceled {
		t.Errorf("err = %v, want the context's", err)
	}
}
