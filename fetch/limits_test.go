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
	t.Parallel() // it mostly waits
	const interval = 5 * time.Second
	slowly := func(text string) step {
		return again(100, func(s *faultServer, conn net.Conn) error {
			time.Sleep(interval / 50)
			return say(text)(s, conn)
		})
	}
	const head = "HTTP/1.1 200 OK\r\n"
	const tooSlow = "disallow-all assumed 200: timeout"
	var callers sync.WaitGroup
	for _, tt := range []struct {
		name    string
		serve   func(testing.TB) string
		minRate int
		want    string
	}{
		{"HTTP", plain(say(head+"Content-Length: 1000\r\n\r\n"), slowly("#")), 0, tooSlow},
		{"HTTP, chunked", plain(say(head+"Transfer-Encoding: chunked\r\n\r\n"), slowly("1\r\n#\r\n")), 0, tooSlow},
		{"HTTP, nothing", plain(say(head+"Content-Length: 1000\r\n\r\n"), hold), 0, tooSlow},
		{"gzip", plain(say(head+"Content-Encoding: gzip\r\n\r\n"), sayBytes(gzipHeader), slowly("\x00\x00\x00\xFF\xFF")), 0, tooSlow},
		{"FTP", ftpSends("", slowly("#")), 0, timeout},
		{"HTTP, no floor", plain(say(head+"Content-Length: 55\r\n\r\n"), slowly("#")), -1, "rules network 200 55 bytes"},
		{"HTTP, just fast enough", plain(say(head+"Content-Length: 1100\r\n\r\n"), slowly("####################")), 0, "rules network 200 1100 bytes"},
	} {
		client := newClient(t, fetch.Config{Limits: fetch.Limits{MinRate: tt.minRate}})
		url := tt.serve(t)
		callers.Go(func() {
			allowed, began := slack(), time.Now()
			r := expectVerdict(t, client, url, tt.want)
			took, late := time.Since(began), allowed()
			if r.Err != nil && (took < interval || took > interval*3/2+late || !strings.Contains(r.Detail, "too slowly")) {
				t.Errorf("%s took %v, want %v: %s", tt.name, took, interval, r.Detail)
			}
		})
	}
	callers.Wait()
}

// TestDialTimeout dials an address that does not answer.
func TestDialTimeout(t *testing.T) {
	t.Parallel() // it mostly waits
	address := fullServer(t)
	for _, scheme := range []string{"http", "https", "ftp"} {
		for _, limits := range []fetch.Limits{{Timeout: patience}, {DialTimeout: patience}} {
			inTime(t, func(factor time.Duration) (got, want string, took, deadline time.Duration) {
				client := newClient(t, fetch.Config{Limits: fetch.Limits{Timeout: factor * limits.Timeout, DialTimeout: factor * limits.DialTimeout}})
				began := time.Now()
				r := fetch.Expect(t, client, scheme+"://"+address)
				return verdict(r), timeout, time.Since(began), factor * patience
			})
		}
	}
}

// TestCloseEndsFetches closes a client that waits for silent servers.
func TestCloseEndsFetches(t *testing.T) {
	t.Parallel() // it mostly waits
	for _, url := range []string{
		plain(hold)(t), plain(say("HTTP/1.1 200 OK\r\n\r\n"), hold)(t), listen(t, hold2).url("https"),
		ftpSays("", "")(t), ftpSays("RETR", "")(t), ftpSends("", hold)(t),
	} {
		client := newClient(t, fetch.Config{})
		time.AfterFunc(100*time.Millisecond, client.Close)
		began := time.Now()
		_, err := client.Robots(context.Background(), url)
		if took := time.Since(began); !errors.Is(err, fetch.ErrClosed) || took > 8*time.Second {
			t.Errorf("%s: %v after %v", url, err, took)
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
			return errors.Join(writeHeaders(f, id, "200"), f.WriteData(id, false, []byte(file)), f.WriteGoAway(id, http2.ErrCodeInternal, nil))
		}, "disallow-all assumed 200: timeout"},
		{"stream reset", func(f *http2.Framer, id uint32) error {
			return errors.Join(writeHeaders(f, id, "200"), f.WriteData(id, false, []byte(file)), f.WriteRSTStream(id, http2.ErrCodeInternal))
		}, invalidBody},
		{"stream refused", func(f *http2.Framer, id uint32) error { return f.WriteRSTStream(id, http2.ErrCodeRefusedStream) }, timeout},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inTime(t, func(factor time.Duration) (got, want string, took, deadline time.Duration) {
				s := listenTLS(t, serverConfig(false, nil, "h2"), framed(tt.do))
				transport := &http.Transport{ForceAttemptHTTP2: true, DisableKeepAlives: true, TLSClientConfig: testRoots()}
				client := newClient(t, fetch.Config{Limits: fetch.Limits{Timeout: factor * partPatience}, Network: fetch.Network{Transport: transport}})
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
