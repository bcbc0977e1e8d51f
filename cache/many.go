package cache

import "context"

// ManyGetter is an optional interface of a [Store] that reads many entries in fewer
// round trips. Package fetch uses it for reads that begin at the same time.
type ManyGetter interface {
	// GetMany returns the entries of keys, by key. Keys for which Get would
	// return [ErrNotFound] or [ErrNewer] are missing. keys can have any length
	// and can repeat a key. The entries obey the rules of Get. If the store
	// fails, GetMany returns the entries that it has read so far and the error.
	// An invalid key is an error that wraps [ErrInvalid].
	GetMany(ctx context.Context, keys []string) (map[string]Entry, error)
}
