package store

import (
	"context"
	"errors"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// Read returns what a store has of an origin; the site is not asked. The error is
// [cache.ErrNotFound] without an entry, a [*fetch.EntryError] if it is unreadable, or
// that of the store.
func Read(ctx context.Context, s cache.Store, o origin.Origin) (*answer.Ruling, error) {
	entry, err := s.Get(ctx, o.String())
	if err != nil {
		return nil, err
	}
	stored, err := fetch.ReadEntry(entry)
	if err != nil {
		return nil, err
	}
	if stored.Origin != o {
		return nil, &fetch.EntryError{Problem: "it is that of " + stored.Origin.String()}
	}
	now := ask.Now()
	result := stored.Result(fetch.GooglePolicy, robotstxt.Google, now)
	if result.Source == fetch.SourceAssumed && stored.Answer != nil {
		// This policy uses the copy, which says more than that the site is down.
		result = stored.Result(fetch.RFC9309Policy, robotstxt.Google, now)
	}
	return ask.RuleSite(result, now, robotstxt.Google, nil), nil
}

// Purge removes origins from a store, and returns how many were in it.
func Purge(ctx context.Context, s cache.Store, origins ...origin.Origin) (n int64, err error) {
	for _, o := range origins {
		_, err := s.Get(ctx, o.String())
		if err == nil {
			n++
		} else if !errors.Is(err, cache.ErrNotFound) {
			return n, err
		}
		if err := s.Delete(ctx, o.String()); err != nil {
			return n, err
		}
	}
	return n, nil
}

// Entry returns the JSON form of what a store on disk has of a site.
func Entry(info disk.Info, now time.Time) *wire.CacheEntry {
	return &wire.CacheEntry{
		Origin: info.Key, FetchedAt: info.FetchedAt.UTC(), Expires: info.Expires.UTC(), Expired: !info.Expires.After(now),
		Size: info.Size, Stored: info.Stored,
	}
}
