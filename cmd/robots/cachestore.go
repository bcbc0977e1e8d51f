package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/fetch"
)

// cacheFlag is the value of --cache: a directory, a server, none, or where the
// user's cache is.
type cacheFlag string

const (
	cacheOfUser cacheFlag = ""
	cacheNone   cacheFlag = "none"
)

func (c cacheFlag) String() string { return string(c) }

func (cacheFlag) Type() string { return "cache" }

// Set takes everything but nothing. What is wrong with a URL is told later, as
// errors of flags repeat their values, and this one may hold a password.
func (c *cacheFlag) Set(text string) error {
	if text == "" {
		return errors.New("want " + cacheChoices)
	}
	*c = cacheFlag(text)
	return nil
}

const cacheChoices = `a directory, a server such as valkey://host:6379, or none`

// isServer reports whether a URL is given. One with a slash too few, or with
// another scheme, is no name of a directory either.
func (c cacheFlag) isServer() bool {
	scheme, _, found := strings.Cut(string(c), ":")
	known := slices.Contains([]string{"valkey", "valkeys", "redis", "rediss"}, strings.ToLower(scheme))
	return found && known || strings.Contains(string(c), "://")
}

// A cache may take so long for each thing. Processes that share a disk wait for each other
// while they write, which costs less than what they would fetch in vain.
const (
	cacheOpenTimeout  = 2 * time.Second
	cacheCloseTimeout = 2 * time.Second
	diskTimeout       = time.Second
)

// openCache is where a run keeps files. Its zero value keeps none.
type openCache struct {
	store   cache.Store
	timeout time.Duration // of each call, 0 for the usual
	close   func() error
}

// done closes the cache, but waits no longer than it is worth: what was put is
// there, and what was not costs a fetch. All answers are printed by now.
func (c *openCache) done() {
	if c.close == nil {
		return
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = c.close()
	}()
	select {
	case <-closed:
	case <-time.After(cacheCloseTimeout):
	}
}

// open opens the cache for a run. An error is wrong usage; a cache that cannot
// be used is a warning, and the run goes on without.
func (c cacheFlag) open(ctx context.Context, t *term.Terminal) (*openCache, error) {
	ctx, cancel := context.WithTimeout(ctx, cacheOpenTimeout)
	defer cancel()
	var opened *openCache
	var err error
	switch {
	case c == cacheNone:
		return &openCache{}, nil
	case c.isServer():
		config, wrong := valkey.ParseURL(string(c))
		if wrong != nil {
			return nil, term.Errorf("want "+cacheChoices, "--cache: %s", term.Escape(strings.TrimPrefix(wrong.Error(), "valkey: ")))
		}
		opened, err = openServer(ctx, t, config)
	default:
		opened, err = openDisk(ctx, t, string(c))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it did not open within %v", cacheOpenTimeout)
	}
	if err != nil {
		t.Warn("the cache cannot be used, so sites are asked: %s", term.Escape(err.Error()))
		return &openCache{}, nil
	}
	return opened, nil
}

func openServer(ctx context.Context, t *term.Terminal, config valkey.Config) (*openCache, error) {
	config.Logger = cacheLog(t)
	store, err := valkey.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	return &openCache{store, config.Timeout, store.Close}, nil
}

func openDisk(ctx context.Context, t *term.Terminal, dir string) (*openCache, error) {
	store, err := disk.Open(ctx, disk.Config{Dir: dir, Logger: cacheLog(t)})
	if err != nil {
		return nil, err
	}
	return &openCache{store, diskTimeout, store.Close}, nil
}

// cacheLog returns a logger for a cache, which prints warnings, each once in a
// run. They may come at any time.
func cacheLog(t *term.Terminal) *slog.Logger { return slog.New(&warnings{t: t}) }

// warnings is a handler of logs.
type warnings struct {
	t    *term.Terminal
	mu   sync.Mutex
	told []string
}

func (*warnings) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (w *warnings) Handle(_ context.Context, r slog.Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.Contains(w.told, r.Message) {
		return nil
	}
	w.told = append(w.told, r.Message)
	var details []string
	r.Attrs(func(a slog.Attr) bool {
		if value := a.Value.String(); value != "" {
			details = append(details, a.Key+" "+value)
		}
		return true
	})
	w.t.Warn("%s", term.Escape(r.Message+" ("+strings.Join(details, ", ")+")"))
	return nil
}

func (w *warnings) WithAttrs([]slog.Attr) slog.Handler { return w }

func (w *warnings) WithGroup(string) slog.Handler { return w }

// unread is a store whose entries are not used but may be replaced. The first Get of
// a key fails, so that a fault replaces no entry. Later ones return only the age of
// the entry, which the client needs to replace it by an answer.
type unread struct {
	cache.Store
	asked *sync.Map
}

func newUnread(s cache.Store) unread { return unread{s, new(sync.Map)} }

func (u unread) Get(ctx context.Context, key string) (cache.Entry, error) {
	if _, again := u.asked.LoadOrStore(key, true); !again {
		return cache.Entry{}, errors.New("its entries are not used in this run")
	}
	e, err := u.Store.Get(ctx, key)
	if _, wrong := fetch.ReadEntry(e); !errors.Is(wrong, cache.ErrNewer) {
		e.Data = nil
	}
	return e, err
}
