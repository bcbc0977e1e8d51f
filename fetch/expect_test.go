package fetch

import (
	"errors"
	"slices"
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
