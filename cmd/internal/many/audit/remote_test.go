package audit_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/download"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// store serves files with faults: real HTTP on loopback.
type store struct {
	*httptest.Server
	elsewhere *httptest.Server // the same files, at another port

	mu     sync.Mutex
	files  map[string][]byte
	faults map[string]storeFault // by path
	asked  map[string]int        // requests so far
	sent   int                   // bytes of bodies
	random *rand.Rand
}

// storeFault is what is wrong with the responses for a file. fails says that the file cannot be read to its end.
type storeFault struct {
	name  string
	fails bool
	serve func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int)
}

// noFault serves files as they are.
var noFault = storeFault{serve: func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
	s.give(w, r, data, sending{})
}}

func newStore(t *testing.T, seed uint64) *store {
	s := &store{files: map[string][]byte{}, faults: map[string]storeFault{}, asked: map[string]int{}}
	s.random = rand.New(rand.NewPCG(seed, 1))
	s.Server = httptest.NewServer(s)
	s.elsewhere = httptest.NewServer(s)
	t.Cleanup(func() { s.Close(); s.elsewhere.Close() })
	return s
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.URL.Path]++
	n, data, fault := s.asked[r.URL.Path], s.files[r.URL.Path], s.faults[r.URL.Path]
	s.mu.Unlock()
	if data == nil {
		http.NotFound(w, r)
		return
	}
	fault.serve(s, w, r, data, n)
}

func (s *store) rand(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.IntN(n)
}

// sending is a response that can be cut and slow.
type sending struct {
	tag, modified     string
	norange, chunked  bool
	most              int // bytes of the response's body, 0 for all; then the connection is cut
	least             int // bytes of a response that ends without an error, 0 for all
	pieces            int // of the body, with pauses between them
	pause             time.Duration
	closes, wrongSpan bool
}

// give answers a request for data, or for the part that is requested.
func (s *store) give(w http.ResponseWriter, r *http.Request, data []byte, a sending) {
	at := 0
	h := w.Header()
	if a.tag != "" {
		h.Set("ETag", a.tag)
	}
	if a.modified != "" {
		h.Set("Last-Modified", a.modified)
	}
	h.Set("Content-Type", "application/octet-stream")
	if span, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok && !a.norange {
		if v := r.Header.Get("If-Range"); v == "" || v == a.tag || v == a.modified {
			at, _ = strconv.Atoi(strings.TrimSuffix(span, "-"))
		}
	}
	end := len(data)
	if a.least > 0 {
		end = min(end, at+a.least)
	}
	if at > 0 {
		first := at
		if a.wrongSpan {
			first++
		}
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, end-1, len(data)))
	} else {
		end = len(data)
	}
	switch {
	case a.closes: // neither a length nor a mark of the end
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer c.Close()
		fmt.Fprint(rw, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
		_, _ = rw.Write(data)
		_ = rw.Flush()
		return
	case !a.chunked:
		h.Set("Content-Length", strconv.Itoa(end-at))
	}
	if at > 0 {
		w.WriteHeader(http.StatusPartialContent)
	}
	body := data[at:end]
	if a.most > 0 {
		body = body[:min(len(body), a.most)]
	}
	for piece := range slices.Chunk(body, max(1, len(body)/max(1, a.pieces))) {
		time.Sleep(a.pause)
		s.mu.Lock()
		s.sent += len(piece)
		s.mu.Unlock()
		if _, err := w.Write(piece); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
	}
	if a.most > 0 && len(body) < end-at {
		panic(http.ErrAbortHandler) // cuts the connection
	}
}

// part returns a random length of a piece of data.
func (s *store) part(data []byte) int { return 1 + len(data)/8 + s.rand(len(data)/2) }

// other returns data of the same length with other bytes, also at the beginning.
func other(data []byte) []byte {
	changed := bytes.Clone(data)
	for i := range changed {
		changed[i] ^= 1
	}
	return changed
}

// storeFaults are the ways in which a server fails.
func storeFaults() []storeFault {
	give := func(name string, a func(s *store, data []byte, n int) sending) storeFault {
		return storeFault{name, false, func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
			s.give(w, r, data, a(s, data, n))
		}}
	}
	status := func(name string, fails bool, code int, header ...string) storeFault {
		return storeFault{name, fails, func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
			if fails || n%2 == 1 {
				for i := 0; i < len(header); i += 2 {
					w.Header().Set(header[i], header[i+1])
				}
				http.Error(w, "busy", code)
				return
			}
			s.give(w, r, data, sending{tag: `"v"`, most: s.part(data)})
		}}
	}
	changes := func(name string, before, after sending, change func([]byte) []byte) storeFault {
		return storeFault{name, true, func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
			if n == 1 {
				before.most = len(data) / 2
				s.give(w, r, data, before)
				return
			}
			s.give(w, r, change(data), after)
		}}
	}
	redirect := func(name string, fails bool, to func(s *store, path string) string) storeFault {
		return storeFault{name, fails, func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
			if r.URL.RawQuery == "" {
				http.Redirect(w, r, to(s, r.URL.Path), http.StatusFound)
				return
			}
			s.give(w, r, data, sending{tag: `"v"`, most: s.part(data)})
		}}
	}
	longer := func(data []byte) []byte { return append(bytes.Clone(data), data...) }
	return []storeFault{
		give("whole", func(*store, []byte, int) sending { return sending{} }),
		give("chunked", func(*store, []byte, int) sending { return sending{chunked: true} }),
		give("cuts", func(s *store, data []byte, n int) sending { return sending{tag: `"v"`, most: s.part(data)} }),
		give("cuts, weak tag", func(s *store, data []byte, n int) sending { return sending{tag: `W/"v"`, most: s.part(data)} }),
		give("cuts, date", func(s *store, data []byte, n int) sending {
			return sending{modified: "Thu, 01 Jan 2026 00:00:00 GMT", most: s.part(data)}
		}),
		give("cuts, nothing else", func(s *store, data []byte, n int) sending { return sending{most: s.part(data)} }),
		give("cuts, chunked", func(s *store, data []byte, n int) sending {
			return sending{tag: `"v"`, chunked: true, most: s.part(data)}
		}),
		give("cuts, no ranges", func(s *store, data []byte, n int) sending {
			return sending{norange: true, most: min(n*len(data)/4+1, len(data)+1)}
		}),
		give("short parts", func(s *store, data []byte, n int) sending {
			return sending{tag: `"v"`, most: s.part(data), least: s.part(data)}
		}),
		give("slow", func(s *store, data []byte, n int) sending {
			return sending{tag: `"v"`, most: s.part(data), pieces: 20, pause: time.Millisecond}
		}),
		status("busy", false, http.StatusServiceUnavailable, "Retry-After", "0"),
		status("many requests", false, http.StatusTooManyRequests),
		status("forbidden", true, http.StatusForbidden),
		status("not found", true, http.StatusGone),
		status("always busy", true, http.StatusServiceUnavailable),
		changes("new tag", sending{tag: `"a"`}, sending{tag: `"b"`}, bytes.Clone),
		changes("new tag on a part", sending{tag: `W/"a"`}, sending{tag: `W/"b"`}, bytes.Clone),
		changes("new date", sending{modified: "Thu, 01 Jan 2026 00:00:00 GMT"}, sending{modified: "Fri, 02 Jan 2026 00:00:00 GMT"}, other),
		changes("new length", sending{}, sending{}, longer),
		changes("other bytes without ranges", sending{norange: true}, sending{norange: true}, other),
		changes("another part", sending{}, sending{wrongSpan: true}, bytes.Clone),
		{"no end", true, func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
			s.give(w, r, data, sending{closes: true})
		}},
		{"cut after the last byte", false, func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
			if r.Header.Get("Range") == "" {
				s.give(w, r, append(bytes.Clone(data), 0), sending{chunked: true, most: len(data)})
			}
			w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", len(data)))
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		}},
		{"longer than it says", true, func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
			if n > 1 {
				s.give(w, r, longer(data), sending{norange: true, chunked: true})
				return
			}
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", len(data)/2-1, len(data)))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(data[:len(data)/2])
		}},
		redirect("redirect", false, func(s *store, path string) string { return path + "?moved" }),
		redirect("redirect to a private address", true, func(s *store, path string) string { return s.elsewhere.URL + path + "?moved" }),
		redirect("redirect without end", true, func(s *store, path string) string { return path }),
	}
}

// downloads returns a client that trusts the store alone.
func downloads(t *testing.T, s *store, timeout time.Duration) *download.Client {
	at, err := origin.Of(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	client, err := fetch.New(fetch.Config{UserAgent: "FooBot", Limits: fetch.Limits{Timeout: timeout},
		Network: fetch.Network{Trusts: func(o origin.Origin) bool { return o == at }}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return download.New(client, time.Millisecond)
}

// sourceAt returns the source of a URL.
func sourceAt(t *testing.T, c *download.Client, url string) audit.Source {
	t.Helper()
	in, errs := audit.Open([]string{url}, nil, audit.Config{Download: c})
	if len(errs) > 0 || len(in.Sources) != 1 {
		t.Fatal(url, errs)
	}
	return in.Sources[0]
}

// filesOf returns the files of a source, and its error.
func filesOf(t *testing.T, source audit.Source) (files []audit.Input, err error) {
	t.Helper()
	err = source.Files(t.Context(), func(in *audit.Input) error {
		file := *in
		file.Body = bytes.Clone(in.Body)
		files = append(files, file)
		return nil
	})
	return files, err
}

// TestURLs: an input at a URL has the files of a local file with the same bytes, in each form, whatever the server
// does, or an error that says that it is incomplete. With ROBOTSTXT_LONG it does so for each form with each fault.
func TestURLs(t *testing.T) {
	temporary := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temporary)
	}
	s := newStore(t, 7)
	client := downloads(t, s, 10*time.Second)
	forms := sitesInForms(t, 50)
	forms["shop.example.txt"] = []byte("User-agent: *\nDisallow: /\n")
	form, folder, tried := 0, t.TempDir(), 0
	all := slices.Sorted(func(yield func(string) bool) {
		for form := range forms {
			if !yield(form) {
				return
			}
		}
	})
	for _, fault := range storeFaults() {
		few := []string{all[form%len(all)]}
		form++
		if os.Getenv("ROBOTSTXT_LONG") != "" {
			few = all
		}
		for _, form := range few {
			tried++
			local := filepath.Join(folder, form)
			writeFile(t, local, forms[form])
			in, errs := audit.Open([]string{local}, nil, audit.Config{})
			if len(errs) > 0 {
				t.Fatal(form, errs)
			}
			want, err := filesOf(t, in.Sources[0])
			if err != nil {
				t.Fatal(form, err)
			}
			path := "/" + strings.ReplaceAll(fault.name, " ", "-") + "/" + form
			s.mu.Lock()
			s.files[path], s.faults[path] = forms[form], fault
			s.mu.Unlock()
			got, err := filesOf(t, sourceAt(t, client, s.URL+path))
			for i := range got {
				if len(want) == 1 {
					want[0].Record = got[i].Record // the name of a robots.txt
				}
			}
			switch {
			case fault.fails && (err == nil || !audit.Incomplete("", len(got), err).EndsEarly()):
				t.Errorf("%s, %s: %d files, %v", fault.name, form, len(got), err)
			case !fault.fails && (err != nil || !reflect.DeepEqual(got, want)):
				t.Errorf("%s, %s: %d files, %v; of a file %d", fault.name, form, len(got), err, len(want))
			}
		}
	}
	t.Logf("%d files", tried)
	if left, err := filepath.Glob(filepath.Join(temporary, "*robots-*")); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

// TestURLAgain: a record that precedes the redirect to it is read from a copy, or downloaded again if the file is too
// long for that, and then it must be the same file to its last byte.
func TestURLAgain(t *testing.T) {
	s := newStore(t, 7)
	page := make([]byte, 2<<20)
	for i := range page {
		page[i] = byte(s.random.Uint32())
	}
	records := []stored{{url: "/live", body: closesAll}, to(robots, "/live"), {url: "/page", body: string(page)}}
	local := inArchive(t, t.TempDir(), "members.warc.gz", records)
	in, _ := audit.Open([]string{local}, nil, audit.Config{})
	want, err := filesOf(t, in.Sources[0])
	if err != nil || len(want) != 2 {
		t.Fatal(len(want), err)
	}
	data := []byte(readFile(t, local))
	serve := func(changed bool) storeFault {
		return storeFault{"", false, func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
			if changed && n > 1 {
				data = bytes.Clone(data)
				data[len(data)-1] ^= 1
			}
			s.give(w, r, data, sending{})
		}}
	}
	for path, c := range map[string]struct {
		fault storeFault
		kept  int64
		asked int
		fails bool
	}{
		"/kept.warc.gz":    {serve(true), 4 << 20, 1, false},
		"/again.warc.gz":   {serve(false), 100, 2, false},
		"/changed.warc.gz": {serve(true), 100, 2, true},
	} {
		client := downloads(t, s, 10*time.Second)
		client.Keep = c.kept
		s.files[path], s.faults[path] = data, c.fault
		got, err := filesOf(t, sourceAt(t, client, s.URL+path))
		if s.asked[path] != c.asked || (err != nil) != c.fails || !c.fails && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d requests, %d files, %v", path, s.asked[path], len(got), err)
		}
	}
}

// TestURLStall: a connection that delivers nothing is replaced.
func TestURLStall(t *testing.T) {
	s := newStore(t, 7)
	data := sitesInForms(t, 50)["a.warc.gz"]
	ends := make(chan struct{})
	defer close(ends)
	s.files["/a.warc.gz"] = data
	s.faults["/a.warc.gz"] = storeFault{"", false, func(s *store, w http.ResponseWriter, r *http.Request, data []byte, n int) {
		if n > 1 {
			s.give(w, r, data, sending{})
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		_, _ = w.Write(data[:len(data)/2])
		_ = http.NewResponseController(w).Flush()
		select {
		case <-ends:
		case <-r.Context().Done():
		}
	}}
	if got, err := filesOf(t, sourceAt(t, downloads(t, s, 100*time.Millisecond), s.URL+"/a.warc.gz")); err != nil || len(got) == 0 {
		t.Errorf("%d files, %v", len(got), err)
	}
}

// TestURLArguments: which URLs are errors before anything is requested.
func TestURLArguments(t *testing.T) {
	s := newStore(t, 7)
	for argument, want := range map[string]string{
		"s3://bucket/a.warc.gz":                "no scheme that audits read",
		"2025=gs://bucket/a.warc.gz":           "no scheme that audits read",
		"ftp://files.example/a.warc.gz":        "no scheme that audits read",
		"https://shop.example/robots.txt":      "the robots.txt of one site",
		"https://a.example/robotstxt.paths.gz": "a list of archives",
		"https://me:secret@a.example/x.paths":  "https://\\*\\*\\*@a.example/x.paths",
	} {
		in, errs := audit.Open([]string{argument}, nil, audit.Config{Download: downloads(t, s, time.Second)})
		if len(errs) != 1 || !strings.Contains(strings.ReplaceAll(errs[0].Error(), "***", `\*\*\*`), want) || len(in.Sources) > 0 {
			t.Errorf("%s: %v", argument, errs)
		}
	}
	list := "a.warc.gz\n/etc/x.warc\n2025=b/c.zip\nhttps://other.example/d.warc\n"
	for base, want := range map[string][]string{
		"https://a.example/x/?key=a/b#c": {"https://a.example/x/a.warc.gz?key=a/b#c", "https://a.example/x/etc/x.warc?key=a/b#c", "2025=https://a.example/x/b/c.zip?key=a/b#c", "https://other.example/d.warc"},
		"https://a.example/x/":           {"https://a.example/x/a.warc.gz", "https://a.example/x/etc/x.warc", "2025=https://a.example/x/b/c.zip", "https://other.example/d.warc"},
		"folder":                         {filepath.Join("folder", "a.warc.gz"), "/etc/x.warc", "2025=" + filepath.Join("folder", "b", "c.zip"), "https://other.example/d.warc"},
	} {
		if got, err := audit.ReadInputs(strings.NewReader(list), base); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", base, got, err)
		}
	}
	for list, want := range map[string]string{
		"https://a.example/x/robotstxt.paths?key=a/b": "https://a.example/x",
		"https://a.example/robotstxt.paths#a/b":       "https://a.example",
		"https://a.example?list=a/b":                  "https://a.example",
	} {
		if got := audit.ListBase(list); got != want {
			t.Errorf("%s: %s", list, got)
		}
	}
	if got, err := audit.ReadInputs(strings.NewReader(strings.Repeat("#\n", 2_000_001)), ""); err == nil {
		t.Errorf("%d inputs in a list of too many lines", len(got))
	}
	if got := audit.URLs("a.warc.gz", "2025=https://a.example/x", ""); !slices.Equal(got, []string{"https://a.example/x"}) {
		t.Error(got)
	}
}

// TestURLOfSite: the path of a URL names the host of a robots.txt, and its query does not.
func TestURLOfSite(t *testing.T) {
	s := newStore(t, 7)
	path := "/shop.example.txt"
	s.files[path], s.faults[path] = []byte(closesAll), noFault
	got, err := filesOf(t, sourceAt(t, downloads(t, s, time.Second), s.URL+path+"?key=a/b"))
	if err != nil || len(got) != 1 || got[0].Host != "shop.example" {
		t.Error(got, err)
	}
}

// TestURLChangedBetweenRuns: a run that continues has no rows of another file than the one that it reads to its end.
func TestURLChangedBetweenRuns(t *testing.T) {
	s := newStore(t, 7)
	client := downloads(t, s, time.Second)
	lines := func(name string) []byte {
		var b strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&b, `{"host": "%s%d.example", "body": ""}`+"\n", name, i)
		}
		return []byte(b.String())
	}
	path := "/a.jsonl"
	s.faults[path] = noFault
	folder := filepath.Join(t.TempDir(), "parts")
	var parts *audit.Parts
	for _, name := range []string{"old", "new"} {
		s.mu.Lock()
		s.files[path] = lines(name)
		s.mu.Unlock()
		var err error
		parts, err = audit.OpenParts(folder, audit.PartsConfig{Files: 500})
		if err != nil {
			t.Fatal(err)
		}
		questions := audit.Questions{Crawlers: crawlersOf(t, "*")}
		sources := []audit.Source{sourceAt(t, client, s.URL+path)}
		unread, err := audit.Run(t.Context(), sources, parts, audit.Options{Questions: questions,
			Observe: func(in *audit.Input) error {
				if in.Host == "old1990.example" {
					return errors.New("interrupted")
				}
				return nil
			}})
		if len(unread) > 0 || (err != nil) != (name == "old") {
			t.Fatal(unread, err)
		}
		if name == "old" && completeParts(t, filepath.Dir(folder)) == 0 {
			t.Fatal("no part was complete")
		}
	}
	files, _ := rowsOf(t, parts)
	for _, file := range files {
		if !strings.HasPrefix(file.Host, "new") {
			t.Fatalf("%s of the earlier file, in %d rows", file.Host, len(files))
		}
	}
	if len(files) != 2000 {
		t.Error(len(files))
	}
}
