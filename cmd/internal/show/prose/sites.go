package prose

import (
	"io"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// SiteTable prints sites as rows, with the main fields of their JSON.
type SiteTable struct{ table *table.Writer }

// NewSiteTable returns a table of sites. config has no columns.
func NewSiteTable(out io.Writer, config table.Config) *SiteTable {
	config.Columns = []table.Column{
		{Name: "asked", Code: true}, {Name: "robots_url", Code: true}, {Name: "status", Right: true}, {Name: "outcome"}, {Name: "source"},
		{Name: "body"}, {Name: "bytes", Right: true}, {Name: "groups", Right: true}, {Name: "disallow", Right: true}, {Name: "allow", Right: true},
		{Name: "sitemaps", Right: true}, {Name: "hops", Right: true}, {Name: "final_url", Code: true}, {Name: "fetched_at"}, {Name: "fresh_until"},
		{Name: "fault"}, {Name: "fetch_reason"}, {Name: "edge"},
	}
	return &SiteTable{table.New(out, config)}
}

// Print prints a site.
func (t *SiteTable) Print(s *wire.Site) error {
	file := s.File
	if file == nil {
		file = &wire.Outline{}
	}
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(time.RFC3339)
	}
	return t.table.Row(s.Asked, s.RobotsURL, s.Status, string(s.Outcome), string(s.Source), string(s.Body), s.Bytes,
		file.Groups, file.Disallow, file.Allow, len(file.Sitemaps), len(s.Hops), s.FinalURL, at(s.FetchedAt),
		at(s.FreshUntil),
		s.Fault, s.FetchReason, s.Edge)
}

// Flush prints the header if there was no site.
func (t *SiteTable) Flush() error { return t.table.Flush() }
