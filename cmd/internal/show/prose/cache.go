package prose

import (
	"fmt"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// CacheEntry returns a line about an entry of a cache.
func CacheEntry(e *wire.CacheEntry) string {
	kept := "kept until"
	if e.Expired {
		kept = "expired at"
	}
	return fmt.Sprintf("%s  %s %s  %7d bytes  %s\n", Time(e.FetchedAt), kept, Time(e.Expires), e.Size, term.Escape(e.Origin))
}

// CacheStats returns some lines about the size of a cache.
func CacheStats(s wire.CacheStats) string {
	return fmt.Sprintf("path      %s\nentries   %d, %d of them expired\nsize      %d bytes\non disk   %d bytes, of %d at most\ndamaged   %d files set aside\n",
		term.Escape(s.Path), s.Entries, s.Expired, s.Bytes, s.FileBytes, s.MaxBytes, s.Quarantined)
}
