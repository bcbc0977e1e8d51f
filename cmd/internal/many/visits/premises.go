package visits

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/uselines"
	"github.com/kosterhq/robotstxt/visitor"
)

// Why is the name of the premise that decides the result of a visit. If its identity decides, Why is
// the [visitor.Reason].
type Why string

// The reasons why a visit is exempt.
const (
	RobotsTxt   Why = "robots-txt"
	Redirect    Why = "redirect" // it can be the target of a redirected robots.txt
	NoTarget    Why = "no-target"
	OtherMethod Why = "method"
	OtherSite   Why = "other-site"
	Named       Why = "named" // the file itself names the target
)

// The reasons why a visit is not a proof.
const (
	SiteUnknown Why = "site"
	Slow        Why = "slow"
	NoQuery     Why = "no-query"
	Decoded     Why = "decoded"
	Promise     Why = "no-promise"
	ListFar     Why = "list-far"
	Refused     Why = "refused"
	Redirected  Why = "redirected"
	Outage      Why = "outage"
	LogsBegin   Why = "logs-begin"
	LogsGap     Why = "logs-gap"
	OlderCopy   Why = "copy"
	UnknownCopy Why = "unknown-copy"
	OtherWay    Why = "reading"
)

// inquiry is a visit whose result is being found.
type inquiry struct {
	*visit
	of       *crawler
	id       visitor.Identity
	site     int // the number of its origin
	url      string
	timeline *history.Timeline

	// inUse are the copies that the sender might have, and files their texts. They are known from
	// the premise isNotNamed on.
	inUse history.VersionSet
	files []*file
	cache time.Duration

	j *judgement
}

// fails is a result other than Disobeyed, with the reason and what shows it. A premise that holds
// returns its zero value.
type fails struct {
	result  Result
	why     Why
	witness *moment
}

// premise is a condition for the result Disobeyed. test returns how it fails.
type premise struct {
	name    string
	test    func(*run, context.Context, *inquiry) (fails, error)
	ofFile  bool // a file without a time can decide it
	acquits bool // if it fails, the visit certainly did not disobey, or its sender is not verified
}

// premises are all conditions of the law: a visit is Disobeyed only if each is shown by logs, lists
// and files, or stated by the user. The first that fails decides.
var premises = []premise{
	{name: "not-robots", test: fetchesNoRobots, ofFile: true},
	{name: "target", test: hasTarget, ofFile: true},
	{name: "method", test: isRead, ofFile: true},
	{name: "this-site", test: isToJudgedSite, ofFile: true},
	{name: "site-known", test: isSiteKnown},
	{name: "not-named", test: isNotNamed, acquits: true},
	{name: "disallowed", test: isDisallowed, acquits: true},
	{name: "timed", test: isTimed},
	{name: "whole-target", test: isWholeTarget},
	{name: "promise", test: isPromised, acquits: true},
	{name: "address", test: hasAddress, acquits: true},
	{name: "listed", test: isListedThen, acquits: true},
	{name: "answered", test: isAnswered},
	{name: "logged", test: isLogged},
	{name: "copies", test: isInEveryCopy},
	{name: "readings", test: isInEveryReading},
}

// resultOf returns the first premise that fails, and Disobeyed if none does.
func (r *run) resultOf(ctx context.Context, q *inquiry) (fails, error) {
	for _, p := range premises {
		if r.without == p.name || !r.isJudged() && !p.ofFile {
			continue
		}
		f, err := p.test(r, ctx, q)
		if f.result != "" || err != nil {
			return f, err
		}
	}
	return fails{result: Disobeyed}, nil
}

// mightDisobey reports whether a visit with a result might have disobeyed: what is missing acquits nobody,
// and none of these fails, for at least one of the sites to which the visit might have been.
func (r *run) mightDisobey(ctx context.Context, q *inquiry, f fails) (bool, error) {
	if !isWithheld(f.why) {
		return false, nil
	}
	for _, site := range r.sitesOf(q) {
		timeline, err := r.timelineOf(ctx, site)
		if err != nil {
			return false, err
		}
		isAcquitted, err := r.isAcquitted(ctx, &inquiry{visit: q.visit, of: q.of, id: q.id, site: site, url: q.url,
			timeline: timeline, j: &judgement{}})
		if err != nil || !isAcquitted {
			return err == nil, err
		}
	}
	return false, nil
}

// sitesOf returns the judged sites to which a visit might have been.
func (r *run) sitesOf(q *inquiry) (sites []int) {
	for i := 1; i < len(r.origins) && q.site == 0; i++ {
		if r.origins[i].judged {
			sites = append(sites, i)
		}
	}
	if len(sites) == 0 {
		sites = append(sites, q.site)
	}
	return sites
}

func (r *run) isAcquitted(ctx context.Context, q *inquiry) (bool, error) {
	for _, p := range premises {
		if !p.acquits {
			continue
		}
		f, err := p.test(r, ctx, q)
		if err != nil || f.result != "" && !isWithheld(f.why) {
			return err == nil, err
		}
	}
	return false, nil
}

func fetchesNoRobots(r *run, _ context.Context, q *inquiry) (fails, error) {
	switch {
	case isRobotsLike(q.target):
		return fails{result: Exempt, why: RobotsTxt}, nil
	case r.mayBeTarget(q.visit):
		return fails{result: Exempt, why: Redirect}, nil
	}
	return fails{}, nil
}

// isRobotsLike reports whether a target is a robots.txt, at whatever place and however it is spelt.
func isRobotsLike(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	for {
		shorter := strings.TrimSuffix(strings.TrimSuffix(path, "/"), "%20")
		if shorter == path {
			break
		}
		path = shorter
	}
	name := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	return strings.HasSuffix(name, ".txt") && strings.Contains(name, "robots")
}

func hasTarget(_ *run, _ context.Context, q *inquiry) (fails, error) {
	if q.target == "" {
		return fails{result: Exempt, why: NoTarget}, nil
	}
	return fails{}, nil
}

func isRead(_ *run, _ context.Context, q *inquiry) (fails, error) {
	if q.method != "GET" && q.method != "HEAD" {
		return fails{result: Exempt, why: OtherMethod}, nil
	}
	return fails{}, nil
}

// isToJudgedSite leaves visits without a host to isSiteKnown.
func isToJudgedSite(r *run, _ context.Context, q *inquiry) (fails, error) {
	if !r.origins[q.origin].judged && (q.origin != 0 || !r.isJudged()) {
		return fails{result: Exempt, why: OtherSite}, nil
	}
	return fails{}, nil
}

// isSiteKnown fails if the visit might have been to another site of the server. A single --site states
// that a server without hosts in its log has no other, and a --site that the configured name is right.
// A line without a host in a log that names hosts can be for any of them.
func isSiteKnown(r *run, _ context.Context, q *inquiry) (fails, error) {
	isUser := q.is(hostInUserField) && q.origin == 0 // or a host
	var host *moment
	if log := &r.logs[q.log]; q.origin == 0 && log.host.line > 0 {
		host = &log.host
	}
	isAny := q.origin == 0 && (len(r.Sites) != 1 || host != nil)
	if isAny || q.is(configuredHost) && len(r.Sites) == 0 || isUser || q.is(schemeless) && r.isSchemed(q.origin) {
		return fails{NotJudged, SiteUnknown, host}, nil
	}
	return fails{}, nil
}

// isSchemed reports whether a log shows the scheme of requests for the host of an origin. Then a line without one can
// be for either scheme.
func (r *run) isSchemed(of int) bool {
	return slices.ContainsFunc(r.origins, func(s site) bool { return s.schemed && s.Host() == r.origins[of].Host() })
}

// isNotNamed fails if the files name the target as a sitemap or a licence, which crawlers fetch as
// part of robots.txt.
func isNotNamed(r *run, ctx context.Context, q *inquiry) (fails, error) {
	versions, err := r.copiesOf(ctx, q)
	if err != nil {
		return fails{}, err
	}
	if slices.ContainsFunc(versions, func(f *file) bool { return f.names(q.target) }) {
		return fails{result: Exempt, why: Named}, nil
	}
	return fails{}, nil
}

// copiesOf finds the copies that the sender of a visit might have.
func (r *run) copiesOf(ctx context.Context, q *inquiry) ([]*file, error) {
	if q.files != nil {
		return q.files, nil
	}
	q.inUse = q.timeline.InUse(instant(q.begin), instant(q.end), r.keepOf(q.visit))
	q.cache = max(q.inUse.Cache, r.Terms.SiteCache, minKeep)
	q.files = []*file{}
	for _, version := range q.inUse.Versions {
		f, err := r.fileOf(ctx, version)
		if err != nil {
			return nil, err
		}
		q.files = append(q.files, f)
	}
	return q.files, nil
}

// isDisallowed fails if each file of that time allows the visit. It also finds the line for counts.
func isDisallowed(r *run, ctx context.Context, q *inquiry) (fails, error) {
	now := q.timeline.Served(instant(q.begin), instant(q.end))
	isAllowed := !now.Unknown && len(now.Versions) > 0
	for _, version := range now.Versions {
		f, err := r.fileOf(ctx, version)
		if err != nil {
			return fails{}, err
		}
		if allowed, line := f.allows(q.crawler, q.of, q.url); !allowed || f.partial {
			isAllowed = false
			if !allowed && !f.none {
				q.j.file, q.j.line = f, line
			}
		}
	}
	if isAllowed {
		return fails{result: Allowed}, nil
	}
	return fails{}, nil
}

// isTimed fails if the log can show when the response ended, and the response was so large that the
// request can have come long before.
func isTimed(_ *run, _ context.Context, q *inquiry) (fails, error) {
	if !q.is(timed) && q.bytes >= slowBytes {
		return fails{result: NotJudged, why: Slow}, nil
	}
	return fails{}, nil
}

// slowBytes are sent in ten minutes over a slow line.
const slowBytes = 100e6

func isWholeTarget(r *run, ctx context.Context, q *inquiry) (fails, error) {
	if r.logs[q.log].lacksQueries {
		return fails{result: NotJudged, why: NoQuery}, nil
	}
	// HAProxy writes other characters as #, which no client sends.
	if q.is(decoded) || strings.IndexByte(q.target, '#') >= 0 {
		return fails{result: NotJudged, why: Decoded}, nil
	}
	path, query, hasQuery := strings.Cut(q.target, "?")
	plain := withoutDots(path)
	if !q.is(mapped) && !q.is(bare) && plain == path {
		return fails{}, nil
	}
	versions, err := r.copiesOf(ctx, q)
	if err != nil {
		return fails{}, err
	}
	if hasQuery {
		plain += "?" + query
	}
	allowsPlain := func(f *file) bool {
		rules := r.disallowing(f, q)
		return rules != nil && f.allowsAny(rules, urlOf(plain))
	}
	if slices.ContainsFunc(versions, allowsPlain) {
		return fails{result: NotJudged, why: Decoded}, nil
	}
	if q.is(mapped) && slices.ContainsFunc(versions, func(f *file) bool { return r.allowsUnmapped(f, q) }) {
		return fails{result: NotJudged, why: Decoded}, nil
	}
	if q.is(bare) && slices.ContainsFunc(versions, func(f *file) bool { return r.allowsBare(f, q) }) {
		return fails{result: NotJudged, why: NoQuery}, nil
	}
	return fails{}, nil
}

// allowsBare reports whether a file disallows a target, but not with a question mark that the log does not show.
func (r *run) allowsBare(f *file, q *inquiry) bool {
	rules := r.disallowing(f, q)
	return rules != nil && (f.allowsAny(rules, q.url+"?") || f.allowsAny(rules, q.url+"?-"))
}

// disallowing returns all rules that a crawler might obey, if the file is known and each disallows the
// target; else nil.
func (r *run) disallowing(f *file, q *inquiry) []robotstxt.Rules {
	if f.none || f.partial {
		return nil
	}
	rules := slices.Concat(f.of(q.crawler, q.of).senders, r.unstatedIn(f, q))
	if f.allowsAny(rules, q.url) {
		return nil // another premise decides
	}
	return rules
}

// allowsUnmapped reports whether a file disallows the path to which a server mapped the requested one, but might allow
// the latter: /private/x can be /private%2Fx, and /index.php the folder that has this page, or any path for which the
// server has no file.
func (r *run) allowsUnmapped(f *file, q *inquiry) bool {
	rules := r.disallowing(f, q)
	if rules == nil {
		return false
	}
	path, _, _ := strings.Cut(q.target, "?")
	begin := path[:1] // of all paths that the client can have requested
	if !strings.Contains(path[strings.LastIndexByte(path, '/')+1:], ".") {
		begin = path[:1+len(path[1:])-len(strings.TrimLeft(path[1:], uncoded))]
	}
	return slices.ContainsFunc(rules, func(rules robotstxt.Rules) bool { return !closes(rules, begin) })
}

// uncoded are the characters that clients write without percent codes.
const uncoded = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._"

// closes reports whether rules certainly disallow all paths with a beginning.
func closes(rules robotstxt.Rules, begin string) (closed bool) {
	for rule := range rules.All() {
		if rule.Allow && rule.Line > 0 {
			return false
		}
		closed = closed || !rule.Allow && strings.HasPrefix(begin, rule.Pattern) // begin has neither * nor $
	}
	return closed
}

func isPromised(r *run, _ context.Context, q *inquiry) (fails, error) {
	isSilent := func(other int) bool { return !r.crawlers[other].promises }
	if !q.of.promises || slices.ContainsFunc(r.sets[q.others], isSilent) {
		return fails{result: NoPromise, why: Promise}, nil
	}
	return fails{}, nil
}

// hasAddress fails if the address is not the client's whole address.
func hasAddress(_ *run, _ context.Context, q *inquiry) (fails, error) {
	if q.lacksAddress() {
		return fails{result: Unproved, why: Why(q.id.Reason)}, nil
	}
	return fails{}, nil
}

func (q *inquiry) lacksAddress() bool {
	return q.id.Reason == visitor.NoAddress || q.id.Reason == Shortened || q.id.Reason == Proxy
}

func isListedThen(_ *run, _ context.Context, q *inquiry) (fails, error) {
	switch {
	case q.lacksAddress():
		return fails{}, nil // hasAddress decides
	case q.id.State == visitor.Claimed:
		return fails{result: Unproved, why: Why(q.id.Reason)}, nil
	case q.id.State != visitor.Verified:
		return fails{result: Unproved, why: Why(q.id.State)}, nil
	case !q.id.Near:
		return fails{result: Unproved, why: ListFar}, nil
	}
	return fails{}, nil
}

const maxSkew = 10 * time.Minute // of clocks

// keepOf returns for how long the sender of a visit might keep a file.
func (r *run) keepOf(v *visit) time.Duration {
	keep := max(r.crawlers[v.crawler].keep, minKeep)
	for _, other := range r.sets[v.others] {
		keep = max(keep, r.crawlers[other].keep)
	}
	return keep
}

// windowOf returns the time in which the sender of a visit, or a cache before it, can have got a copy that it
// might still use.
func (r *run) windowOf(v *visit, cache time.Duration) (from, to int64) {
	return v.begin - (r.keepOf(v) + cache + maxSkew).Milliseconds(), v.end + maxSkew.Milliseconds()
}

// isAnswered fails if the sender might have got an answer without rules.
func isAnswered(r *run, ctx context.Context, q *inquiry) (fails, error) {
	if _, err := r.copiesOf(ctx, q); err != nil {
		return fails{}, err
	}
	from, to := r.windowOf(q.visit, q.cache)
	for _, site := range []int{q.site, 0} { // a line without a host might be about any site
		key := witness{site, q.of.operator}
		if m := r.refusals[key].firstIn(from, to); m != nil {
			return fails{OldCopy, Refused, m}, nil
		}
		if m := r.redirected[key].firstIn(from, to); m != nil {
			return fails{OldCopy, Redirected, m}, nil
		}
		if m := r.outages[site].firstIn(from, to); m != nil && !r.NoSiteCache {
			return fails{OldCopy, Outage, m}, nil
		}
		if m := r.shortIn(q, site, from, to); m != nil {
			return fails{OldCopy, Outage, m}, nil
		}
	}
	if m := r.unknown.firstIn(from, to); m != nil {
		return fails{OldCopy, Outage, m}, nil
	}
	if q.origin == 0 && !r.NoSiteCache { // the names in this log and others can be users
		for i := range r.logs {
			if m := r.logs[i].userOutages.firstIn(from, to); m != nil {
				return fails{OldCopy, Outage, m}, nil
			}
		}
	}
	return fails{}, nil
}

// isLogged fails if the logs would not show an answer without rules.
func isLogged(r *run, ctx context.Context, q *inquiry) (fails, error) {
	if _, err := r.copiesOf(ctx, q); err != nil {
		return fails{}, err
	}
	from, _ := r.windowOf(q.visit, q.cache)
	why, gap := r.coverageOf(q.site).lacks(from, q.end, r.LogsSince)
	if why == "" {
		return fails{}, nil
	}
	if why == LogsBegin {
		r.logsFrom = min(r.logsFrom, from)
	}
	q.j.gap = gap
	return fails{result: NotJudged, why: why}, nil
}

// isInEveryCopy fails if a copy allows the visit in the crawler's own reading, or in the reading of
// another crawler that sends its header, or if a copy is not known.
func isInEveryCopy(r *run, ctx context.Context, q *inquiry) (fails, error) {
	versions, err := r.copiesOf(ctx, q)
	if err != nil {
		return fails{}, err
	}
	q.j.cache = q.cache
	isKnown := !q.inUse.Unknown && len(versions) > 0
	for _, f := range versions {
		switch {
		case f.partial:
			isKnown = false
		case f.none || f.allowsAny(f.of(q.crawler, q.of).senders, q.url):
			return fails{result: OldCopy, why: OlderCopy}, nil
		default:
			_, line := f.allows(q.crawler, q.of, q.url)
			q.j.versions = append(q.j.versions, wire.VisitVersion{SHA256: f.sha, Line: line, Rule: f.text(line)})
		}
	}
	if !isKnown {
		return fails{result: NotJudged, why: UnknownCopy}, nil
	}
	return fails{}, nil
}

// isInEveryReading fails if a copy allows the visit in a reading that no source excludes.
func isInEveryReading(r *run, ctx context.Context, q *inquiry) (fails, error) {
	versions, err := r.copiesOf(ctx, q)
	if err != nil {
		return fails{}, err
	}
	for _, f := range versions {
		if !f.partial && !f.none && f.allowsAny(r.unstatedIn(f, q), q.url) {
			return fails{result: OldCopy, why: OtherWay}, nil
		}
	}
	return fails{}, nil
}

// unstatedIn returns the rules of a file that the sender of a visit might obey although no source states it. If a
// header names several crawlers of an operator, any can be the sender.
func (r *run) unstatedIn(f *file, q *inquiry) []robotstxt.Rules {
	all := f.of(q.crawler, q.of).unstated
	for _, other := range r.sets[q.others] {
		of := f.of(other, r.crawlers[other])
		all = slices.Concat(all, of.senders, of.unstated)
	}
	return all
}

// minKeep is the least time for which caches and crawlers use a file.
const minKeep = 24 * time.Hour

// names reports whether a Sitemap or a License line of a file names a target.
func (f *file) names(target string) bool {
	if f.none || f.partial {
		return false
	}
	if f.named == nil {
		f.named = map[string]bool{}
		robots := f.in(0)
		for s := range robots.Sitemaps() {
			f.named[decodedPath(s.URL)] = true
		}
		for e := range robots.Extensions() {
			if e.Name == uselines.License {
				f.named[decodedPath(e.Value)] = true
			}
		}
	}
	return f.named[decodedPath(target)]
}

// decodedPath returns the path and the query of a URL or a target, without percent codes. Its scheme and host do
// not matter: a site redirects http to https, and one name to another.
func decodedPath(url string) string {
	url, _, _ = strings.Cut(url, "#")
	if _, rest, found := strings.Cut(url, "://"); found && !strings.HasPrefix(url, "/") {
		_, url, _ = strings.Cut(rest, "/")
	}
	return string(ascii.AppendDecoded(nil, strings.TrimPrefix(url, "/")))
}
