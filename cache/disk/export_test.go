package disk

import "time"

// SetRetryAfter makes stores try again sooner, until restore is called.
func SetRetryAfter(d time.Duration) (restore func()) {
	was := retryAfter
	retryAfter = d
	return func() { retryAfter = was }
}

const FileName = fileName

var SchemaVersion = schemaVersion
