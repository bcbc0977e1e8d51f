package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

// Clients keep answers in memory, so deleting the entries of a shared store is not
// enough. The store also has a log of purges, under a key that no origin has, and clients
// read it from time to time. The log is an entry like any other, so that every kind of
// store can contain it.
const (
	purgeInterval = 10 * time.Second
	keepPurges    = day   // longer than a client is suspended
	maxPurged     = 10000 // origins in the log; more become a purge of all
)

// purgeLog is the JSON form of the log. Numbers are times, in nanoseconds since 1970,
// so that no number is used again after a store has lost its log.
type purgeLog struct {
	Last   int64   `json:"last"` // the number of the last purge
	Purges []purge `json:"purges"`
}

type purge struct {
	Number  int64           `json:"number"`
	At      time.Time       `json:"at"`
	Origins []origin.Origin `json:"origins,omitempty"` // all if empty
}

// PurgeKey is the key under which [PurgeStore] leaves its notes. Every other key that a
// Client uses is the text of an origin.
const PurgeKey = "purges"

// PurgeStore makes all clients that share a store forget some origins, or all of them
// if none is given: it deletes the entries of these origins from the store, and leaves
// a note there. A client that is in use finds the note within 10 seconds and removes
// the origins from its memory. A note lasts for a day. Without origins, the caller
// must empty the store first. If the store fails, PurgeStore returns its error.
func PurgeStore(ctx context.Context, store cache.Store, origins ...origin.Origin) error {
	if store == nil {
		return errors.New("fetch: PurgeStore requires a store")
	}
	for _, o := range origins {
		if err := store.Delete(ctx, o.String()); err != nil {
			return err
		}
	}
	const attempts = 10 // of concurrent purges, one succeeds in each round
	for range attempts {
		if done, err := notePurge(ctx, store, origins); done || err != nil {
			return err
		}
	}
	return errors.New("fetch: other purges of the store got in the way: try again")
}

func notePurge(ctx context.Context, store cache.Store, origins []origin.Origin) (done bool, err error) {
	log, seen, err := readPurges(ctx, store)
	if err != nil {
		return false, err
	}
	now := time.Now().UTC().Round(0)
	if !now.After(seen) {
		now = seen.Add(1)
	}
	log.Last = max(log.Last+1, now.UnixNano())
	log.Purges = slices.DeleteFunc(log.Purges, func(p purge) bool { return now.Sub(p.At) > keepPurges })
	log.Purges = append(log.Purges, purge{log.Last, now, origins})
	total := 0
	for _, p := range log.Purges {
		total += len(p.Origins)
	}
	if total > maxPurged {
		log.Purges = []purge{{Number: log.Last, At: now}}
	}
	data, err := json.Marshal(log)
	if err != nil {
		return false, err
	}
	return store.PutIfUnchanged(ctx, PurgeKey, seen,
		cache.Entry{FetchedAt: now, Expires: now.Add(2 * keepPurges), Data: data})
}

// readPurges returns the log, which is empty if the store has none, and the time at
// which it was written.
func readPurges(ctx context.Context, store cache.Store) (log purgeLog, at time.Time, err error) {
	e, err := store.Get(ctx, PurgeKey)
	if err != nil && !errors.Is(err, cache.ErrNotFound) {
		return purgeLog{}, time.Time{}, err
	}
	log, err = parsePurges(e)
	return log, e.FetchedAt, err
}

func parsePurges(e cache.Entry) (log purgeLog, err error) {
	if len(e.Data) == 0 {
		return purgeLog{}, nil
	}
	if err := json.Unmarshal(e.Data, &log); err != nil {
		return purgeLog{}, fmt.Errorf("fetch: the store's log of purges cannot be read: %w", err)
	}
	return log, nil
}

type purges struct {
	due  atomic.Int64 // when to look again, in nanoseconds since 1970
	last atomic.Int64 // number of the last purge that was applied
}

func (c *Client) checkPurges(now time.Time) {
	if c.config.Store == nil {
		return
	}
	const interval = int64(purgeInterval)
	at := now.UnixNano()
	due := c.purges.due.Load()
	if at < due && due-at <= interval || !c.purges.due.CompareAndSwap(due, at+interval) || due == 0 {
		return // not due, unless the clock was set back; nothing is in memory at first
	}
	if c.hasStore() {
		go c.applyPurges()
	}
}

// applyPurges removes from memory the sites purged since the last call. If the store
// fails, a later call tries again.
func (c *Client) applyPurges() {
	e, err := callStore(c, storeRead, origin.Origin{}, func(ctx context.Context) (cache.Entry, error) {
		return c.config.Store.Get(ctx, PurgeKey)
	})
	if err != nil && !errors.Is(err, cache.ErrNotFound) {
		return
	}
	log, err := parsePurges(e)
	if err != nil {
		c.storeTrouble(origin.Origin{}, err)
		return
	}
	last := c.purges.last.Swap(log.Last)
	if log.Last < last {
		last = 0 // the store has lost its log
	}
	for _, p := range log.Purges {
		switch {
		case p.Number <= last:
		case len(p.Origins) == 0:
			c.forgetAll()
		default:
			for _, o := range p.Origins {
				c.forget(o)
			}
		}
	}
}

// forget removes o from memory now, and again at the end of a flight, which could
// put it back.
func (c *Client) forget(o origin.Origin) {
	if f, ok := c.underWay.Load(o); ok {
		f.(*flight).forgotten.Store(true)
	}
	c.memory.Invalidate(o)
	c.dropRejected(o)
}

func (c *Client) forgetAll() {
	c.underWay.Range(func(_, f any) bool {
		f.(*flight).forgotten.Store(true)
		return true
	})
	c.memory.InvalidateAll()
	c.rejected.Store(nil)
}
