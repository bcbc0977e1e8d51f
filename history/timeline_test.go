package history_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/history"
)

const day = 24 * time.Hour

// inUse returns the kinds of the versions in use at a time after epoch, with "?" if a part is unknown.
func inUse(t testing.TB, s *history.Store, at, clientCache time.Duration) (kinds string) {
	t.Helper()
	h, err := s.InUse(t.Context(), site, epoch.Add(at), clientCache)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range h.Versions {
		kinds += fmt.Sprint(kindOf(t, s, *v))
	}
	if h.Unknown {
		kinds += "?"
	}
	return kinds
}

// TestInUse has a site that is watched each six hours, and changes its file after ten days.
func TestInUse(t *testing.T) {
	for name, test := range map[string]struct {
		cfg         history.Config
		cache       string
		other       [2]string // a header
		clientCache time.Duration
		use         time.Duration // after the first observation of the new file
	}{
		"defaults":      {use: 2 * day},
		"site cache":    {cfg: history.Config{SiteCache: 3 * day}, use: 4 * day},
		"short cache":   {cfg: history.Config{SiteCache: time.Hour}, cache: "max-age=60", use: 2 * day},
		"max-age":       {cache: "public, max-age=172800", use: 3 * day},
		"s-maxage":      {cache: "max-age=60, s-maxage=172800, stale-if-error=86400", use: 4 * day},
		"without bound": {cache: "max-age=31536000", use: 31 * day},
		"Expires":       {cache: "max-age=60", other: [2]string{"Expires", "Mon, 01 Jan 2080 00:00:00 GMT"}, use: 31 * day},
		"a long number": {cache: "max-age=99999999999999999999", use: 31 * day},
		"a CDN's":       {cache: "no-store", other: [2]string{"CDN-Cache-Control", "Max-Age=172800"}, use: 3 * day},
		"LiteSpeed's":   {other: [2]string{"X-LiteSpeed-Cache-Control", "public,max-age=172800"}, use: 3 * day},
		"surrogates'":   {other: [2]string{"Surrogate-Control", `content="ESI/1.0", max-age=86400+86400;akamai`}, use: 3 * day},
		"Akamai's":      {other: [2]string{"Edge-Control", "!no-store, cache-maxage=2d"}, use: 3 * day},
		"nginx's":       {cache: "max-age=60", other: [2]string{"X-Accel-Expires", "172800"}, use: 3 * day},
		"an instant":    {other: [2]string{"X-Accel-Expires", "@" + strconv.FormatInt(epoch.Add(200*day).Unix(), 10)}, use: 31 * day},
		"off":           {other: [2]string{"X-Accel-Expires", "off"}, use: 2 * day},
		"many sums":     {other: [2]string{"Surrogate-Control", "max-age=9d" + strings.Repeat("+9999999999d", 9999)}, use: 31 * day},
		"clientCache":   {clientCache: 30 * day, use: 31 * day},
	} {
		s := open(t, t.TempDir()+"/h.db", test.cfg)
		for at := time.Duration(0); at < 80*day; at += 6 * time.Hour {
			o := seen(epoch.Add(at), 3)
			if at >= 10*day {
				o = seen(epoch.Add(at), 4)
			}
			// The lifetime of a span is the longest, not the last.
			o.Header = http.Header{}
			if test.cache != "" && at%day == 0 {
				o.Header.Set("Cache-Control", test.cache)
			}
			if test.other[0] != "" && at%day == 0 {
				o.Header.Set(test.other[0], test.other[1])
			}
			if err := s.Add(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
		changed := 10 * day
		uses := map[time.Duration]string{
			// it changed between two observations
			changed - 6*time.Hour - 11*time.Minute: "3", changed - 6*time.Hour - 9*time.Minute: "34",
			changed + test.use + 9*time.Minute: "34", changed + test.use + 11*time.Minute: "4",
		}
		for at, want := range uses {
			got := inUse(t, s, at, test.clientCache)
			if at < changed && test.use > 8*day {
				got = got[:len(want)] // the time before the first observation is in use too
			}
			if got != want {
				t.Errorf("%s: %v after the change %s is in use, want %s", name, at-changed, got, want)
			}
		}
		if got := inUse(t, s, 80*day, test.clientCache); got != "4?" {
			t.Errorf("%s: after the last observation %s is in use, want 4?", name, got)
		}
	}
}

// TestInUseBegin checks that nothing is known before what the first observation proves, and of an
// origin without observations.
func TestInUseBegin(t *testing.T) {
	s := open(t, t.TempDir()+"/h.db", history.Config{})
	if got := inUse(t, s, day, 0); got != "?" {
		t.Errorf("without observations: %s, want ?", got)
	}
	for at := time.Duration(0); at < 5*day; at += day {
		if err := s.Add(t.Context(), seen(epoch.Add(at), 3)); err != nil {
			t.Fatal(err)
		}
	}
	for at, want := range map[time.Duration]string{2*day + 9*time.Minute: "3?", 2*day + 11*time.Minute: "3",
		4*day - 9*time.Minute: "3?"} {
		if got := inUse(t, s, at, 0); got != want {
			t.Errorf("at %v: %s, want %s", at, got, want)
		}
	}
}

// TestCommits checks that equal observations from Git are presumed at any distance, whatever
// came between, and that the version before a commit is in use longer.
func TestCommits(t *testing.T) {
	s := open(t, t.TempDir()+"/h.db", history.Config{})
	add := func(at time.Duration, kind int, source string) {
		o := seen(epoch.Add(at), kind)
		o.Source = source
		if err := s.Add(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	add(0, 3, "git")
	add(100*day, 3, "git") // the import
	add(50*day, 3, "client")
	certainty := func(at time.Duration) history.Certainty {
		a, err := s.At(t.Context(), site, epoch.Add(at))
		if err != nil {
			t.Fatal(err)
		}
		return a.Certainty
	}
	for _, at := range []time.Duration{day, 50 * day, 99 * day} {
		if got := certainty(at); got != history.Presumed && at != 50*day || got != history.Proved && at == 50*day {
			t.Errorf("between two commits at %v: %s", at, got)
		}
		if got := inUse(t, s, max(at, 3*day), 0); got != "3" {
			t.Errorf("between two commits at %v %s is in use, want 3", at, got)
		}
	}
	add(130*day, 3, "client")
	if got := certainty(120 * day); got != history.Unknown {
		t.Errorf("after the last commit: %s, want unknown", got)
	}
	add(60*day, 4, "client")
	if got := certainty(80 * day); got != history.Possible {
		t.Errorf("after another file between two commits: %s, want possible", got)
	}
}

func TestDeployLag(t *testing.T) {
	for lag, want := range map[time.Duration]time.Duration{0: 3 * day, 5 * day: 7 * day} {
		s := open(t, t.TempDir()+"/h.db", history.Config{DeployLag: lag})
		for at, kind := range map[time.Duration]int{0: 3, 10 * day: 4, 100 * day: 4} {
			o := seen(epoch.Add(at), kind)
			o.Source = "git"
			if err := s.Add(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
		for at, use := range map[time.Duration]string{want + 9*time.Minute: "34", want + 11*time.Minute: "4"} {
			if got := inUse(t, s, 10*day+at, 0); got != use {
				t.Errorf("lag %v: %v after the commit %s is in use, want %s", lag, at, got, use)
			}
		}
	}
}

// TestInUseLaw compares InUse with what the spans say, version by version.
func TestInUseLaw(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		s := open(t, t.TempDir()+"/h.db", history.Config{})
		for range 30 {
			at := time.Duration(random.IntN(20*24)) * time.Hour
			if err := s.Add(t.Context(), seen(epoch.Add(at), random.IntN(4))); err != nil {
				t.Fatal(err)
			}
		}
		spans, err := s.Window(t.Context(), site, epoch.Add(-90*day), epoch.Add(90*day))
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			t0 := epoch.Add(time.Duration(random.IntN(24*24)) * time.Hour)
			from, to := t0.Add(-2*day-10*time.Minute), t0.Add(10*time.Minute)
			unknown := false
			var want []history.Version
			for _, span := range spans {
				if span.To.Before(from) || span.From.After(to) {
					continue
				}
				unknown = unknown || span.Certainty == history.Unknown
				if span.Certainty != history.Unknown {
					want = append(want, span.Version)
				}
				if span.Next != nil {
					want = append(want, *span.Next)
				}
			}
			h, err := s.InUse(t.Context(), site, t0, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range want {
				if !slices.ContainsFunc(h.Versions, func(other *history.Version) bool { return other.Equal(v) }) {
					t.Fatalf("at %v: a version of %+v is not in use", t0, v)
				}
			}
			for _, v := range h.Versions {
				if !slices.ContainsFunc(want, v.Equal) {
					t.Fatalf("at %v: %+v is in use, but was not served", t0, v)
				}
			}
			if h.Unknown != unknown {
				t.Fatalf("at %v: unknown is %v, want %v", t0, h.Unknown, unknown)
			}
		}
	}
}
