package valkey

import (
	"context"
	"fmt"
	"strings"

	valkeygo "github.com/valkey-io/valkey-go"
)

// PurgeAll deletes all entries with the store's prefix, and returns their number.
// Leases stay. It visits all keys of all nodes without blocking the server, so it
// takes a while with millions of keys; entries that are put meanwhile can stay.
// Unlike the other methods it has no timeout except ctx, and an ACL user needs +scan.
// If the error wraps ErrUnavailable, it contains the number of deleted entries.
func (s *Store) PurgeAll(ctx context.Context) (deleted int64, err error) {
	connected := s.client.Load()
	if connected == nil {
		return 0, errPaused
	}
	client := *connected
	nodes := map[string]valkeygo.Client{"": client}
	if client.Mode() == valkeygo.ClientModeCluster {
		nodes = client.Nodes()
	}
	for _, node := range nodes {
		n, err := s.purgeNode(ctx, client, node)
		deleted += n
		if err != nil {
			return deleted, fmt.Errorf("%w: after %d entries: %w", ErrUnavailable, deleted, withoutDeadline(err))
		}
	}
	return deleted, nil
}

// purgeNode deletes the entries of one node. A replica has its primary's entries,
// which are deleted only once.
func (s *Store) purgeNode(ctx context.Context, client, node valkeygo.Client) (deleted int64, err error) {
	const keysAtOnce = 500
	pattern := escapeGlob(s.config.Prefix) + "{*}:e"
	for cursor := uint64(0); ; {
		page, err := node.Do(ctx, node.B().Scan().Cursor(cursor).Match(pattern).Count(keysAtOnce).Build()).AsScanEntry()
		if err != nil {
			return deleted, err
		}
		commands := make([]valkeygo.Completed, len(page.Elements))
		for i, key := range page.Elements {
			commands[i] = client.B().Del().Key(key).Build()
		}
		for _, reply := range client.DoMulti(ctx, commands...) {
			n, err := reply.AsInt64()
			deleted += n
			if err != nil {
				return deleted, err
			}
		}
		cursor = page.Cursor
		if cursor == 0 {
			return deleted, nil
		}
	}
}

func escapeGlob(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`).Replace(text)
}
