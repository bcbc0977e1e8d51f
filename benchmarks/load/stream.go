package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt"
)

// block is a number of lines with URLs, which are sent again and again.
type block struct {
	chunk    string // the lines as a chunk of HTTP/1.1
	verdicts []bool // allowed or not: by URL, then by crawler
	urls     int
	allowed  int
}

// crawlerNames are the crawlers of streams, as many of them as a stream has.
var crawlerNames = []string{agent, "Bingbot", "GPTBot", "CCBot", "ClaudeBot", "PerplexityBot", "Amazonbot", "Bytespider", "AhrefsBot", "SemrushBot"}

// newBlock returns the lines for all paths of some sites.
func newBlock(all []*site, crawlers []string) *block {
	b := &block{}
	var lines bytes.Buffer
	for i := range all[0].paths {
		for _, s := range all {
			url := s.url + s.paths[i%len(s.paths)]
			text, _ := json.Marshal(url) // a string has no error
			lines.Write(append(text, '\n'))
			b.urls++
			for _, crawler := range crawlers {
				allowed := s.allows(crawler, url)
				b.verdicts = append(b.verdicts, allowed)
				if allowed {
					b.allowed++
				}
			}
		}
	}
	b.chunk = chunk(lines.String())
	return b
}

// allows is the oracle for all answers.
func (s *site) allows(crawler, url string) bool {
	encoded := robotstxt.EncodeURL(url)
	return s.robots.Rules(crawler).Allowed(encoded)
}

// streaming is how streams are sent.
type streaming struct {
	streams  int
	crawlers int
	output   string        // answers or grid
	body     bool          // the first line has the file of all URLs
	length   time.Duration // lines are sent at least once
}

// streamResult is the result of streams.
type streamResult struct {
	verdicts int
	bytes    int64
	took     time.Duration
	err      error // the first
}

// streams measures streams of URLs.
func (r *run) streams() error {
	s, err := r.startService(r.sites, privateFlags)
	if err != nil {
		return err
	}
	defer s.stop()
	r.print("## Streams\n\n`POST /v1/check` with `application/x-ndjson`: URLs of %d known sites.\n\n", len(r.sites))
	r.print("| output | streams | crawlers | verdicts/s | MB/s of answers | ns of the service for each | of the generator | other answers |\n|---|---|---|---|---|---|---|---|\n")
	for _, kind := range []streaming{
		{streams: 1, crawlers: 1, output: "answers"},
		{streams: 4, crawlers: 1, output: "answers"},
		{streams: 1, crawlers: 10, output: "answers"},
		{streams: 1, crawlers: 1, output: "grid"},
		{streams: 4, crawlers: 1, output: "grid"},
		{streams: 1, crawlers: 10, output: "grid"},
		{streams: 4, crawlers: 10, output: "grid"},
		{streams: 4, crawlers: 10, output: "grid", body: true},
	} {
		kind.length = r.length
		name := kind.output
		if kind.body {
			name += ", with `body`"
		}
		figure := median("%.0f", "")
		var wrong error
		cells := fmt.Sprintf("%s | %d | %d", name, kind.streams, kind.crawlers)
		r.row(cells, []column{figure, figure, figure, figure}, func(int) ([]float64, error) {
			var got *streamResult
			service, generator := during(s, func() { got = kind.run(s.address, r.sites) })
			wrong = cmp.Or(wrong, got.err)
			megabytes := float64(got.bytes) / 1e6 / got.took.Seconds()
			return []float64{got.rate(), megabytes, 1000 * service.each(got.verdicts), 1000 * generator.each(got.verdicts)}, wrong
		})
	}
	r.memory(s)
	return nil
}

// rate is the number of verdicts in a second.
func (r *streamResult) rate() float64 { return float64(r.verdicts) / r.took.Seconds() }

// run sends streams at the same time.
func (s streaming) run(address string, all []*site) *streamResult {
	head := map[string]any{"agents": crawlerNames[:s.crawlers], "output": s.output}
	if s.body {
		all = all[:1]
		head["body"] = string(all[0].body)
	}
	text, _ := json.Marshal(head) // these types have no error
	lines := newBlock(all, crawlerNames[:s.crawlers])
	var total streamResult
	var mu sync.Mutex
	var running sync.WaitGroup
	began := time.Now()
	for range s.streams {
		running.Go(func() {
			verdicts, read, err := s.one(address, string(text)+"\n", lines)
			mu.Lock()
			defer mu.Unlock()
			total.verdicts += verdicts
			total.bytes += read
			total.err = cmp.Or(total.err, err)
		})
	}
	running.Wait()
	total.took = time.Since(began)
	return &total
}

// one sends a stream and reads its answers. It returns how many verdicts there were.
func (s streaming) one(address, head string, lines *block) (verdicts int, read int64, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return 0, 0, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(s.length + time.Minute)); err != nil {
		return 0, 0, err
	}
	sent := make(chan int, 1)
	go func() {
		end := time.Now().Add(s.length)
		_, err := io.WriteString(conn, streamOf(head))
		blocks := 0
		for ; err == nil && (blocks == 0 || time.Now().Before(end)); blocks++ {
			_, err = io.WriteString(conn, lines.chunk)
		}
		if err == nil {
			_, _ = io.WriteString(conn, "0\r\n\r\n") // the reader sees whether it arrived
		}
		sent <- blocks
	}()
	reader := bufio.NewReaderSize(conn, 256<<10)
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		return 0, 0, err
	}
	if response.StatusCode != http.StatusOK || !slices.Contains(response.TransferEncoding, "chunked") {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
		return 0, 0, fmt.Errorf("status %d: %s", response.StatusCode, text)
	}
	c := counter{perLine: 1, lines: lines}
	if s.output == "grid" {
		c.perLine = s.crawlers
	}
	// The body of response is the same, in smaller pieces.
	read, err = c.read(httputil.NewChunkedReader(reader))
	if err != nil {
		return 0, read, err
	}
	blocks := <-sent
	if want := blocks * len(lines.verdicts); c.verdicts != want || c.allowed != blocks*lines.allowed {
		err = fmt.Errorf("%d verdicts, %d of them allowed, want %d and %d", c.verdicts, c.allowed, want, blocks*lines.allowed)
	}
	return c.verdicts, read, err
}

// counter counts the verdicts of a stream. It compares each verdict of the first block, and
// of the others only how many there are of each kind.
type counter struct {
	lines    *block
	perLine  int
	compared int
	verdicts int
	allowed  int
}

func (c *counter) read(from io.Reader) (read int64, err error) {
	for lines := bufio.NewReaderSize(from, 256<<10); ; {
		line, err := lines.ReadSlice('\n')
		read += int64(len(line))
		switch {
		case err == io.EOF && len(line) == 0:
			return read, nil
		case err != nil:
			return read, fmt.Errorf("after %d verdicts: %w", c.verdicts, err)
		}
		if err := c.count(line); err != nil {
			return read, err
		}
	}
}

// count counts a line.
func (c *counter) count(line []byte) error {
	if c.compared < len(c.lines.verdicts) {
		if err := c.compare(line); err != nil {
			return err
		}
	}
	allowed, other := bytes.Count(line, allowedText), bytes.Count(line, disallowedText)
	c.verdicts += c.perLine
	c.allowed += allowed
	if allowed+other != c.perLine {
		return fmt.Errorf("a line with %d allowed and %d disallowed: %.300s", allowed, other, line)
	}
	return nil
}

func (c *counter) compare(line []byte) error {
	var row struct {
		Verdict string
		Answers []struct{ Verdict string }
	}
	if err := json.Unmarshal(line, &row); err != nil {
		return fmt.Errorf("%w: %.300s", err, line)
	}
	got := []string{row.Verdict}
	if len(row.Answers) > 0 {
		got = got[:0]
		for _, answer := range row.Answers {
			got = append(got, answer.Verdict)
		}
	}
	for _, verdict := range got {
		if want := c.lines.verdicts[c.compared]; verdict != map[bool]string{true: "allowed", false: "disallowed"}[want] {
			return fmt.Errorf("verdict %d is %s, want allowed %v: %s", c.compared, verdict, want, strings.TrimSpace(string(line)))
		}
		c.compared++
	}
	return nil
}
