package cache

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"
)

// MemoryConfig configures a [Memory]. The zero value is ready for use.
type MemoryConfig struct {
	// MaxBytes bounds the size of all entries: keys, data and overhead. Zero or
	// less means 64 MiB, enough for some 30,000 files of 2 KB. The process needs
	// slightly more, because replaced entries stay in memory until the next
	// garbage collection.
	MaxBytes int64
}

// Memory is a [Store] in the memory of this process, bounded by bytes. When it is
// full, it drops entries that are rarely or not recently used, possibly a new one.
// It starts no goroutines and needs no Close.
type Memory struct {
	entries  *otter.Cache[string, *memoryEntry]
	maxEntry int
}

// memoryEntry is an immutable entry. Times are nanoseconds since 1970, because a
// time.Time is three times as large and contains a pointer.
type memoryEntry struct {
	fetchedAt, expires int64
	data               []byte // its capacity is the allocated size
}

const (
	defaultMaxBytes = 64 << 20

	// entryOverhead is the memory of an entry without its key and data: the
	// memoryEntry, the node of the cache, and its share of the hash table and
	// the frequency sketch. TestMemoryBytesAreReal measures it.
	entryOverhead = 160

	// maxShare limits an entry to an eighth of the store. A larger one would
	// evict many others, although it is as likely to be evicted itself.
	maxShare = 8
)

// NewMemory returns an empty [Memory]. It allocates memory as entries are put, not
// in advance.
func NewMemory(cfg MemoryConfig) *Memory {
	maxBytes := cfg.MaxBytes
	if maxBytes <= 0 {
		maxBytes = defaultMaxBytes
	}
	m := &Memory{maxEntry: int(min(maxBytes/maxShare, math.MaxInt32))}
	m.entries = otter.Must(&otter.Options[string, *memoryEntry]{
		MaximumWeight: uint64(maxBytes),
		Weigher:       weigh,
		// Evictions run in the calling goroutine. A goroutine of otter's would
		// run them later: the bound would be exceeded for longer, and the choice
		// of entries in a full cache would be random. Functions that run inside
		// the cache must not call it.
		Executor: func(housekeeping func()) { housekeeping() },
		Logger:   &otter.NoopLogger{},
	})
	return m
}

func weigh(key string, e *memoryEntry) uint32 {
	return uint32(weight(key, e)) // at most maxEntry
}

func weight(key string, e *memoryEntry) int {
	return entryOverhead + len(key) + cap(e.data)
}

// Get implements [Store]. Its only errors are [ErrNotFound], [ErrInvalid] and those
// of the context. All callers that get an entry share its Data.
func (m *Memory) Get(ctx context.Context, key string) (Entry, error) {
	if err := check(ctx, key); err != nil {
		return Entry{}, err
	}
	e, found := m.entries.GetIfPresent(key)
	if !found {
		return Entry{}, ErrNotFound
	}
	if e.expired(time.Now().UnixNano()) {
		m.remove(key, func(old *memoryEntry) bool { return old == e })
		return Entry{}, ErrNotFound
	}
	return Entry{
		FetchedAt: time.Unix(0, e.fetchedAt).UTC(),
		Expires:   time.Unix(0, e.expires).UTC(),
		Data:      e.data[:len(e.data):len(e.data)], // so that append copies
	}, nil
}

// PutIfNewer implements [Store]. It does not store an entry larger than an eighth
// of [MemoryConfig.MaxBytes]. A stored entry may be dropped immediately if the store
// is full of entries in frequent use.
func (m *Memory) PutIfNewer(ctx context.Context, key string, e Entry) (stored bool, err error) {
	return m.put(ctx, key, e, func(old *memoryEntry) bool { return old == nil || old.fetchedAt < e.FetchedAt.UnixNano() })
}

// PutIfUnchanged implements [Store], with the limits of PutIfNewer.
func (m *Memory) PutIfUnchanged(ctx context.Context, key string, seen time.Time, e Entry) (stored bool, err error) {
	if err := CheckSeen(seen); err != nil {
		return false, err
	}
	return m.put(ctx, key, e, func(old *memoryEntry) bool {
		if old == nil || seen.IsZero() {
			return old == nil && seen.IsZero()
		}
		return old.fetchedAt == seen.UnixNano() && !seen.Equal(e.FetchedAt)
	})
}

// put stores e if mayReplace returns true for the present entry, which is nil if key
// is absent.
func (m *Memory) put(ctx context.Context, key string, e Entry, mayReplace func(*memoryEntry) bool) (stored bool, err error) {
	if err := check(ctx, key); err != nil {
		return false, err
	}
	if err := e.Check(); err != nil {
		return false, err
	}
	now := time.Now().UnixNano()
	fresh := &memoryEntry{fetchedAt: e.FetchedAt.UnixNano(), expires: e.Expires.UnixNano()}
	if fresh.expired(now) {
		return false, nil
	}
	if entryOverhead+len(key)+len(e.Data) > m.maxEntry { // before the data is copied
		m.remove(key, func(old *memoryEntry) bool {
			return old.expired(now) || mayReplace(old)
		})
		return false, nil
	}
	// append instead of bytes.Clone, because cap then returns the allocated size.
	// The key is cloned because it may be a part of a larger string.
	fresh.data = append([]byte{}, e.Data...)
	key = strings.Clone(key)
	m.entries.Compute(key, func(old *memoryEntry, found bool) (*memoryEntry, otter.ComputeOp) {
		if !found || old.expired(now) {
			old = nil
		}
		if !mayReplace(old) {
			return nil, otter.CancelOp
		}
		stored = true
		return fresh, otter.WriteOp
	})
	return stored, nil
}

// Delete implements [Store]. The memory of the entry is available for others
// immediately.
func (m *Memory) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	m.entries.Invalidate(key)
	return nil
}

// Len returns the number of entries, including expired ones. An expired entry is
// removed by the next Get, or when its space is needed.
func (m *Memory) Len() int {
	return m.entries.EstimatedSize()
}

// Bytes returns the size of all entries, as [MemoryConfig.MaxBytes] counts it. It
// can exceed that bound for a moment while entries are put.
func (m *Memory) Bytes() int64 {
	return int64(m.entries.WeightedSize())
}

// remove removes the entry of key if shouldRemove returns true for it. Another
// goroutine may have replaced the entry that the caller has seen.
func (m *Memory) remove(key string, shouldRemove func(*memoryEntry) bool) {
	m.entries.ComputeIfPresent(key, func(old *memoryEntry) (*memoryEntry, otter.ComputeOp) {
		if shouldRemove(old) {
			return nil, otter.InvalidateOp
		}
		return nil, otter.CancelOp
	})
}

func (e *memoryEntry) expired(now int64) bool {
	return e.expires <= now
}

func check(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return CheckKey(key)
}
