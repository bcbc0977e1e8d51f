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

// The results. The first premise that fails decides.
const (
	NotAsked   Result = ""
	Exempt     Result = "exempt"     // no rule applies, see Why
	Allowed    Result = "allowed"    // allowed by the file of that time
	Disallowed Result = "disallowed" // disallowed by a file that might not have been in force at the time
	NoPromise  Result = "no-promise" // its operator does not state that it obeys
	Unproved   Result = "unproved"   // its sender is not verified for that time
	OldCopy    Result = "old-copy"   // the crawler might have a copy that allows the visit
	NotJudged  Result = "not-judged" // the logs, or the known copies, do not show enough
	Disobeyed  Result = "disobeyed"  // all copies that the crawler might have disallow the visit
)

type judgement struct {
	result  Result
	why     Why
	witness *moment // the line that shows why; can be nil
	gap     period  // of the logs, with LogsGap
	isOpen  bool    // the visit might have disobeyed
	file    *file   // the file that disallowed the visit at the time, or nil
	line    int
	// With Disobeyed, versions are the copies, and a cache can use one for cache.
	versions []wire.VisitVersion
	cache    time.Duration
}

func (r *run) judge(ctx context.Context, v *visit) error {
	if v.crawler < 0 || !r.kept.isToRepeat(v) {
		return nil
	}
	c := r.crawlers[v.crawler]
	if !r.isCounted(v.begin, v.end) {
		return nil
	}
	if c.isForAI && r.result.Share != nil {
		r.result.Share.AIRequests++
		r.result.Share.AIBytes += v.bytes
	}
	if r.Selects != nil && !r.Selects(&c.Crawler) {
		return nil
	}
	id, err := r.identity(ctx, v)
	if err != nil {
		return err
	}
	if isFalse(id.State) && !r.isVerified(v.crawler) {
		id = visitor.Identity{Crawler: c.Token, State: visitor.Claimed, Reason: Alone}
	}
	j, err := r.judgementOf(ctx, v, c, id)
	if err != nil {
		return err
	}
	r.count(v, c, id, j)
	r.Addresses.add(v, c, id)
	if r.Evidence != nil && j.result == Disobeyed {
		r.accuse(v, c, id, j)
	}
	if r.Hits != nil {
		return r.Hits(r.row(v, c, id, j))
	}
	return nil
}

// isCounted reports whether a request, at one of two times if its time is ambiguous, is in the time that is
// counted.
func (r *run) isCounted(begin, end int64) bool {
	return (r.From.IsZero() || end >= r.From.UnixMilli()) && (r.Before.IsZero() || begin < r.Before.UnixMilli())
}

func (r *run) judgementOf(ctx context.Context, v *visit, c *crawler, id visitor.Identity) (j judgement, err error) {
	if r.given == nil && r.History == nil {
		return j, nil
	}
	q := &inquiry{visit: v, of: c, id: id, site: r.siteOf(v.origin), url: urlOf(v.target), j: &j}
	if r.isJudged() && (r.History == nil || r.origins[q.site].judged || q.site == 0) {
		q.timeline, err = r.timelineOf(ctx, q.site)
		if err != nil {
			return j, err
		}
	}
	f, err := r.resultOf(ctx, q)
	if err != nil {
		return j, err
	}
	j.result, j.why, j.witness = f.result, f.why, f.witness
	j.isOpen, err = r.mightDisobey(ctx, q, f)
	if err != nil {
		return j, err
	}
	if !r.isJudged() && f.result == Disobeyed {
		j.result = Allowed
		if allowed, line := r.given.allows(v.crawler, c, q.url); !allowed {
			j.result, j.file, j.line = Disallowed, r.given, line
		}
	}
	return j, nil
}

// siteOf returns the number of the site that a request without a host was for, if a single --site
// states it.
func (r *run) siteOf(origin int) int {
	if origin == 0 && len(r.Sites) == 1 {
		return r.stated
	}
	return origin
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
	if id == 0 {
		return history.NewTimeline(nil, r.Terms), nil
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
	Identity string  `parquet:"identity,dict" doc:"verified, claimed, not-listed or contradicted"`
	By       *string `parquet:"by,optional,dict" doc:"how it was verified, or shown to be false: list or dns; null if it is claimed"`
	Method   string  `parquet:"method,dict" doc:"the method of the request"`
	Target   string  `parquet:"target" doc:"the path and the query of the request, with … for each value of the query"`
	Status   *int32  `parquet:"status,optional,dict" doc:"the HTTP status of the response; null if the log does not show it"`
	Result   *string `parquet:"result,optional,dict" doc:"exempt, allowed, disallowed, no-promise, unproved, old-copy, not-judged or disobeyed; null if there is no robots.txt to compare with"`
	RuleLine *int32  `parquet:"rule_line,optional" doc:"the line that disallowed it at the time; null without one"`
	Reason   *string `parquet:"reason,optional,dict" doc:"why it is claimed: no-address, shortened, proxy, unpublished, no-list, few-lists, moved, other-list, no-dns or alone; null if it is not claimed"`
	Why      *string `parquet:"why,optional,dict" doc:"what decides a result other than allowed, disallowed and disobeyed: the exemption, or the first premise that is not shown; equal to reason if that is the identity"`
	Witness  *string `parquet:"witness,optional,dict" doc:"the log and the line, as LOG:LINE, with an answer that left the crawler without rules, or with a host in a log whose other lines have none; null without one"`
	Group    *string `parquet:"rule_group,optional,dict" doc:"the product token whose group has that line, or *; null without a line"`
	Versions *string `parquet:"versions,optional,dict" doc:"of a visit that disobeyed: the SHA-256 and the deciding line of each copy that its sender might have had, as SHA256:LINE, separated by spaces"`
}

func (r *run) row(v *visit, c *crawler, id visitor.Identity, j judgement) *Row {
	row := &Row{
		Log: r.logs[v.log].name, Line: v.line, Time: Millis(v.begin), Site: r.origins[v.origin].name(),
		Crawler: c.Token, Identity: string(id.State),
		Method: v.method, Target: shown(v.target),
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
	if j.why != "" {
		row.Why = new(string(j.why))
	}
	if j.witness != nil {
		row.Witness = new(fmt.Sprintf("%s:%d", r.logs[j.witness.log].name, j.witness.line))
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
