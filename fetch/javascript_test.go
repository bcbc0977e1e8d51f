package fetch_test

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
)

type siteQuestion struct {
	URL           string         `json:"url"`
	Options       map[string]any `json:"options"`
	NotFoundPages bool           `json:"notFoundPages"`
}

// TestJavaScriptClient lets the client of the npm package and this one fetch from the sites
// with faults. The runtime makes the requests of the former, so a few faults are hidden from
// it: otherResults lists them.
func TestJavaScriptClient(t *testing.T) {
	npm := os.Getenv("ROBOTSTXT_NPM")
	if npm == "" {
		t.Skip("set ROBOTSTXT_NPM to the folder npm, once it is built")
	}
	var names, wants []string
	var questions bytes.Buffer
	out := json.NewEncoder(&questions)
	for group, faults := range httpFaults() {
		for _, f := range faults {
			q, want, ok := f.javaScript(t)
			if !ok {
				continue
			}
			names, wants = append(names, group+"/"+f.name), append(wants, want)
			if err := out.Encode(q); err != nil {
				t.Fatal(err)
			}
		}
	}
	roots := filepath.Join(t.TempDir(), "roots.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: testAuthority().cert.Raw})
	if err := os.WriteFile(roots, certificate, 0o644); err != nil {
		t.Fatal(err)
	}
	script := exec.Command("node", "test/faults.mjs")
	script.Dir, script.Stdin, script.Stderr = npm, &questions, os.Stderr
	script.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+roots)
	text, err := script.Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []struct{ Result, Why string }
	if err := json.Unmarshal(text, &found); err != nil || len(found) != len(names) {
		t.Fatalf("%v: %d results for %d sites", err, len(found), len(names))
	}
	for i, name := range names {
		want := wants[i]
		if other, ok := otherResults[name]; ok {
			want = other
		}
		if found[i].Result != want {
			t.Errorf("%s: JavaScript found %q (%s), want %q", name, found[i].Result, found[i].Why, want)
		}
	}
	t.Logf("%d faults, %d of them with another result", len(names), len(otherResults))
}

// javaScript returns the question about a fault, and what this client finds. It is not ok
// for what the other one does not have: a guard, a timeout of TLS alone, and a limit of
// interim responses, which only its timeout ends. Whether Node takes zeros after a gzip
// stream for an error depends on how many of them it reads together with the stream's end.
func (f fault) javaScript(t *testing.T) (q siteQuestion, want string, ok bool) {
	switch f.name {
	case "200,000 interim responses", "gzip, 100 KB of zeros after it", "gzip, transfer cut after zeros", "gzip, zeros without end after it":
		return q, "", false
	}
	config := f.clientConfig(12 * patience)
	limits := &config.Limits
	for _, timeout := range []*time.Duration{&limits.Timeout, &limits.FirstByteTimeout, &limits.TLSTimeout} {
		*timeout *= 4 // enough for a busy machine, as there is one try
	}
	if !config.Network.AllowPrivate || limits.TLSTimeout > 0 {
		return q, "", false
	}
	r := fetch.Expect(t, newGuarded(t, config), f.serve(t))
	q = siteQuestion{URL: f.serve(t), NotFoundPages: config.NotFoundPage != nil}
	slow := int64(2) // so many times: Node asks many sites at once
	if limits.Timeout >= 4*partPatience {
		slow = 8
	}
	q.Options = map[string]any{"policy": config.Policy.String(), "timeout": slow * limits.Timeout.Milliseconds()}
	if limits.FirstByteTimeout > 0 {
		q.Options["firstByteTimeout"] = 2 * limits.FirstByteTimeout.Milliseconds()
	}
	if limits.MaxRedirects > 0 {
		q.Options["maxRedirects"] = limits.MaxRedirects
	}
	return q, siteFound(r), true
}

// siteFound formats a result as faults.mjs does.
func siteFound(r *fetch.Result) string {
	s := fmt.Sprintf("%v %v %d", r.Outcome, r.Source, r.Status)
	if r.Outcome == fetch.OutcomeRules {
		s += map[bool]string{true: " open", false: " closed"}[r.Rules("*").Allowed("/private")]
		if r.Truncated {
			s += " truncated"
		}
	}
	if n := len(r.Hops); n > 0 {
		s += fmt.Sprintf(" after %d", n)
	}
	if r.Err != nil {
		if fetch.FaultKind(r.Err) == "status" {
			return s + ": status"
		}
		s += ": no response" // which of the limits ends a bad one depends on the machine
	}
	return s
}

const (
	open, closed = "rules network 200 open", "rules network 200 closed"
	noResponse   = "disallow-all assumed 0: no response"
	notWhole     = "disallow-all assumed 200: no response"
)

// otherResults are the results that differ because of the runtime, fetch of Node: it is
// stricter, it does not report an incomplete gzip or the reset of a transfer without a
// length, and it leaves a gzip alone if Content-Encoding says more than that.
var otherResults = map[string]string{
	"framing/Content-Length twice, alike": noResponse,
	"framing/status line HTTP/9.9":        noResponse,
	"status and body/101":                 noResponse,
	"status and body/000":                 noResponse,
	"encoding/gzip, garbage after it":     notWhole,

	"connection/reset of a close-delimited body":         closed,
	"TLS/reset within the body":                          closed,
	"encoding/gzip truncated":                            open,
	"encoding/gzip, a member cut in its header after it": closed,
	"encoding/gzip, transfer reset after it":             closed,

	"encoding/identity, gzip": notWhole,
	"encoding/gzip, utf-8":    notWhole,
	"encoding/two headers":    notWhole,
}
