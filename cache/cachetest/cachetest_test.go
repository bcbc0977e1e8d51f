package cachetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// TestFlaws holds the contract against each flawed store. A check that passes
// where it should fail is blind; one that fails where it should pass means
// something else than it says. Bubbles make the races happen each time.
func TestFlaws(t *testing.T) {
	caught := make(map[string]int)
	for _, tt := range flaws {
		for _, c := range contract {
			if tt.flaw == reuses && strings.HasPrefix(c.name, "Concurrent") {
				continue // to write to what others read is a data race, and no way to fail a check
			}
			run := inBubble
			if c.name == "WallClock" {
				run = outside // a bubble has no monotonic clock
			}
			err := run(t, c, newFlawed(tt.flaw))
			if expected := slices.Contains(strings.Fields(tt.fails), c.name); (err != nil) != expected {
				t.Errorf("a store that %s fails %s = %v, want %v: %v", tt.flaw, c.name, err != nil, expected, err)
			}
			if err != nil {
				caught[c.name]++
			}
		}
	}
	for _, c := range contract {
		if caught[c.name] == 0 {
			t.Errorf("no flaw makes %s fail", c.name)
		}
	}
	t.Logf("%d checks, %d flaws", len(contract), len(flaws)-1)
}

// TestMemoryInBubble holds that a Memory fits testing/synctest: it leaves no
// goroutine behind, and it goes by the time of the bubble.
func TestMemoryInBubble(t *testing.T) {
	older := cache.NewMemory(cache.MemoryConfig{})
	for _, c := range contract {
		if err := inBubble(t, c, cache.NewMemory(cache.MemoryConfig{})); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// One that was made outside may be used inside, too.
	if err := inBubble(t, contract[0], older); err != nil {
		t.Error(err)
	}
	// Evictions need no goroutine either.
	crowd := check{"crowd", func(ctx context.Context, s cache.Store) error {
		return together(func(i int) error {
			for j := range 100 {
				if err := put(ctx, s, fmt.Sprint(i, j), entryAt(0, strings.Repeat("x", 1000)), true); err != nil {
					return err
				}
			}
			return nil
		})
	}}
	small := cache.NewMemory(cache.MemoryConfig{MaxBytes: 100_000})
	if err := inBubble(t, crowd, small); err != nil || small.Bytes() > 100_000 || small.Len() == 0 {
		t.Errorf("%d entries, %d bytes, err = %v", small.Len(), small.Bytes(), err)
	}
}

func outside(t *testing.T, c check, s cache.Store) error {
	return c.run(t.Context(), s)
}

// inBubble holds s against c in a testing/synctest bubble.
func inBubble(t *testing.T, c check, s cache.Store) (err error) {
	synctest.Test(t, func(t *testing.T) { err = c.run(t.Context(), s) })
	return err
}

// TestCheckExpiresGivesSlowStoresTime runs the one check that depends on how
// fast a store is against one that takes seconds.
func TestCheckExpiresGivesSlowStoresTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if err := checkExpires(t.Context(), slowStore{newFlawed(sound), 2 * time.Second}); err != nil {
			t.Error(err)
		}
		if checkExpires(t.Context(), slowStore{newFlawed(sound), time.Minute}) == nil {
			t.Error("a store that takes a minute passes")
		}
	})
}

type slowStore struct {
	cache.Store
	delay time.Duration
}

func (s slowStore) Get(ctx context.Context, key string) (cache.Entry, error) {
	time.Sleep(s.delay)
	return s.Store.Get(ctx, key)
}
