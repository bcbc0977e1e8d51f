package fetch_test

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
)

// pythonQuestion is a line of tests/faults.py, with the answers of this client.
type pythonQuestion struct {
	name    string
	want    string
	verdict map[string]string // by policy
	URL     string            `json:"url"`
	Options map[string]any    `json:"options"`
	Endless bool              `json:"endless"` // the site sends as much as is read
}

// TestPythonClient lets the client of the Python package and this one fetch from the sites with
// faults, with each library that the former can use, and with the drop-in under each policy and
// without one. Each ends within its timeout. The libraries make the requests, so a few faults are
// hidden: pythonResults lists them.
func TestPythonClient(t *testing.T) {
	python := os.Getenv("ROBOTSTXT_PYTHON")
	if python == "" {
		t.Skip("set ROBOTSTXT_PYTHON to a Python that has requests, httpx and aiohttp")
	}
	var questions []pythonQuestion
	var lines bytes.Buffer
	for group, faults := range httpFaults() {
		for _, f := range faults {
			if q, ok := f.python(t, group); ok {
				questions = append(questions, q)
				if err := json.NewEncoder(&lines).Encode(q); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	roots := filepath.Join(t.TempDir(), "roots.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: testAuthority().cert.Raw})
	if err := os.WriteFile(roots, certificate, 0o644); err != nil {
		t.Fatal(err)
	}
	script := exec.CommandContext(t.Context(), python, "tests/faults.py")
	script.Dir, script.Stdin, script.Stderr = "../python", &lines, os.Stderr
	script.Env = append(os.Environ(), "PYTHONPATH=src:tests", "PYTHONDONTWRITEBYTECODE=1", "SSL_CERT_FILE="+roots,
		"REQUESTS_CA_BUNDLE="+roots)
	text, err := script.Output()
	if err != nil {
		t.Fatal(err)
	}
	var found map[string][]struct {
		Result, Why string
		Took        float64
	}
	if err := json.Unmarshal(text, &found); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	count := 0
	for _, library := range slices.Sorted(maps.Keys(found)) {
		for i, q := range questions {
			got := found[library][i]
			if !q.agrees(library, got.Result) {
				t.Errorf("%s: %s: found %q (%s), want %q %v", library, q.name, got.Result, got.Why, q.want, q.verdict)
			}
			if most := q.Options["timeout"].(float64) + 30; got.Took > most && library != "robotparser" { // some sites have no end
				t.Errorf("%s: %s: it took %.1f seconds, want at most %.1f", library, q.name, got.Took, most)
			}
			count++
		}
	}
	t.Logf("%d faults, %d answers", len(questions), count)
}

// python returns the question about a fault, with what this client finds. It is not ok for what
// the package does not have: a guard, a hook, and a timeout of TLS or of the first byte alone.
func (f fault) python(t *testing.T, group string) (q pythonQuestion, ok bool) {
	known, want, ok := f.javaScript(t)
	if !ok || known.NotFoundPages || known.Options["firstByteTimeout"] != nil {
		return q, false
	}
	q = pythonQuestion{name: group + "/" + f.name, want: want, verdict: map[string]string{}, URL: known.URL}
	for _, word := range []string{"endless", "without end", "for ever"} {
		q.Endless = q.Endless || strings.Contains(f.name, word)
	}
	q.Options = map[string]any{"policy": known.Options["policy"], "timeout": float64(known.Options["timeout"].(int64)) / 1000}
	if most, ok := known.Options["maxRedirects"]; ok {
		q.Options["max_redirects"] = most
		return q, true // which the drop-in cannot be told
	}
	for _, policy := range fetch.Policies() {
		config := f.clientConfig(48 * patience)
		config.Policy = policy
		config.Limits.Timeout *= 4
		r := fetch.Expect(t, newGuarded(t, config), q.URL)
		q.verdict[policy.String()] = "closed"
		if r.Outcome == fetch.OutcomeAllowAll || r.Outcome == fetch.OutcomeRules && r.Rules("*").Allowed("/private") {
			q.verdict[policy.String()] = "open"
		}
	}
	return q, true
}

// agrees reports whether a library may have a result.
func (q pythonQuestion) agrees(library, result string) bool {
	for _, other := range pythonResults {
		isListed := slices.Contains(strings.Fields(other.libraries), library)
		if isListed && other.fault == q.name && other.result == result {
			return true
		}
	}
	drop, policy, ok := strings.Cut(library, ":")
	switch {
	case ok && len(q.verdict) > 0:
		return result == q.verdict[policy] || drop == "robotparser" && q.agrees(drop, result)
	case ok:
		return result == "open" || result == "closed"
	case library == "robotparser":
		// A file that is not UTF-8 is an error only there, as docs/python.md says.
		return !strings.Contains(result, "the standard library") || strings.HasSuffix(result, ", the standard library UnicodeDecodeError")
	}
	return result == q.want
}

const early = "disallow-all assumed 103: status"

// pythonResults are what libraries may find instead: docs/python.md says which faults they hide
// and which responses they refuse.
var pythonResults = []struct{ libraries, fault, result string }{
	{"urllib requests", "framing/endless trailer", open},
	{"robotparser", "framing/endless trailer", "open"},
	{"urllib requests", "framing/header line without colon", closed},
	{"urllib requests", "framing/interim responses for ever", early},
	{"urllib requests", "framing/few interim responses", early},
	{"urllib requests aiohttp", "framing/status line HTTP/9.9", noResponse},
	{"urllib requests httpx httpx.async", "status and body/000", noResponse},
	{"urllib requests httpx httpx.async aiohttp", "TLS/reset within the body", closed},
	{"urllib requests aiohttp", `redirect/Location "/b\x01"`, closed + " after 1"},
	{"urllib requests aiohttp", `redirect/Location "/b\x7f"`, closed + " after 1"},
	{"robotparser", "framing/chunk size too large", "IncompleteRead, the standard library OverflowError"},

	{"aiohttp", "connection/reset of a close-delimited body", closed},
	{"aiohttp", "encoding/gzip, transfer reset after it", closed},
	{"aiohttp", "framing/Content-Length too small", noResponse},
	{"aiohttp", "framing/Content-Length twice, alike", noResponse},
	{"aiohttp", "framing/chunk size no number", noResponse},
	{"aiohttp", "framing/chunk size too large", noResponse},
	{"aiohttp", "framing/endless trailer", noResponse},

	{"httpx httpx.async", "status and body/101", noResponse},
	{"httpx httpx.async", `redirect/Location "http:b"`, noResponse},
	{"httpx httpx.async", `redirect/Location "http:\\\\HOST\\b"`, noResponse},
	{"httpx httpx.async", `redirect/Location "http://[::1"`, noResponse},
	{"httpx httpx.async", `redirect/Location "http://h:x/"`, noResponse},
	{"httpx httpx.async", `redirect/Location "data:text/plain,Disallow:/"`, noResponse},
	{"httpx httpx.async", `redirect/Location "mailto:a@b"`, noResponse},
	{"httpx httpx.async", `redirect/Location "javascript:alert(1)"`, noResponse},
}
