package watch_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

// TestBackAndForth: a site that closes and opens in turn has at most three events on the first day, the third of which
// says so, and later at most one a day. What it is in the end is told within a day, and another serious change at once.
func TestBackAndForth(t *testing.T) {
	t.Parallel()
	type turns struct {
		nonce         string
		every, period int
		isShut        bool // in the end
	}
	cases := []turns{{"", 60, 120, false}, {"", 360, 720, true}, {"", 360, 120, true}, {"rules", 60, 60, false}}
	turning, steady := 2, 2 // days
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		cases, turning, steady = nil, 6, 4
		for _, nonce := range []string{"", "sitemaps", "rules"} {
			for _, every := range []int{30, 60, 360} {
				for _, period := range []int{60, 120, 240, 480, 720, 1440} {
					cases = append(cases, turns{nonce, every, period, false}, turns{nonce, every, period, true})
				}
			}
		}
	}
	const begins = 24 * 60
	ends := begins + turning*24*60
	gone := ends + steady*24*60
	for _, turn := range cases {
		site := &simulated{nonce: turn.nonce, behaviour: behaviour{serve: func(f *simFile, m, _ int) {
			switch {
			case m >= gone:
				missing(f)
			case m >= ends && turn.isShut, m >= begins && m < ends && (m-begins)/turn.period%2 == 0:
				shut(f)
			}
		}}}
		name := fmt.Sprintf("a nonce in %q, every %d minutes, %d minutes, shut %v", turn.nonce, turn.every, turn.period, turn.isShut)
		days := make(map[int]int)
		isBelieved, isSaid, isGone := false, false, false
		events := site.watchEvery(t, time.Duration(turn.every)*time.Minute, 2+turning+steady)
		for _, e := range events {
			m := int(e.At.Sub(start).Minutes())
			days[(m-begins+24*60)/(24*60)-1]++
			isVaried := slices.ContainsFunc(e.Changes,
				func(c wire.WatchChange) bool { return strings.HasPrefix(c.Text, "serves several") })
			for _, c := range e.Changes {
				switch {
				case c.Kind == wire.WatchGone && m <= gone+turn.every+10:
					isGone = true
				case isVaried:
				case c.Kind == closes && c.Gravity == wire.GravityCritical:
					isBelieved = true
				case c.Kind == opens && m < gone:
					isBelieved = false
				}
				isSaid = isSaid || strings.HasPrefix(c.Text, "changes back and forth")
			}
			if late := e.At.Sub(e.Since); m > ends && m < gone && !isVaried && m > ends+24*60+2*turn.every {
				t.Errorf("%s: told after %v", name, late)
			}
		}
		for day, n := range days {
			if day == 0 && n > 3 || day > 0 && day < turning+steady && n > 1 {
				t.Errorf("%s: %d events on day %d", name, n, day)
			}
		}
		if isBelieved != turn.isShut || !isGone || !isSaid && turn.period > turn.every && turn.period < 720 {
			t.Errorf("%s: shut %v, gone %v, said %v", name, isBelieved, isGone, isSaid)
		}
		if t.Failed() {
			for _, e := range events {
				t.Log(int(e.At.Sub(start).Minutes())-begins, texts(e.Changes))
			}
			t.FailNow()
		}
	}
}

// TestTwoServers: two servers answer in turn, each with a rule of its own and a nonce in another part. That both close,
// or lose the file, is told after three answers, and they have one event a day, two on the first.
func TestTwoServers(t *testing.T) {
	nonces, intervals := [][2]string{{"rules", "sitemaps"}, {"", ""}}, []int{360}
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		nonces = append(nonces, [][2]string{{"sitemaps", "lines"}, {"rules", "paths"}, {"uses", "traps"}, {"agents", "rules"},
			{"comments", "pool"}, {"traps", "agents"}}...)
		intervals = append(intervals, 30)
	}
	const begins = 3*24*60 + 1
	ends := map[wire.WatchKind]func(f *simFile){closes: shut, wire.WatchGone: missing}
	for _, parts := range nonces {
		for _, every := range intervals {
			for kind, end := range ends {
				site := &simulated{behaviour: behaviour{serve: func(f *simFile, m, n int) {
					f.nonceIn = parts[n%2]
					if n%2 == 1 {
						f.rules = "/tmp"
					}
					if m >= begins {
						end(f)
					}
				}}}
				told := 0
				days := make(map[int]int)
				events := site.watchEvery(t, time.Duration(every)*time.Minute, 6)
				for _, e := range events {
					m := int(e.At.Sub(start).Minutes())
					isReal := m >= begins && m <= begins+every+30 && e.At.Sub(e.Since) <= 2*watch.DefaultConfirm &&
						e.Changes[0].Kind == kind && rank(e.Gravity) <= rank(wire.GravityHigh)
					if isReal {
						told++
					} else {
						days[m/(24*60)]++
					}
				}
				isMuch := slices.ContainsFunc(slices.Collect(maps.Keys(days)),
					func(day int) bool { return days[day] > 1+max(0, 1-day) })
				if told != 1 || isMuch {
					t.Errorf("nonces in %q, every %d minutes, %s: told %d times, others a day: %v",
						parts, every, kind, told, days)
					for _, e := range events {
						m := int(e.At.Sub(start).Minutes()) - begins
						t.Logf("%d after %v: %q", m, e.At.Sub(e.Since), texts(e.Changes))
					}
				}
			}
		}
	}
}

// TestTwoServersAtRandom: two servers answer at random, so each answers some times in a row. That is told as variants,
// and the more often they have alternated, the longer a run must be for a change. So there are at most three events.
func TestTwoServersAtRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 71))
		site := &simulated{behaviour: behaviour{serve: func(f *simFile, _, _ int) {
			if random.IntN(2) == 0 {
				f.rules = "/tmp"
			}
		}}}
		events := site.watchEvery(t, 30*time.Minute, 4)
		if len(events) > 3 {
			t.Errorf("seed %d: %d events", seed, len(events))
			for _, e := range events {
				t.Log(int(e.At.Sub(start).Minutes()), texts(e.Changes))
			}
		}
	}
}

func rank(g wire.WatchGravity) int {
	all := []wire.WatchGravity{wire.GravityCritical, wire.GravityHigh, wire.GravityMedium, wire.GravityLow}
	return slices.Index(all, g)
}

// TestOutagesAreNoReturns: that a site serves the same after an outage is no return, so no event about the outage says
// that the site changes back and forth. A closing after it is told as fast as without it.
func TestOutagesAreNoReturns(t *testing.T) {
	const begins, every = 24 * 60, 30
	for _, isDown := range []bool{false, true} {
		site := &simulated{behaviour: behaviour{serve: func(f *simFile, m, _ int) {
			switch m -= begins; {
			case m >= 0 && m < 120, m >= 600:
				shut(f)
			case isDown && m >= 240 && m < 480:
				down(f)
			}
		}}}
		told := 0
		for _, e := range site.watchEvery(t, every*time.Minute, 4) {
			m := int(e.At.Sub(start).Minutes()) - begins
			for _, c := range e.Changes {
				if strings.HasPrefix(c.Text, "changes back and forth") && m < 600 {
					t.Errorf("%d minutes after the first change: %s", m, c.Text)
				}
				if m >= 600 && m <= 600+2*every && c.Kind == closes {
					told++
				}
			}
		}
		if told == 0 {
			t.Errorf("an outage %v: the closing is told late", isDown)
		}
	}
}

// TestTurnsOverOutages: a site that closes and opens in turn is told to do so as early if it is down at one of its
// changes.
func TestTurnsOverOutages(t *testing.T) {
	const begins, every, period = 24 * 60, 30, 240
	for _, outage := range []int{0, 1, 2} { // at the first change from closed to open, or at the next one
		site := &simulated{behaviour: behaviour{serve: func(f *simFile, m, _ int) {
			m -= begins
			if m >= 0 && m/period%2 == 0 {
				shut(f)
			}
			if outage > 0 && m >= outage*period-120 && m < outage*period {
				down(f)
			}
		}}}
		said := 0
		for _, e := range site.watchEvery(t, every*time.Minute, 2) {
			for _, c := range e.Changes {
				m := int(e.At.Sub(start).Minutes()) - begins
				if strings.HasPrefix(c.Text, "changes back and forth") && m < 2*period+2*every {
					said++
				}
			}
		}
		if said != 1 {
			t.Errorf("an outage at change %d: said %d times after two returns", outage, said)
		}
	}
}
