package fetch_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
)

// The benchmarks in this file are the reasons why the client does not offer HTTP/2,
// see newTransport.

// http2Transport is a transport like the client's own, with or without HTTP/2.
func http2Transport(isOffered bool) *http.Transport {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(isOffered)
	return &http.Transport{TLSClientConfig: testRoots(), DisableKeepAlives: true, DisableCompression: true,
		MaxResponseHeaderBytes: 64 << 10, Protocols: &protocols}
}

// BenchmarkHTTP2Fetch measures one fetch of a small file, server included.
func BenchmarkHTTP2Fetch(b *testing.B) {
	server := &http.Server{
		Handler:   http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, file) }),
		TLSConfig: serverConfig(false, nil, "h2", "http/1.1"),
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = server.ServeTLS(listener, "", "") }()
	defer server.Close()
	for _, isOffered := range []bool{false, true} {
		transport := http2Transport(isOffered)
		b.Run(fmt.Sprintf("HTTP/%d", map[bool]int{false: 1, true: 2}[isOffered]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				request, err := http.NewRequest(http.MethodGet, "https://"+listener.Addr().String()+"/robots.txt", nil)
				if err != nil {
					b.Fatal(err)
				}
				response, err := transport.RoundTrip(request)
				if err != nil || (response.ProtoMajor == 2) != isOffered {
					b.Fatal(response, err)
				}
				if _, err := io.Copy(io.Discard, response.Body); err != nil {
					b.Fatal(err)
				}
				response.Body.Close()
			}
		})
	}
}

type lineCounter struct{ lines atomic.Int64 }

func (c *lineCounter) Write(p []byte) (int, error) {
	c.lines.Add(int64(bytes.Count(p, []byte("\n"))))
	return len(p), nil
}

// BenchmarkHTTP2Hostile measures what a hostile server can cause in a second of one
// request: connections, and lines in the log of the program, which net/http writes and
// no setting suppresses.
func BenchmarkHTTP2Hostile(b *testing.B) {
	for _, test := range []struct {
		name string
		do   func(f *http2.Framer, stream uint32) error
	}{
		{"GOAWAY", func(f *http2.Framer, _ uint32) error { return f.WriteGoAway(0, http2.ErrCodeNo, nil) }},
		{"unknown frames", func(f *http2.Framer, _ uint32) error {
			for {
				if err := f.WriteRawFrame(0x42, 0, 0, nil); err != nil {
					return err
				}
			}
		}},
	} {
		b.Run(test.name, func(b *testing.B) {
			var logged lineCounter
			output := log.Writer()
			log.SetOutput(&logged)
			defer log.SetOutput(output)
			s := listenTLS(b, serverConfig(false, nil, "h2"), framed(test.do))
			transport := http2Transport(true)
			for b.Loop() {
				ctx, cancel := context.WithTimeout(b.Context(), time.Second)
				request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url("https")+"/robots.txt", nil)
				if err != nil {
					b.Fatal(err)
				}
				if response, err := transport.RoundTrip(request); err == nil {
					response.Body.Close()
				}
				cancel()
			}
			b.ReportMetric(float64(s.accepted.Load())/float64(b.N), "connections/op")
			b.ReportMetric(float64(logged.lines.Load())/float64(b.N), "log-lines/op")
		})
	}
}
