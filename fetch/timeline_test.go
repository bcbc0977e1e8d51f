package fetch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache/cachetest"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
)

type timeline struct {
	policy   Policy
	outage   time.Duration // of the site, from the first request after 50 hours on
	copied   bool          // otherwise from the first call on
	headers  headers
	fault    badAnswer
	every    time.Duration // between calls, varied by up to a third
	restarts bool          // the client is replaced on days 3, 10 and 31; a store stays
	hook     bool          // the site answers other requests
	length   time.Duration
}

// headers are those of good answers, with the lifetime that they state in
// seconds.
type headers struct {
	name      string
	pairs     []string
	expiresIn time.Duration
	seconds   int
}

var allHeaders = []headers{
	{name: "none", seconds: -1},
	{name: "max-age=0", pairs: []string{"Cache-Control", "max-age=0"}, seconds: 0},
	{name: "max-age=60", pairs: []string{"Cache-Control", "public, max-age=60"}, seconds: 60},
	{name: "max-age=1e9", pairs: []string{"Cache-Control", "max-age=1000000000"}, seconds: 1e9},
	{name: "Expires in 3 days", expiresIn: 72 * hour, seconds: 72 * 3600},
}

type badAnswer struct {
	status     int // 0: the connection breaks
	retryAfter time.Duration
}

var badAnswers = []badAnswer{{}, {500, 0}, {503, 0}, {429, 0}, {503, 2 * hour}, {500, 48 * hour}, {503, time.Second},
	{429, time.Minute}}

// TestTimelines compares every answer and every fetch with the model, for a third of all
// combinations, and with ROBOTSTXT_LONG for all.
func TestTimelines(t *testing.T) {
	every := []time.Duration{10 * time.Minute, 26 * hour}
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		every[0] = 7 * hour
	}
	n, questions, fetches, began := 0, 0, 0, time.Now()
	for _, policy := range Policies() {
		for _, outage := range []time.Duration{0, time.Minute, 13 * hour, 29 * 24 * hour, 31 * 24 * hour} {
			for _, copied := range []bool{false, true} {
				for _, h := range allHeaders {
					for _, pace := range every {
						for _, restarts := range []bool{false, true} {
							n++
							if n%3 > 0 && os.Getenv("ROBOTSTXT_LONG") == "" {
								continue
							}
							tl := timeline{policy, outage, copied, h, badAnswers[n%len(badAnswers)], pace, restarts,
								n%4 < 2, 40 * day}
							synctest.Test(t, func(t *testing.T) {
								q, f := tl.play(t, uint64(n))
								questions, fetches = questions+q, fetches+f
							})
							if t.Failed() {
								t.Fatalf("in timeline %d: %+v", n, tl)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d timelines of 40 days, %d questions, %d fetches in %d ms", n, questions, fetches, time.Since(began).Milliseconds())
}

// TestTimelineEveryTenMinutes is like TestTimelines with a call every 10
// minutes, for some days before, during and after the outage.
func TestTimelineEveryTenMinutes(t *testing.T) {
	for _, policy := range Policies() {
		for i, outage := range []time.Duration{time.Minute, 13 * hour, 29 * 24 * hour, 31 * 24 * hour} {
			tl := timeline{policy: policy, outage: outage, copied: true, headers: allHeaders[i], fault: badAnswers[i],
				every: 10 * time.Minute, length: outage + 6*day}
			synctest.Test(t, func(t *testing.T) { tl.play(t, 7) })
		}
	}
}

// TestTimelineEveryTenSeconds examines the back-off with calls that are more
// frequent than its retries.
func TestTimelineEveryTenSeconds(t *testing.T) {
	for i, fault := range badAnswers {
		tl := timeline{outage: 5 * hour, headers: allHeaders[0], fault: fault, every: 10 * time.Second,
			length: 8 * hour}
		synctest.Test(t, func(t *testing.T) { tl.play(t, uint64(i)) })
	}
}

func (tl timeline) play(t *testing.T, seed uint64) (questions, fetches int) {
	random := rand.New(rand.NewPCG(seed, 1))
	start := time.Now()
	site := &site{headers: tl.headers.pairs, expiresIn: tl.headers.expiresIn, status: tl.fault.status,
		retryAfter: tl.fault.retryAfter}
	site.outage, site.from = tl.outage, start
	if tl.copied {
		site.from = start.Add(50 * hour)
	}
	config := Config{Policy: tl.policy, Network: Network{Transport: site}}
	config.Freshness.SiteAnswers = hookOf(tl.hook)
	var restarts []time.Duration
	if tl.restarts {
		config.Store = new(cachetest.Memory)
		restarts = []time.Duration{3 * day, 10 * day, 31 * day}
	}
	client := newTestClient(t, config)
	model := model{timeline: tl}
	for time.Since(start) <= tl.length {
		since := time.Since(start)
		if len(restarts) > 0 && since > restarts[0] {
			restarts = restarts[1:]
			client.Close()
			client = newTestClient(t, config)
			model.restarted = true
		}
		before := len(site.log)
		r := Expect(t, client, "https://foo.example/x")
		synctest.Wait() // for background refreshes
		questions++
		if problem := model.question(time.Now(), r, site.log[before:]); problem != "" {
			t.Errorf("on day %.3f: %s: %+v", since.Hours()/24, problem, r)
			break
		}
		time.Sleep(tl.every*2/3 + time.Duration(random.Int64N(int64(tl.every*2/3))))
	}
	client.Close()
	return questions, len(site.log)
}

// model records the fetches, and computes what a client may do and must answer.
type model struct {
	timeline
	good      time.Time // the last good answer
	failing   time.Time // the first bad answer since
	last      fetched
	failures  int
	restarted bool // nothing is in memory
}

// question returns a problem with the answer r to a call at now, or with the
// fetches for it, or "" if there is none.
func (m *model) question(now time.Time, r *Result, fetches []fetched) string {
	wasFresh := m.fresh(now)
	if len(fetches) > 1 {
		return fmt.Sprintf("%d fetches", len(fetches))
	}
	may, must := m.fetch(now)
	switch fetch := len(fetches) == 1; {
	case fetch && !may:
		return "a fetch too early"
	case !fetch && must:
		return "no fetch where one is due"
	}
	before := *m
	for _, f := range fetches {
		m.learn(f)
	}
	outcome, source, at := m.answer(now)
	if wasFresh && (!m.restarted || len(fetches) == 0) {
		// A refresh runs in the background; the call returns the old answer.
		outcome, source, at = OutcomeRules, SourceMemory, before.good
	}
	switch {
	case source == SourceMemory && len(fetches) == 1 && (!wasFresh || m.restarted):
		source = SourceNetwork
	case source == SourceMemory && m.restarted:
		source = SourceStore
	}
	m.restarted = false
	if r.Outcome != outcome || r.Source != source || !at.IsZero() && !r.FetchedAt.Equal(at) {
		return fmt.Sprintf("want %v, %v, fetched at %v", outcome, source, at)
	}
	return ""
}

func (m *model) fresh(now time.Time) bool {
	return !m.good.IsZero() && now.Before(m.good.Add(wordsOnFreshness(m.policy, m.headers.seconds)))
}

// fetch reports whether a call at now may or must cause a fetch.
func (m *model) fetch(now time.Time) (may, must bool) {
	if m.last.at.IsZero() {
		return true, true
	}
	if m.fresh(now) {
		freshFor := wordsOnFreshness(m.policy, m.headers.seconds)
		due := !now.Before(m.good.Add(freshFor - freshFor/10))
		if m.failures == 0 {
			return due, due
		}
		least, most := wordsOnBackOff(m.failures, m.last.status, m.last.retryAfter)
		return due && !now.Before(m.last.at.Add(least)), due && now.After(m.last.at.Add(most))
	}
	if m.failures == 0 {
		return true, true
	}
	least, most := wordsOnBackOff(m.failures, m.last.status, m.last.retryAfter)
	return !now.Before(m.last.at.Add(least)), now.After(m.last.at.Add(most))
}

func (m *model) learn(f fetched) {
	last := m.last.at
	m.last = f
	switch {
	case f.ok:
		m.good, m.failing, m.failures = f.at, time.Time{}, 0
	case m.failures == 0 || f.at.Sub(last) > 48*hour:
		m.failing, m.failures = f.at, 1
	default:
		m.failures++
	}
}

func (m *model) answer(now time.Time) (Outcome, Source, time.Time) {
	if m.fresh(now) {
		return OutcomeRules, SourceMemory, m.good
	}
	outcome, source := wordsOnOutage(m.policy, now.Sub(m.failing), !m.good.IsZero(), !m.good.IsZero() &&
		now.Sub(m.good) < 24*hour, m.hook)
	if source == SourceStale {
		return outcome, source, m.good
	}
	return outcome, source, m.last.at
}
