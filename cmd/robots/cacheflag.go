package main

import (
	"context"
	"errors"

	"github.com/kosterhq/robotstxt/cmd/internal/store"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// cacheFlag is the value of --cache: a directory, a server, cacheNone or cacheOfUser.
type cacheFlag string

const (
	cacheOfUser cacheFlag = ""
	cacheNone   cacheFlag = "none"
)

func (c cacheFlag) String() string { return string(c) }

func (cacheFlag) Type() string { return "cache" }

// Set accepts every value except "". A malformed URL is reported later, because errors
// of flags repeat the value, which may contain a password.
func (c *cacheFlag) Set(text string) error {
	if text == "" {
		return errors.New("want " + store.Choices)
	}
	*c = cacheFlag(text)
	return nil
}

// open opens the cache of a run, nil for none. An error means wrong usage. If the cache
// is unusable, open prints a warning, and the run continues without a cache.
func (c cacheFlag) open(ctx context.Context, t *term.Terminal) (*store.Store, error) {
	if c == cacheNone {
		return nil, nil
	}
	opened, err := store.Open(ctx, string(c), t.Logger())
	if misused := (*term.Error)(nil); errors.As(err, &misused) {
		return nil, term.Prefixed("--cache: ", err)
	}
	if err != nil {
		t.Warn("the cache is unusable, so every robots.txt is fetched: %s", term.Escape(err.Error()))
		return nil, nil
	}
	return opened, nil
}
