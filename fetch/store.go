package fetch

import (
	"context"
	"errors"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

const (
	// keepStale is how long a store keeps an entry after its last update.
	keepStale = 90 * day

	// maxStoreCalls bounds the store calls under way. The client stops waiting
	// for a call that ignores its context, and such calls must not accumulate.
	maxStoreCalls = 1024
)

func (c *Client) hasStore() bool { return c.config.Store != nil && !c.config.Freshness.NoCache }

// seen is the entry that a read of the store found. save must not replace any
// other entry.
type seen struct {
	at     time.Time // FetchedAt of the entry; zero if there was none or the read failed
	newer  bool      // a newer version of this package wrote the entry: it must stay
	answer bool      // the entry has an answer that can be used
	others bool      // it means something else to clients on its own terms: a fault must not replace it
}

func (c *Client) load(o origin.Origin, now time.Time) (*state, seen) {
	if !c.hasStore() {
		return nil, seen{}
	}
	entry, err := c.readEntry(o)
	if err != nil {
		return nil, seen{newer: errors.Is(err, cache.ErrNewer)}
	}
	s, err := readRecord(entry.Data, o, now)
	if err != nil {
		c.storeTrouble(o, err)
		return nil, seen{at: entry.FetchedAt, newer: errors.Is(err, cache.ErrNewer)}
	}
	kept := s.lastAnswer
	s = c.terms().read(s)
	others := kept != nil && (s == nil || s.lastAnswer == nil || s.lastAnswer.Class != kept.Class ||
		s.lastAnswer.Bytes != kept.Bytes)
	if s == nil { // the fetch of another policy, or within other limits
		return nil, seen{at: entry.FetchedAt, others: others}
	}
	c.hideStored(s)
	c.parse(s)
	c.digestBody(s.lastAnswer)
	c.observe(eventStoreHit, o, nil)
	return s, seen{at: entry.FetchedAt, answer: s.lastAnswer != nil, others: others}
}

// save writes s to the store. inStore is the result of the last read. If the body is no
// longer in memory, save writes the fault alone, unless the store has an answer: an
// older record with a copy is more useful than a newer one without.
//
// A fault is stored only if nothing has changed since that read. Another process can
// have stored an answer meanwhile, and a connection that began before that answer
// and failed after it must not destroy it. In this case save returns s with the
// answer.
//
// The first put releases lease, if the store can do both at once.
func (c *Client) save(s *state, inStore seen, lease *originLease) *state {
	entry, ok := c.entryOf(s, inStore)
	const attempts = 3 // more puts of one origin do not coincide
	for n := 0; ok && n < attempts && !inStore.newer; n++ {
		done, err := lease.put(c, s.origin, inStore.at, entry)
		if done || err != nil {
			break
		}
		var other *state
		other, inStore = c.load(s.origin, c.now())
		if s.fault != nil && other != nil {
			return other.joined(s)
		}
		ok = s.fault == nil && (other == nil || other.checkedAt.Before(s.checkedAt))
	}
	return s
}

func (c *Client) entryOf(s *state, inStore seen) (_ cache.Entry, ok bool) {
	if !c.hasStore() || s.fault != nil && inStore.others {
		return cache.Entry{}, false
	}
	if s.lastAnswer != nil && !s.lastAnswer.valid() {
		if s.fault == nil || inStore.answer {
			return cache.Entry{}, false
		}
		s = &state{origin: s.origin, checkedAt: s.checkedAt, fault: s.fault}
	}
	data, err := s.record(c.terms())
	if err != nil {
		c.storeTrouble(s.origin, err)
	}
	return cache.Entry{FetchedAt: s.checkedAt, Expires: s.checkedAt.Add(keepStale), Data: data}, err == nil
}

// storeTrouble reports a failure of the store to the log and the observer: no method
// returns it, except StoreErr.
func (c *Client) storeTrouble(o origin.Origin, err error) {
	c.observe(eventStoreError, o, err)
	message := "the store failed; continuing without it"
	if errors.Is(err, cache.ErrNewer) {
		message = "a newer version of this program wrote this entry of the store; leaving it unchanged"
	}
	c.storeLog.Warn(message, "origin", o.String(), "error", err)
}

// callStore makes a call of the store about o, which is zero if there is no origin, and waits
// at most Limits.StoreTimeout, even if the store ignores its context. Every call of the store
// goes through here, so that each failure is reported, and StoreErr knows it.
func callStore[T any](c *Client, kind storeCallKind, o origin.Origin,
	call func(context.Context) (T, error)) (T, error) {
	return callStoreIn(c.background, c, kind, o, call)
}

// callStoreIn is callStore in a context other than the context of fetches.
func callStoreIn[T any](ctx context.Context, c *Client, kind storeCallKind, o origin.Origin,
	call func(context.Context) (T, error)) (T, error) {
	value, err := awaitStore(ctx, c, call)
	if ctx.Err() == nil { // otherwise the client is closed
		c.noteStoreCall(kind, o, err)
	}
	return value, err
}

// awaitStore is callStoreIn without reports.
func awaitStore[T any](ctx context.Context, c *Client, call func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, c.config.Limits.StoreTimeout)
	defer cancel()
	type reply struct {
		value T
		err   error
	}
	replies := make(chan reply, 1)
	if err := c.storeCalls.Acquire(ctx, 1); err != nil {
		return reply{}.value, err
	}
	go func() {
		defer c.storeCalls.Release(1)
		value, err := call(ctx)
		replies <- reply{value, err}
	}()
	select {
	case r := <-replies:
		return r.value, r.err
	case <-ctx.Done():
		return reply{}.value, ctx.Err()
	}
}
