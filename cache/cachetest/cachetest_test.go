package cachetest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// flawed is a flaw with the checks that must fail, and with a question mark those that may:
// the order of goroutines decides. All other checks must pass.
type flawed struct {
	flaw  flaw
	fails string
}

// testFlaws runs every check on each flawed store, and compares the checks that
// fail with the expected ones. Bubbles make races reproducible.
func testFlaws[S cache.Store](t *testing.T, contract []checkOf[S], flaws []flawed, open func(flaw) S) {
	t.Helper()
	caught := make(map[string]bool)
	for _, tt := range flaws {
		fails := strings.Fields(tt.fails)
		for _, c := range contract {
			if tt.flaw == reuses && strings.HasPrefix(c.name, "Concurrent") {
				continue // writing to shared data is a data race, which the race detector would report
			}
			run := inBubble[S]
			if c.name == "WallClock" {
				run = outside // a bubble has no monotonic clock
			}
			err := run(t, c, open(tt.flaw))
			if slices.Contains(fails, c.name+"?") {
				continue
			}
			if expected := slices.Contains(fails, c.name); (err != nil) != expected {
				t.Errorf("a store that %s fails %s = %v, want %v: %v", tt.flaw, c.name, err != nil, expected, err)
			}
			caught[c.name] = caught[c.name] || err != nil
		}
	}
	for _, c := range contract {
		if !caught[c.name] {
			t.Errorf("no flaw makes %s fail", c.name)
		}
	}
	t.Logf("%d checks, %d flaws", len(contract), len(flaws)-1)
}

func TestFlaws(t *testing.T) {
	testFlaws(t, contract, flaws, func(f flaw) cache.Store { return newFlawed(f) })
}

func TestMemory(t *testing.T) {
	TestStore(t, func(*testing.T) cache.Store { return new(Memory) })
}

// TestMemoryInBubble checks that a Memory works in testing/synctest, also one made outside.
func TestMemoryInBubble(t *testing.T) {
	for _, c := range contract {
		if err := inBubble(t, c, cache.Store(new(Memory))); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func outside[S cache.Store](t *testing.T, c checkOf[S], s S) error {
	return c.run(t.Context(), s)
}

// inBubble runs c with s in a testing/synctest bubble.
func inBubble[S cache.Store](t *testing.T, c checkOf[S], s S) (err error) {
	synctest.Test(t, func(t *testing.T) { err = c.run(t.Context(), s) })
	return err
}

// TestCheckExpiresGivesSlowStoresTime runs the one check that depends on time
// with a store that takes seconds.
func TestCheckExpiresGivesSlowStoresTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if err := checkExpires(t.Context(), slowStore{newFlawed(correct), 2 * time.Second}); err != nil {
			t.Error(err)
		}
		if checkExpires(t.Context(), slowStore{newFlawed(correct), time.Minute}) == nil {
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
