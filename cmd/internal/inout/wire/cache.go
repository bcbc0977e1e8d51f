package wire

import "time"

// CacheEntry is a site's entry in a cache.
type CacheEntry struct {
	Origin    string    `json:"origin"`
	FetchedAt time.Time `json:"fetched_at"`
	Expires   time.Time `json:"expires"`
	Expired   bool      `json:"expired"`
	Size      int64     `json:"size"`   // in bytes
	Stored    int64     `json:"stored"` // in bytes, compressed
}

// CacheStats is the size of a cache.
type CacheStats struct {
	Path          string `json:"path"`
	SchemaVersion int    `json:"schema_version"` // of the file
	Entries       int64  `json:"entries"`
	Expired       int64  `json:"expired"` // entries
	Bytes         int64  `json:"bytes"`
	FileBytes     int64  `json:"file_bytes"`  // on disk
	MaxBytes      int64  `json:"max_bytes"`   // on disk
	Quarantined   int    `json:"quarantined"` // damaged files that were set aside
}

type (
	cacheEntry CacheEntry
	cacheStats CacheStats
)

// MarshalJSON returns the entry with the fields schema and raw.
func (e CacheEntry) MarshalJSON() ([]byte, error) { return encode(cacheEntry(e)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (e *CacheEntry) UnmarshalJSON(text []byte) error { return decode(text, (*cacheEntry)(e)) }

// MarshalJSON returns the statistics with the fields schema and raw.
func (s CacheStats) MarshalJSON() ([]byte, error) { return encode(cacheStats(s)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (s *CacheStats) UnmarshalJSON(text []byte) error { return decode(text, (*cacheStats)(s)) }
