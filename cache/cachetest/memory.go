package cachetest

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// Memory is a [cache.Store] in the memory of the process, for tests and examples. It has no
// bound: only Delete and a Get after its expiry remove an entry. The zero value is empty and
// ready for use. A program that needs no store apart from the client's memory leaves Store
// of fetch.Config nil.
type Memory struct {
	mu      sync.Mutex
	entries map[string]cache.Entry
}

// Get implements [cache.Store]. All callers that get an entry share its Data.
func (m *Memory) Get(ctx context.Context, key string) (cache.Entry, error) {
	if err := checkCall(ctx, key); err != nil {
		return cache.Entry{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.entries[key]
	if !ok {
		return cache.Entry{}, cache.ErrNotFound
	}
	if !e.Expires.After(time.Now()) {
		delete(m.entries, key)
		return cache.Entry{}, cache.ErrNotFound
	}
	return e, nil
}

// PutIfNewer implements [cache.Store].
func (m *Memory) PutIfNewer(ctx context.Context, key string, e cache.Entry) (stored bool, err error) {
	return m.put(ctx, key, e, func(old time.Time) bool { return old.IsZero() || old.Before(e.FetchedAt) })
}

// PutIfUnchanged implements [cache.Store].
func (m *Memory) PutIfUnchanged(ctx context.Context, key string, seen time.Time,
	e cache.Entry) (stored bool, err error) {
	if err := cache.CheckSeen(seen); err != nil {
		return false, err
	}
	return m.put(ctx, key, e, func(old time.Time) bool { return old.Equal(seen) && !old.Equal(e.FetchedAt) })
}

// put stores e if mayReplace returns true for the time of the present entry, or for zero if
// there is no entry.
func (m *Memory) put(ctx context.Context, key string, e cache.Entry,
	mayReplace func(old time.Time) bool) (bool, error) {
	if err := checkCall(ctx, key); err != nil {
		return false, err
	}
	if err := e.Check(); err != nil {
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	old := m.entries[key]
	if !old.Expires.After(now) {
		old = cache.Entry{}
	}
	if !e.Expires.After(now) || !mayReplace(old.FetchedAt) {
		return false, nil
	}
	if m.entries == nil {
		m.entries = make(map[string]cache.Entry)
	}
	data := bytes.Clone(e.Data)
	m.entries[strings.Clone(key)] = cache.Entry{FetchedAt: e.FetchedAt.Round(0), Expires: e.Expires.Round(0),
		Data: data[:len(data):len(data)]}
	return true, nil
}

// Delete implements [cache.Store].
func (m *Memory) Delete(ctx context.Context, key string) error {
	if err := checkCall(ctx, key); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, key)
	return nil
}

// Len returns the number of entries, including expired ones.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.entries)
}

func checkCall(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return cache.CheckKey(key)
}
