package fetch_test

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

type faultServer struct {
	net.Listener
	accepted atomic.Int64
	sent     atomic.Int64 // bytes that the script has written

	mu      sync.Mutex
	conns   []net.Conn
	stopped bool
	serving sync.WaitGroup
}

type play func(s *faultServer, conn net.Conn)

func listen(t testing.TB, script play) *faultServer {
	return listenAt(t, "127.0.0.1:0", nil, script)
}

func listenTLS(t testing.TB, config *tls.Config, script play) *faultServer {
	return listenAt(t, "127.0.0.1:0", config, script)
}

// closedAddress returns an address at which nothing listens. A connection has its port until
// the test ends, so that no other server gets it.
func closedAddress(t testing.TB) *net.TCPAddr {
	t.Helper()
	conn, err := net.Dial("tcp", listen(t, answer(hold)).Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.LocalAddr().(*net.TCPAddr)
}

func listenAt(t testing.TB, address string, config *tls.Config, script play) *faultServer {
	t.Helper()
	ln, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s := &faultServer{Listener: ln}
	s.serving.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			s.accepted.Add(1)
			s.keep(conn)
			if config != nil {
				conn = tls.Server(conn, config)
			}
			s.serving.Go(func() {
				defer conn.Close()
				script(s, conn)
			})
		}
	})
	t.Cleanup(s.stop)
	return s
}

// keep registers a connection for stop, or closes it if stop was called.
func (s *faultServer) keep(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = append(s.conns, conn)
	if s.stopped {
		conn.Close()
	}
}

// stop ends all scripts, including those that wait for a client.
func (s *faultServer) stop() {
	s.Close()
	s.mu.Lock()
	s.stopped = true
	for _, conn := range s.conns {
		conn.Close()
	}
	s.mu.Unlock()
	s.serving.Wait()
}

func (s *faultServer) url(scheme string) string { return scheme + "://" + s.Addr().String() }

func answer(steps ...step) play {
	return func(s *faultServer, conn net.Conn) {
		if _, err := readRequest(conn); err != nil {
			return
		}
		for _, do := range steps {
			if err := do(s, conn); err != nil {
				return
			}
		}
	}
}

func readRequest(conn net.Conn) (string, error) {
	var request []byte
	var b [1024]byte
	for !bytes.HasSuffix(request, []byte("\r\n\r\n")) {
		n, err := conn.Read(b[:])
		if err != nil {
			return "", err
		}
		request = append(request, b[:n]...)
	}
	return string(request), nil
}

type step func(s *faultServer, conn net.Conn) error

func say(text string) step { return sayBytes([]byte(text)) }

func sayBytes(b []byte) step {
	return func(s *faultServer, conn net.Conn) error {
		n, err := conn.Write(b)
		s.sent.Add(int64(n))
		return err
	}
}

func again(times int, do step) step {
	return func(s *faultServer, conn net.Conn) error {
		for range times {
			if err := do(s, conn); err != nil {
				return err
			}
		}
		return nil
	}
}

// drip writes text byte by byte.
func drip(text string, every time.Duration) step {
	return func(s *faultServer, conn net.Conn) error {
		for i := range len(text) {
			time.Sleep(every)
			if err := say(text[i:i+1])(s, conn); err != nil {
				return err
			}
		}
		return nil
	}
}

func hold(_ *faultServer, conn net.Conn) error {
	_, err := io.Copy(io.Discard, conn)
	return err
}

// reset ends a connection with RST instead of FIN.
func reset(_ *faultServer, conn net.Conn) error {
	// Unread data of the client or unsent data of the server would change how
	// the connection ends.
	time.Sleep(20 * time.Millisecond)
	_ = rawConn(conn).SetLinger(0)
	_ = rawConn(conn).Close()
	return io.EOF
}

// cutTLS closes the connection below TLS, without close_notify.
func cutTLS(_ *faultServer, conn net.Conn) error {
	_ = rawConn(conn).Close()
	return io.EOF
}

func rawConn(conn net.Conn) *net.TCPConn {
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	return conn.(*net.TCPConn)
}

type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

var testAuthority = sync.OnceValue(func() *authority {
	key := newKey()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "robots test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	cert := sign(template, template, key, key)
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return &authority{cert, key, pool}
})

func testRoots() *tls.Config { return &tls.Config{RootCAs: testAuthority().pool} }

// serverConfig returns a TLS configuration with a certificate for 127.0.0.1
// that change may modify. self makes it self-signed.
func serverConfig(self bool, change func(*x509.Certificate), protocols ...string) *tls.Config {
	ca, key := testAuthority(), newKey()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "robots"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	if change != nil {
		change(template)
	}
	parent, signer := ca.cert, ca.key
	if self {
		parent, signer = template, key
	}
	cert := sign(template, parent, key, signer)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}},
		NextProtos: protocols}
}

func newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

func sign(template, parent *x509.Certificate, key, signer *ecdsa.PrivateKey) *x509.Certificate {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		panic(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return cert
}

// commands calls do with each line that a client sends, until it returns false.
func commands(conn net.Conn, do func(line string) bool) {
	lines := bufio.NewScanner(conn)
	for lines.Scan() && do(lines.Text()) {
	}
}

// inTime makes a call that must end by a deadline with the result that it wants. If it timed out
// or ended late, it tries again with deadlines that are 4 and 16 times as far away: on a busy
// machine a server does not come as far as it should before a short one.
func inTime(t *testing.T, try func(factor time.Duration) (got, want string, took, deadline time.Duration)) {
	t.Helper()
	for factor := time.Duration(1); ; factor *= 4 {
		allowed := slack()
		got, want, took, deadline := try(factor)
		most := deadline + allowed()
		if factor > 1 {
			most += deadline / 2
		}
		if got == want && took <= most {
			return
		}
		if factor == 16 || got != want && !strings.HasSuffix(got, ": timeout") {
			t.Errorf("got  %s\nwant %s\nafter %v, want at most %v", got, want, took, most)
			return
		}
	}
}

// slack starts to measure how late this machine wakes goroutines. The returned
// function returns how late an answer may be: that time plus 100 ms.
func slack() (allowed func() time.Duration) {
	done, worst := make(chan struct{}), make(chan time.Duration)
	go func() {
		const nap = 5 * time.Millisecond
		var late time.Duration
		for {
			began := time.Now()
			select {
			case <-done:
				worst <- late
				return
			case <-time.After(nap):
				late = max(late, time.Since(began)-nap)
			}
		}
	}()
	return func() time.Duration {
		close(done)
		return 100*time.Millisecond + 3*<-worst
	}
}
