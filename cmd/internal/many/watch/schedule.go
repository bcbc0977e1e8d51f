package watch

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// schedule is a heap of sites, the next one first. It takes 16 bytes a site.
type schedule []entry

func (s schedule) Len() int           { return len(s) }
func (s schedule) Less(i, j int) bool { return s[i].due < s[j].due }
func (s schedule) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *schedule) Push(e any)        { *s = append(*s, e.(entry)) }
func (s *schedule) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}

// start returns the schedule at the beginning: all sites now for one pass. Due times too far
// in the future are from a clock that was set back.
func (w *watcher) start(entries []entry) schedule {
	latest := w.began.Add(2 * w.Every).UnixMilli()
	for i := range entries {
		if w.Every == 0 || entries[i].due > latest {
			entries[i].due = 0
		}
	}
	return entries
}

const claimBatch = 64

func (w *watcher) feed(ctx context.Context, cancel context.CancelCauseFunc, jobs chan<- *site) {
	for ctx.Err() == nil {
		now := w.look()
		ids, next := w.pop(now)
		if len(ids) == 0 {
			if w.Every == 0 {
				return
			}
			w.wait(ctx, next.Sub(now))
			continue
		}
		claimed, err := w.Store.claim(ctx, ids, w.Every == 0, now)
		if err != nil {
			if ctx.Err() == nil && !w.goOn(ctx, cancel, err) {
				return
			}
			w.push(ids, now.Add(localWait))
			continue
		}
		if err := w.pushOthers(ctx, ids, claimed); err != nil {
			cancel(err)
			return
		}
		for _, s := range claimed {
			select {
			case jobs <- s:
			case <-ctx.Done():
				return // the claims end by themselves
			}
		}
	}
}

// goOn reports whether the run continues after an error of the store. A run of one pass does
// not, and no run continues with another file.
func (w *watcher) goOn(ctx context.Context, cancel context.CancelCauseFunc, err error) bool {
	if w.Every == 0 || errors.Is(err, errReplaced) {
		cancel(err)
		return false
	}
	w.storeFault(err)
	return sleep(ctx, 10*time.Second) == nil
}

// storeFault reports an error of the store. If a disk is full for a day, there is one
// message a minute, with a count.
func (w *watcher) storeFault(err error) {
	w.mu.Lock()
	w.storeFaults++
	n := w.storeFaults
	due := time.Since(w.storeFaultAt) >= time.Minute
	if due {
		w.storeFaults, w.storeFaultAt = 0, time.Now()
	}
	w.mu.Unlock()
	if !due {
		return
	}
	if n > 1 {
		err = fmt.Errorf("%w (%d times since the last message)", err, n)
	}
	w.Fault(err)
}

// pop removes the sites that are due, some at a time, or returns when the next one is.
func (w *watcher) pop(now time.Time) (ids []int64, next time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue) > 0 && len(ids) < min(claimBatch, w.Concurrency) && w.queue[0].due <= now.UnixMilli() {
		ids = append(ids, heap.Pop(&w.queue).(entry).id)
	}
	next = now.Add(time.Minute)
	if len(w.queue) > 0 {
		next = earlier(next, time.UnixMilli(w.queue[0].due))
	}
	return ids, next
}

// push schedules sites again. One pass needs no schedule.
func (w *watcher) push(ids []int64, due time.Time) {
	if w.Every == 0 {
		return
	}
	due = earlier(due, w.Now().Add(w.longest())) // from a clock that was set back meanwhile
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range ids {
		heap.Push(&w.queue, entry{id, due.UnixMilli()})
	}
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// pushOthers schedules the sites that another process has claimed. The error is errReplaced.
func (w *watcher) pushOthers(ctx context.Context, ids []int64, claimed []*site) error {
	mine := make(map[int64]bool, len(claimed))
	for _, s := range claimed {
		mine[s.id] = true
	}
	for _, id := range ids {
		if mine[id] {
			continue
		}
		due := w.Now().Add(claimFor)
		stored, err := w.Store.dueOf(ctx, id)
		if errors.Is(err, errReplaced) {
			return err
		} else if err == nil {
			due = time.UnixMilli(stored)
		}
		w.push([]int64{id}, due)
	}
	return nil
}

// wait waits for the next site, but at most for a second, because the clock can be set.
func (w *watcher) wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(min(max(d, time.Millisecond), time.Second))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-w.woken:
	case <-timer.C:
	}
}

func (w *watcher) longest() time.Duration { return w.Every + w.Every/10 }

// look returns the time of day. If the clock was set since the last look, pending changes
// begin again now. If it was set back, the schedule moves with it. If it was set forward,
// the machine might have slept, and sites that it did not fetch are due.
func (w *watcher) look() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.Now()
	step := w.clock.step(now)
	if step == 0 {
		return now
	}
	w.stepped = now
	latest := now.Add(w.longest()).UnixMilli()
	for i := range w.queue {
		if step < 0 {
			w.queue[i].due += step.Milliseconds()
		}
		if w.queue[i].due > latest {
			w.queue[i].due = now.Add(rand.N(w.Every)).UnixMilli()
		}
	}
	heap.Init(&w.queue)
	return now
}

// stepClock detects that the clock of the machine was set, or that the machine slept: the
// time of day then differs from the time that has passed.
type stepClock struct{ passed, shown time.Time }

// maxDrift is the largest difference between two looks that does not mean that the clock was
// set.
const maxDrift = 30 * time.Second

// step returns by how much the clock was set since the last look, 0 if it was not.
func (c *stepClock) step(shown time.Time) time.Duration {
	passed := time.Now()
	step := shown.Round(0).Sub(c.shown.Round(0)) - passed.Sub(c.passed)
	c.passed, c.shown = passed, shown
	if step.Abs() <= maxDrift {
		return 0
	}
	return step
}
