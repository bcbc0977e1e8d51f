package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// TestRestIsNotDownloaded measures how much of an endless body a server can
// send: the part that is read, and the buffers of both systems.
func TestRestIsNotDownloaded(t *testing.T) {
	chunk := bytes.Repeat([]byte("# a comment of no use, of 64 characters and a line break at end\n"), 256)
	const buffers = 8 << 20
	for _, scheme := range []string{"http", "ftp"} {
		t.Run(scheme, func(t *testing.T) {
			sent := make(chan int64, 1)
			rest := func(s *faultServer, conn net.Conn) error {
				err := again(1<<16, sayBytes(chunk))(s, conn)
				sent <- s.sent.Load()
				return err
			}
			serve := plain(say("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n"), rest)
			if scheme == "ftp" {
				serve = ftpSends("", rest)
			}
			r := fetch.Expect(t, newClient(t, fetch.Config{}), serve(t), "rules")
			if !r.Truncated {
				t.Fatal(r)
			}
			select {
			case n := <-sent:
				t.Logf("read %d bytes, sent %d", r.Bytes, n)
				if n > buffers {
					t.Errorf("%d bytes were sent, of %d read", n, r.Bytes)
				}
			case <-time.After(time.Minute):
				t.Error("the connection was not dropped")
			}
		})
	}
}

// TestMinRate checks that a body slower than Limits.MinRate is cancelled long
// before the deadline of the fetch.
func TestMinRate(t *testing.T) {
	const interval = 5 * time.Second
	slowly := func(text string) step {
		return again(100, func(s *faultServer, conn net.Conn) error {
			time.Sleep(interval / 50)
			return say(text)(s, conn)
		})
	}
	const head = "HTTP/1.1 200 OK\r\n"
	const tooSlow = "disallow-all assumed 200: timeout"
	for _, tt := range []struct {
		name    string
		steps   []step // after the request; over FTP those of the data connection
		minRate int
		want    string
	}{
		{"http", []step{say(head + "Content-Length: 1000\r\n\r\n"), slowly("#")}, 0, tooSlow},
		{"http, chunked", []step{say(head + "Transfer-Encoding: chunked\r\n\r\n"), slowly("1\r\n#\r\n")}, 0, tooSlow},
		{"http, nothing", []step{say(head + "Content-Length: 1000\r\n\r\n"), hold}, 0, tooSlow},
		{"http, gzip", []step{say(head + "Content-Encoding: gzip\r\n\r\n"), sayBytes(gzipHeader), slowly("\x00\x00\x00\xFF\xFF")}, 0, tooSlow},
		{"ftp", []step{slowly("#")}, 0, timeout},
		{"http, no floor", []step{say(head + "Content-Length: 55\r\n\r\n"), slowly("#")}, -1, "rules network 200 55 bytes"},
		{"http, just fast enough", []step{say(head + "Content-Length: 1100\r\n\r\n"), slowly("####################")}, 0, "rules network 200 1100 bytes"},
	} {
		synctest.Test(t, func(t *testing.T) {
			const dataPort = 2021
			var serving sync.WaitGroup
			defer serving.Wait()
			played := make(chan struct{}, 1)
			data := &faultServer{Listener: atPort(dataPort)}
			dial := func(_ context.Context, _, address string) (net.Conn, error) {
				client, server := net.Pipe()
				serving.Go(func() {
					defer server.Close()
					switch {
					case strings.HasPrefix(tt.name, "http"):
						answer(tt.steps...)(data, server)
					case strings.HasSuffix(address, ":"+fmt.Sprint(dataPort)):
						_ = tt.steps[0](data, server) // the client may have ended it
						played <- struct{}{}
					default:
						ftpScript{}.control(data, server, data, played)
					}
				})
				return client, nil
			}
			client := newClient(t,
				fetch.Config{Limits: fetch.Limits{MinRate: tt.minRate}, Network: fetch.Network{Dial: dial}})
			defer client.Close()
			scheme, _, _ := strings.Cut(tt.name, ",")
			began := time.Now()
			r := expectVerdict(t, client, scheme+"://127.0.0.1/", tt.want)
			if took := time.Since(began); r.Err != nil && (took < interval || took > interval*3/2 ||
				!strings.Contains(r.Detail, "too slowly")) {
				t.Errorf("%s took %v, want %v: %s", tt.name, took, interval, r.Detail)
			}
		})
	}
}

// atPort is a listener of which only the port is used.
type atPort int

func (p atPort) Addr() net.Addr          { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: int(p)} }
func (atPort) Accept() (net.Conn, error) { return nil, net.ErrClosed }
func (atPort) Close() error              { return nil }

// TestDialTimeout dials an address that does not answer.
func TestDialTimeout(t *testing.T) {
	t.Parallel() // it mostly waits
	address := fullServer(t)
	for _, scheme := range []string{"http", "https", "ftp"} {
		for _, limits := range []fetch.Limits{{Timeout: patience}, {DialTimeout: patience}} {
			inTime(t, func(factor time.Duration) (got, want string, took, deadline time.Duration) {
				client := newClient(t,
					fetch.Config{Limits: fetch.Limits{Timeout: factor * limits.Timeout,
						DialTimeout: factor * limits.DialTimeout}})
				began := time.Now()
				r := fetch.Expect(t, client, scheme+"://"+address)
				return verdict(r), timeout, time.Since(began), factor * patience
			})
		}
	}
}

// TestCloseEndsFetches closes a client that waits for silent servers.
func TestCloseEndsFetches(t *testing.T) {
	silent := make(chan struct{}, 10)
	holds := func(s *faultServer, conn net.Conn) error { silent <- struct{}{}; return hold(s, conn) }
	holdsAtOnce := func(s *faultServer, conn net.Conn) { _ = holds(s, conn) }
	for _, url := range []string{
		plain(holds)(t), plain(say("HTTP/1.1 200 OK\r\n\r\n"), holds)(t), listen(t, holdsAtOnce).url("https"),
		listen(t, holdsAtOnce).url("ftp"), ftpScript{replies: map[string]string{"RETR": ""}, data: []step{holds}}.serve(t),
		ftpSends("", holds)(t),
	} {
		client := newClient(t,
			fetch.Config{Limits: fetch.Limits{Timeout: time.Hour, FirstByteTimeout: time.Hour, TLSTimeout: time.Hour,
				MinRate: -1}})
		go func() { <-silent; client.Close() }()
		if _, err := client.Robots(context.Background(), url); !errors.Is(err, fetch.ErrClosed) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// TestErrorsAreSmall checks that the kept errors are short and reference
// neither the server's bytes nor its certificates.
func TestErrorsAreSmall(t *testing.T) {
	for name, serve := range map[string]func(testing.TB) string{
		"garbage":     plain(sayBytes(bytes.Repeat([]byte("\x1b[31m"), 5000)), say("\r\n")),
		"status":      plain(say("HTTP/1.1 2" + strings.Repeat("\x1b", 5000) + "\r\n\r\n")),
		"certificate": secure(serverConfig(true, nil)),
		"FTP":         ftpSays("", "421 "+strings.Repeat("\x1b[2J", 500)),
	} {
		client := newClient(t, fetch.Config{Network: fetch.Network{TLS: testRoots()}})
		r := fetch.Expect(t, client, serve(t), "disallow-all", "assumed")
		if r.Err == nil {
			t.Fatal(name, r)
		}
		if text := r.Err.Error(); len(text) > 500 || strings.ContainsRune(text, '\x1b') {
			t.Errorf("%s: %d bytes: %.100q", name, len(text), text)
		}
		for err := r.Err; err != nil; err = errors.Unwrap(err) {
			if text := fmt.Sprintf("%#v", err); len(text) > 2000 {
				t.Errorf("%s keeps %d bytes in %T", name, len(text), err)
			}
		}
	}
}

// TestHTTP2Transport checks that a fetch through a caller's own transport with
// HTTP/2 ends by the deadline, whatever the server sends.
func TestHTTP2Transport(t *testing.T) {
	t.Parallel() // it mostly waits
	tests := []struct {
		name string
		do   func(f *http2.Framer, stream uint32) error
		want string
	}{
		{"as it should be", func(f *http2.Framer, id uint32) error {
			return errors.Join(writeHeaders(f, id, "200"), f.WriteData(id, true, []byte(file)))
		}, wholeFile},
		{"GOAWAY", func(f *http2.Framer, id uint32) error { return f.WriteGoAway(id, http2.ErrCodeNo, nil) }, timeout},
		{"GOAWAY, request not taken", func(f *http2.Framer, _ uint32) error { return f.WriteGoAway(0, http2.ErrCodeNo, nil) }, timeout},
		{"GOAWAY within the body", func(f *http2.Framer, id uint32) error {
			return errors.Join(writeHeaders(f, id, "200"), f.WriteData(id, false, []byte(file)),
				f.WriteGoAway(id, http2.ErrCodeInternal, nil))
		}, "disallow-all assumed 200: timeout"},
		{"stream reset", func(f *http2.Framer, id uint32) error {
			return errors.Join(writeHeaders(f, id, "200"), f.WriteData(id, false, []byte(file)),
				f.WriteRSTStream(id, http2.ErrCodeInternal))
		}, invalidBody},
		{"stream refused", func(f *http2.Framer, id uint32) error { return f.WriteRSTStream(id, http2.ErrCodeRefusedStream) }, timeout},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inTime(t, func(factor time.Duration) (got, want string, took, deadline time.Duration) {
				s := listenTLS(t, serverConfig(false, nil, "h2"), framed(tt.do))
				transport := &http.Transport{ForceAttemptHTTP2: true, DisableKeepAlives: true,
					TLSClientConfig: testRoots()}
				client := newClient(t,
					fetch.Config{Limits: fetch.Limits{Timeout: factor * partPatience},
						Network: fetch.Network{Transport: transport}})
				began := time.Now()
				r := fetch.Expect(t, client, s.url("https"))
				t.Logf("%d connections", s.accepted.Load())
				return verdict(r), tt.want, time.Since(began), factor * partPatience
			})
		})
	}
}

// framed answers an HTTP/2 request with the frames that do writes.
func framed(do func(f *http2.Framer, stream uint32) error) play {
	return func(s *faultServer, conn net.Conn) {
		var preface [len(http2.ClientPreface)]byte
		if _, err := conn.Read(preface[:]); err != nil {
			return
		}
		f := http2.NewFramer(conn, conn)
		if f.WriteSettings() != nil {
			return
		}
		for {
			frame, err := f.ReadFrame()
			if err != nil {
				return
			}
			if h, ok := frame.(*http2.HeadersFrame); ok && do(f, h.StreamID) != nil {
				return
			}
		}
	}
}

func writeHeaders(f *http2.Framer, stream uint32, status string) error {
	var b bytes.Buffer
	if err := hpack.NewEncoder(&b).WriteField(hpack.HeaderField{Name: ":status", Value: status}); err != nil {
		return err
	}
	return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: b.Bytes(), EndHeaders: true})
}
