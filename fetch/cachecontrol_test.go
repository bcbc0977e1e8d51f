package fetch

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// TestLifetime: testdata/lifetimes.json is what both this client and the one of the npm package
// read from headers that arrived on 1 November 2026 at 12:00.
func TestLifetime(t *testing.T) {
	text, err := os.ReadFile("testdata/lifetimes.json")
	if err != nil {
		t.Fatal(err)
	}
	var tests []struct {
		Name    string
		Headers []string
		Seconds *int64 // null if the headers state none
	}
	if err := json.Unmarshal(text, &tests); err != nil || len(tests) < 30 {
		t.Fatalf("%d tests, %v", len(tests), err)
	}
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for _, test := range tests {
		h := http.Header{}
		for i := 0; i < len(test.Headers); i += 2 {
			h.Add(test.Headers[i], test.Headers[i+1])
		}
		var want time.Duration
		if test.Seconds != nil {
			want = time.Duration(*test.Seconds) * time.Second
		}
		if got, stated := lifetime(h, now); got != want || stated != (test.Seconds != nil) {
			t.Errorf("%s: %v, %v; want %v", test.Name, got, stated, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, test := range []struct {
		value, date string
		want        time.Duration
	}{
		{"", "", 0},
		{"120", "", 2 * time.Minute},
		{" 120 ", "", 2 * time.Minute},
		{"0", "", 0},
		{"-1", "", 0},
		{"soon", "", 0},
		{"1e3", "", 0},
		{"864000", "", 10 * day},
		{"99999999999999999999", "", maxAge},
		{date(hour), "", hour},
		{date(hour), date(30 * time.Minute), 30 * time.Minute},
		{date(-hour), "", 0},
		{date(30 * day), "", 30 * day},
		{"Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT", maxAge},
	} {
		h := http.Header{"Retry-After": {test.value}}
		if test.date != "" {
			h.Set("Date", test.date)
		}
		if got := RetryAfter(h, now); got != test.want {
			t.Errorf("%q: %v, want %v", test.value, got, test.want)
		}
	}
}

// FuzzCacheControl checks that no header makes a lifetime negative or longer
// than a policy allows.
func FuzzCacheControl(f *testing.F) {
	for _, seed := range [][4]string{
		{"max-age=60, s-maxage=\"7\"", "", "", ""},
		{"\"" + strings.Repeat("\\\"", 9) + ", max-age=1", "", "", ""},
		{"no-cache=\"a,b\",,;=", "Sun, 01 Nov 2026 12:00:00 GMT", "", "12"},
		{"", "Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT", "99999999999999"},
		{"MAX-AGE=1000000000\x00", "0", "0", "-1"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, cacheControl, expires, date, age string) {
		h := http.Header{"Cache-Control": strings.Split(cacheControl, "\n"), "Expires": {expires}, "Date": {date}, "Age": {age}}
		got, stated := lifetime(h, time.Now())
		if got < 0 || got > maxAge || !stated && got != 0 {
			t.Errorf("%v, %v", got, stated)
		}
		for _, p := range Policies() {
			if fresh := p.freshFor(classFile, got, stated); fresh < 5*time.Minute || fresh > 30*day {
				t.Errorf("%v: fresh for %v", p, fresh)
			}
			if fresh := p.freshFor(classUnavailable, got, stated); fresh < 5*time.Minute || fresh > day {
				t.Errorf("%v: no file, and fresh for %v", p, fresh)
			}
		}
	})
}

// FuzzRetryAfter checks that the client retries within a day, whatever the
// header contains.
func FuzzRetryAfter(f *testing.F) {
	f.Add("120", "", 3, 503)
	f.Add("Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT", 1, 429)
	f.Add("-1", "0", 1<<30, 500)
	f.Fuzz(func(t *testing.T, value, date string, tries, status int) {
		wait := RetryAfter(http.Header{"Retry-After": {value}, "Date": {date}}, time.Now())
		if wait < 0 || wait > maxAge {
			t.Errorf("%v", wait)
		}
		if next := backOff(tries, status, wait); next < firstWait*4/5 || next < min(wait, day) || next > day {
			t.Errorf("back off for %v", next)
		}
		if next := backOff(20, status, wait); next < last503*4/5 {
			t.Errorf("back off for %v after 20 faults", next)
		}
	})
}
