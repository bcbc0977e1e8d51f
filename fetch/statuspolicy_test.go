package fetch

import (
	"errors"
	"flag"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var update = flag.Bool("update", false, "write docs/policies.md and the other copies of the policies")

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

// TestStatusCells fetches from a site with each status under each policy.
// robots.txt answers with the status and a Location that leads to a file.
func TestStatusCells(t *testing.T) {
	cells := 0
	for _, p := range Policies() {
		for status := 100; status <= 999; status++ {
			client := newTestClient(t,
				Config{Policy: p, Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					if r.URL.Path == "/robots.txt" {
						return respond(r, status, theFile, "Location", "/moved.txt"), nil
					}
					return respond(r, 200, theFile), nil
				})}})
			r := Expect(t, client, "https://foo.example/")
			want := wordsOnStatus(p, status)
			if r.Outcome != want {
				t.Errorf("%v, %d: %v, want %v", p, status, r.Outcome, want)
			}
			if assumed := r.Source == SourceAssumed; assumed != isFailure(p, status) || (r.Err != nil) != assumed {
				t.Errorf("%v, %d: source %v, error %v", p, status, r.Source, r.Err)
			}
			private, _ := client.Allowed(t.Context(), "https://foo.example/private/x")
			public, _ := client.Allowed(t.Context(), "https://foo.example/public")
			if empty := status == 204 || status == 205; private != (want == OutcomeAllowAll || empty) ||
				public != (want != OutcomeDisallowAll) {
				t.Errorf("%v, %d: private %v, public %v", p, status, private, public)
			}
			// Without a target, the table says the same about the status alone.
			wanted := want
			if p.follows(status) {
				wanted = ""
			}
			alone := p.Meaning(Response{Status: status, Body: []byte(theFile)})
			if alone.Outcome != wanted || alone.Next != "" {
				t.Errorf("%v, %d: alone it means %+v, want %v", p, status, alone, wanted)
			}
			if !strings.Contains(r.Detail, "status") {
				t.Errorf("%v, %d: reason %q", p, status, r.Detail)
			}
			client.Close()
			cells++
		}
	}
	t.Logf("%d cells", cells)
}

// TestOutageCells makes sites unreachable for exactly the limits of each
// period, and one second more and less: with a copy, without one, and after a
// 404, which is not a copy; and with SiteAnswers that returns true, false, or
// is nil.
func TestOutageCells(t *testing.T) {
	ages := []time.Duration{0, time.Second}
	for _, rung := range []time.Duration{12 * hour, 30 * 24 * hour} {
		ages = append(ages, rung-time.Second, rung, rung+time.Second)
	}
	ages = append(ages, 40*24*hour, 400*24*hour)
	cells := 0
	for _, p := range Policies() {
		for _, age := range ages {
			for _, before := range []int{0, 200, 404} { // 0: never reached
				for _, hook := range []string{"none", "yes", "no"} {
					synctest.Test(t, func(t *testing.T) { outageCell(t, p, age, before, hook) })
					cells++
				}
			}
		}
	}
	t.Logf("%d cells", cells)
}

func outageCell(t *testing.T, p Policy, age time.Duration, before int, hook string) {
	site := &oneSite{status: before, body: theFile}
	config := Config{Policy: p, Network: Network{Transport: site}}
	if hook != "none" {
		config.Freshness.SiteAnswers = hookOf(hook == "yes")
	}
	client := newTestClient(t, config)
	if before != 0 {
		Expect(t, client, "https://foo.example/")
		time.Sleep(8 * 24 * hour) // all have expired by then
	}
	site.status = 500
	began := time.Now()
	Expect(t, client, "https://foo.example/")
	const apart = 47 * hour // tries that keep the outage one
	for rest := age; rest > 0; rest -= apart {
		Expect(t, client, "https://foo.example/")
		time.Sleep(min(rest, apart))
	}
	r := Expect(t, client, "https://foo.example/")
	outcome, source := wordsOnOutage(p, age, before == 200, false, hook == "yes")
	if r.Outcome != outcome || r.Source != source || !r.FailingSince.Equal(began) || r.Err == nil ||
		!r.FreshUntil.IsZero() {
		t.Errorf("%v, %v after the first fault, %d before, hook %s: %v, %v, want %v, %v: %+v", p, age, before, hook, r.Outcome, r.Source, outcome, source, r)
	}
}

// TestFTPCells checks that the table and the code agree on FTP replies.
func TestFTPCells(t *testing.T) {
	for code := 100; code <= 999; code++ {
		want := classUnreachable
		switch code {
		case 550:
			want = classUnavailable
		case 530, 332:
			want = classForbidden
		}
		session := &ftpSession{control: &controlConn{code: code, command: "RETR"}}
		a := session.refused(attempt{}, errors.New("x"))
		if a.Class != want || (a.err == nil) != (want != classUnreachable) {
			t.Errorf("%d: %+v, want %d", code, a, want)
		}
		if table := classIn(ftpStatuses, code); table != want && table != classFile {
			t.Errorf("%d is %d in the table", code, table)
		}
	}
}

// TestStatusesHaveNoGaps checks that each code from 100 to 999 is in exactly
// one row, in order.
func TestStatusesHaveNoGaps(t *testing.T) {
	next := 100
	for _, r := range statuses {
		if r.first != next || r.last < r.first {
			t.Errorf("%d–%d where %d is next", r.first, r.last, next)
		}
		next = r.last + 1
	}
	if next != 1000 {
		t.Errorf("the last is %d", next-1)
	}
	for _, status := range []int{-1, 0, 99, 1000} {
		if classOf(status) != classUnreachable {
			t.Errorf("%d is %v", status, classOf(status))
		}
	}
}

func TestPolicyNames(t *testing.T) {
	for _, p := range Policies() {
		text, err := p.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back Policy = 9
		if err := back.UnmarshalText([]byte(strings.ToUpper(string(text)))); err != nil || back != p {
			t.Errorf("%s: %v, %v", text, back, err)
		}
	}
	p := RFC9309Policy
	if err := p.UnmarshalText([]byte("bing")); err == nil || p != RFC9309Policy || !strings.Contains(err.Error(), "google-ladder") {
		t.Error(p, err)
	}
	if Policy(200).String() != "google" {
		t.Error(Policy(200))
	}
}
