package disk

import (
	"time"
)

// SetRetryAfter sets the time between attempts until restore is called.
func SetRetryAfter(d time.Duration) (restore func()) {
	before := retryAfter
	retryAfter = d
	return func() { retryAfter = before }
}

const FileName = fileName

const SchemaVersion = schemaVersion
