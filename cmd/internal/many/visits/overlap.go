package visits

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// maxOverlaps bounds the visits that are compared with those of other logs.
const maxOverlaps = 4_000_000

// repeated counts equal lines: in the log that is read, and those that are kept.
type repeated struct {
	log        int32
	here, kept int32
}

// dropRepeats drops visits whose lines are in several logs, so that a line counts as often as in the
// log that has it most. Only visits at times at which several logs have lines are compared.
func (r *run) dropRepeats() error {
	shared := r.sharedTimes()
	if len(shared) == 0 {
		return nil
	}
	lines := map[uint64]repeated{}
	dropped := map[int]int{}
	isFull := false
	err := r.spool.each(func(v *visit) error {
		if !shared.has(v.begin) {
			return nil
		}
		known, ok := lines[v.hash]
		if !ok && len(lines) >= maxOverlaps {
			isFull = true
			return nil
		}
		if !ok || int(known.log) != v.log {
			known.log, known.here = int32(v.log), 0
		}
		known.here++
		if known.here <= known.kept {
			r.spool.drop()
			dropped[v.log]++
		} else {
			known.kept++
		}
		lines[v.hash] = known
		return nil
	})
	if isFull {
		r.Note("the logs overlap in more than %s: lines that several logs have can be counted more than once", term.Count(maxOverlaps, "visit", "visits"))
	}
	var names []string
	total := 0
	for log, n := range dropped {
		total += n
		names = append(names, term.Escape(r.logs[log].name))
	}
	if total > 0 || isFull {
		r.result.Share = nil // lines of other clients are not kept, so that they cannot be compared
	}
	if total > 0 {
		slices.Sort(names)
		r.Note("lines of %s are in other logs too: %s counted once", strings.Join(names, ", "), term.Count(total, "visit is", "visits are"))
	}
	return err
}

// period is the time from one instant to another, both included, in milliseconds.
type period struct{ from, to int64 }

type periods []period

// join returns the periods in order, and those that overlap as one.
func (all periods) join() periods {
	slices.SortFunc(all, func(a, b period) int { return cmp.Compare(a.from, b.from) })
	joined := all[:0]
	for _, p := range all {
		if last := len(joined) - 1; last >= 0 && p.from <= joined[last].to {
			joined[last].to = max(joined[last].to, p.to)
		} else {
			joined = append(joined, p)
		}
	}
	return joined
}

// has reports whether a time is in one of joined periods.
func (all periods) has(t int64) bool {
	i, _ := slices.BinarySearchFunc(all, t, func(p period, t int64) int { return cmp.Compare(p.to, t) })
	return i < len(all) && all[i].from <= t
}

// sharedTimes returns the periods in which more than one log has lines.
func (r *run) sharedTimes() (shared periods) {
	var logs periods
	for i := range r.logs {
		if r.logs[i].first <= r.logs[i].last {
			logs = append(logs, period{r.logs[i].first, r.logs[i].last})
		}
	}
	slices.SortFunc(logs, func(a, b period) int { return cmp.Compare(a.from, b.from) })
	last := int64(-1 << 62)
	for _, l := range logs {
		if to := min(last, l.to); l.from <= to {
			shared = append(shared, period{l.from, to})
		}
		last = max(last, l.to)
	}
	return shared.join()
}
