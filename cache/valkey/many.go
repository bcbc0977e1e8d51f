package valkey

import (
	"context"
	"slices"

	valkeygo "github.com/valkey-io/valkey-go"

	"github.com/kosterhq/robotstxt/cache"
)

// manyKeys is the number of keys that GetMany requests at once, so that their values
// fit into the timeout of a call.
const manyKeys = 250

// GetMany implements [cache.ManyGetter]. 250 keys take one round trip, in a Cluster one
// for each node at the same time, and [Config.Timeout] applies to each 250.
func (s *Store) GetMany(ctx context.Context, keys []string) (map[string]cache.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := cache.CheckKeys(keys); err != nil {
		return nil, err
	}
	entries := make(map[string]cache.Entry, len(keys))
	for chunk := range slices.Chunk(keys, manyKeys) {
		values, err := call(ctx, s, command[[]string]{op: "get", key: chunk[0],
			do: func(ctx context.Context, client valkeygo.Client) ([]string, error) {
				return s.getValues(ctx, client, chunk)
			}})
		if err != nil {
			return entries, err
		}
		for i, value := range values {
			if value == "" {
				continue
			}
			if e, err := s.read(chunk[i], value); err == nil {
				entries[chunk[i]] = e
			}
		}
	}
	return entries, nil
}

// getValues returns the values of keys, empty for those that are absent or that
// another program has put there.
func (s *Store) getValues(ctx context.Context, client valkeygo.Client, keys []string) ([]string, error) {
	commands := make([]valkeygo.Completed, len(keys))
	for i, key := range keys {
		commands[i] = client.B().Get().Key(s.entryKey(key)).Build()
	}
	values := make([]string, len(keys))
	for i, reply := range client.DoMulti(ctx, commands...) {
		value, err := reply.ToString()
		if err != nil && !valkeygo.IsValkeyNil(err) && !isWrongType(err) {
			return nil, err
		}
		if err == nil {
			values[i] = value
		}
	}
	return values, nil
}
