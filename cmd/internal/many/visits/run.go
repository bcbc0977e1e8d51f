// Package visits joins access logs with the robots.txt of their time and with the identity of
// visitors. It finds which crawlers came, whether their identity is genuine, and whether they
// obeyed the copies of robots.txt that they might have had.
//
// Any client can send any name. A visit disobeys only if its sender is verified and each copy that
// the sender might have had disallows the visit, in every way in which the crawler might read it.
package visits

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
	"math"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/visitor"
)

// Config configures a run. The zero value counts visits.
type Config struct {
	Sites []origin.Origin // origins whose visits are judged; none means the most common one

	// Same are other names of the sites in logs, such as http://shop.example if TLS ends before the
	// server.
	Same map[origin.Origin]origin.Origin

	Map  accesslog.Map  // as in accesslog.Parser
	Zone *time.Location // as in accesslog.Parser

	Format  *accesslog.Format // as in accesslog.Parser
	Trusted []netip.Prefix    // as in accesslog.Parser

	// At most one of File and History is given. File is a robots.txt, and Since the time from
	// which it was served without a change; zero means that the earlier rules are unknown.
	File    []byte
	Since   time.Time
	History Copies
	Terms   history.Terms // how long copies are used, with Since; History has its own times

	LogsSince   time.Time // the time from which the logs have all requests; zero means that they show it
	NoSiteCache bool      // no cache lies between the site and its clients

	Lists    *visitor.Lists
	Resolver visitor.Resolver // nil means that DNS is not asked

	Selects      func(*crawlers.Crawler) bool // selects the crawlers whose visits are counted; nil means all
	From, Before time.Time                    // the time of the visits; zero means any time

	By     By       // into which groups the visits of each crawler are counted
	Stated []string // what flags state, for the result

	// Evidence is written for the visits that disobeyed, and Addresses receives the addresses; nil
	// means neither.
	Evidence  *Evidence
	Addresses *Addresses

	Hits    func(*Row) error // receives a row for each visit; can be nil
	Begun   func()           // is called at the beginning of each log that is read; can be nil
	Note    func(format string, args ...any)
	Problem func(error) // receives the reason why a log was not read to its end

	without string // the name of a premise that a test switches off, to prove that it is needed
	kept    *kept  // the facts of a folder of evidence, whose logs are excerpts
}

// Copies are the files that sites served over time, as [history.Store] has them.
type Copies interface {
	Timeline(ctx context.Context, origin string, from, to time.Time,
		clientCache time.Duration) (*history.Timeline, error)
	Window(ctx context.Context, origin string, from, to time.Time) ([]history.Span, error)
	Body(ctx context.Context, sha [sha256.Size]byte) ([]byte, error)
}

type run struct {
	Config
	result    *wire.Visits
	sources   []Log // that are read
	logs      []logFacts
	origins   []site // 0 is for requests without a host, 1 for sites beyond the limit and for addresses
	crawlers  []*crawler
	sets      [][]int // sets of crawlers that one header names, by number; 0 is empty
	operators map[string]int
	spool     *spool
	from, to  int64
	verifier  *visitor.Verifier
	senders   map[senderKey]uint16
	verified  map[int]moment      // the first verified visit of each crawler that has one
	refusals  map[witness]moments // fetches of robots.txt that were refused to an operator
	// redirected fetches of robots.txt that led to nothing, and answers without rules to anybody
	redirected map[witness]moments
	outages    map[int]moments    // by site
	unknown    moments            // lines that cannot be read, and might be answers without rules to anybody
	sent       map[witness]sizes  // of answers with a file, in logs whose sizes can include headers
	redirects  map[int]redirects  // by operator
	targets    map[targetSum]bool // to which robots.txt redirects
	coverages  map[int]*coverage  // by site
	timelines  map[int]*history.Timeline
	withheld   map[Why]*wire.VisitWithheld
	logsFrom   int64           // the time from which logs would have to begin
	gaps       map[period]bool // of the logs, because of which visits are withheld
	bodies     map[fileKey]*file
	given      *file // of Config.File
	stated     int   // the number of a single site
	days       map[int64]*wire.VisitDay
	listDates  map[string]time.Time // of the latest lists, by URL
}

// Run reads logs, in any order, and returns the known facts about their visits. An error of one
// log goes to Problem, and the others are still read. If the evidence cannot be written, Run returns the
// error and the result, which is complete.
func Run(ctx context.Context, config Config, logs []Log) (*wire.Visits, error) {
	r := &run{
		Config: config, from: math.MaxInt64, to: math.MinInt64, operators: map[string]int{},
		senders:  map[senderKey]uint16{},
		verified: map[int]moment{}, timelines: map[int]*history.Timeline{}, coverages: map[int]*coverage{},
		refusals: map[witness]moments{}, redirected: map[witness]moments{}, outages: map[int]moments{},
		sent:      map[witness]sizes{},
		redirects: map[int]redirects{},
		targets:   map[targetSum]bool{},
		withheld:  map[Why]*wire.VisitWithheld{}, logsFrom: math.MaxInt64, gaps: map[period]bool{},
		bodies: map[fileKey]*file{}, days: map[int64]*wire.VisitDay{},
		origins: make([]site, 2), sets: [][]int{nil},
		result: &wire.Visits{
			Share: &wire.VisitShare{}, Judged: "nothing", DNS: config.Resolver != nil, Sites: []string{}, Duplicates: []string{},
			OtherHosts: []wire.VisitHost{}, Lists: []wire.VisitList{}, ListGaps: []string{}, LogGaps: []wire.VisitGap{},
			Crawlers: []wire.VisitCrawler{}, Proofs: []wire.VisitProof{}, Days: []wire.VisitDay{},
			Stated: slices.Concat([]string{}, config.Stated), Withheld: []wire.VisitWithheld{},
		},
	}
	var err error
	r.spool, err = newSpool()
	if err != nil {
		return nil, err
	}
	defer r.spool.close()
	read := &reading{run: r, agents: map[string]sender{}, ids: map[string]int{}, hosts: map[string]int{},
		byName: map[string]int{}, seed: maphash.MakeSeed()}
	for _, o := range r.Sites {
		read.number(o)
	}
	r.kept.prepare(r)
	if err := read.readAll(ctx, logs); err != nil {
		return nil, err
	}
	r.kept.apply(read)
	read.chooseSites()
	if r.kept == nil {
		if err := r.dropRepeats(ctx); err != nil {
			return nil, err
		}
	}
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
	if err := r.judgeAll(ctx); err != nil {
		return nil, err
	}
	r.finish()
	return r.result, read.writeEvidence(ctx)
}

func (r *run) judgeAll(ctx context.Context) (err error) {
	judge := func() error { return r.spool.each(func(v *visit) error { return r.judge(ctx, v) }) }
	if r.Evidence == nil {
		return judge()
	}
	r.Evidence.names = r.namesInEvidence()
	isDone := false
	failed := audit.WriteTable(r.Evidence.file(verdictsName), func(write func(*Row) error) error {
		r.Evidence.verdict, isDone = write, true
		err = judge()
		return cmp.Or(err, r.Evidence.failed)
	})
	r.Evidence.failed = failed
	if !isDone {
		return judge()
	}
	return err
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
		if r.given.partial {
			r.Note("robots.txt is over 500 KiB: crawlers can ignore the rest, so no visit is known to have disobeyed")
		}
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

// identify finds the facts that depend on all visits: which crawlers were verified, and which answers
// left crawlers without rules.
func (r *run) identify(ctx context.Context) error {
	if r.Resolver != nil {
		if err := r.ask(ctx); err != nil {
			return err
		}
	}
	if r.Lists == nil && r.Resolver == nil {
		return nil
	}
	later := map[int][]visit{} // refusals to senders who are not the crawler they name, by crawler
	err := r.spool.each(func(v *visit) error {
		id, err := r.identity(ctx, v)
		r.collect(v, id, later)
		return err
	})
	if err != nil {
		return err
	}
	for crawler, all := range later {
		if !r.isVerified(crawler) {
			for i := range all {
				r.testify(&all[i])
			}
		}
	}
	if len(r.redirects) == 0 {
		return nil
	}
	err = r.spool.each(func(v *visit) error {
		if v.crawler < 0 {
			return nil
		}
		near := r.redirects[r.crawlers[v.crawler].operator].near(v.begin)
		if len(near) == 0 {
			return nil
		}
		id, err := r.identity(ctx, v)
		if !isFalse(id.State) || !r.isVerified(v.crawler) {
			r.followAll(near, v, id.State == visitor.Verified)
		}
		return err
	})
	r.follow()
	return err
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
		if v.crawler < 0 {
			return ctx.Err()
		}
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

// The reasons that the log decides.
const (
	Proxy     visitor.Reason = "proxy"     // names of two operators came from the address
	Alone     visitor.Reason = "alone"     // no list has the address, but no visit of the crawler is verified
	Shortened visitor.Reason = "shortened" // the end of the address might have been removed
)

// isProxy reports whether names of several operators came from the address of a visit.
func (r *run) isProxy(v *visit) bool {
	return r.senders[senderKey(v.addr.As16())] == severalOperators
}

// identity returns who sent a visit, from the visit alone. If the time of the visit is ambiguous, both
// times must lead to the same state.
func (r *run) identity(ctx context.Context, v *visit) (visitor.Identity, error) {
	if v.crawler < 0 {
		return visitor.Identity{State: visitor.None}, ctx.Err()
	}
	c := r.crawlers[v.crawler]
	switch {
	case c.verifiable && v.addr.IsValid() && r.isProxy(v):
		return visitor.Identity{Crawler: c.Token, State: visitor.Claimed, Reason: Proxy}, ctx.Err()
	case v.is(shortened) && c.verifiable:
		return visitor.Identity{Crawler: c.Token, State: visitor.Claimed, Reason: Shortened}, ctx.Err()
	}
	id := r.verifier.IdentifyCrawler(ctx, &c.Crawler, v.addr, instant(v.begin))
	if v.end == v.begin {
		return id, ctx.Err()
	}
	other := r.verifier.IdentifyCrawler(ctx, &c.Crawler, v.addr, instant(v.end))
	switch {
	case id.State == other.State:
		id.Near = id.Near && other.Near
	case id.State == visitor.Claimed:
	case other.State == visitor.Claimed:
		id = other
	default:
		id = visitor.Identity{Crawler: c.Token, State: visitor.Claimed, Reason: visitor.FewLists}
	}
	return id, ctx.Err()
}
