package fetch

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestReasons makes a client give each reason once.
func TestReasons(t *testing.T) {
	seen := map[Reason]bool{}
	status, body := 200, theFile
	var broken error
	site := roundTrip(func(r *http.Request) (*http.Response, error) {
		if broken != nil {
			return nil, broken
		}
		return respond(r, status, body), nil
	})
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			want    Reason
			prepare func(*Config)
		}{
			{ReasonFile, func(*Config) { status, body = 200, theFile }},
			{ReasonEmpty, func(*Config) { body = "" }},
			{ReasonEmpty, func(*Config) { status = 204 }},
			{ReasonMissing, func(*Config) { status = 404 }},
			{ReasonForbidden, func(*Config) { status = 403 }},
			{ReasonRedirects, func(*Config) { status = 302 }},
			{ReasonUndefined, func(*Config) { status = 300 }},
			{ReasonNotFoundPage, func(c *Config) {
				status, body, c.NotFoundPage = 500, "Page not found", LooksNotFound
			}},
			{ReasonStatus, func(*Config) { status = 503 }},
			{ReasonNetwork, func(*Config) { broken = errDown }},
			{ReasonLocal, func(*Config) { broken = dialling(syscall.EMFILE) }},
		} {
			config := Config{Transport: site}
			test.prepare(&config)
			client := newTestClient(t, config)
			for range 2 { // from the network, and from memory
				r, err := client.Robots(t.Context(), "https://foo.example/")
				if err != nil || r.Reason != test.want || r.Detail == "" {
					t.Errorf("%v: %v, %v, %q", test.want, err, r.Reason, r.Detail)
				}
				seen[r.Reason] = true
			}
			client.Close()
		}
		broken, status, body = nil, 200, theFile
		client := newTestClient(t, Config{Policy: RFC9309Policy, Transport: site})
		defer client.Close()
		call := func(want Reason, host string) {
			t.Helper()
			r, err := client.Robots(t.Context(), "https://"+host+"/")
			if err != nil || r.Reason != want {
				t.Errorf("%v: %v, %q", err, r.Reason, r.Detail)
			}
			seen[want] = true
		}
		call(ReasonFile, "copied.example")
		time.Sleep(25 * hour)
		broken = errDown
		call(ReasonStale, "copied.example")
		call(ReasonNetwork, "foo.example")
		for range 31 {
			time.Sleep(day)
			_, _ = client.Robots(t.Context(), "https://foo.example/")
		}
		call(ReasonLongOutage, "foo.example")
	})
	guarded := newTestClient(t, Config{})
	r, err := guarded.Robots(t.Context(), "http://127.0.0.1/")
	if err != nil || r.Reason != ReasonRefused {
		t.Errorf("%v, %v", err, r.Reason)
	}
	seen[ReasonRefused] = true
	names := map[string]bool{}
	for _, reason := range Reasons() {
		if !seen[reason] {
			t.Errorf("no case for %v", reason)
		}
		if text, err := reason.MarshalText(); err != nil || names[reason.String()] || string(text) != reason.String() || strings.Trim(reason.String(), "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("%q", reason)
		}
		names[reason.String()] = true
	}
}
