package prose

import (
	"io"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/table"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// SiteTable prints sites as rows, with the main fields of their JSON.
type SiteTable struct{ table *table.Writer }

// NewSiteTable returns a table of sites. config has no columns.
func NewSiteTable(out io.Writer, config table.Config) *SiteTable {
	config.Columns = []table.Column{
		{Name: "asked", Code: true}, {Name: "robots_url", Code: true}, {Name: "status", Right: true}, {Name: "outcome"}, {Name: "source"},
		{Name: "body"}, {Name: "bytes", Right: true}, {Name: "groups", Right: true}, {Name: "disallow", Right: true}, {Name: "allow", Right: true},
		{Name: "sitemaps", Right: true}, {Name: "hops", Right: true}, {Name: "final_url", Code: true}, {Name: "fetched_at"}, {Name: "fresh_until"},
		{Name: "fault"}, {Name: "fetch_reason"},
	}
	return &SiteTable{table.New(out, config)}
}

// Print prints a site.
func (t *SiteTable) Print(s *wire.Site) error {
	file := s.File
	if file == nil {
		file = &wire.Outline{}
	}
	t.table.Cell(s.Asked)
	t.table.Cell(s.RobotsURL)
	t.table.Number(s.Status)
	t.table.Cell(string(s.Outcome))
	t.table.Cell(string(s.Source))
	t.table.Cell(string(s.Body))
	t.table.Number(s.Bytes)
	t.table.Number(file.Groups)
	t.table.Number(file.Disallow)
	t.table.Number(file.Allow)
	t.table.Number(len(file.Sitemaps))
	t.table.Number(len(s.Hops))
	t.table.Cell(s.FinalURL)
	for _, at := range []time.Time{s.FetchedAt, s.FreshUntil} {
		text := ""
		if !at.IsZero() {
			text = at.Format(time.RFC3339)
		}
		t.table.Cell(text)
	}
	t.table.Cell(s.Fault)
	t.table.Cell(s.FetchReason)
	return t.table.End()
}

// Flush prints the header if there was no site.
func (t *SiteTable) Flush() error { return t.table.Flush() }
