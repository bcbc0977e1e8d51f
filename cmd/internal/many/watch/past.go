package watch

import (
	"context"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/history"
)

// ServedThen returns a version of a history in the form that [Reader.Changes] compares. A fault
// includes the answer before it, which can be nil.
func ServedThen(ctx context.Context, store *history.Store, v history.Version, before *Served) (*Served, error) {
	s := &Served{Status: v.Status, FinalURL: v.FinalURL, Truncated: v.Truncated, File: v.HasBody,
		Outcome: wire.OutcomeAllowAll}
	switch {
	case v.Fault != "":
		fault := Served{Fault: v.Fault, FaultStatus: v.Status}
		if v.Status != 0 {
			fault.Closed = wire.OutcomeDisallowAll
		}
		return before.down(fault), nil
	case v.HasBody:
		body, err := store.Body(ctx, v.SHA256)
		if err != nil {
			return nil, err
		}
		s.Body = body
		s.Outcome = wire.Outcome(fetch.OutcomeRules)
	}
	return s, nil
}

// A state is restored from the latest spans of the history, because each might need a comparison.
const (
	restoreFor   = 90 * 24 * time.Hour
	restoreSpans = 50
)

// repeatFor is how long ago a change can have been confirmed to be reported again when a state is
// restored, because its message might have been lost with the store.
const repeatFor = 24 * time.Hour

// restore returns the state of a site that the store does not know, but that an earlier run has
// fetched: the store was damaged or removed. It repeats the steps of that run with the
// observations in the history. It returns the zero States for a new site, and if the history is
// damaged too.
func (w *watcher) restore(ctx context.Context, site, url string, now time.Time) (states States) {
	spans, err := w.History.Window(ctx, site, now.Add(-restoreFor), now)
	if err != nil {
		return States{}
	}
	spans = slices.DeleteFunc(spans, func(s history.Span) bool { return !slices.Contains(s.Sources, "watch") })
	spans = spans[max(0, len(spans)-restoreSpans):]
	memory := w.Reader.memory(ctx, url)
	for _, span := range spans {
		served, err := ServedThen(ctx, w.History, span.Version, nil)
		if err != nil {
			continue // its file is lost
		}
		confirmed := span.From.Add(faultShare * w.Confirm) // at the latest, because nothing else was seen in between
		for _, at := range slices.Compact([]time.Time{span.From, earlier(confirmed, span.To), span.To}) {
			next, steps := states.Next(Observation{Served: *served, At: at}, w.Confirm, memory.of)
			for part, step := range steps {
				if step == Reported && at.After(now.Add(-repeatFor)) {
					next[part] = states[part] // still pending, and the next fetch confirms it
				}
				if step == Varied {
					next[part].Told = time.Time{}
				}
			}
			states = next
		}
	}
	return states
}
