package cache

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"
)

// MemoryConfig says how much a [Memory] may hold. Its zero value is ready for
// use.
type MemoryConfig struct {
	// MaxBytes bounds keys, data and what it costs to keep them. Zero or less
	// means 64 MiB, room for some 30,000 files of 2 KB. The process needs a
	// little more: the garbage collector lets replaced entries stand for a
	// while.
	MaxBytes int64
}

// Memory is a [Store] in the memory of this process, bounded by bytes. When it
// is full, entries that are asked for often or were put lately stay, others
// go; a new entry may be the one that goes. It starts no goroutines and has no
// Close.
type Memory struct {
	entries  *otter.Cache[string, *memoryEntry]
	maxEntry int
}

// memoryEntry is immutable. Times are nanoseconds since 1970: a time.Time has
// three times the size, and a pointer for the garbage collector to follow.
type memoryEntry struct {
	fetchedAt, expires int64
	data               []byte // its capacity is what was allocated for it
}

const (
	defaultMaxBytes = 64 << 20

	// entryOverhead is what an entry takes up next to its key and data: the
	// memoryEntry, the node of the cache, its share of the hash table and of
	// the frequency sketch. TestMemoryBytesAreReal measures it.
	entryOverhead = 160

	// No entry may take more than an eighth of the whole: it would drive out
	// too many others for one that is itself as likely to go.
	maxShare = 8
)

// NewMemory returns an empty [Memory]. Its memory grows with what is put; the
// bound is not reserved in advance.
func NewMemory(cfg MemoryConfig) *Memory {
	maxBytes := cfg.MaxBytes
	if maxBytes <= 0 {
		maxBytes = defaultMaxBytes
	}
	m := &Memory{maxEntry: int(min(maxBytes/maxShare, math.MaxInt32))}
	m.entries = otter.Must(&otter.Options[string, *memoryEntry]{
		MaximumWeight: uint64(maxBytes),
		Weigher:       weigh,
		// The caller does the housekeeping of the cache, a little with each
		// call. Goroutines would make it later, so that the bound is exceeded
		// for longer, and what a full cache keeps a matter of chance. For the
		// same reason no function that runs inside of the cache may call it.
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

// Get implements [Store]. Its only errors are [ErrNotFound], [ErrInvalid] and
// those of the context. The Data is shared by all who get the entry.
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
		Data:      e.data[:len(e.data):len(e.data)], // no room for append to write into
	}, nil
}

// PutIfNewer implements [Store]. An entry that takes more than an eighth of
// [MemoryConfig.MaxBytes] is not kept. Even one that is stored may be dropped
// at once if the store is full of entries that are in demand.
func (m *Memory) PutIfNewer(ctx context.Context, key string, e Entry) (stored bool, err error) {
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
	if entryOverhead+len(key)+len(e.Data) > m.maxEntry { // before anything of that size is copied
		m.remove(key, func(old *memoryEntry) bool { return old.fetchedAt < fresh.fetchedAt })
		return false, nil
	}
	// append instead of bytes.Clone: all of what is allocated counts, and cap
	// tells. Neither may the key keep the page alive that it was cut from.
	fresh.data = append([]byte{}, e.Data...)
	key = strings.Clone(key)
	m.entries.Compute(key, func(old *memoryEntry, found bool) (*memoryEntry, otter.ComputeOp) {
		if found && old.fetchedAt >= fresh.fetchedAt && !old.expired(now) {
			return nil, otter.CancelOp
		}
		stored = true
		return fresh, otter.WriteOp
	})
	return stored, nil
}

// Delete implements [Store]. The room that the entry took up is free for
// others at once.
func (m *Memory) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	m.entries.Invalidate(key)
	return nil
}

// Len returns the number of entries that take up room, expired ones included:
// those go when they are asked for, or when room is needed.
func (m *Memory) Len() int {
	return m.entries.EstimatedSize()
}

// Bytes returns what the entries take up, as [MemoryConfig.MaxBytes] counts
// it. It exceeds the bound at most for moments, while entries are being put.
func (m *Memory) Bytes() int64 {
	return int64(m.entries.WeightedSize())
}

// remove removes the entry of key if it is one that should go. Another
// goroutine may have replaced the one that the caller has seen.
func (m *Memory) remove(key string, shouldGo func(*memoryEntry) bool) {
	m.entries.ComputeIfPresent(key, func(old *memoryEntry) (*memoryEntry, otter.ComputeOp) {
		if shouldGo(old) {
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
