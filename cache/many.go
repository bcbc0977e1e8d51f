package cache

import (
	"context"
	"errors"
)

// ManyGetter is an optional interface of a [Store] that reads many entries in fewer
// round trips. Call the function [GetMany], which works with every store.
type ManyGetter interface {
	// GetMany returns the entries of keys, by key. Keys for which Get would
	// return [ErrNotFound] or [ErrNewer] are missing. keys may be of any number,
	// and in it a key may be repeated. The entries obey the rules of Get. If the
	// store fails, GetMany returns the entries that it has read so far and the
	// error. An invalid key is an error that wraps [ErrInvalid].
	GetMany(ctx context.Context, keys []string) (map[string]Entry, error)
}

// GetMany returns the entries of keys as [ManyGetter] describes. If s does not
// implement that interface, it calls Get for each key.
func GetMany(ctx context.Context, s Store, keys []string) (map[string]Entry, error) {
	if many, ok := s.(ManyGetter); ok {
		return many.GetMany(ctx, keys)
	}
	entries := make(map[string]Entry, len(keys))
	for _, key := range keys {
		e, err := s.Get(ctx, key)
		switch {
		case err == nil:
			entries[key] = e
		case !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrNewer):
			return entries, err
		}
	}
	return entries, nil
}
