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
			{reasonFile, func(*Config) { status, body = 200, theFile }},
			{reasonEmpty, func(*Config) { body = "" }},
			{reasonEmpty, func(*Config) { status = 204 }},
			{reasonMissing, func(*Config) { status = 404 }},
			{ReasonForbidden, func(*Config) { status = 403 }},
			{reasonRedirects, func(*Config) { status = 302 }},
			{reasonUndefined, func(*Config) { status = 300 }},
			{reasonNotFoundPage, func(c *Config) {
				status, body, c.NotFoundPage = 500, "Page not found", LooksNotFound
			}},
			{reasonStatus, func(*Config) { status = 503 }},
			{reasonNetwork, func(*Config) { broken = errDown }},
			{reasonLocal, func(*Config) { broken = dialling(syscall.EMFILE) }},
		} {
			config := Config{Network: Network{Transport: site}}
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
		client := newTestClient(t, Config{Policy: RFC9309Policy, Network: Network{Transport: site}})
		defer client.Close()
		call := func(want Reason, host string) {
			t.Helper()
			r, err := client.Robots(t.Context(), "https://"+host+"/")
			if err != nil || r.Reason != want {
				t.Errorf("%v: %v, %q", err, r.Reason, r.Detail)
			}
			seen[want] = true
		}
		call(reasonFile, "copied.example")
		time.Sleep(25 * hour)
		broken = errDown
		call(reasonStale, "copied.example")
		call(reasonNetwork, "foo.example")
		for range 31 {
			time.Sleep(day)
			_, _ = client.Robots(t.Context(), "https://foo.example/")
		}
		call(reasonLongOutage, "foo.example")
	})
	guarded := newTestClient(t, Config{})
	r, err := guarded.Robots(t.Context(), "http://127.0.0.1/")
	if err != nil || r.Reason != ReasonRefused {
		t.Errorf("%v, %v", err, r.Reason)
	}
	seen[ReasonRefused] = true
	all := []Reason{
		reasonFile, reasonEmpty, reasonMissing, ReasonForbidden, reasonRedirects, reasonNotFoundPage, reasonUndefined,
		reasonStale, reasonStatus, reasonNetwork, reasonLongOutage, ReasonRefused, reasonLocal,
	}
	if len(seen) != len(all) {
		t.Errorf("%d reasons, %d of them different", len(all), len(seen))
	}
	for _, reason := range all {
		if !seen[reason] {
			t.Errorf("no case for %v", reason)
		}
		if strings.Trim(string(reason), "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("%q", reason)
		}
	}
}
