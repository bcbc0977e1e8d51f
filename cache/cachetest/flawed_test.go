package cachetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// flaw is a way to break the contract.
type flaw string

const (
	correct flaw = "has no flaw"
	reuses  flaw = "reuses its data"
)

var flaws = []flawed{
	{correct, ""},
	{"keeps nothing", "RoundTrip NotFound Nanoseconds Zones WallClock NewerWins OlderIgnored EqualIgnored Delete Keys EmptyData BinaryData BigData PutCopies GetStaysValid Expires ExpiredPut Invalid DoneContext ConcurrentNewest ConcurrentEqual ConcurrentKeys Unchanged Changed UnchangedOlder UnchangedExpired ConcurrentUnchanged"},
	{"answers trouble with not found", "DoneContext"},
	{"answers not found with an empty entry", "NotFound Delete Keys Expires ExpiredPut ConcurrentKeys Changed UnchangedExpired"},
	{"has its own not found", "NotFound Delete Keys Expires ExpiredPut ConcurrentKeys Changed UnchangedExpired"},
	{"never replaces", "Zones NewerWins EmptyData BigData GetStaysValid ConcurrentNewest ConcurrentKeys Unchanged UnchangedOlder ConcurrentUnchanged"},
	{"always replaces", "Zones OlderIgnored EqualIgnored ConcurrentNewest ConcurrentEqual"},
	{"lets the last of equals win", "EqualIgnored ConcurrentEqual"},
	{"says that ignored entries were stored", "Zones OlderIgnored EqualIgnored ConcurrentEqual Changed UnchangedOlder UnchangedExpired ConcurrentUnchanged"},
	{"orders by end", "NewerWins OlderIgnored EqualIgnored ConcurrentNewest?"},
	{"compares floats", "NewerWins ConcurrentNewest?"},
	{"compares clock faces", "Zones"},
	{"checks, then acts", "ConcurrentNewest ConcurrentEqual ConcurrentUnchanged"},
	{"cuts times to microseconds", "Nanoseconds NewerWins ConcurrentNewest Unchanged UnchangedOlder ConcurrentUnchanged UnchangedOlder"},
	{"loses the zone", "Zones"},
	{"keeps monotonic readings", "WallClock"},
	{"keeps expired entries", "Expires"},
	{"lets expired entries keep others out", "Expires UnchangedExpired"},
	{"stores expired entries", "ExpiredPut UnchangedExpired"},
	{"ignores what was seen", "Changed UnchangedOlder UnchangedExpired ConcurrentUnchanged"},
	{"takes an absent entry for an unchanged one", "Changed UnchangedExpired"},
	{"takes a newer entry for an unchanged one", "Changed UnchangedOlder ConcurrentUnchanged"},
	{"compares what was seen to the second", "Changed UnchangedOlder ConcurrentUnchanged"},
	{"puts only what is newer onto what was seen", "UnchangedOlder"},
	{"puts what is as old onto what was seen", "UnchangedOlder"},
	{"takes an expired entry for an unchanged one", "UnchangedExpired"},
	{"deletes nothing", "Delete Keys GetStaysValid ConcurrentKeys"},
	{"deletes by prefix", "Delete"},
	{"remembers what it deleted", "Delete GetStaysValid"},
	{"calls deleting nothing an error", "Delete"},
	{"folds case", "Keys"},
	{"cuts keys at NUL", "Keys"},
	{"cleans paths", "Keys"},
	{"repairs UTF-8 in keys", "Keys"},
	{"cuts long keys", "Keys"},
	{"takes empty data for absent", "EmptyData"},
	{"repairs UTF-8 in data", "BinaryData BigData"},
	{"cuts data at NUL", "BinaryData BigData"},
	{"cuts big data", "BigData"},
	{"keeps the caller's data", "PutCopies Unchanged"},
	{reuses, "GetStaysValid"},
	{"gives room to append", "GetStaysValid"},
	{"takes any key", "Invalid"},
	{"takes any time", "Invalid"},
	{"ignores the context", "DoneContext"},
	{"ends with the context, but acts", "DoneContext"},
	{"keeps only 20 keys", "Keys ConcurrentKeys"},
}

// flawedStore is a plain store in a map with one flaw.
type flawedStore struct {
	flaw    flaw
	mu      sync.Mutex
	entries map[string]cache.Entry
	graves  map[string]time.Time
}

func newFlawed(f flaw) *flawedStore {
	return &flawedStore{flaw: f, entries: make(map[string]cache.Entry), graves: make(map[string]time.Time)}
}

func (s *flawedStore) has(f flaw) bool { return s.flaw == f }

func (s *flawedStore) check(ctx context.Context, key string) error {
	switch {
	case s.has("ignores the context"), s.has("ends with the context, but acts"):
	case s.has("answers trouble with not found") && ctx.Err() != nil:
		return cache.ErrNotFound
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if s.has("takes any key") {
		return nil
	}
	return cache.CheckKey(key)
}

// done returns the error that a method returns at its end.
func (s *flawedStore) done(ctx context.Context) error {
	if s.has("ends with the context, but acts") {
		return ctx.Err()
	}
	return nil
}

func (s *flawedStore) key(key string) string {
	switch s.flaw {
	case "folds case":
		return strings.ToLower(key)
	case "cuts keys at NUL":
		key, _, _ = strings.Cut(key, "\x00")
	case "cleans paths":
		return path.Clean(key)
	case "repairs UTF-8 in keys":
		return strings.ToValidUTF8(key, "\ufffd")
	case "cuts long keys":
		return key[:min(len(key), 512)]
	}
	return key
}

func (s *flawedStore) Get(ctx context.Context, key string) (cache.Entry, error) {
	if err := s.check(ctx, key); err != nil {
		return cache.Entry{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key = s.key(key)
	e, ok := s.entries[key]
	absent := !ok || expired(e) && !s.has("keeps expired entries")
	if s.has("takes empty data for absent") && len(e.Data) == 0 {
		absent = true
	}
	if absent {
		if s.has("answers not found with an empty entry") {
			return cache.Entry{}, s.done(ctx)
		}
		if s.has("has its own not found") {
			return cache.Entry{}, errors.New("no such key")
		}
		return cache.Entry{}, cmp.Or(s.done(ctx), cache.ErrNotFound)
	}
	if !s.has("gives room to append") {
		e.Data = slices.Clip(e.Data)
	}
	return e, s.done(ctx)
}

func (s *flawedStore) PutIfNewer(ctx context.Context, key string, e cache.Entry) (bool, error) {
	return s.put(ctx, key, e, false, func(cache.Entry, bool) bool { return true })
}

func (s *flawedStore) PutIfUnchanged(ctx context.Context, key string, seen time.Time, e cache.Entry) (bool, error) {
	return s.put(ctx, key, e, true, func(old cache.Entry, ok bool) bool {
		if !s.has("takes an expired entry for an unchanged one") {
			ok = ok && !expired(old)
		}
		switch {
		case s.has("ignores what was seen"):
			return true
		case !ok && !old.FetchedAt.IsZero() && s.has("lets expired entries keep others out"):
			return false
		case !ok:
			return seen.IsZero() || s.has("takes an absent entry for an unchanged one")
		case s.has("puts only what is newer onto what was seen"), s.has("never replaces"):
			return old.FetchedAt.Equal(seen) && s.replaces(e, old, ok)
		case s.has("takes a newer entry for an unchanged one"):
			return !old.FetchedAt.Before(seen)
		case s.has("compares what was seen to the second"):
			return old.FetchedAt.Unix() == seen.Unix()
		}
		return old.FetchedAt.Equal(seen) && (!e.FetchedAt.Equal(seen) || s.has("puts what is as old onto what was seen"))
	})
}

// put is PutIfNewer, or PutIfUnchanged with over, if mayReplace returns true for the
// present entry.
func (s *flawedStore) put(ctx context.Context, key string, e cache.Entry, over bool,
	mayReplace func(old cache.Entry, ok bool) bool) (bool, error) {
	if err := s.check(ctx, key); err != nil {
		return false, err
	}
	if err := e.Check(); err != nil && !s.has("takes any time") {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key = s.key(key)
	old, ok := s.entries[key]
	if s.has("keeps nothing") || expired(e) && !s.has("stores expired entries") {
		return s.has("keeps nothing"), s.done(ctx)
	}
	if s.has("keeps only 20 keys") && !ok && len(s.entries) >= 20 {
		return true, nil
	}
	if s.has("checks, then acts") {
		s.mu.Unlock()
		time.Sleep(time.Millisecond)
		s.mu.Lock()
	}
	if !mayReplace(old, ok) || !over && !s.replaces(e, old, ok) || !e.FetchedAt.After(s.graves[key]) {
		return s.has("says that ignored entries were stored"), s.done(ctx)
	}
	s.entries[key] = s.stored(e, old)
	return true, s.done(ctx)
}

// replaces reports whether e replaces old. ok reports whether there is an old
// entry.
func (s *flawedStore) replaces(e, old cache.Entry, ok bool) bool {
	if !ok || expired(old) && !s.has("lets expired entries keep others out") {
		return true
	}
	switch s.flaw {
	case "never replaces":
		return false
	case "always replaces":
		return true
	case "lets the last of equals win":
		return !e.FetchedAt.Before(old.FetchedAt)
	case "orders by end":
		return e.Expires.After(old.Expires)
	case "compares floats":
		return float64(e.FetchedAt.UnixNano()) > float64(old.FetchedAt.UnixNano())
	case "compares clock faces":
		return e.FetchedAt.Format(time.DateTime+".000000000") > old.FetchedAt.Format(time.DateTime+".000000000")
	case "cuts times to microseconds":
		return e.FetchedAt.Truncate(time.Microsecond).After(old.FetchedAt)
	}
	return e.FetchedAt.After(old.FetchedAt)
}

// stored returns the entry that the store keeps for e.
func (s *flawedStore) stored(e, old cache.Entry) cache.Entry {
	if !s.has("keeps monotonic readings") {
		e.FetchedAt, e.Expires = e.FetchedAt.Round(0), e.Expires.Round(0)
	}
	data := e.Data
	e.Data = append(make([]byte, 0, len(data)+8), data...)
	switch s.flaw {
	case "cuts times to microseconds":
		e.FetchedAt, e.Expires = e.FetchedAt.Truncate(time.Microsecond), e.Expires.Truncate(time.Microsecond)
	case "loses the zone":
		_, offset := e.FetchedAt.Zone()
		e.FetchedAt = e.FetchedAt.Add(time.Duration(offset) * time.Second).UTC()
	case "keeps the caller's data":
		e.Data = data
	case reuses:
		e.Data = append(old.Data[:0], data...)
	case "repairs UTF-8 in data":
		e.Data = bytes.ToValidUTF8(e.Data, []byte("\ufffd"))
	case "cuts data at NUL":
		e.Data, _, _ = bytes.Cut(e.Data, []byte{0})
	case "cuts big data":
		e.Data = e.Data[:min(len(e.Data), math.MaxUint16)]
	}
	return e
}

func (s *flawedStore) Delete(ctx context.Context, key string) error {
	if err := s.check(ctx, key); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key = s.key(key)
	old, ok := s.entries[key]
	switch {
	case s.has("deletes nothing"):
		return nil
	case s.has("calls deleting nothing an error") && !ok:
		return cache.ErrNotFound
	case s.has("deletes by prefix"):
		maps.DeleteFunc(s.entries, func(k string, _ cache.Entry) bool { return strings.HasPrefix(k, key) })
	case s.has("remembers what it deleted") && ok:
		s.graves[key] = old.FetchedAt
	}
	delete(s.entries, key)
	return s.done(ctx)
}

func expired(e cache.Entry) bool { return !e.Expires.After(time.Now()) }
