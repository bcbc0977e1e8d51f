package watch

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/origin"
)

// Config configures a Run.
type Config struct {
	Store  *Store
	Sites  iter.Seq2[string, error] // origins; an error ends the run
	Fetch  func(ctx context.Context, url string) (*fetch.Result, error)
	Online *Online
	Reader *Reader
	Expect *Expected // nil compares with the last reported file

	// History has the observations of earlier runs, from which the state of a site is restored if
	// Store has lost it. Fetch can add its observations. nil means that there are none.
	History *history.Store
	// AreLost reports whether both Store and History were begun anew in this run, because they were
	// damaged. nil means that they were not.
	AreLost func() bool

	Every   time.Duration // the time between two fetches of a site; 0 fetches each site once, now
	Confirm time.Duration // the time for which a change must last, see State.Next

	// Now returns the time of day, which is recorded and decides when sites are due. The clock
	// can be set, so a run measures waits with the monotonic clock too. nil means time.Now.
	Now func() time.Time

	Concurrency int // fetches at the same time
	Outputs     []Output

	// Started is called when the sites are known, with the time of the first fetch.
	Started func(sites int, first time.Time)
	// Saw is called after each fetch whose outcome is stored, by one goroutine at a time.
	Saw func(Sighting)
	// Fault is called for errors after which a run with Every continues.
	Fault func(error)
}

// Sighting is the outcome of a fetch of a site.
type Sighting struct {
	Site    string
	Step    Step
	State   States
	Due     time.Time
	Detail  string           // the result of the fetch, in words
	Refused bool             // the address guard refused the address of the site
	Alone   bool             // a fault is not confirmed because no other host answers
	Text    string           // the most serious pending change
	Since   time.Time        // when it began
	Event   *wire.WatchEvent // nil unless Step is Reported or Varied
	Err     error            // an internal error, see package panics: Step is Unknown
}

// Tally has the counts of a run.
type Tally struct {
	Sites, Fetches, Events, Messages int
}

type watcher struct {
	Config
	began   time.Time
	sites   int
	results chan *outcome

	mu                    sync.Mutex
	queue                 schedule
	woken                 chan struct{} // signals that the queue has an earlier site
	clock                 stepClock
	stepped               time.Time // the new time at which the clock was set
	tally                 Tally
	firstEvent, lastEvent time.Time    // without a message
	forgotten             atomic.Int64 // sites whose earlier states are neither in Store nor in History
	storeFaults           int          // since the last message about one, at storeFaultAt
	storeFaultAt          time.Time
}

// Run fetches sites when they are due, and stores and delivers their changes. With Every it
// ends when ctx ends, and returns nil. Without Every it ends when each site is fetched and
// everything is delivered.
func Run(ctx context.Context, config Config) (Tally, error) {
	if config.Now == nil {
		config.Now = time.Now
	}
	w := &watcher{Config: config, began: config.Now(), clock: stepClock{passed: time.Now(), shown: config.Now()},
		results: make(chan *outcome), woken: make(chan struct{}, 1)}
	if err := w.Store.Register(ctx, w.Outputs); err != nil {
		return w.tally, err
	}
	entries, err := w.Store.add(ctx, w.Sites, w.began)
	if err != nil {
		return w.tally, err
	}
	w.queue = w.start(entries)
	w.sites = len(entries)
	w.tally.Sites = len(entries)
	w.firstEvent, w.lastEvent = time.Now(), time.Now() // there might be events of a run that was killed
	heap.Init(&w.queue)
	if w.Started != nil && len(w.queue) > 0 {
		w.Started(w.sites, time.UnixMilli(max(w.queue[0].due, w.began.UnixMilli())))
	}

	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs := make(chan *site, w.Concurrency)
	var fetches, rest sync.WaitGroup
	for range min(w.Concurrency, max(1, w.sites)) {
		fetches.Go(func() {
			for s := range jobs {
				w.results <- w.visit(running, s)
			}
		})
	}
	rest.Go(func() { w.commits(running, cancel) })
	if w.Every > 0 {
		rest.Go(func() { w.deliveries(running) })
	}
	w.feed(running, cancel, jobs)
	close(jobs)
	fetches.Wait()
	if w.Every > 0 {
		cancel(nil)
	}
	close(w.results)
	rest.Wait()
	if err := context.Cause(running); err != nil && ctx.Err() == nil && (w.Every == 0 || errors.Is(err, errReplaced)) {
		return w.tally, err
	}
	return w.end(ctx)
}

// maxEnding is the time for which a run that a signal ends still delivers. The next run does
// the rest.
const maxEnding = 10 * time.Second

// end delivers the rest. If ctx ends, it has maxEnding.
func (w *watcher) end(interrupted context.Context) (Tally, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(interrupted), 2*deliverFor)
	defer cancel()
	defer context.AfterFunc(interrupted, func() { time.AfterFunc(maxEnding, cancel) })()
	defer cancel()
	if w.Every > 0 && !w.firstEvent.IsZero() || w.Every == 0 {
		if _, err := w.Store.Bundle(ctx, w.sites, w.passBegan(), w.Now()); err != nil {
			return w.tally, err
		}
	}
	n, err := w.Store.Deliver(ctx, w.Outputs, w.Every == 0)
	w.tally.Messages += n
	if err == nil && n == 0 && w.Every == 0 && w.tally.Events > 0 && len(w.Outputs) > 0 {
		err = w.Store.mustHave(ctx, w.tally.Events, w.began) // another process might have delivered them
	}
	if n := int(w.forgotten.Load()); n > 0 && w.Every == 0 {
		err = errors.Join(err, fmt.Errorf("the store and the history are lost, so changes of %s since the last run might be missing",
			term.Count(n, "site", "sites")))
	}
	return w.tally, errors.Join(err, w.Store.prune(ctx, w.Now()))
}

func (w *watcher) passBegan() time.Time {
	if w.Every == 0 {
		return w.began
	}
	return w.Now().Add(-w.Every)
}

// visit fetches a site and compares. If that panics, the site keeps its state, so that the
// next version of the program compares again.
func (w *watcher) visit(ctx context.Context, s *site) (out *outcome) {
	var body []byte
	err := panics.Contain(s.origin, &body, func() error { out = w.compare(ctx, s, &body); return nil })
	if err == nil {
		return out
	}
	now := w.look().UTC()
	out = &outcome{site: s, expected: s.expected,
		Sighting: Sighting{Site: s.origin, Step: Unknown, State: s.state, Due: now.Add(w.interval()), Err: err}}
	out.State[RulesPart].Checked = now
	return out
}

// interval returns the time until a site is fetched again, if nothing is pending. It differs a
// little from Every, so that the fetches of sites spread out.
func (w *watcher) interval() time.Duration {
	if w.Every == 0 {
		return nextPass
	}
	return w.Every + time.Duration((rand.Float64()-0.5)*0.1*float64(w.Every))
}

// compare fetches a site, sets body to its file, and compares.
func (w *watcher) compare(ctx context.Context, s *site, body *[]byte) *outcome {
	o, err := origin.Of(s.origin)
	if err != nil {
		return &outcome{site: s, skipped: true}
	}
	before := s.state
	if before[RulesPart].Checked.IsZero() && w.History != nil && w.Expect == nil {
		before = w.restore(ctx, s.origin, o.RobotsURL(), w.look()) // before the fetch adds to the history
		if before[RulesPart].Checked.IsZero() && w.AreLost != nil && w.AreLost() {
			w.forgotten.Add(1)
		}
	}
	result, err := w.Fetch(ctx, o.RobotsURL())
	if err != nil { // ctx has ended, or the client is closed
		return &outcome{site: s, skipped: true}
	}
	*body = result.Body()
	served, local := ServedOf(result)
	if !local && w.Online != nil {
		w.Online.Note(o.Host(), served.Fault == "" || served.FaultStatus != 0)
	}
	alone := false
	seen := Observation{Served: served, At: w.look().UTC(), Local: local}
	if w.Online != nil {
		seen.Online = func() bool {
			alone = !w.Online.Without(ctx, o.Host())
			return !alone
		}
	}
	w.mu.Lock()
	state := before.Restart(w.stepped, seen.At)
	w.mu.Unlock()
	judged, err := w.judge(ctx, s, state, seen, o.RobotsURL())
	if err != nil {
		return &outcome{site: s, skipped: true}
	}
	judged.Detail = result.Detail
	judged.Alone = alone
	if fault, ok := result.Err.(*fetch.FaultError); ok {
		judged.Refused = fault.Kind == wire.FaultRefused
	}
	judged.Due = judged.State.Due(judged.Step, w.interval(), w.Confirm)
	return judged
}

// judge returns the sighting for an observation. If ctx ends, judge returns ctx's error.
func (w *watcher) judge(ctx context.Context, s *site, states States, seen Observation, url string) (*outcome, error) {
	if w.Expect != nil {
		return w.judgeExpected(ctx, s, states, seen, url)
	}
	var changes [partCount][]wire.WatchChange
	memory := w.Reader.memory(ctx, url)
	next, steps := states.Next(seen, w.Confirm, memory.of)
	failed := memory.failed
	step := steps.site()
	for _, part := range allParts {
		before, now := &states[part], &next[part]
		reported := before.Reported
		if reported == nil {
			reported = &Served{}
		}
		switch {
		case failed != nil:
		case steps[part] == Varied:
			changes[part], failed = w.Reader.varied(ctx, part, url, before, now, &seen.Served)
		case steps[part] == Reported:
			changes[part] = memory.of(part).Changes(reported, now.Reported)
			if now.turns {
				changes[part] = append(slices.Clip(changes[part]), backAndForth())
			}
		case steps[part] == Pending && seen.Fault != "":
			changes[part] = memory.of(part).Changes(reported, reported.down(seen.Served))
		case steps[part] == Pending:
			changes[part] = memory.of(part).Changes(reported, &now.latest().Served)
		}
	}
	failed = cmp.Or(failed, memory.failed)
	if failed != nil {
		return nil, failed
	}
	out := &outcome{site: s, expected: s.expected, Sighting: Sighting{Site: s.origin, Step: step}}
	if step == Reported || step == Varied {
		out.report(&next, seen, steps, &changes)
	} else {
		out.note(&next, steps, &changes)
	}
	out.State = next
	return out, nil
}

// report sets the event of all parts that are confirmed, and forgets what ended before it was.
func (out *outcome) report(next *States, seen Observation, steps Steps, changes *[partCount][]wire.WatchChange) {
	var all []wire.WatchChange
	began := seen.At
	reverted := 0
	for part, step := range steps {
		if step != Reported && step != Varied {
			continue
		}
		all = append(all, changes[part]...)
		if since := next[part].began; !since.IsZero() {
			began = earlier(began, since)
		}
		reverted = max(reverted, next[part].Reverted) // what ends in several parts is one change
		next[part].Reverted = 0
	}
	sortChanges(all)
	out.Event = event(out.Sighting.Site, seen, began, all)
	out.Event.Reverted = reverted
}

// note sets the most serious pending change.
func (out *outcome) note(next *States, steps Steps, changes *[partCount][]wire.WatchChange) {
	gravest := len(gravities)
	for part, step := range steps {
		found := changes[part]
		if step != Pending || len(found) == 0 || rank(found[0].Gravity) >= gravest {
			continue
		}
		gravest = rank(found[0].Gravity)
		out.Text = found[0].Text
		out.Since = next[part].since()
	}
}

// maxChanges is the number of changes in an event, because a file can name thousands of
// crawlers. An event in a list has maxInList.
const (
	maxChanges = 100
	maxInList  = 10
)

// event returns the event of changes, the most serious first.
func event(origin string, seen Observation, began time.Time, changes []wire.WatchChange) *wire.WatchEvent {
	shown := changes[:min(len(changes), maxChanges)]
	e := &wire.WatchEvent{
		Site: origin, At: seen.At.UTC(), Since: began.UTC(), Gravity: changes[0].Gravity,
		Status: seen.Status, Outcome: seen.Outcome, FinalURL: seen.FinalURL, Changes: shown,
		Omitted: len(changes) - len(shown),
	}
	if seen.Fault != "" {
		e.Status = seen.FaultStatus
		e.Fault = seen.Fault
		e.Outcome = seen.Closed
	}
	return e
}

// nextPass is the time after which a site of a single pass is due again, if nothing is
// pending. Only runs with Every use it.
const nextPass = 24 * time.Hour

const commitBatch = 256

// commits stores the outcomes. It stores outcomes that arrived during a transaction together
// in the next one.
func (w *watcher) commits(ctx context.Context, cancel context.CancelCauseFunc) {
	for first := range w.results {
		batch := []*outcome{first}
		for more := true; more && len(batch) < commitBatch; {
			select {
			case o, ok := <-w.results:
				more = ok
				if ok {
					batch = append(batch, o)
				}
			default:
				more = false
			}
		}
		events, err := w.Store.commit(context.WithoutCancel(ctx), batch)
		if err != nil {
			for _, o := range batch { // the results are lost, and the sites are fetched again
				w.push([]int64{o.id}, w.Now().Add(localWait))
			}
			w.goOn(ctx, cancel, err)
			continue
		}
		w.committed(batch, events)
	}
}

func (w *watcher) committed(batch []*outcome, events int) {
	w.mu.Lock()
	w.tally.Fetches += len(batch)
	w.tally.Events += events
	if now := time.Now(); events > 0 {
		w.lastEvent = now
		if w.firstEvent.IsZero() {
			w.firstEvent = now
		}
	}
	w.mu.Unlock()
	for _, o := range batch {
		if o.skipped {
			w.push([]int64{o.id}, w.Now())
			continue
		}
		w.push([]int64{o.id}, o.Due)
		if w.Saw != nil {
			w.Saw(o.Sighting)
		}
	}
}

// A run with Every waits for further events of the same cause before it makes messages: until
// none has come for quiet, but not longer than maxDelay after the first. It tries failed
// deliveries again after redeliver.
const (
	maxQuiet  = time.Minute
	maxDelay  = 5 * time.Minute
	redeliver = time.Minute
)

const pruneInterval = time.Hour

// deliveries makes messages and delivers them until ctx ends.
func (w *watcher) deliveries(ctx context.Context) {
	quiet := min(maxQuiet, w.Confirm/10)
	var tried time.Time
	pruned := time.Now()
	for sleep(ctx, time.Second) == nil {
		w.mu.Lock()
		ready := !w.firstEvent.IsZero() && (time.Since(w.lastEvent) >= quiet || time.Since(w.firstEvent) >= maxDelay)
		if ready {
			w.firstEvent = time.Time{}
		}
		w.mu.Unlock()
		if ready {
			if _, err := w.Store.Bundle(ctx, w.sites, w.passBegan(), w.Now()); err != nil {
				w.storeFault(err)
				w.mu.Lock()
				w.firstEvent, w.lastEvent = time.Now(), time.Now()
				w.mu.Unlock()
			}
		}
		if !ready && time.Since(tried) < redeliver {
			continue
		}
		n, err := w.Store.Deliver(ctx, w.Outputs, false)
		w.mu.Lock()
		w.tally.Messages += n
		w.mu.Unlock()
		if err != nil && ctx.Err() == nil {
			w.Fault(err)
		}
		tried = time.Now()
		if tried.Sub(pruned) < pruneInterval {
			continue
		}
		pruned = tried
		if err := w.Store.prune(ctx, w.Now()); err != nil && ctx.Err() == nil {
			w.storeFault(err)
		}
	}
}
