package fetch

import (
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestReasons makes a client give each reason once.
func TestReasons(t *testing.T) {
	seen := map[Reason]bool{}
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			want Reason
			site oneSite
		}{
			{reasonFile, oneSite{body: theFile}},
			{reasonEmpty, oneSite{}},
			{reasonEmpty, oneSite{status: 204, body: theFile}},
			{reasonMissing, oneSite{status: 404}},
			{ReasonForbidden, oneSite{status: 403}},
			{reasonRedirects, oneSite{status: 302}},
			{reasonUndefined, oneSite{status: 300}},
			{reasonNotFoundPage, oneSite{status: 500, body: "Page not found"}},
			{reasonStatus, oneSite{status: 503}},
			{reasonNetwork, oneSite{err: errDown}},
			{reasonLocal, oneSite{err: dialling(syscall.EMFILE)}},
		} {
			client := newTestClient(t, Config{Network: Network{Transport: &test.site}, NotFoundPage: LooksNotFound})
			for range 2 { // from the network, and from memory
				if r := Expect(t, client, "https://foo.example/", string(test.want)); r.Detail == "" {
					t.Errorf("%v without a detail", test.want)
				}
				seen[test.want] = true
			}
		}
		site := &oneSite{body: theFile}
		client := newTestClient(t, Config{Policy: RFC9309Policy, Network: Network{Transport: site}})
		call := func(want Reason, host string) {
			t.Helper()
			Expect(t, client, "https://"+host+"/", string(want))
			seen[want] = true
		}
		call(reasonFile, "copied.example")
		time.Sleep(25 * hour)
		site.err = errDown
		call(reasonStale, "copied.example")
		call(reasonNetwork, "foo.example")
		for range 31 {
			time.Sleep(day)
			_, _ = client.Robots(t.Context(), "https://foo.example/")
		}
		call(reasonLongOutage, "foo.example")
	})
	Expect(t, newTestClient(t, Config{}), "http://127.0.0.1/", string(ReasonRefused))
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
