package fetch

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestLifetime(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, test := range []struct {
		name    string
		headers []string
		want    time.Duration
		stated  bool
	}{
		{"nothing", nil, 0, false},
		{"max-age", []string{"Cache-Control", "max-age=60"}, time.Minute, true},
		{"quoted", []string{"Cache-Control", `max-age="60"`}, time.Minute, true},
		{"spaces and case", []string{"Cache-Control", " Public ,\tMAX-AGE = 60 "}, time.Minute, true},
		{"zero", []string{"Cache-Control", "max-age=0"}, 0, true},
		{"negative is ignored", []string{"Cache-Control", "max-age=-5"}, 0, false},
		{"fractions are ignored", []string{"Cache-Control", "max-age=1.5"}, 0, false},
		{"too big", []string{"Cache-Control", "max-age=99999999999999999999999"}, mostAge, true},
		{"the first of two", []string{"Cache-Control", "max-age=60, max-age=7"}, time.Minute, true},
		{"the first readable one", []string{"Cache-Control", "max-age=x, max-age=7"}, 7 * time.Second, true},
		{"two headers", []string{"Cache-Control", "public", "Cache-Control", "max-age=7"}, 7 * time.Second, true},
		{"shared before private", []string{"Cache-Control", "max-age=7, s-maxage=60"}, time.Minute, true},
		{"no-store", []string{"Cache-Control", "max-age=60, no-store"}, 0, true},
		{"no-cache", []string{"Cache-Control", "no-cache"}, 0, true},
		{"private is ignored", []string{"Cache-Control", "private, max-age=60"}, time.Minute, true},
		{"a comma in quotes", []string{"Cache-Control", `private="set-cookie, max-age=1", max-age=60`}, time.Minute, true},
		{"an escaped quote", []string{"Cache-Control", `private="\", max-age=1, ", max-age=60`}, time.Minute, true},
		{"an escape at the end", []string{"Cache-Control", `max-age=60, private="\`}, time.Minute, true},
		{"a quote without an end", []string{"Cache-Control", `private="set-cookie, max-age=60`}, time.Minute, true},
		{"only in quotes", []string{"Cache-Control", `private="no-store, max-age=1"`}, 0, false},
		{"similar names", []string{"Cache-Control", "xmax-age=5, max-age5=5"}, 0, false},
		{"Age is subtracted", []string{"Cache-Control", "max-age=60", "Age", "20"}, 40 * time.Second, true},
		{"Age beyond max-age", []string{"Cache-Control", "max-age=60", "Age", "80"}, 0, true},
		{"max-age before Expires", []string{"Cache-Control", "max-age=60", "Expires", date(hour)}, time.Minute, true},
		{"Expires", []string{"Expires", date(hour)}, hour, true},
		{"Expires by the server's clock", []string{"Expires", date(hour), "Date", date(20 * time.Minute)}, 40 * time.Minute, true},
		{"Expires from a cache", []string{"Expires", date(hour), "Date", date(0), "Age", "600"}, 50 * time.Minute, true},
		{"past", []string{"Expires", date(-hour)}, 0, true},
		{"Expires: 0", []string{"Expires", "0"}, 0, true},
		{"Expires in the year 9999", []string{"Expires", "Fri, 31 Dec 9999 23:59:59 GMT"}, mostAge, true},
	} {
		h := http.Header{}
		for i := 0; i < len(test.headers); i += 2 {
			h.Add(test.headers[i], test.headers[i+1])
		}
		if got, stated := lifetime(h, now); got != test.want || stated != test.stated {
			t.Errorf("%s: %v, %v; want %v, %v", test.name, got, stated, test.want, test.stated)
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
		{"99999999999999999999", "", mostAge},
		{date(hour), "", hour},
		{date(hour), date(30 * time.Minute), 30 * time.Minute},
		{date(-hour), "", 0},
		{date(30 * day), "", 30 * day},
		{"Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT", mostAge},
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
		if got < 0 || got > mostAge || !stated && got != 0 {
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
		if wait < 0 || wait > mostAge {
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
