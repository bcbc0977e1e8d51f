// Package visits joins access logs with the robots.txt of their time and with the identity of
// visitors. It finds which crawlers came, whether their identity is genuine, and whether they
// obeyed the copies of robots.txt that they might have had.
//
// Any client can send any name. A visit disobeys only if its sender is verified and each copy that
// the sender might have had disallows the visit, in every way in which the crawler might read it.
package visits

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/visitor"
)

// Config configures a run. The zero value counts visits.
type Config struct {
	Sites []origin.Origin // origins whose visits are judged; none means the most common one
	Map   accesslog.Map   // as in accesslog.Parser
	Zone  *time.Location  // as in accesslog.Parser

	// At most one of File and History is given. File is a robots.txt, and Since the time from
	// which it was served without a change; zero means that the earlier rules are unknown.
	File    []byte
	Since   time.Time
	History *history.Store
	Terms   history.Terms // how long copies are used, with Since; History has its own times

	Lists    *visitor.Lists
	Resolver visitor.Resolver // nil means that DNS is not asked

	Selects      func(*crawlers.Crawler) bool // selects the crawlers whose visits are counted; nil means all
	From, Before time.Time                    // the time of the visits; zero means any time

	Hits    func(*Row) error // receives a row for each visit; can be nil
	Begun   func()           // is called at the beginning of each log that is read; can be nil
	Note    func(format string, args ...any)
	Problem func(error) // receives the reason why a log was not read to its end

	without rules
}

// rules are parts of the join that tests switch off, to prove that each is needed.
type rules struct{ cache, keep, witness, fallbacks, proxy, identity bool }

type run struct {
	Config
	result    *wire.Visits
	names     []string // of the logs
	origins   []site   // 0 is for logs without hosts, 1 for the sites beyond the limit
	crawlers  []*crawler
	operators map[string]int
	spool     *spool
	from, to  int64
	verifier  *visitor.Verifier
	senders   map[senderKey]uint16
	verified  map[int]bool // crawlers with a verified visit
	witnesses map[witness]moments
	timelines map[int]*history.Timeline
	bodies    map[fileKey]*file
	given     *file // of Config.File
	days      map[int64]*wire.VisitDay
	listDates map[string]time.Time // of the latest lists, by URL
}

// Run reads logs, in any order, and returns the known facts about their visits. An error of one
// log goes to Problem, and the others are still read.
func Run(ctx context.Context, config Config, logs []Log) (*wire.Visits, error) {
	r := &run{
		Config: config, from: math.MaxInt64, to: math.MinInt64, operators: map[string]int{},
		senders:  map[senderKey]uint16{},
		verified: map[int]bool{}, witnesses: map[witness]moments{}, timelines: map[int]*history.Timeline{},
		bodies: map[fileKey]*file{}, days: map[int64]*wire.VisitDay{},
		origins: make([]site, 2),
		result: &wire.Visits{
			Judged: "nothing", DNS: config.Resolver != nil, Sites: []string{}, Duplicates: []string{},
			OtherHosts: []wire.VisitHost{}, Lists: []wire.VisitList{},
			Crawlers: []wire.VisitCrawler{}, Proofs: []wire.VisitProof{}, Days: []wire.VisitDay{},
		},
	}
	var err error
	r.spool, err = newSpool()
	if err != nil {
		return nil, err
	}
	defer r.spool.close()
	read := &reading{run: r, agents: map[string]int{}, ids: map[string]int{}, hosts: map[string]int{},
		byName: map[string]int{}}
	for _, o := range r.Sites {
		read.number(o)
	}
	if err := read.logs(ctx, logs); err != nil {
		return nil, err
	}
	read.chooseSites()
	if r.Lists != nil {
		r.listDates = r.Lists.Dates()
	}
	r.verifier = &visitor.Verifier{Lists: r.Lists, Resolver: r.Resolver, Remember: maxAddresses}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	if err := r.identify(ctx); err != nil {
		return nil, err
	}
	if err := r.spool.each(func(v *visit) error { return r.judge(ctx, v) }); err != nil {
		return nil, err
	}
	r.finish()
	return r.result, ctx.Err()
}

func (r *run) prepare() error {
	switch {
	case r.History != nil:
		r.result.Judged = "history"
	case r.File != nil:
		r.result.Judged = "file"
		r.given = newFile(r.File)
		sum := sha256.Sum256(r.File)
		r.given.sha = hex.EncodeToString(sum[:])
		if r.Since.IsZero() {
			return nil
		}
		r.result.Judged = "served-since"
		span := history.Span{
			From: r.Since, To: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), Certainty: history.Presumed,
			Observations: 2,
			Version:      history.Version{Status: 200, HasBody: true, SHA256: sum, Size: int64(len(r.File))},
		}
		timeline := history.NewTimeline([]history.Span{span}, r.Terms)
		for id := range r.origins {
			r.timelines[id] = timeline
		}
		r.bodies[fileKey{sum, true, 200, false, false}] = r.given
	}
	return nil
}

// isJudged reports whether the file of earlier times is known.
func (r *run) isJudged() bool { return r.History != nil || r.File != nil && !r.Since.IsZero() }

// witness identifies an operator and an origin, for failed fetches of robots.txt.
type witness struct{ origin, operator int }

// identify finds the facts that depend on all visits: which crawlers were verified, and which of
// their fetches of robots.txt failed.
func (r *run) identify(ctx context.Context) error {
	if r.Resolver != nil {
		if err := r.ask(ctx); err != nil {
			return err
		}
	}
	if r.Lists == nil && r.Resolver == nil {
		return nil
	}
	return r.spool.each(func(v *visit) error {
		id, err := r.identity(ctx, v)
		if id.State != visitor.Verified {
			return err
		}
		r.verified[v.crawler] = true
		if isRobots(v.target) && isRefusal(v.status) && r.origins[v.origin].judged {
			key := witness{v.origin, r.crawlers[v.crawler].operator}
			r.witnesses[key] = r.witnesses[key].with(v.begin).with(v.end)
		}
		return nil
	})
}

// moments are the minutes in which something happened, in ascending order. So a site that refuses
// its robots.txt a million times a day needs no more memory than one that refuses it each minute.
type moments []int64

// with returns moments with another time.
func (m moments) with(t int64) moments {
	minute := t - mod(t, minuteMillis)
	i, known := slices.BinarySearch(m, minute)
	if known {
		return m
	}
	return slices.Insert(m, i, minute)
}

// anyIn reports whether a time is in a span. The minutes of its ends count.
func (m moments) anyIn(from, to int64) bool {
	i, _ := slices.BinarySearch(m, from-mod(from, minuteMillis))
	return i < len(m) && m[i] <= to
}

const minuteMillis = int64(time.Minute / time.Millisecond)

// isRefusal reports whether a status of a robots.txt leaves a crawler without rules. Four are
// caused by the request itself.
func isRefusal(status int) bool {
	switch status {
	case 400, 405, 416, 431:
		return false
	}
	return status >= 400 || status == 0
}

// ask asks DNS about all addresses of crawlers that have names there, many at the same time.
func (r *run) ask(ctx context.Context) error {
	type question struct {
		crawler int
		addr    netip.Addr
	}
	asked := map[netip.Addr]bool{}
	var all sync.WaitGroup
	limit := make(chan struct{}, 64)
	err := r.spool.each(func(v *visit) error {
		c := r.crawlers[v.crawler]
		if !v.addr.IsValid() || asked[v.addr] || len(c.ReverseDNS) == 0 || r.isProxy(v) {
			return ctx.Err()
		}
		asked[v.addr] = true
		q := question{v.crawler, v.addr}
		t := instant(v.begin)
		limit <- struct{}{}
		all.Go(func() {
			defer func() { <-limit }()
			r.verifier.IdentifyCrawler(ctx, &r.crawlers[q.crawler].Crawler, q.addr, t)
		})
		return ctx.Err()
	})
	all.Wait()
	return err
}

// The reasons that depend on other visits.
const (
	Proxy visitor.Reason = "proxy" // names of two operators came from the address
	Alone visitor.Reason = "alone" // no list has the address, but no visit of the crawler is verified
)

// isProxy reports whether names of several operators came from the address of a visit.
func (r *run) isProxy(v *visit) bool {
	return r.senders[senderKey(v.addr.As16())] == severalOperators && !r.without.proxy
}

// identity returns who sent a visit, from the visit alone.
func (r *run) identity(ctx context.Context, v *visit) (visitor.Identity, error) {
	c := r.crawlers[v.crawler]
	if v.addr.IsValid() && r.isProxy(v) {
		return visitor.Identity{Crawler: c.Token, State: visitor.Claimed, Reason: Proxy}, ctx.Err()
	}
	id := r.verifier.IdentifyCrawler(ctx, &c.Crawler, v.addr, instant(v.begin))
	if v.end != v.begin && id.State == visitor.Contradicted {
		id = r.verifier.IdentifyCrawler(ctx, &c.Crawler, v.addr, instant(v.end)) // both must contradict the name
	}
	return id, ctx.Err()
}
