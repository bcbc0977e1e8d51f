package fleet_test

import (
	"fmt"
	"slices"
	"time"
)

// figures are the results of a scenario.
type figures struct {
	origins, fetches, extra  int // extra fetches are those after the first of each origin
	questions, wrong, failed int
	p50, p99                 time.Duration // of decisions
	slowest                  answer
	troubles                 uint64 // number of times that a member's store became unavailable
}

func (f figures) String() string {
	return fmt.Sprintf("%5d questions: %d wrong, %d failed; %d origins: %d extra fetches; decisions p50 %v, p99 %v, max %v (from %s); %d times a store in trouble",
		f.questions, f.wrong, f.failed, f.origins, f.extra, round(f.p50), round(f.p99), round(f.slowest.Took), f.slowest.Source, f.troubles)
}

func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// figures waits for the end of a scenario, counts, and checks what must be true of
// each: no decision is wrong, no question fails, and no process fetches an
// origin twice.
func (f *fleet) figures() (all figures) {
	f.t.Helper()
	f.wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	var took []time.Duration
	for i, m := range f.members {
		for _, a := range f.answers[i] {
			took = append(took, a.Took)
			if a.Took > all.slowest.Took {
				all.slowest = a
			}
			switch {
			case a.Error != "":
				all.failed++
				f.report(all.failed, "member %d, origin %d: %s", i, a.Origin, a.Error)
			case a.Allowed != isAllowed(a.Origin, a.Owner):
				all.wrong++
				f.report(all.wrong, "member %d, origin %d: the folder of %d is allowed: %v, wrong; source %s", i, a.Origin, a.Owner, a.Allowed, a.Source)
			}
		}
		all.questions += len(f.answers[i])
		if m.killed {
			continue
		}
		if missing := m.questions - len(f.answers[i]); missing > 0 {
			all.failed += missing
			all.questions += missing
			f.t.Errorf("member %d left %d questions without an answer", i, missing)
		}
		if m.stats != nil {
			all.troubles += m.stats.Troubles
		}
	}
	f.count(&all)
	if len(took) > 0 {
		slices.Sort(took)
		all.p50, all.p99 = took[len(took)/2], took[len(took)*99/100]
	}
	return all
}

// report is for the first few of many faults.
func (f *fleet) report(n int, format string, args ...any) {
	f.t.Helper()
	if n <= 10 {
		f.t.Errorf(format, args...)
	} else {
		f.t.Fail()
	}
}

// count counts the fetches.
func (f *fleet) count(all *figures) {
	f.t.Helper()
	f.site.mu.Lock()
	defer f.site.mu.Unlock()
	for _, request := range f.site.strange {
		f.t.Errorf("an unexpected request: %s", request)
	}
	twice := 0
	all.origins = len(f.site.fetches)
	for origin, visits := range f.site.fetches {
		all.fetches += len(visits)
		seen := map[int]bool{}
		for _, v := range visits {
			if seen[v.member] {
				twice++
				f.report(twice, "member %d fetched origin %d again, after %v", v.member, origin, visits[len(visits)-1].at.Sub(visits[0].at))
			}
			seen[v.member] = true
		}
	}
	all.extra = all.fetches - all.origins
}
