package serve_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/serve"
)

// BenchmarkCheck sends requests about sites that are known, over 64 connections. The client
// and the service share the processors. p99 is the latency that one in a hundred requests
// exceeds.
func BenchmarkCheck(b *testing.B) {
	b.Run("log=none", func(b *testing.B) { benchCheck(b, nil) })
	b.Run("log=text", func(b *testing.B) {
		file, err := os.Create(filepath.Join(b.TempDir(), "log"))
		if err != nil {
			b.Fatal(err)
		}
		defer file.Close()
		benchCheck(b, func(c *serve.Config) {
			c.Logger, c.AccessLog = slog.New(slog.NewTextHandler(file, nil)), true
		})
	})
}

func benchCheck(b *testing.B, change func(*serve.Config)) {
	s := start(b, newSite(b, serveShop), change)
	const conns, sites = 64, 1000
	for site := range sites {
		s.post("check", checkRequest(site))
	}
	at := strings.TrimPrefix(s.url, "http://")
	var all sync.Mutex
	var latencies []time.Duration
	var clients sync.WaitGroup
	b.ResetTimer()
	for client := range conns {
		clients.Go(func() {
			n := b.N/conns + 1
			took, err := sendRequests(at, client, n, sites)
			if err != nil {
				b.Error(err)
			}
			all.Lock()
			defer all.Unlock()
			latencies = append(latencies, took...)
		})
	}
	clients.Wait()
	b.StopTimer()
	slices.Sort(latencies)
	b.ReportMetric(float64(len(latencies))/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(latencies[len(latencies)*99/100].Microseconds())/1000, "p99-ms")
}

func checkRequest(site int) string {
	return fmt.Sprintf(`{"agents":["Googlebot"],"urls":["http://shop%d.example/cart/item?x=%d"]}`, site, site)
}

// sendRequests sends requests on one connection, one after the other.
func sendRequests(at string, client, n, sites int) (took []time.Duration, err error) {
	conn, err := net.Dial("tcp", at)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for i := range n {
		body := checkRequest((client*31 + i) % sites)
		request := "POST /v1/check HTTP/1.1\r\nHost: " + at + "\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
		began := time.Now()
		if _, err := io.WriteString(conn, request); err != nil {
			return nil, err
		}
		if err := readResponse(in); err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
	}
	return took, nil
}

// readResponse reads a response with a Content-Length, without what http.ReadResponse
// allocates.
func readResponse(in *bufio.Reader) error {
	length := -1
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
			return fmt.Errorf("got %q", line)
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
		if len(bytes.TrimSpace(line)) == 0 {
			_, err = in.Discard(length)
			return err
		}
	}
}

// BenchmarkStream sends a stream of URLs and reads the answers.
func BenchmarkStream(b *testing.B) {
	for _, agents := range []int{1, 10} {
		for _, output := range []string{"answers", "grid"} {
			for _, of := range []string{"sites", "body"} {
				b.Run(fmt.Sprintf("%s/%s/%d", of, output, agents), func(b *testing.B) { benchStream(b, of, output, agents) })
			}
		}
	}
}

func benchStream(b *testing.B, of, output string, agents int) {
	s := start(b, newSite(b, serveShop), nil)
	const sites = 1000
	for site := range sites {
		s.post("check", checkRequest(site))
	}
	names := []string{}
	for i := range agents {
		names = append(names, `"bot`+string(rune('a'+i))+`"`)
	}
	head := `{"agents":[` + strings.Join(names, ",") + `],"output":"` + output + `"`
	if of == "body" {
		head += `,"body":"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n"`
	}
	read, write := io.Pipe()
	b.ResetTimer()
	go func() {
		out := bufio.NewWriterSize(write, 64<<10)
		fmt.Fprintf(out, "%s}\n", head)
		text := []byte{}
		for i := range b.N {
			text = append(append(append(text[:0], `"http://shop`...), strconv.Itoa(i/50%sites)...), `.example/cart/item?x=`...)
			text = append(strconv.AppendInt(text, int64(i), 10), "\"\n"...)
			out.Write(text)
		}
		out.Flush()
		write.Close()
	}()
	r, err := http.NewRequest("POST", s.url+"/v1/check", read)
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-ndjson")
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	lines, buffer := 0, make([]byte, 64<<10)
	for err == nil {
		var n int
		n, err = response.Body.Read(buffer)
		lines += bytes.Count(buffer[:n], []byte("\n"))
	}
	want := b.N
	if output == "answers" {
		want *= agents
	}
	if err != io.EOF || lines != want {
		b.Fatalf("%d lines, want %d: %v", lines, want, err)
	}
	b.ReportMetric(float64(b.N*agents)/b.Elapsed().Seconds(), "verdicts/s")
}
