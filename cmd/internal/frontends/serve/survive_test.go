package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// anywhere resolves every host to a public address.
type anywhere struct{}

func (anywhere) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
}

// newSurvivor returns a service with its log. All sites have one robots.txt.
func newSurvivor(t *testing.T) (s *Server, log *bytes.Buffer) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /\n") }))
	t.Cleanup(site.Close)
	log = new(bytes.Buffer)
	s, err := New(Config{
		UserAgent: "TestBot (+https://shop.example)", Logger: slog.New(slog.NewTextHandler(log, nil)), Resolver: anywhere{},
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, site.Listener.Addr().String())
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.fetcher.Close)
	return s, log
}

// TestStreamSurvives: a panic at the site of one line of a stream is the problem of that line, with
// a stack in the log. The other lines are answered.
func TestStreamSurvives(t *testing.T) {
	s, log := newSurvivor(t)
	w := httptest.NewRecorder()
	c := &call{ResponseWriter: w, r: httptest.NewRequest(http.MethodPost, "/v1/check", strings.NewReader("\"http://a.example/\"\n\"http://broken.example/\"\n\"http://c.example/\"\n"))}
	c.turn = turn{loan: s.work.lend(c.client)}
	control := http.NewResponseController(c)
	in := newLineReader(c, control, &s.config, nil)
	out := &lineWriter{c: c, control: control, timeout: s.config.WriteTimeout, failed: func(err error) { t.Error(err) }}
	q := &sites.Question{Client: s.fetcher, Crawlers: []answer.Crawler{answer.NewCrawler()},
		RobotsOf: func(ctx context.Context, o origin.Origin, agents ...string) (*fetch.Result, error) {
			var lines []string
			if o.Host() == "broken.example" {
				_ = lines[len(agents)]
			}
			return s.fetcher.RobotsOf(ctx, o, agents...)
		}}
	if err := s.answerLines(t.Context(), c, q, &StreamHead{}, in, out); err != nil {
		t.Fatal(err)
	}
	if err := out.flush(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
	for i, part := range []string{`"url":"http://a.example/"`, `"code":"internal"`, `"url":"http://c.example/"`} {
		if len(lines) != 3 || !strings.Contains(lines[i], part) {
			t.Errorf("no %s in line %d of\n%s", part, i, w.Body)
		}
	}
	if text := log.String(); !strings.Contains(text, "index out of range") || !strings.Contains(text, "TestStreamSurvives") {
		t.Errorf("the log has no stack:\n%s", text)
	}
}

// eachLine is a body of which each read returns a line, before which it calls a function.
type eachLine struct {
	lines  []string
	before func(line int)
	read   int
}

func (b *eachLine) Read(p []byte) (int, error) {
	if b.read == len(b.lines) {
		return 0, io.EOF
	}
	b.read++
	b.before(b.read)
	return copy(p, b.lines[b.read-1]+"\n"), nil
}

// TestWriteSurvives: a panic while the answers for a line are made and written is the problem of
// that line, with a stack in the log.
func TestWriteSurvives(t *testing.T) {
	for output, want := range map[string][]string{
		"grid":    {`"url":"/a"`, `"code":"internal"`, `"url":"/c"`},
		"answers": {`"url":"/a"`, `"url":"/b"`, `"code":"internal"`, `"url":"/c"`}, // the first crawler of the line has its answer
	} {
		s, log := newSurvivor(t)
		w := httptest.NewRecorder()
		one, two := []answer.Crawler{answer.NewCrawler("abot")}, []answer.Crawler{answer.NewCrawler("abot"), answer.NewCrawler("bbot")}
		q := &sites.Question{Crawlers: one, Files: []*answer.File{answer.NewFile([]byte("User-agent: *\nDisallow: /\n"))}}
		body := &eachLine{lines: []string{`"/a"`, `"/b"`, `"/c"`}, before: func(line int) {
			q.Crawlers = one
			if line == 2 {
				q.Crawlers = two // more than the file was ruled for
			}
		}}
		c := &call{ResponseWriter: w, r: httptest.NewRequest(http.MethodPost, "/v1/check", body)}
		c.turn = turn{loan: s.work.lend(c.client)}
		control := http.NewResponseController(c)
		in := newLineReader(c, control, &s.config, nil)
		out := &lineWriter{c: c, control: control, timeout: s.config.WriteTimeout, failed: func(err error) {
			t.Error(err)
		}}
		if err := s.answerLines(t.Context(), c, q, &StreamHead{Output: output}, in, out); err != nil {
			t.Fatal(err)
		}
		if err := out.flush(); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
		for i, part := range want {
			if len(lines) != len(want) || !strings.Contains(lines[i], part) {
				t.Errorf("%s: no %s in line %d of\n%s", output, part, i, w.Body)
			}
		}
		if text := log.String(); !strings.Contains(text, "index out of range") || !strings.Contains(text, "(*lineWriter)."+output) {
			t.Errorf("%s: the log has no stack:\n%s", output, text)
		}
	}
}

// TestListSurvives: a panic in a goroutine that looks up a site of a list is an error of the
// request, with a stack in the log.
func TestListSurvives(t *testing.T) {
	s, log := newSurvivor(t)
	ask := func() *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/check", strings.NewReader(`{"urls":["http://a.example/","http://b.example/"]}`))
		r.Header.Set("Content-Type", typeJSON)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	read := s.read
	s.read = nil
	if w := ask(); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), `"code":"internal"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if text := log.String(); !strings.Contains(text, "nil pointer") || !strings.Contains(text, "rulings.func") {
		t.Errorf("the log has no stack:\n%s", text)
	}
	s.read = read
	if w := ask(); w.Code != http.StatusOK {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
}
