package fetch

import (
	"errors"
	"regexp"
	"slices"
	"sync"
	"testing"
)

// Expect calls a client for a URL, and checks that the words describe the result: its
// outcome, source or reason, or the kind of its fault. The result is never nil.
func Expect(t testing.TB, c *Client, url string, words ...string) *Result {
	t.Helper()
	r, err := c.Robots(t.Context(), url)
	if err != nil {
		t.Errorf("%s: %v", url, err)
		return &Result{}
	}
	fault := new(FaultError)
	errors.As(r.Err, &fault)
	CheckWords(t, r.Detail, fault.Text)
	for _, word := range words {
		if !slices.Contains([]string{string(r.Outcome), string(r.Source), string(r.Reason), fault.Kind}, word) {
			t.Errorf("%s: %v, %v, %v, fault %q, want %v: %+v", url, r.Outcome, r.Source, r.Reason, fault.Kind, words, r)
		}
	}
	return r
}

// ExpectAllowed checks whether a client allows a URL.
func ExpectAllowed(t testing.TB, c *Client, url string, want bool) {
	t.Helper()
	if allowed, err := c.Allowed(t.Context(), url); allowed != want || err != nil {
		t.Errorf("%s: allowed %v, %v, want %v", url, allowed, err, want)
	}
}

// goWords are words of Go and its libraries that mean nothing to somebody who asks about a site.
var goWords = regexp.MustCompile(`\b(panic|runtime error|slice bounds|index out of range|nil pointer|goroutine|interface conversion)\b` +
	`|\b(dial|read|write|proxyconnect|socks connect) tcp|\b(tls|x509|http|flate): |gzip: invalid|\bmalformed\b|i/o timeout|reset by peer|^lookup ` +
	`|%!|<nil>|\.go:\d|\b0xc?0{2}|\b[a-z0-9]+\.[A-Z]\w+|net/http|\b(un)?expected EOF\b|\bEOF\b|context (canceled|deadline)|closed network`)

// plainWords has the reasons without words of Go: most of them come thousands of times.
var plainWords sync.Map

// CheckWords checks that no reason contains words of Go.
func CheckWords(t testing.TB, reasons ...string) {
	t.Helper()
	for _, reason := range reasons {
		if _, isPlain := plainWords.Load(reason); isPlain {
			continue
		}
		if found := goWords.FindString(reason); found != "" {
			t.Errorf("the reason %q contains %q", reason, found)
			continue
		}
		plainWords.Store(reason, true)
	}
}
