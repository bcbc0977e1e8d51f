package enginetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/conformance"
)

// TestConformance runs the vectors through every function that gives a verdict.
func TestConformance(t *testing.T) {
	t.Parallel()
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	engine := func(dialect string, body []byte, agents []string, url string) (bool, int) {
		var d robotstxt.Dialect
		if err := d.UnmarshalText([]byte(dialect)); err != nil {
			t.Fatal(err)
		}
		checkDecision(t, d, d.Parse(body), body, agents, url)
		decision := d.Parse(body).Rules(agents...).Explain(url)
		return decision.Allowed, decision.Line
	}
	for _, failure := range conformance.Run(engine, vectors) {
		t.Error(failure)
	}
}

// TestDelays asks the delay cases.
func TestDelays(t *testing.T) {
	cases, err := conformance.DelayCases()
	if err != nil {
		t.Fatal(err)
	}
	for _, failure := range conformance.RunDelays(func(dialect string, body []byte, agents []string) (time.Duration,
		bool) {
		var d robotstxt.Dialect
		if err := d.UnmarshalText([]byte(dialect)); err != nil {
			t.Fatal(err)
		}
		return d.Parse(body).Rules(agents...).CrawlDelay()
	}, cases) {
		t.Error(failure)
	}
}

// TestSpecTest runs the public checks of google/robotstxt-spec-test, from the
// folder that ROBOTSTXT_SPECTEST names, and skips without it.
func TestSpecTest(t *testing.T) {
	folder := os.Getenv("ROBOTSTXT_SPECTEST")
	if folder == "" {
		t.Skip("ROBOTSTXT_SPECTEST is not set: want a folder of textproto checks")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.textproto"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no */*.textproto in ROBOTSTXT_SPECTEST=%s (%v)", folder, err)
	}
	checks, passed := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var body, url, agent string
		for _, field := range textprotoField.FindAllStringSubmatch(string(text), -1) {
			if field[1] == "" {
				continue // a comment
			}
			value, err := textprotoValue(field[2])
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			switch field[1] {
			case "robotstxt":
				body = value
			case "testurl":
				url = value
			case "useragent":
				agent = value
			case "expected_outcome":
				checks++
				allowed := robotstxt.Parse([]byte(body)).Rules(agent).Allowed(url)
				checkDecision(t, robotstxt.Google, robotstxt.Parse([]byte(body)), []byte(body), []string{agent}, url)
				if allowed != (value == "ALLOWED") {
					t.Errorf("%s: %q %q: allowed %v, want %s\n%s", filepath.Base(file), agent, url, allowed, value, body)
					continue
				}
				passed++
			}
		}
	}
	t.Logf("%d of %d checks passed", passed, checks)
	if checks < 400 {
		t.Errorf("only %d checks found, want 400", checks)
	}
}

// textprotoField is a scalar field of a message in text format, whatever it is nested in: a word, or
// strings that are joined.
var textprotoField = regexp.MustCompile(`(\w+)\s*:\s*(\w+|(?:"(?:[^"\\]|\\.)*"\s*)+)|#.*`)

// textprotoStrings are such strings. Go's have the same escapes, except for the single quote.
var textprotoStrings = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

func textprotoValue(value string) (joined string, err error) {
	if value[0] != '"' {
		return value, nil
	}
	for _, quoted := range textprotoStrings.FindAllString(value, -1) {
		text, err := strconv.Unquote(strings.ReplaceAll(quoted, `\'`, "'"))
		if err != nil {
			return "", fmt.Errorf("%s: %w", quoted, err)
		}
		joined += text
	}
	return joined, nil
}
