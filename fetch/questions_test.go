package fetch_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/test/enginetest"
	"github.com/kosterhq/robotstxt/origin"
)

// TestQuestions: whatever the client answers is the engine's answer to the same question: 20,000, about
// real files if ROBOTSTXT_CORPUS is a folder of them, and the files of the conformance kit.
func TestQuestions(t *testing.T) {
	const most = 20_000
	bodies := questionBodies(t)
	asked := 0
	for turn := range bodies {
		if asked >= most {
			break
		}
		body := bodies[turn*7919%len(bodies)] // in no order of names
		asked += askClient(t, body, turn)
	}
	if asked < most {
		t.Errorf("only %d questions", asked)
	}
	t.Logf("%d questions", asked)
}

// questionBodies returns the files, each once.
func questionBodies(t *testing.T) (bodies [][]byte) {
	t.Helper()
	if folder := os.Getenv("ROBOTSTXT_CORPUS"); folder != "" {
		names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
		if err != nil || len(names) == 0 {
			t.Fatalf("%d files, %v", len(names), err)
		}
		for _, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			bodies = append(bodies, body)
		}
	}
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		bodies = append(bodies, v.Body)
	}
	return bodies
}

// askClient asks a client about a file that a site serves, and returns how many questions it asked.
func askClient(t *testing.T, body []byte, turn int) (asked int) {
	t.Helper()
	client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foo.example)", Network: fetch.Network{Transport: serving(body)}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, agents := range questionAgents(body, turn) {
		reading, ok := crawlers.ReadingOf(agents...)
		if !ok {
			continue // the client refuses it, as TestAgents shows
		}
		rules := reading.Rules(reading.Dialect.Parse(body))
		for _, url := range questionURLs(body, turn) {
			typed := origin.Text("https://shop.example" + url)
			if _, err := http.NewRequest(http.MethodGet, typed.String(), nil); err != nil || strings.Contains(url, "|") {
				continue // net/http cannot send it
			}
			asked++
			want := rules.Explain(typed.Compared())
			got, err := client.Decide(t.Context(), typed.String(), agents...)
			allowed, errAllowed := client.Allowed(t.Context(), typed.String(), agents...)
			isSame := err == nil && errAllowed == nil && got.Allowed == want.Allowed && got.Line == want.Line &&
				got.Agent == want.Agent && got.Dialect == want.Dialect && got.Reason == want.Reason &&
				allowed == want.Allowed && got.Result.Rules(agents...).Allowed(typed.Compared()) == want.Allowed
			if !isSame {
				t.Errorf("%q, %q about\n%q\ngot %+v %v %v %v, want %+v", agents, url, body, got.Decision, allowed, err, errAllowed, want)
			}
		}
	}
	return asked
}

// questionAgents returns crawlers that a file names, and others.
func questionAgents(body []byte, turn int) [][]string {
	others := [][]string{{"*"}, {"GPTBot"}, {"Googlebot-Image"}, {"Amazonbot"}, {"MJ12bot"}, {"Googlebot-News", "Googlebot"}, {"Foo-Bar"}}
	all := [][]string{others[turn%len(others)]}
	for line := range bytes.Lines(body) {
		key, value, _ := bytes.Cut(line, []byte(":"))
		value, _, _ = bytes.Cut(value, []byte("#"))
		name := string(bytes.TrimSpace(value))
		if len(all) < 4 && name != "" && strings.EqualFold(string(bytes.TrimSpace(key)), "user-agent") {
			all = append(all, []string{name})
		}
	}
	return all
}

// questionURLs returns URLs that the rules of a file match, and some that a browser changes.
func questionURLs(body []byte, turn int) (urls []string) {
	for _, path := range enginetest.WitnessURLs(body, 8) {
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
		urls = append(urls, path, path+"?", path+"/../", path+"x?a=/b#c", strings.ToLower(path))
	}
	odd := []string{"/", "", "/robots.txt", "/a/../b", "/%7Ejoe?", "/a b?", "/café", "//x", "/x?y?", `/\a`}
	return append(urls, odd[turn%5:turn%5+3]...)
}

// serving answers each request with a file.
type serving []byte

func (s serving) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: r,
		Body: io.NopCloser(bytes.NewReader(s)), ContentLength: int64(len(s)),
	}, nil
}
