package sites

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// ErrUnreadable means that a store has an entry of an origin that ReadStored cannot read.
var ErrUnreadable = errors.New("unreadable entry")

// ReadStored returns the entry of an origin in a store, without a fetch. The error wraps
// [cache.ErrNotFound] if there is no entry and ErrUnreadable if it cannot be read; other
// errors come from the store.
func ReadStored(ctx context.Context, s cache.Store, o origin.Origin) (*answer.Ruling, error) {
	entry, err := s.Get(ctx, o.String())
	if err != nil {
		return nil, err
	}
	stored, err := fetch.ReadEntry(entry)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if stored.Origin != o {
		return nil, fmt.Errorf("%w: it belongs to %v", ErrUnreadable, stored.Origin)
	}
	now := Now()
	result := stored.Result(fetch.GooglePolicy, now)
	if result.Source == fetch.SourceAssumed && stored.Answer != nil {
		// This policy uses the copy, which is more useful than the fault of the site.
		result = stored.Result(fetch.RFC9309Policy, now)
	}
	return RuleSite(result, now, nil, nil), nil
}

// Purge removes origins from a store and from the memory of the programs that share
// it, and returns how many were in the store.
func Purge(ctx context.Context, s cache.Store, origins ...origin.Origin) (n int64, err error) {
	for _, o := range origins {
		_, err := s.Get(ctx, o.String())
		if err == nil || errors.Is(err, cache.ErrNewer) {
			n++
		} else if !errors.Is(err, cache.ErrNotFound) {
			return n, err
		}
	}
	return n, fetch.PurgeStore(ctx, s, origins...)
}

// PurgeAll is Purge for all origins.
func PurgeAll(ctx context.Context, s cache.Store) (n int64, err error) {
	all, ok := s.(interface {
		PurgeAll(context.Context) (int64, error)
	})
	if !ok {
		return 0, fmt.Errorf("%T cannot be emptied", s)
	}
	note := func() int64 {
		if _, err := s.Get(ctx, fetch.PurgeKey); err == nil {
			return 1
		}
		return 0
	}()
	n, err = all.PurgeAll(ctx)
	if err != nil {
		return n, err
	}
	return n - min(n, note), fetch.PurgeStore(ctx, s)
}

// PurgeExpired removes expired entries. A server removes them by itself.
func PurgeExpired(ctx context.Context, s cache.Store) (n int64, err error) {
	if d, ok := s.(*disk.Store); ok {
		return d.PurgeExpired(ctx)
	}
	return 0, nil
}

// StoreEntry returns the JSON form of an entry in a store on disk.
func StoreEntry(info disk.Info, now time.Time) *wire.CacheEntry {
	return &wire.CacheEntry{
		Origin: info.Key, FetchedAt: info.FetchedAt.UTC(), Expires: info.Expires.UTC(),
		Expired: !info.Expires.After(now),
		Size:    info.Size, Stored: info.Stored,
	}
}
