package history

import (
	"context"
	"time"

	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// Schema is the schema of this version.
var Schema = schema

// OpenSchema is Open with another schema.
func OpenSchema(ctx context.Context, path string, cfg Config, schema sqlitefile.Schema) (*Store, error) {
	return open(ctx, path, cfg, schema)
}

// SetRetryAfter sets the time between attempts until restore is called.
func SetRetryAfter(d time.Duration) (restore func()) {
	before := retryAfter
	retryAfter = d
	return func() { retryAfter = before }
}

// Path returns the path of the database.
func (s *Store) Path() string { return s.db.Path }
