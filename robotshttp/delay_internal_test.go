package robotshttp

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestParseRequestRate(t *testing.T) {
	const allDay = 0
	for _, test := range []struct {
		value    string
		interval time.Duration // -1: invalid
		from, to int
	}{
		{"1/10s", 10 * time.Second, allDay, allDay},
		{"1/10", 10 * time.Second, allDay, allDay},
		{"1/10S", 10 * time.Second, allDay, allDay},
		{"3/2m", 40 * time.Second, allDay, allDay},
		{"100/24h", 864 * time.Second, allDay, allDay},
		{"007/0007s", time.Second, allDay, allDay},
		{"3/1s", time.Second / 3, allDay, allDay},
		{"5/0s", 0, allDay, allDay},
		{"0/5s", longest, allDay, allDay},
		{"1/99999999999999999999h", longest, allDay, allDay},
		{"99999999999999999999/1s", 0, allDay, allDay},
		{"1/10s 1800-1900", 10 * time.Second, 1080, 1140},
		{"1/10s\t 1800-1900", 10 * time.Second, 1080, 1140},
		{"1/10 2230-0600", 10 * time.Second, 1350, 360},
		{"1/10s 0000-2400", 10 * time.Second, 0, 1440},
		{"1/10s 1800-1860", 10 * time.Second, allDay, allDay},
		{"1/10s 2401-0100", 10 * time.Second, allDay, allDay},
		{"1/10s 18-19", 10 * time.Second, allDay, allDay},
		{"1/10s 1800 - 1900", 10 * time.Second, allDay, allDay},
		{"1/10s at night", 10 * time.Second, allDay, allDay},
		{"0/0", -1, 0, 0},
		{"", -1, 0, 0},
		{"10", -1, 0, 0},
		{"/", -1, 0, 0},
		{"1/", -1, 0, 0},
		{"1/s", -1, 0, 0},
		{"/10s", -1, 0, 0},
		{"-1/10s", -1, 0, 0},
		{"1/1.5s", -1, 0, 0},
		{"1/10d", -1, 0, 0},
		{"1/10ss", -1, 0, 0},
		{"1 / 10s", -1, 0, 0},
		{"1/1/1", -1, 0, 0},
		{"١/١٠", -1, 0, 0},
	} {
		r, ok := parseRequestRate(test.value)
		want := requestRate{test.interval, window{test.from, test.to}}
		if ok != (test.interval >= 0) || ok && r != want {
			t.Errorf("%q: got %+v, %v; want %+v", test.value, r, ok, want)
		}
	}
}

func TestWindow(t *testing.T) {
	for _, test := range []struct {
		window, in, out string
	}{
		{"1800-1900", "18:00 18:30 18:59", "17:59 19:00 00:00"},
		{"2200-0600", "22:00 23:59 00:00 05:59", "06:00 21:59 12:00"},
		{"0000-2400", "00:00 23:59", ""},
		{"2400-0100", "00:00 00:59", "01:00 23:59"},
		{"0500-0500", "00:00 05:00 23:59", ""},
	} {
		w := parseWindow(test.window)
		for _, clock := range strings.Fields(test.in + " " + test.out) {
			// Another time zone must not matter.
			at, err := time.Parse("15:04", clock)
			if err != nil {
				t.Fatal(err)
			}
			at = at.In(time.FixedZone("", 5*3600+1800))
			if got, want := w.contains(at), strings.Contains(test.in, clock); got != want {
				t.Errorf("%s contains %s: %v, want %v", test.window, clock, got, want)
			}
		}
	}
}

// FuzzParseRequestRate compares with a slow and simple parser.
func FuzzParseRequestRate(f *testing.F) {
	for _, seed := range []string{"1/10s 1800-1900", "1/10", "30/1m", "100/24H 2300-0059", "0/0", "0/1", "1/99999999999999999999h", "1/10s x", "1 /1"} {
		f.Add(seed)
	}
	form := regexp.MustCompile(`^([0-9]+)/([0-9]+)([smhSMH]?)(?:[ \t]([\s\S]*))?$`)
	window := regexp.MustCompile(`^([01][0-9]|2[0-3])([0-5][0-9])-([01][0-9]|2[0-3])([0-5][0-9])$`)
	seconds := map[string]int64{"": 1, "s": 1, "m": 60, "h": 3600}
	f.Fuzz(func(t *testing.T, value string) {
		r, ok := parseRequestRate(value)
		m := form.FindStringSubmatch(value)
		var n, period big.Int
		if m != nil {
			n.SetString(m[1], 10)
			period.SetString(m[2], 10)
		}
		if want := m != nil && (n.Sign() > 0 || period.Sign() > 0); ok != want {
			t.Fatalf("%q valid: %v, want %v", value, ok, want)
		}
		if !ok {
			return
		}
		// Numbers beyond 64 bits become the largest one: inexact, but above any
		// limit.
		if n.IsUint64() && period.IsUint64() {
			want := big.NewInt(int64(longest))
			if n.Sign() > 0 {
				period.Mul(&period, big.NewInt(seconds[strings.ToLower(m[3])]*int64(time.Second)))
				if period.Quo(&period, &n).Cmp(want) < 0 {
					want = &period
				}
			}
			// If the product overflows 64 bits, the quotient may be the longest
			// interval.
			if int64(r.interval) != want.Int64() && r.interval != longest {
				t.Fatalf("%q: interval %v, want %v", value, r.interval, want)
			}
		}
		if w := window.FindStringSubmatch(strings.TrimSpace(m[4])); w != nil {
			if got := fmt.Sprintf("%02d%02d-%02d%02d", r.window.from/60, r.window.from%60, r.window.to/60,
				r.window.to%60); got != strings.TrimSpace(m[4]) {
				t.Fatalf("%q: window %s", value, got)
			}
		}
		r.at(time.Now())
	})
}
