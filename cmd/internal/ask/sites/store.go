package sites

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
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/fetch"
)

// StoreChoices describes the names of caches.
const StoreChoices = `a directory, a server such as valkey://host:6379, or none`

// IsStoreServer reports whether a name is the URL of a server, or a malformed URL, instead
// of a directory.
func IsStoreServer(name string) bool {
	scheme, _, found := strings.Cut(name, ":")
	known := slices.Contains([]string{"valkey", "valkeys", "redis", "rediss"}, strings.ToLower(scheme))
	return found && known || strings.Contains(name, "://")
}

// Processes that share a disk wait for each other while they write, which takes less time
// than another fetch.
const (
	openTimeout  = 2 * time.Second
	closeTimeout = 2 * time.Second
	diskTimeout  = time.Second
)

// Store is an open cache.
type Store struct {
	cache.Store
	Timeout time.Duration // of each call, 0 for the default of package fetch

	close func() error
}

// OpenStore opens a cache: a directory, "" for the one in the user's cache directory, or
// the URL of a server. Later problems are logged. A [*term.Error] means that the name
// is invalid, any other error that the cache is unusable.
func OpenStore(ctx context.Context, name string, log *slog.Logger) (*Store, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	s, err := openStore(ctx, name, log)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("it did not open within %v", openTimeout)
	}
	return s, err
}

func openStore(ctx context.Context, name string, log *slog.Logger) (*Store, error) {
	if !IsStoreServer(name) {
		s, err := disk.Open(ctx, disk.Config{Dir: name, Logger: log})
		if err != nil {
			return nil, err
		}
		return &Store{s, diskTimeout, s.Close}, nil
	}
	config, err := valkey.ParseURL(name)
	if err != nil {
		return nil, term.Errorf("%s", term.Escape(strings.TrimPrefix(err.Error(), "valkey: "))).Hint("use " + StoreChoices)
	}
	config.Logger = log
	s, err := valkey.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	return &Store{s, config.Timeout, s.Close}, nil
}

// Close closes the cache and waits at most two seconds for pending writes. A lost write
// causes another fetch. Close does nothing for a nil Store.
func (s *Store) Close() {
	if s == nil {
		return
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = s.close()
	}()
	select {
	case <-closed:
	case <-time.After(closeTimeout):
	}
}

type unreadStore struct {
	cache.Store
	known *sync.Map // keys that Get was called with
}

// UnreadStore returns a store whose entries are not used but can be replaced. The first
// Get of a key fails, so that a fault does not replace an entry. Later calls return only
// the age of the entry, which the client needs to replace it by an answer.
func UnreadStore(s cache.Store) cache.Store { return unreadStore{s, new(sync.Map)} }

func (u unreadStore) Get(ctx context.Context, key string) (cache.Entry, error) {
	if _, again := u.known.LoadOrStore(key, true); !again {
		return cache.Entry{}, errors.New("its entries are not used in this run")
	}
	e, err := u.Store.Get(ctx, key)
	if _, wrong := fetch.ReadEntry(e); !errors.Is(wrong, cache.ErrNewer) {
		e.Data = nil
	}
	return e, err
}
