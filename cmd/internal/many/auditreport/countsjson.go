package auditreport

import (
	"iter"
	"maps"
	"strconv"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/crawlers"
)

func (c *Counts) wire() wire.Audit {
	by := c.Crawls[0].By
	a := wire.Audit{By: string(by), Rule: c.rule(), Crawls: []wire.AuditCrawl{},
		Comparisons: []wire.AuditComparison{}, Incomplete: audit.InJSON(c.Incomplete), Provenance: c.Provenance}
	for _, s := range c.Crawls {
		a.Crawls = append(a.Crawls, c.wireCrawl(s))
	}
	for _, r := range c.Compared {
		compared := wire.AuditComparison{Before: r.Before, After: r.After, Sites: r.Sites, Appeared: r.Appeared,
			Vanished: r.Vanished, InBoth: wireInBoth(r), Crawlers: []wire.AuditChange{}, Warnings: r.Warnings}
		for _, name := range c.names() {
			if change := r.Crawlers[name]; change != nil {
				compared.Crawlers = append(compared.Crawlers, wire.AuditChange{
					Crawler: name, Sites: change.Known, Before: wireSide(change.Before), After: wireSide(change.After),
					AuditClosed: wireClosed(r, func(s *audit.Summary) audit.Treatments {
						return s.Crawlers[name].Treatments
					}),
					LessOpen: change.Closed.Sum(), MoreOpen: change.Opened.Sum(), NamedNow: change.Named,
					NoLongerNamed: change.Unnamed, LessByFile: change.Closed.ByFile, MoreByFile: change.Opened.ByFile,
					LessByStatus: change.Closed.ByStatus, MoreByStatus: change.Opened.ByStatus,
				})
			}
		}
		a.Comparisons = append(a.Comparisons, compared)
	}
	return a
}

func (c *Counts) wireCrawl(s *audit.Summary) wire.AuditCrawl {
	crawl := wire.AuditCrawl{
		Label: s.Label, Policy: s.Policy, Captures: s.Captures, WithoutSite: audit.Sum(s.Lost),
		Sites: s.Sites, Known: s.Known,
		OpenByStatus: s.OpenByStatus, ClosedByStatus: s.ClosedByStatus,
		NotKnown: maps.Clone(s.Problems), Statuses: map[string]int{}, Purposes: []wire.AuditPurpose{},
		Crawlers: []wire.AuditCrawler{}, Strata: c.wireStrata(s),
	}
	for _, kind := range []robotstxt.Body{robotstxt.BodyHTML, robotstxt.BodyBinary} {
		if n := s.Bodies[kind]; n > 0 {
			crawl.NotKnown[string(kind)] = n
		}
	}
	for status, n := range s.Statuses {
		crawl.Statuses[strconv.Itoa(status)] = n
	}
	for purpose, p := range purposesIn(s) {
		t := p.Sites
		crawl.Purposes = append(crawl.Purposes, wire.AuditPurpose{Purpose: purpose, Crawlers: p.Crawlers,
			ClosedByName: t[audit.ClosedByName], ClosedByFallback: t[audit.ClosedByFallback],
			ClosedByStar:   t[audit.ClosedByStar],
			ClosedByStatus: t[audit.ClosedByStatus], Partly: t.Partly(), Open: t[audit.FullyOpen],
			OpenByStatus: t[audit.OpenByStatus], NotKnown: notKnown(t), ClosedByFile: t.ClosedByFile(),
			PossiblyClosedByFile: p.Possibly, WithRules: t.WithRules()})
	}
	for _, name := range c.names() {
		if count := s.Crawlers[name]; count != nil {
			of := wire.AuditCrawler{
				Crawler: name, Purposes: append([]string{}, PurposesOf(name)...), Reading: count.Reading,
				Named: named(count), HomeClosed: count.HomeClosed, CrawlDelay: count.Delay,
				AuditTreatments: wireTreatments(count.Tally),
			}
			if w := count.Weight; w != nil {
				of.Weight, of.WeightClosedByFile, of.WeightPartlyByName = &w.WithRules, &w.ClosedByFile, &w.PartlyByName
			}
			crawl.Crawlers = append(crawl.Crawlers, of)
		}
	}
	return crawl
}

// purposesIn yields the purposes of a crawl in their order.
func purposesIn(s *audit.Summary) iter.Seq2[string, *audit.PurposeCount] {
	return func(yield func(string, *audit.PurposeCount) bool) {
		for _, purpose := range crawlers.Purposes() {
			if p := s.Purposes[string(purpose)]; p != nil && !yield(string(purpose), p) {
				return
			}
		}
	}
}

func wireInBoth(r *audit.Comparison) wire.AuditInBoth {
	both := wire.AuditInBoth{WithRules: r.Both[1].Known, LessByFile: r.Closed.Count, FirstFiles: r.Closed.Without,
		MoreByFile: r.Opened.Count, FilesGone: r.Opened.Without, Purposes: []wire.AuditPurposeChange{}}
	for purpose, p := range purposesIn(r.Both[1]) {
		both.Purposes = append(both.Purposes, wire.AuditPurposeChange{Purpose: purpose, Crawlers: p.Crawlers,
			AuditClosed:    wireClosed(r, func(s *audit.Summary) audit.Treatments { return s.Purposes[purpose].Sites }),
			PossiblyBefore: r.Both[0].Purposes[purpose].Possibly, PossiblyAfter: p.Possibly})
	}
	return both
}

// wireClosed counts the sites with rules in both crawls.
func wireClosed(r *audit.Comparison, of func(*audit.Summary) audit.Treatments) wire.AuditClosed {
	return wire.AuditClosed{WithRules: of(r.Both[1]).WithRules(), ClosedBefore: of(r.Both[0]).ClosedByFile(),
		ClosedAfter: of(r.Both[1]).ClosedByFile()}
}

func wireSide(s audit.Side) wire.AuditSide {
	return wire.AuditSide{Closed: s.Closed(), Named: s.Named, HomeClosed: s.HomeClosed,
		AuditTreatments: wireTreatments(s.Tally)}
}

func wireTreatments(t audit.Tally) wire.AuditTreatments {
	return wire.AuditTreatments{
		ClosedByName: t.Treatments[audit.ClosedByName], ClosedByFallback: t.Treatments[audit.ClosedByFallback],
		ClosedByStar:   t.Treatments[audit.ClosedByStar],
		ClosedByStatus: t.Treatments[audit.ClosedByStatus], Partly: t.Partly(), PartlyByName: t.PartlyByName,
		Open: t.Treatments[audit.FullyOpen], OpenByStatus: t.Treatments[audit.OpenByStatus],
		Depends: t.Treatments[audit.Depends], Undecided: t.Treatments[audit.Undecided],
		Unnamed: t.Treatments[audit.Unnamed], ClosedByFile: t.ClosedByFile(), WithRules: t.WithRules(),
	}
}

func (c *Counts) wireStrata(s *audit.Summary) (rows []wire.AuditStratum) {
	for _, name := range c.names() {
		for _, stratum := range s.Strata {
			t := stratum.Crawlers[name]
			if t == nil || t.Sum() == t.Treatments[audit.Unnamed] {
				continue
			}
			row := wire.AuditStratum{Stratum: stratum.Name, Crawler: name, Sites: t.Sum(), Closed: t.Closed(),
				ClosedByFile: t.ClosedByFile(), WithRules: t.WithRules()}
			row.Low, row.High = audit.Interval(row.ClosedByFile, row.WithRules)
			rows = append(rows, row)
		}
	}
	return rows
}
