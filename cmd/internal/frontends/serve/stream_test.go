package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// stream sends a stream whose body is a reader.
func (s *service) stream(ctx context.Context, body io.Reader, headers ...string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, "POST", s.url+"/v1/check", body)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-ndjson")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
}

// streamed sends a stream and returns the lines of the response.
func (s *service) streamed(text string) (lines []string) {
	s.t.Helper()
	response, err := s.stream(s.t.Context(), strings.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
}

// TestStream compares a stream with a request that has the same URLs.
func TestStream(t *testing.T) {
	s := start(t, newSite(t, serveShop), nil)
	urls := []string{}
	for i := range 200 {
		urls = append(urls, fmt.Sprintf("http://shop%d.example/%s?ä=%d\"\\", i%7, []string{"cart", "tea", "cart/help"}[i%3], i))
	}
	for _, body := range []string{"", `,"body":"User-agent: GPTBot\nDisallow: /tea\n"`} {
		head := `{"agents":["GPTBot","Googlebot-News"]` + body
		text := head + "}\n"
		for _, url := range urls {
			line, _ := json.Marshal(url)
			text += string(line) + "\r\n\n"
		}
		list, _ := json.Marshal(urls)
		s.post("check", head+`,"urls":`+string(list)+`}`) // now the sites are known
		_, want := s.post("check", head+`,"urls":`+string(list)+`}`)
		var whole struct{ Answers []json.RawMessage }
		if err := json.Unmarshal([]byte(want), &whole); err != nil || len(whole.Answers) != 400 {
			t.Fatalf("%v: %.200s", err, want)
		}
		lines := s.streamed(text)
		if len(lines) != len(whole.Answers) {
			t.Fatalf("%d lines, want %d: %s", len(lines), len(whole.Answers), lines[0])
		}
		for i, line := range lines {
			// Where a known file is from differs: a run has it from a store.
			if want := strings.Replace(string(whole.Answers[i]), `"source":"memory"`, `"source":"store"`, 1); line != want {
				t.Fatalf("line %d:\n%s\nwant\n%s", i, line, want)
			}
		}
		grid := s.streamed(strings.Replace(text, head, head+`,"output":"grid"`, 1))
		if len(grid) != len(urls) {
			t.Fatalf("%d rows: %s", len(grid), grid[0])
		}
		for i, line := range grid {
			var row struct {
				URL     string
				Answers []struct{ Agent, Verdict, Dialect string }
			}
			var answer struct{ Agent, Verdict, Dialect string }
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			for j, got := range row.Answers {
				if err := json.Unmarshal(whole.Answers[2*i+j], &answer); err != nil || got != answer ||
					got.Dialect == "" || row.URL != urls[i] {
					t.Fatalf("row %d: %s; the answer is %+v", i, line, answer)
				}
			}
		}
	}
}

// TestStreamProblems: a line that is no URL has a problem in its place, and the others are
// answered.
func TestStreamProblems(t *testing.T) {
	s := start(t, newSite(t, serveShop), func(c *serve.Config) { c.Limits.TextBytes = 1000 })
	long := `"http://shop.example/` + strings.Repeat("x", 100_000) + `"`
	lines := s.streamed(`{"agents":["GPTBot"]}` + "\n" + `"http://shop.example/"` + "\nnonsense\n" + long + "\n" + `"/path"` + "\n[1]\n" + `"\ud800"` + "\n" + `"http://shop.example/2"`)
	want := []string{`"url":"http://shop.example/"`, `"line":3`, `"line":4`, "no valid host", `"line":6`, "no valid host", `"url":"http://shop.example/2"`}
	if len(lines) != len(want) {
		t.Fatalf("%d lines: %s", len(lines), strings.Join(lines, "\n"))
	}
	for i, line := range lines {
		if !strings.Contains(line, want[i]) || !json.Valid([]byte(line)) {
			t.Errorf("line %d: %s lacks %s", i, line, want[i])
		}
	}
	for text, want := range map[string]int{
		"": 400, "\n": 400, "[]\n": 422, `{"urls":["/"]}`: 422, `{"output":"x"}`: 422, `{"agents":["\""]}`: 422, `{"dialect":"x"}`: 422, `{"x":1}`: 400,
		`{"body":"` + strings.Repeat("x", 9<<20) + `"}`: 413, `{"body":"` + strings.Repeat("x", 3<<20) + `"}`: 413, `{}`: 200, `{}` + "\n\n\n": 200,
	} {
		response, err := s.stream(t.Context(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != want || want == 200 && len(body) > 0 {
			t.Errorf("%.40q: status %d: %.300s", text, response.StatusCode, body)
		}
	}
}

// TestStreamDuplex: an answer arrives before the next URL is sent.
func TestStreamDuplex(t *testing.T) {
	for _, body := range []string{"", `"body":"User-agent: *\nDisallow: /cart\n"`} {
		s := start(t, newSite(t, serveShop), nil)
		read, write := io.Pipe()
		go io.WriteString(write, "{"+body+"}\n\"http://shop.example/0\"\n")
		response, err := s.stream(t.Context(), read)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(response.Body)
		for i := range 20 {
			line, err := lines.ReadString('\n')
			if err != nil || !strings.Contains(line, fmt.Sprintf("shop.example/%d\"", i)) {
				t.Fatalf("line %d: %q, %v", i, line, err)
			}
			fmt.Fprintf(write, "\"http://shop.example/%d\"\n", i+1)
		}
		write.Close()
		response.Body.Close()
	}
}

// endless is a stream without an end. It counts what is read of it.
type endless struct {
	head  string
	lines int64
	bytes atomic.Int64
	pause time.Duration // before each read

	waiting chan struct{}   // the lines without an answer, if their number is bounded
	end     <-chan struct{} // of the client, then
}

func (e *endless) Read(p []byte) (n int, err error) {
	time.Sleep(e.pause)
	if e.head != "" {
		n = copy(p, e.head)
		e.head = e.head[n:]
		return n, nil
	}
	for len(p)-n > 200 {
		if e.waiting != nil {
			select {
			case e.waiting <- struct{}{}:
			default:
				if n > 0 {
					e.bytes.Add(int64(n))
					return n, nil
				}
				select {
				case e.waiting <- struct{}{}:
				case <-e.end:
					return 0, io.EOF
				}
			}
		}
		e.lines++
		n += copy(p[n:], fmt.Sprintf("\"http://shop%d.example/cart/%d\"\n", e.lines/100%50, e.lines))
	}
	e.bytes.Add(int64(n))
	return n, nil
}

// heads are the first lines of streams: URLs are judged by their sites, or by a body.
var heads = []string{"{}\n", "{\"body\":\"User-agent: *\\nDisallow: /cart\\n\"}\n"}

// TestStreamBackPressure: while the client reads nothing, the service soon reads no more, and
// ends the stream after a while.
func TestStreamBackPressure(t *testing.T) {
	t.Parallel()
	to := newSite(t, serveShop)
	for _, head := range heads {
		s := start(t, to, func(c *serve.Config) { c.WriteTimeout = time.Second })
		body := &endless{head: head}
		response, err := s.stream(t.Context(), body)
		if err != nil {
			t.Fatal(err)
		}
		last := int64(-1)
		for range 100 {
			time.Sleep(50 * time.Millisecond)
			if now := body.bytes.Load(); now == last && now > 0 {
				break
			} else {
				last = now
			}
		}
		if now := body.bytes.Load(); now > 40<<20 {
			t.Errorf("%d bytes were read although no answer was", now)
		}
		s.untilNoStream(t) // by WriteTimeout
		response.Body.Close()
	}
}

// TestStreamMemory: a stream of any length takes the memory of a short one, and ends when its
// client goes away. The test runs alone, because the memory is that of the process.
func TestStreamMemory(t *testing.T) {
	to := newSite(t, serveShop)
	for _, head := range heads {
		s := start(t, to, nil)
		ctx, cancel := context.WithCancel(t.Context())
		// If the buffers of both directions are full, Linux may drop what acknowledges the
		// answers, and send none for a minute.
		body := &endless{head: head, waiting: make(chan struct{}, 1000), end: ctx.Done()}
		response, err := s.stream(ctx, body)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answers := bufio.NewReader(response.Body)
		for read := 0; read < 30<<20; {
			line, err := answers.ReadSlice('\n')
			if err != nil {
				t.Fatal(err)
			}
			read += len(line)
			<-body.waiting
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if after.HeapAlloc > before.HeapAlloc+(64<<20) {
			t.Errorf("the memory grew from %d to %d", before.HeapAlloc, after.HeapAlloc)
		}
		cancel()
		response.Body.Close()
		s.untilNoStream(t)
	}
}

// untilNoStream waits until the service has no stream.
func (s *service) untilNoStream(t *testing.T) {
	t.Helper()
	for range serve.Patience / (10 * time.Millisecond) {
		if _, text, _ := send(t, "GET", s.admin+"/metrics", ""); strings.Contains(text, "\nrobots_streams 0\n") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the stream has not ended")
}

// TestStreamLimits: the streams of a client and of all are bounded.
func TestStreamLimits(t *testing.T) {
	t.Parallel()
	s := start(t, nil, func(c *serve.Config) { c.ClientStreams, c.MaxStreams = 2, 3 })
	for i := range 3 {
		response, lines := s.waitingStream()
		if want := []int{200, 200, 429}[i]; response.StatusCode != want {
			t.Errorf("stream %d: status %d", i, response.StatusCode)
		}
		if i == 0 {
			if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, `"url":"/"`) {
				t.Errorf("%q, %v", line, err)
			}
		}
	}
}

// TestStreamWaits: a stream that waits for its client ends.
func TestStreamWaits(t *testing.T) {
	t.Parallel()
	s := start(t, nil, func(c *serve.Config) { c.BodyTimeout = time.Second })
	_, lines := s.waitingStream()
	text, err := io.ReadAll(lines)
	if err != nil || !strings.Contains(string(text), `"code":"timeout"`) {
		t.Errorf("a client that sends no more: %q, %v", text, err)
	}
}

// waitingStream begins a stream with one URL, whose client sends no more until the test ends.
func (s *service) waitingStream() (*http.Response, *bufio.Reader) {
	s.t.Helper()
	read, write := io.Pipe()
	s.t.Cleanup(func() { write.Close() })
	go io.WriteString(write, `{"body":""}`+"\n\"/\"\n")
	response, err := s.stream(s.t.Context(), read)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { response.Body.Close() })
	return response, bufio.NewReader(response.Body)
}

// TestStreamDrain: an endless stream does not delay the end of the service, and its client
// knows why it ends.
func TestStreamDrain(t *testing.T) {
	t.Parallel()
	s := start(t, newSite(t, serveShop), func(c *serve.Config) { c.DrainTimeout = 6 * time.Second })
	response, err := s.stream(t.Context(), &endless{head: "{}\n", pause: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	last := make(chan string)
	go func() {
		line := ""
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			line = lines.Text()
		}
		last <- line
	}()
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if line := <-last; !strings.Contains(line, `"code":"stopping"`) {
		t.Errorf("the last line is %s", line)
	}
}

// TestSlowestGivesWay: streams of many networks that ask now and then do not keep out others. The
// one that gives way learns why.
func TestSlowestGivesWay(t *testing.T) {
	t.Parallel()
	s := shared(t, nil, func(c *serve.Config) {
		c.Hosts, c.MaxStreams, c.BodyTimeout = []string{"robots.example"}, 6, time.Minute
	})
	var lines []*bufio.Reader
	var open []io.Closer
	for i := range 6 {
		r, w := io.Pipe()
		open = append(open, w)
		go io.WriteString(w, `{"body":""}`+"\n\"/\"\n")
		response, err := s.stream(t.Context(), r, "X-Forwarded-For", fmt.Sprintf("2001:db8:%d::1", i))
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatal(err, response.StatusCode)
		}
		defer response.Body.Close()
		lines = append(lines, bufio.NewReader(response.Body))
	}
	text := `{"body":""}` + "\n" + strings.Repeat("\"/\"\n", 1000)
	for i := range 6 {
		response, err := s.stream(t.Context(), strings.NewReader(text), "X-Forwarded-For", fmt.Sprintf("2001:db8:100:%d::1", i))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if n := strings.Count(string(body), `"url":"/"`); err != nil || response.StatusCode != http.StatusOK || n != 1000 {
			t.Errorf("stream %d: status %d, %d answers, %v: %.300s", i, response.StatusCode, n, err, body)
		}
		response.Body.Close()
	}
	last := make(chan string, len(lines))
	for _, of := range lines {
		go func() {
			answer, _ := of.ReadString('\n')
			line, err := of.ReadString('\n')
			last <- fmt.Sprint(strings.Count(answer, `"url":"/"`), " ", line, err)
		}()
	}
	if line := <-last; !strings.Contains(line, `1 {`) || !strings.Contains(line, `"code":"streams"`) {
		t.Errorf("the stream that gave way ends with %s", line)
	}
	for _, w := range open { // the others go on until their clients end them
		_ = w.Close()
	}
	for range len(lines) - 1 {
		if line := <-last; line != "1 EOF" {
			t.Errorf("a stream that has its place ends with %s", line)
		}
	}
}

// TestStreamsOfANetwork: the clients of one network have a quarter of the streams.
func TestStreamsOfANetwork(t *testing.T) {
	s := shared(t, nil, func(c *serve.Config) {
		c.Hosts, c.MaxStreams, c.BodyTimeout = []string{"robots.example"}, 8, time.Minute
	})
	for i, want := range []int{200, 200, 429, 429} {
		r, w := io.Pipe()
		defer w.Close()
		go io.WriteString(w, `{"body":""}`+"\n\"/\"\n")
		response, err := s.stream(t.Context(), r, "X-Forwarded-For", fmt.Sprintf("2001:db8:7:%d::1", i))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("stream %d: status %d, want %d", i, response.StatusCode, want)
		}
	}
}

// TestStreamTimeout: a stream ends after its time, although it asks fast.
func TestStreamTimeout(t *testing.T) {
	t.Parallel()
	s := start(t, nil, func(c *serve.Config) { c.StreamTimeout = 300 * time.Millisecond })
	// With full buffers, a client that gets no processor for a second loses the last line.
	body := &endless{head: "{\"body\":\"\"}\n", waiting: make(chan struct{}, 1000), end: t.Context().Done()}
	response, err := s.stream(t.Context(), body)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	last := ""
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		last = lines.Text()
		if strings.Contains(last, `"code"`) {
			break
		}
		<-body.waiting
	}
	if !strings.Contains(last, `"code":"stream-timeout"`) {
		t.Errorf("the last line is %s", last)
	}
}
