package audit

import (
	"github.com/kosterhq/robotstxt/cmd/internal/access"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// month returns the counts of a month.
func (s *Summary) month(at Millis) *MonthCount {
	name := at.Time().Format("2006-01")
	if s.Months[name] == nil {
		s.Months[name] = &MonthCount{Closed: map[string]int{}, Purposes: map[string]*Treatments{}}
	}
	return s.Months[name]
}

// crawlerCounter counts the rows of crawlers, which come file by file.
type crawlerCounter struct {
	*Summary
	purposesOf func(crawler string) []string

	// Of the current file.
	file      Ranked // without count
	input     string
	fetchedAt *Millis
	counted   Treatments // its crawlers, if it is text or empty
	opened    int        // of them, those that it names and opens the whole site to
}

func (c *crawlerCounter) add(row *Crawler) {
	if file := (Ranked{Host: row.Host, Record: row.Record}); row.Input != c.input || file != c.file {
		c.flush()
		c.input, c.file, c.fetchedAt = row.Input, file, row.FetchedAt
	}
	count := c.crawler(row.Crawler)
	isOther := row.Body != nil && *row.Body != wire.BodyText && *row.Body != wire.BodyEmpty
	if row.Home == nil || isOther {
		return // counted with the file
	}
	var part access.Access
	if row.Access != nil {
		part = *row.Access
	}
	if row.MatchedBy == nil {
		count.Status[part]++
		return
	}
	if count.Matched[*row.MatchedBy] == nil {
		count.Matched[*row.MatchedBy] = map[access.Access]int{}
	}
	count.Matched[*row.MatchedBy][part]++
	if row.CrawlDelay != nil {
		count.Delay++
	}
	if part == access.Partly && !*row.Home {
		count.Home++
	}
	treatment := treatmentOf(*row.MatchedBy, part)
	c.counted[treatment]++
	for _, purpose := range count.purposes {
		purpose.strictest = min(purpose.strictest, treatment)
		if part == access.Closed {
			purpose.closed++
		}
	}
	switch {
	case *row.MatchedBy != wire.MatchedByName:
	case part == access.Open:
		c.opened++
	case part == access.Closed && row.FetchedAt != nil:
		c.month(*row.FetchedAt).Closed[row.Crawler]++
	}
}

// crawler returns the counts of a crawler.
func (c *crawlerCounter) crawler(name string) *CrawlerCount {
	if count := c.Crawlers[name]; count != nil {
		return count
	}
	count := &CrawlerCount{Matched: map[wire.MatchedBy]map[access.Access]int{}, Status: map[access.Access]int{}}
	c.Crawlers[name] = count
	if c.purposesOf == nil {
		return count
	}
	for _, name := range c.purposesOf(name) {
		if c.Purposes[name] == nil {
			c.Purposes[name] = &PurposeCount{strictest: FullyOpen}
		}
		c.Purposes[name].Crawlers++
		count.purposes = append(count.purposes, c.Purposes[name])
	}
	return count
}

// flush ends the rows of a file.
func (c *crawlerCounter) flush() {
	if all := c.counted.Sum(); all > 0 {
		c.Ruled++
		if c.counted[ClosedByName] > 0 {
			rank(&c.Closed, Ranked{c.file.Host, c.file.Record, c.counted[ClosedByName]})
		}
		if c.opened > 0 {
			rank(&c.Opened, Ranked{c.file.Host, c.file.Record, c.opened})
		}
		switch all {
		case c.counted[FullyOpen]:
			c.OpenToAll++
		case c.counted[ClosedByName] + c.counted[ClosedByStar]:
			c.ShutToAll++
		}
		c.flushPurposes()
	}
	c.counted, c.opened = Treatments{}, 0
}

func (c *crawlerCounter) flushPurposes() {
	var month *MonthCount
	if c.fetchedAt != nil {
		month = c.month(*c.fetchedAt)
		month.Ruled++
	}
	for name, purpose := range c.Purposes {
		purpose.Files[purpose.strictest]++
		if purpose.closed == purpose.Crawlers {
			purpose.All++
		}
		if month != nil {
			if month.Purposes[name] == nil {
				month.Purposes[name] = new(Treatments)
			}
			month.Purposes[name][purpose.strictest]++
		}
		purpose.strictest, purpose.closed = FullyOpen, 0
	}
}
