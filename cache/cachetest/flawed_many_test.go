package cachetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/cache"
)

var manyFlaws = []flawed{
	{correct, ""},
	{"reads 1000 keys at most", "Many"},
	{"mixes up keys", "Many ManyAbsent"},
	{"returns empty entries for absent keys", "Many ManyAbsent"},
	{"calls an absent key an error", "Many ManyAbsent ManyInvalid"},
	{"calls no keys an error", "ManyAbsent"},
	{"passes over invalid keys", "ManyInvalid"},
	{"ignores the context", "ManyDone"},
}

func TestManyFlaws(t *testing.T) {
	testFlaws(t, manyContract, manyFlaws, func(f flaw) ManyStore { return flawedMany{newFlawed(correct), f} })
}

type flawedMany struct {
	*flawedStore
	flaw flaw
}

// getEach is a correct GetMany.
func getEach(ctx context.Context, s cache.Store, keys []string) (map[string]cache.Entry, error) {
	entries := make(map[string]cache.Entry, len(keys))
	for _, key := range keys {
		e, err := s.Get(ctx, key)
		switch {
		case err == nil:
			entries[key] = e
		case !errors.Is(err, cache.ErrNotFound):
			return entries, err
		}
	}
	return entries, nil
}

func (s flawedMany) GetMany(ctx context.Context, keys []string) (map[string]cache.Entry, error) {
	switch s.flaw {
	case "reads 1000 keys at most":
		keys = keys[:min(len(keys), 1000)]
	case "passes over invalid keys":
		keys = slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return cache.CheckKey(k) != nil })
	case "ignores the context":
		ctx = context.WithoutCancel(ctx)
	case "calls no keys an error":
		if len(keys) == 0 {
			return nil, cache.ErrInvalid
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	entries, err := getEach(ctx, s.flawedStore, keys)
	for i, k := range keys {
		_, ok := entries[k]
		switch {
		case s.flaw == "mixes up keys" && ok && i > 0:
			entries[keys[i-1]] = entries[k]
		case s.flaw == "returns empty entries for absent keys" && !ok:
			entries[k] = cache.Entry{}
		case s.flaw == "calls an absent key an error" && !ok:
			return entries, cache.ErrNotFound
		}
	}
	return entries, err
}
