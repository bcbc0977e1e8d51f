package past_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/past"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/history"
)

// answer is a response to the request for the robots.txt of a host.
type answer struct {
	host, name, value, body string // name and value are a header
	status                  int
}

func (a *answer) location() string { return map[bool]string{true: a.value}[a.name == "Location"] }

var (
	answerHeaders = [][2]string{{"X-Test", "x"}, {"Location", "/moved.txt"}, {"Location", "mailto:a@b.example"}, {"Content-Range", "bytes 0-ALL"}, {"Content-Range", "bytes 0-1/9999"}}
	answerBodies  = []string{"User-agent: *\nDisallow: /x\n", "", "<!doctype html><title>Page not found</title>", "<html><body>shop</body></html>", "\x00\x01\x02\xff binary"}
	// with each header and each body
	telling = []int{200, 203, 204, 205, 206, 207, 300, 301, 302, 304, 305, 307, 308, 401, 404, 410, 429, 500, 503,
		600, 999}
)

// answers are the table: each status with some headers and bodies, and the telling ones with all.
func answers() (all []answer) {
	for status := 100; status <= 999; status++ {
		for i := range len(answerHeaders) * len(answerBodies) {
			if i != status%25 && i != status*7%25 && !slices.Contains(telling, status) {
				continue
			}
			a := answer{host: fmt.Sprintf("s%d-%d.example", status, i), status: status, body: answerBodies[i/5]}
			a.name, a.value = answerHeaders[i%5][0], answerHeaders[i%5][1]
			a.value = strings.ReplaceAll(a.value, "ALL", fmt.Sprintf("%d/%d", len(a.body)-1, len(a.body)))
			all = append(all, a)
		}
	}
	return all
}

// served answers requests from the table. What a redirect leads to is an empty file.
type served map[string]*answer

func (s served) RoundTrip(r *http.Request) (*http.Response, error) {
	response := &http.Response{StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: r,
		Body: http.NoBody}
	if a := s[r.URL.Host]; r.URL.Path == "/robots.txt" {
		response.StatusCode = a.status
		response.Header.Set(a.name, a.value)
		response.Body = io.NopCloser(strings.NewReader(a.body))
		response.ContentLength = int64(len(a.body))
	}
	return response, nil
}

// said is what a surface says of an answer.
type said struct{ outcome, file string }

// TestMeaning: an answer means the same to the client, to an audit of hosts, of a web archive and of lines of JSON,
// and in the history. An archive has two answers that a client does not have: a redirect whose target it lacks, and
// a 304, which says that the file is that of another record.
func TestMeaning(t *testing.T) {
	all := answers()
	byHost := served{}
	for i := range all {
		byHost[all[i].host] = &all[i]
	}
	for _, policy := range fetch.Policies() {
		for _, notFound := range []bool{false, true} {
			q := audit.Questions{Policy: policy, NotFoundPages: notFound, Bodies: true}
			config := fetch.Config{UserAgent: "FooBot/1.0", Policy: policy, Network: fetch.Network{Transport: byHost}}
			if notFound {
				config.NotFoundPage = fetch.LooksNotFound
			}
			byClient := clientSays(t, config, all)
			surfaces := map[string]map[string]said{"hosts": hostsSay(t, config, q, all)}
			observed := map[string]history.Observation{}
			surfaces["records"] = inputSays(t, q, "in.warc", recordsOf(all), observed)
			surfaces["lines"] = inputSays(t, q, "in.ndjson", linesOf(all), nil)
			for surface, says := range surfaces {
				for i := range all {
					a := &all[i]
					want := byClient[a.host]
					isFollowed := slices.Contains([]int{301, 302, 303, 307, 308}, a.status) ||
						a.status == 300 && policy == fetch.KosterPolicy
					isLost := isFollowed && a.location() != "/moved.txt" && (surface != "lines" || a.location() != "")
					switch {
					case surface == "hosts":
					case surface == "lines" && a.name == "Content-Range":
						continue // lines do not have it
					case a.status == 304:
						want = said{outcome: "revisit"}
					case isFollowed && !isLost:
						want = said{outcome: "redirect"}
					}
					if got := says[a.host]; got != want {
						t.Errorf("%v, %v, %s: %d, %s: %s, %q: %+v, want %+v", policy, notFound, surface, a.status, a.name, a.value, a.body, got, want)
					}
				}
			}
			if policy == fetch.GooglePolicy && !notFound {
				checkObserved(t, all, surfaces["records"], observed)
			}
		}
	}
	t.Logf("%d answers", len(all))
}

// clientSays asks a client.
func clientSays(t *testing.T, config fetch.Config, all []answer) map[string]said {
	t.Helper()
	client, err := fetch.New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	says := map[string]said{}
	for i := range all {
		r, err := client.Robots(t.Context(), "https://"+all[i].host+"/")
		if err != nil {
			t.Fatal(err)
		}
		says[all[i].host] = said{string(r.Outcome), string(r.Body())}
	}
	return says
}

// hostsSay asks an audit of hosts.
func hostsSay(t *testing.T, config fetch.Config, q audit.Questions, all []answer) map[string]said {
	t.Helper()
	client, err := fetch.New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var list strings.Builder
	for i := range all {
		fmt.Fprintln(&list, all[i].host)
	}
	return sourceSays(t, q, audit.Hosts("hosts", func() (io.Reader, func(), error) {
		return strings.NewReader(list.String()), func() {}, nil
	}, client), nil)
}

func recordsOf(all []answer) []byte {
	var out bytes.Buffer
	for i := range all {
		a := &all[i]
		block := fmt.Sprintf("HTTP/1.1 %d X\r\n%s: %s\r\n\r\n%s", a.status, a.name, a.value, a.body)
		fmt.Fprintf(&out, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://%s/robots.txt\r\nWARC-Date: 2026-03-01T00:00:00Z\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", a.host, len(block), block)
	}
	return out.Bytes()
}

func linesOf(all []answer) []byte {
	var out bytes.Buffer
	for i := range all {
		a := &all[i]
		line, _ := json.Marshal(map[string]any{"url": "https://" + a.host + "/robots.txt", "status": a.status, "location": a.location(), "body_base64": []byte(a.body)})
		out.Write(append(line, '\n'))
	}
	return out.Bytes()
}

func inputSays(t *testing.T, q audit.Questions, name string, data []byte,
	observed map[string]history.Observation) map[string]said {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	in, errs := audit.Open([]string{name}, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return sourceSays(t, q, in.Sources[0], observed)
}

// sourceSays asks an audit of a source. It keeps the observations for the history unless observed is nil.
func sourceSays(t *testing.T, q audit.Questions, source audit.Source,
	observed map[string]history.Observation) map[string]said {
	t.Helper()
	parts, err := audit.OpenParts(t.TempDir(), audit.PartsConfig{Bodies: true})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	observe := func(in *audit.Input) error {
		o, ok := past.Observed(in, "audit")
		if ok && observed != nil {
			mu.Lock()
			defer mu.Unlock()
			observed[in.Host] = o
		}
		return nil
	}
	unread, err := audit.Run(t.Context(), []audit.Source{source}, parts, audit.Options{Questions: q, Observe: observe})
	if err != nil || len(unread) > 0 {
		t.Fatal(unread, err)
	}
	bodies := map[string]string{}
	table := filepath.Join(t.TempDir(), "bodies.parquet")
	if err := parts.WriteBodies(table); err != nil {
		t.Fatal(err)
	}
	err = audit.ReadTable(table, func(b *audit.Body) error { bodies[b.Digest] = string(b.Body); return nil })
	if err != nil {
		t.Fatal(err)
	}
	says := map[string]said{}
	err = parts.Files(func(f *audit.File) error {
		switch {
		case f.Problem != nil:
			says[f.Host] = said{outcome: *f.Problem}
		case f.Digest != nil:
			says[f.Host] = said{string(*f.Outcome), bodies[*f.Digest]}
		default:
			says[f.Host] = said{outcome: string(*f.Outcome)}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return says
}

// checkObserved compares the history with the records.
func checkObserved(t *testing.T, all []answer, records map[string]said, observed map[string]history.Observation) {
	t.Helper()
	for i := range all {
		a := &all[i]
		o, ok := observed[a.host]
		got := said{outcome: "allow-all"} // as the history is read
		switch {
		case !ok && a.status == 304:
			got.outcome = "revisit"
		case !ok:
			got.outcome = "redirect"
		case o.Fault != "":
			got.outcome = "disallow-all"
		case o.Body != nil:
			got = said{"rules", string(o.Body)}
		}
		if want := records[a.host]; got != want || ok && o.Status != a.status {
			t.Errorf("history: %d, %s: %s, %q: %+v, want %+v", a.status, a.name, a.value, a.body, got, want)
		}
	}
}
