package watch

import (
	"context"
	"log/slog"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// Schema is the schema of this version.
var Schema = schema

// SchemaOne is version 1 of the schema.
var SchemaOne = schemaOne

// AllParts are all parts.
var AllParts = allParts

// Of returns what an answer says about a part.
func (p Part) Of(s *Served) (Served, bool) { return p.of(s) }

// Statements returns the number of statements of an answer.
func (p Part) Statements(s *Served) int { return len(p.statements(s)) }

// ChangesOf is Changes for one part.
func (r *Reader) ChangesOf(ctx context.Context, url string, before, after *Served,
	part Part) ([]wire.WatchChange, error) {
	return r.changesOf(ctx, url, before, after, part)
}

// Named returns the meanings that an event about variants names.
func (v *Variants) Named() []Variant { return v.named }

// Judge returns the states after an observation of a site, and the event, or nil.
func (r *Reader) Judge(ctx context.Context, states States, seen Observation,
	confirm time.Duration) (States, Step, *wire.WatchEvent, error) {
	w := &watcher{Config: Config{Reader: r, Confirm: confirm}}
	out, err := w.judge(ctx, &site{origin: "http://a.example"}, states, seen, "http://a.example/robots.txt")
	if err != nil {
		return states, Unknown, nil, err
	}
	return out.State, out.Step, out.Event, nil
}

// SetPatience changes how long a single pass waits for another process, until the test ends.
func SetPatience(t interface{ Cleanup(func()) }, d time.Duration) {
	before := patience
	patience = d
	t.Cleanup(func() { patience = before })
}

// OpenSchema is OpenStore with another schema.
func OpenSchema(ctx context.Context, folder string, log *slog.Logger, schema sqlitefile.Schema) (*Store, error) {
	return open(ctx, folder, log, false, schema)
}

// Exec runs a statement on the connection that writes, for tests that limit or lock the store.
func (s *Store) Exec(query string) error {
	return s.db.Write(func(c *sqlitefile.Conn) error { return execute(c, query) })
}

// Groups returns the groups of events.
func Groups(events []wire.WatchEvent) []wire.WatchGroup {
	g := groups{sites: make(map[string]siteChange)}
	for i := range events {
		g.add(&events[i])
	}
	return g.list()
}
