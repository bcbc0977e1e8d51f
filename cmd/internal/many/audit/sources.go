package audit

import (
	"encoding/json"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// sources is what is known about the inputs of a crawl: by which policies they were read, and, if they are tables,
// what the version that wrote them did not know.
type sources struct {
	policies []string // that decided what a status without a file means; "" if a table does not say it

	isWithoutRest     bool // a row does not show if the rest of a partly closed site is closed: its table cannot
	isWithoutFallback bool // a table might call a group for another crawler one with the crawler's own token
}

func (s *sources) decidedBy(policy string) {
	if !slices.Contains(s.policies, policy) {
		s.policies = append(s.policies, policy)
	}
}

// policy returns the policy of all sources, "" if it is not known or there are several.
func (s *sources) policy() string {
	if len(s.policies) != 1 {
		return ""
	}
	return s.policies[0]
}

// Policies returns the policies of all crawls in the order in which they were first read, "not known" for a table that
// does not say it.
func (c *Census) Policies() (names []string) {
	for _, crawl := range c.crawls {
		for _, name := range crawl.sources.policies {
			if name == "" {
				name = "not known"
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// policy returns the policy by which a table was made, "" if it does not say it.
func (h *tableHead) policy() string {
	var made wire.AuditProvenance
	if json.Unmarshal([]byte(h.provenance), &made) != nil {
		return ""
	}
	return made.Policy
}

// tableNotes are what a table of crawlers cannot show, noted while it is read.
type tableNotes struct {
	crawls            map[*Crawl]bool // of its rows
	hasRest, isMarked bool            // it has the column rest, and says what its words mean, see meaningKey
	hasFallback       bool            // a row has that word
}

// note records what the row of a crawler, with a verdict, cannot show. A row of one reading shows if the rest is
// closed, unless its table had no column for that, and then was joined with tables that have it.
func (t *tableNotes) note(of *Crawl, row *Crawler, v *verdict) {
	t.crawls[of] = true
	t.hasFallback = t.hasFallback || v.matched == robotstxt.MatchedByFallback
	if v.Treatment == PartlyClosed && (!t.hasRest || row.Other == nil) {
		of.sources.isWithoutRest = true
	}
}

// end records what the table cannot show: without the word, it might be of a version before it.
func (t *tableNotes) end() {
	for of := range t.crawls {
		of.sources.isWithoutFallback = of.sources.isWithoutFallback || !t.isMarked && !t.hasFallback
	}
}
