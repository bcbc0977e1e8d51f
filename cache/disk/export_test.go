package disk

import (
	"context"
	"time"

	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// Panic makes a change that panics. held is called before, within the transaction.
func (s *Store) Panic(ctx context.Context, held func()) error {
	_, err := s.queue.Submit(ctx, &sqlitefile.Job{Do: func(*sqlitefile.Conn) (int64, error) {
		held()
		var rows []int64
		return rows[0], nil
	}})
	return err
}

// SetRetryAfter sets the time between attempts until restore is called.
func SetRetryAfter(d time.Duration) (restore func()) {
	before := retryAfter
	retryAfter = d
	return func() { retryAfter = before }
}

const FileName = fileName

const SchemaVersion = schemaVersion
