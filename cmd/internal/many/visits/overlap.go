package visits

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"iter"
	"maps"
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
	isShared   bool // several logs have it
}

// dropRepeats drops visits whose lines are in several logs, so that a line counts as often as in the
// log that has it most. Only visits at times at which several logs have lines are compared.
func (r *run) dropRepeats(ctx context.Context) error {
	shared := r.sharedTimes()
	if len(shared) == 0 {
		return nil
	}
	lines := map[uint64]repeated{}
	dropped := map[int]int{}
	isFull := false
	hasOwn := map[int]bool{} // for each log with a visit, whether no other log has one of them
	err := r.spool.each(func(v *visit) error {
		known, ok := lines[v.hash]
		isOver := !ok && len(lines) >= maxOverlaps
		hasOwn[v.log] = hasOwn[v.log] || isOver || !shared.has(v.begin)
		if !shared.has(v.begin) {
			return nil
		}
		if isOver {
			isFull = true
			return nil
		}
		if !ok || int(known.log) != v.log {
			known.log, known.here, known.isShared = int32(v.log), 0, ok
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
	if err != nil {
		return err
	}
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
	if total == 0 {
		return nil
	}
	slices.Sort(names)
	r.Note("lines of %s are in other logs too: %s counted once", strings.Join(names, ", "), term.Count(total, "visit is", "visits are"))
	for _, line := range lines {
		hasOwn[int(line.log)] = hasOwn[int(line.log)] || !line.isShared
	}
	clear(lines)
	return r.findCopies(ctx, hasOwn)
}

// logSet is the number of a set of logs.
type logSet int32

// logSets are sets of logs that have the same lines. There are few, because a log overlaps with few others.
type logSets struct {
	all  [][]int // by number
	with map[logAdded]logSet
}

type logAdded struct {
	to  logSet
	log int
}

// add returns the set with another log.
func (s *logSets) add(to logSet, log int) logSet {
	if slices.Contains(s.all[to], log) {
		return to
	}
	key := logAdded{to, log}
	set, ok := s.with[key]
	if !ok {
		set = logSet(len(s.all))
		s.with[key] = set
		s.all = append(s.all, append(slices.Clone(s.all[to]), log))
	}
	return set
}

// findCopies finds the logs that have only lines of others, as an extract or a log of a week has: they show no
// server. Visits do not prove that, because the requests of other clients show outages, so the logs are read again.
func (r *run) findCopies(ctx context.Context, hasOwn map[int]bool) error {
	var candidates, others []int
	for i := range r.logs {
		if own, hasVisit := hasOwn[i]; hasVisit && !own && r.logs[i].isOfServer() && !r.sources[i].Once {
			candidates = append(candidates, i)
		} else if !r.sources[i].Once {
			others = append(others, i)
		}
	}
	lines := map[uint64]logSet{}
	sets := logSets{all: [][]int{nil}, with: map[logAdded]logSet{}}
	seed := maphash.MakeSeed()
	for n, i := range slices.Concat(candidates, others) {
		isCandidate := n < len(candidates)
		isNear := slices.ContainsFunc(candidates, func(c int) bool { return r.logs[i].overlaps(&r.logs[c]) })
		if !isNear {
			continue
		}
		err := eachLine(ctx, r.sources[i], r.parser(r.logs[i].name), func(l *logLine) error {
			if !l.isRequest {
				return nil
			}
			hash := maphash.Bytes(seed, bytes.TrimRight(l.text, "\r\n"))
			if set, ok := lines[hash]; ok || isCandidate {
				lines[hash] = sets.add(set, i)
			}
			if len(lines) > maxOverlaps {
				return errTooMany
			}
			return nil
		})
		if err != nil {
			return ctx.Err() // without a proof that a log is a copy, it shows a server
		}
	}
	used := map[logSet]bool{}
	for _, set := range lines {
		used[set] = true
	}
	servers := map[int]int{}
	for _, c := range candidates {
		servers[c] = r.serversBeside(c, maps.Keys(used), sets.all)
	}
	// A log of several servers is the copy, not their own logs, because it does not show where one of them ends.
	slices.SortStableFunc(candidates, func(a, b int) int {
		return cmp.Or(cmp.Compare(servers[b], servers[a]), cmp.Compare(r.logs[a].lines, r.logs[b].lines))
	})
	for _, c := range candidates {
		isElsewhere := func(log int) bool { return log != c && !r.logs[log].isCopy }
		r.logs[c].isCopy = true
		for set := range used {
			logs := sets.all[set]
			if slices.Contains(logs, c) && !slices.ContainsFunc(logs, isElsewhere) {
				r.logs[c].isCopy = false
			}
		}
	}
	return nil
}

// serversBeside returns how many servers wrote the other logs that have lines of a log.
func (r *run) serversBeside(log int, used iter.Seq[logSet], all [][]int) int {
	var with []int
	for set := range used {
		if slices.Contains(all[set], log) {
			with = append(with, all[set]...)
		}
	}
	slices.Sort(with)
	var logs []*logFacts
	for _, other := range slices.Compact(with) {
		if other != log {
			logs = append(logs, &r.logs[other])
		}
	}
	return len(serversOf(logs))
}

var errTooMany = errors.New("the logs have too many lines to compare")

// period is the time from one instant to another, both included, in milliseconds.
type period struct{ from, to int64 }

func (p period) compare(other period) int {
	return cmp.Or(cmp.Compare(p.from, other.from), cmp.Compare(p.to, other.to))
}

type periods []period

// join returns the periods in order, and those that overlap as one.
func (all periods) join() periods {
	slices.SortFunc(all, period.compare)
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
	slices.SortFunc(logs, period.compare)
	last := int64(-1 << 62)
	for _, l := range logs {
		if to := min(last, l.to); l.from <= to {
			shared = append(shared, period{l.from, to})
		}
		last = max(last, l.to)
	}
	return shared.join()
}
