package cachetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// ManyStore is a store that reads many entries at once.
type ManyStore interface {
	cache.Store
	cache.ManyGetter
}

// TestManyGetter runs one subtest for each rule of [cache.ManyGetter]. open is as in
// [TestStore].
func TestManyGetter(t *testing.T, open func(t *testing.T) ManyStore) {
	t.Helper()
	runAll(t, manyContract, open)
}

var manyContract = []checkOf[ManyStore]{
	{"Many", checkMany},
	{"ManyAbsent", checkManyAbsent},
	{"ManyInvalid", checkManyInvalid},
	{"ManyDone", checkManyDone},
}

func wantMany(ctx context.Context, s ManyStore, keys []string, wanted map[string]cache.Entry) error {
	got, err := s.GetMany(ctx, keys)
	if err != nil {
		return fmt.Errorf("GetMany of %d keys: %w", len(keys), err)
	}
	var errs []error
	for key, w := range wanted {
		e, ok := got[key]
		if !ok {
			errs = append(errs, fmt.Errorf("GetMany of %d keys: %.60q is missing", len(keys), key))
			continue
		}
		errs = append(errs, same(key, e, w))
	}
	if len(got) != len(wanted) {
		errs = append(errs, fmt.Errorf("GetMany of %d keys: %d entries, want %d", len(keys), len(got), len(wanted)))
	}
	return errors.Join(errs...)
}

// checkMany reads more keys than fit into one message, in no order and repeated.
func checkMany(ctx context.Context, s ManyStore) error {
	const n = 1100
	wanted := make(map[string]cache.Entry)
	keys := []string{key + "/absent"}
	for i := range n {
		k := fmt.Sprint("key ", i*7919%n)
		keys = append(keys, k)
		if i%3 > 0 {
			wanted[k] = entryAt(time.Duration(i), k)
			if err := put(ctx, s, k, wanted[k], true); err != nil {
				return err
			}
		}
	}
	return wantMany(ctx, s, append(keys, keys[:100]...), wanted)
}

// checkManyAbsent reads keys that are absent, deleted or expired, and no keys.
func checkManyAbsent(ctx context.Context, s ManyStore) error {
	short := entryAt(0, "short")
	short.Expires = time.Now().Add(20 * time.Millisecond)
	if _, err := s.PutIfNewer(ctx, "short", short); err != nil {
		return err
	}
	wait(short.Expires)
	e := entryAt(0, "")
	return errors.Join(
		put(ctx, s, "deleted", e, true),
		s.Delete(ctx, "deleted"),
		put(ctx, s, "empty", e, true),
		wantMany(ctx, s, []string{"short", "deleted", "never", "empty"}, map[string]cache.Entry{"empty": e}),
		wantMany(ctx, s, []string{"never"}, nil),
		wantMany(ctx, s, nil, nil),
	)
}

func checkManyInvalid(ctx context.Context, s ManyStore) error {
	if err := put(ctx, s, key, entryAt(0, "valid"), true); err != nil {
		return err
	}
	_, err := s.GetMany(ctx, []string{key, ""})
	return wantError("GetMany with an empty key", err, cache.ErrInvalid)
}

func checkManyDone(ctx context.Context, s ManyStore) error {
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, err := s.GetMany(done, []string{key})
	return wantError("GetMany", err, context.Canceled)
}
