package visits

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/visitor"
)

// Result is the result of comparing a visit with robots.txt.
type Result string

// The results. The first one that is true applies.
const (
	NotAsked   Result = ""
	Exempt     Result = "exempt"     // robots.txt itself, no target, neither GET nor HEAD, another origin
	Allowed    Result = "allowed"    // allowed by the file of that time
	Disallowed Result = "disallowed" // disallowed by a file that might not have been in force at the time
	NoPromise  Result = "no-promise" // its operator does not state that it obeys
	Unproved   Result = "unproved"   // its sender is not verified
	OldCopy    Result = "old-copy"   // the crawler might have a copy that allows the visit
	NotJudged  Result = "not-judged" // not all copies that the crawler might have are known
	Disobeyed  Result = "disobeyed"  // all copies that the crawler might have disallow the visit
)

type exemption string

// The exemptions. The first one that is true applies.
const (
	robotsTxt   exemption = "robots-txt"
	noTarget    exemption = "no-target"
	otherMethod exemption = "method"
	otherSite   exemption = "other-site"
)

func (r *run) exemptionOf(v *visit) exemption {
	switch {
	case isRobots(v.target):
		return robotsTxt
	case v.target == "":
		return noTarget
	case v.method != "GET" && v.method != "HEAD":
		return otherMethod
	case !r.origins[v.origin].judged:
		return otherSite
	}
	return ""
}

type judgement struct {
	result   Result
	exempt   exemption
	file     *file // the file that disallowed the visit at the time, or nil
	line     int
	versions []wire.VisitVersion // with Disobeyed
	cache    time.Duration
}

func (r *run) judge(ctx context.Context, v *visit) error {
	c := r.crawlers[v.crawler]
	if r.Selects != nil && !r.Selects(&c.Crawler) || !r.From.IsZero() && v.end < r.From.UnixMilli() ||
		!r.Before.IsZero() && v.begin >= r.Before.UnixMilli() {
		return nil
	}
	id, err := r.identity(ctx, v)
	if err != nil {
		return err
	}
	if id.State == visitor.Contradicted && !r.verified[v.crawler] {
		id = visitor.Identity{Crawler: c.Token, State: visitor.Claimed, Reason: Alone}
	}
	j, err := r.judgementOf(ctx, v, c, id)
	if err != nil {
		return err
	}
	r.count(v, c, id, j)
	if r.Hits != nil {
		return r.Hits(r.row(v, c, id, j))
	}
	return nil
}

func (r *run) judgementOf(ctx context.Context, v *visit, c *crawler, id visitor.Identity) (j judgement, err error) {
	if r.given == nil && r.History == nil {
		return j, nil
	}
	if why := r.exemptionOf(v); why != "" {
		return judgement{result: Exempt, exempt: why}, nil
	}
	if !r.isJudged() {
		allowed, line := r.given.allows(v.crawler, c, urlOf(v.target))
		if allowed {
			return judgement{result: Allowed}, nil
		}
		return judgement{result: Disallowed, file: r.given, line: line}, nil
	}
	timeline, err := r.timelineOf(ctx, v.origin)
	if err != nil {
		return j, err
	}
	url := urlOf(v.target)
	begin := instant(v.begin)
	end := instant(v.end)
	now := timeline.Served(begin, end)
	isAllowed := !now.Unknown && len(now.Versions) > 0
	for _, version := range now.Versions {
		f, err := r.fileOf(ctx, version)
		if err != nil {
			return j, err
		}
		if allowed, line := f.allows(v.crawler, c, url); !allowed || f.partial {
			isAllowed = false
			if !allowed && !f.none {
				j.file, j.line = f, line
			}
		}
	}
	switch {
	case isAllowed:
		j.result = Allowed
	case !c.promises:
		j.result = NoPromise
	case id.State != visitor.Verified && !r.without.identity:
		j.result = Unproved
	default:
		err = r.compare(ctx, v, c, timeline, &j)
	}
	return j, err
}

// compare sets the result of a visit by all copies that its sender might have.
func (r *run) compare(ctx context.Context, v *visit, c *crawler, timeline *history.Timeline, j *judgement) error {
	inUse := r.inUse(timeline, v, c.keep)
	if !r.without.witness && r.wasRefused(v, c, max(inUse.Cache, r.Terms.SiteCache, minKeep)) {
		j.result = OldCopy
		return nil
	}
	j.result = Disobeyed
	j.cache = inUse.Cache
	if inUse.Unknown || v.decoded || len(inUse.Versions) == 0 {
		j.result = NotJudged
	}
	url := urlOf(v.target)
	for _, version := range inUse.Versions {
		f, err := r.fileOf(ctx, version)
		if err != nil {
			return err
		}
		if f.partial {
			j.result = NotJudged
			continue
		}
		allows := f.allowsAny(v.crawler, c, url)
		if r.without.fallbacks {
			allows, _ = f.allows(v.crawler, c, url)
		}
		if allows {
			j.result = OldCopy
			return nil
		}
		_, line := f.allows(v.crawler, c, url)
		j.versions = append(j.versions, wire.VisitVersion{SHA256: f.sha, Line: line, Rule: f.text(line)})
	}
	return nil
}

// minKeep is the least time for which caches and crawlers use a file.
const minKeep = 24 * time.Hour

// inUse returns the copies that the sender of a visit might have.
func (r *run) inUse(timeline *history.Timeline, v *visit, keep time.Duration) history.VersionSet {
	begin, end := instant(v.begin), instant(v.end)
	switch {
	case r.without.cache:
		return timeline.Served(begin.Add(-max(keep, minKeep)), end)
	case r.without.keep:
		return timeline.InUse(begin.Add(minKeep), end, 0)
	}
	return timeline.InUse(begin, end, keep)
}

// wasRefused reports whether a fetch of robots.txt by the operator failed
// during the time from which copies might still be in use.
func (r *run) wasRefused(v *visit, c *crawler, cache time.Duration) bool {
	const clocks = 10 * time.Minute
	from := v.begin - (max(c.keep, minKeep) + cache + clocks).Milliseconds()
	to := v.end + clocks.Milliseconds()
	return r.witnesses[witness{v.origin, c.operator}].anyIn(from, to)
}

// timelineOf returns the versions of an origin over the time of the logs.
func (r *run) timelineOf(ctx context.Context, id int) (*history.Timeline, error) {
	if timeline, ok := r.timelines[id]; ok {
		return timeline, nil
	}
	keep := time.Duration(0)
	for _, c := range r.crawlers {
		keep = max(keep, c.keep)
	}
	timeline, err := r.History.Timeline(ctx, r.origins[id].String(), instant(r.from), instant(r.to), keep)
	if err != nil {
		return nil, err
	}
	r.timelines[id] = timeline
	return timeline, nil
}

// Row is the row of a visit in the table of hits.
type Row struct {
	Log      string  `parquet:"log,dict" doc:"the log"`
	Line     int64   `parquet:"line" doc:"the line in it, from 1"`
	Time     Millis  `parquet:"time,timestamp(millisecond)" doc:"when the request came"`
	Site     string  `parquet:"site,dict" doc:"the requested origin; empty if the log does not show it"`
	Crawler  string  `parquet:"crawler,dict" doc:"the crawler that the User-Agent header names"`
	Identity string  `parquet:"identity,dict" doc:"verified, claimed or contradicted"`
	By       *string `parquet:"by,optional,dict" doc:"how it was verified or contradicted: list or dns; null if it is claimed"`
	Method   string  `parquet:"method,dict" doc:"the method of the request"`
	Target   string  `parquet:"target" doc:"the path and the query of the request, with … for each value of the query"`
	Status   *int32  `parquet:"status,optional,dict" doc:"the HTTP status of the response; null if the log does not show it"`
	Result   *string `parquet:"result,optional,dict" doc:"exempt, allowed, disallowed, no-promise, unproved, old-copy, not-judged or disobeyed; null if there is no robots.txt to compare with"`
	RuleLine *int32  `parquet:"rule_line,optional" doc:"the line that disallowed it at the time; null without one"`
	Reason   *string `parquet:"reason,optional,dict" doc:"why it is claimed: no-address, proxy, unpublished, no-list, few-lists, no-dns or alone; null if it is not claimed"`
	Group    *string `parquet:"rule_group,optional,dict" doc:"the product token whose group has that line, or *; null without a line"`
	Versions *string `parquet:"versions,optional,dict" doc:"of a visit that disobeyed: the SHA-256 and the deciding line of each copy that its sender might have had, as SHA256:LINE, separated by spaces"`
}

func (r *run) row(v *visit, c *crawler, id visitor.Identity, j judgement) *Row {
	row := &Row{
		Log: r.names[v.log], Line: v.line, Time: Millis(v.begin), Site: r.origins[v.origin].name(), Crawler: c.Token,
		Identity: string(id.State),
		Method:   v.method, Target: shown(v.target),
	}
	if id.By != "" {
		row.By = new(string(id.By))
	}
	if v.status > 0 {
		row.Status = new(int32(v.status))
	}
	if j.result != NotAsked {
		row.Result = new(string(j.result))
	}
	if id.Reason != "" {
		row.Reason = new(string(id.Reason))
	}
	if j.line > 0 {
		row.RuleLine = new(int32(j.line))
		row.Group = new(j.file.of(v.crawler, c).own.Agent())
	}
	if j.result == Disobeyed {
		var versions []string
		for _, version := range j.versions {
			versions = append(versions, fmt.Sprintf("%s:%d", version.SHA256, version.Line))
		}
		row.Versions = new(strings.Join(versions, " "))
	}
	return row
}

// name returns an origin, "" if it is not known.
func (s *site) name() string {
	if s.IsZero() {
		return ""
	}
	return s.String()
}
