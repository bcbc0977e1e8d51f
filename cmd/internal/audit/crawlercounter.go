package audit

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// month returns the counts of a month.
func (s *Summary) month(at Millis) *MonthCount {
	name := at.Time().Format("2006-01")
	if s.Months[name] == nil {
		s.Months[name] = &MonthCount{Closed: map[string]int{}, Purposes: map[string]*Treatments{}}
	}
	return s.Months[name]
}

// crawlerCounter counts the rows of crawlers. The rows of a file come one after the
// other.
type crawlerCounter struct {
	*Summary
	purposesOf func(crawler string) []string

	// Of the current file.
	file      Ranked // without count
	input     string
	fetchedAt *Millis
	counted   Treatments // its crawlers, if it is text or empty
	opened    int        // of them, those that the file names and to which it opens the whole site
}

func (c *crawlerCounter) add(row *Crawler) {
	if file := (Ranked{Host: row.Host, Record: row.Record}); row.Input != c.input || file != c.file {
		c.flush()
		c.input, c.file, c.fetchedAt = row.Input, file, row.FetchedAt
	}
	count := c.crawler(row.Crawler)
	if row.Dialect == nil && row.MatchedBy == nil || row.isOther() {
		return // counted with the file
	}
	var part semdiff.Extent
	if row.Access != nil {
		part = *row.Access
	}
	if row.Dialect != nil {
		count.countInPurposes()
	}
	if row.MatchedBy == nil {
		count.Status[part]++
		return
	}
	if count.Matched[*row.MatchedBy] == nil {
		count.Matched[*row.MatchedBy] = map[semdiff.Extent]int{}
	}
	count.Matched[*row.MatchedBy][part]++
	if row.Dialect == nil {
		return // no line can name the crawler, which says nothing about the file
	}
	if row.CrawlDelay != nil {
		count.Delay++
	}
	if part == semdiff.ExtentPartly && !*row.Home {
		count.Home++
	}
	c.countInFile(row, count, part)
}

// isOther reports whether the file is not a robots.txt, such as a web page.
func (row *Crawler) isOther() bool {
	return row.Body != nil && *row.Body != wire.BodyText && *row.Body != wire.BodyEmpty
}

// countInFile counts a row, whose crawler a line can name, for the current file.
func (c *crawlerCounter) countInFile(row *Crawler, count *CrawlerCount, part semdiff.Extent) {
	treatment := treatmentOf(*row.MatchedBy, part)
	c.counted[treatment]++
	for _, purpose := range count.purposes {
		purpose.strictest = min(purpose.strictest, treatment)
		if part == semdiff.ExtentClosed {
			purpose.closed++
		}
	}
	switch {
	case *row.MatchedBy != robotstxt.MatchedByName:
	case part == semdiff.ExtentOpen:
		c.opened++
	case part == semdiff.ExtentClosed && row.FetchedAt != nil:
		c.month(*row.FetchedAt).Closed[row.Crawler]++
	}
}

// crawler returns the counts of a crawler.
func (c *crawlerCounter) crawler(name string) *CrawlerCount {
	if count := c.Crawlers[name]; count != nil {
		return count
	}
	count := &CrawlerCount{Matched: map[robotstxt.MatchedBy]map[semdiff.Extent]int{}, Status: map[semdiff.Extent]int{}}
	c.Crawlers[name] = count
	if c.purposesOf == nil {
		return count
	}
	for _, name := range c.purposesOf(name) {
		if c.Purposes[name] == nil {
			c.Purposes[name] = &PurposeCount{strictest: FullyOpen}
		}
		count.purposes = append(count.purposes, c.Purposes[name])
	}
	return count
}

// countInPurposes counts a crawler that a line can name, once in each of its purposes.
func (c *CrawlerCount) countInPurposes() {
	if c.inPurposes {
		return
	}
	c.inPurposes = true
	for _, purpose := range c.purposes {
		purpose.Crawlers++
	}
}

// flush counts the current file, after its last row.
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
		if purpose.Crawlers == 0 {
			continue
		}
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
