package visits

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/visitor"
)

// witness identifies an operator and an origin, for failed fetches of robots.txt.
type witness struct{ origin, operator int }

// moment is when something happened, with a line of a log that shows it.
type moment struct {
	at   int64
	log  int
	line int64
}

// moments are in ascending order, one a minute. So a site that refuses its robots.txt a million times a
// day needs no more memory than one that refuses it each minute.
type moments []moment

// with returns moments with another one. The first of a minute is kept.
func (all moments) with(m moment) moments {
	i, known := slices.BinarySearchFunc(all, minuteOf(m.at), compareMinute)
	if !known {
		return slices.Insert(all, i, m)
	}
	if m.compare(all[i]) < 0 {
		all[i] = m
	}
	return all
}

// minuteOf returns the minute of a time.
func minuteOf(t int64) int64 { return t - mod(t, minuteMillis) }

func compareMinute(m moment, minute int64) int { return cmp.Compare(minuteOf(m.at), minute) }

func (m moment) compare(other moment) int {
	return cmp.Or(cmp.Compare(m.at, other.at), cmp.Compare(m.log, other.log), cmp.Compare(m.line, other.line))
}

// firstIn returns the first moment in a span, or nil. The minutes of its ends count.
func (all moments) firstIn(from, to int64) *moment {
	i, _ := slices.BinarySearchFunc(all, minuteOf(from), compareMinute)
	if i < len(all) && minuteOf(all[i].at) <= to {
		return &all[i]
	}
	return nil
}

const minuteMillis = int64(time.Minute / time.Millisecond)

func momentsOf(v *visit) (first, last moment) {
	first = moment{at: v.begin, log: v.log, line: v.line}
	last = first
	last.at = v.end
	return first, last
}

// isRefusal reports whether the answer to a request for robots.txt might leave a crawler without rules: any
// answer but a whole file, unless only the method caused it. A firewall sends 202 with a challenge, and a crawler
// whose request is malformed has no rules either.
func isRefusal(status int, method string) bool {
	switch status {
	case 200, 203:
		return false
	case 405, 501:
		return method == "GET" || method == "HEAD"
	}
	return status < 300 || status >= 400
}

// isFile reports whether an answer to a request for robots.txt has a whole file, if it has a body.
func isFile(status int, method string) bool {
	return (status == 200 || status == 203) && method == "GET"
}

// isRedirect reports whether a status sends the client to another URL.
func isRedirect(status int) bool { return status >= 300 && status < 400 && status != 304 }

// isOutage reports whether an answer to a request for robots.txt shows that the site served no rules. A
// cache can pass it on to any client: it needs no permission for these statuses [RFC 9110 15.1, RFC 7725 3].
func isOutage(status int, method string, isEmpty bool) bool {
	switch status {
	case 204, 404, 410, 451:
		return true
	case 405, 501:
		return method == "GET"
	}
	return status >= 500 || isFile(status, method) && isEmpty
}

const nobody = -1 // instead of an operator

// everybody is for the answers of a site to all clients.
func everybody(site int) witness { return witness{site, nobody} }

// redirect is one or more redirected fetches of robots.txt by an operator in a minute.
type redirect struct {
	first    moment
	last     int64
	logs     []int // that have them
	sites    []int
	addrs    []netip.Addr // from which they came
	followed []netip.Addr // those of them from which a robots.txt was fetched after it

	// own are the requests after it to the same host or from the same address. any are all others; they
	// can be its target only if there are none of the first kind, because a target is fetched at once.
	own, any followers
	// far are refusals in other logs, whose clocks can differ: at most one for a page that does not exist, and another.
	far []answer
}

// followers are requests after a redirect: the first five, and the first five from each of its addresses.
type followers struct {
	verified []answer // of verified senders
	answers  []answer // of senders who might be the operator
}

// answer is the answer to a request after a redirect.
type answer struct {
	moment
	addr      netip.Addr
	status    int
	isRefusal bool
}

// isMissing reports that a page does not exist. That is nothing rare, unless the page must be the target of a redirect.
func (a *answer) isMissing() bool { return a.status == 404 || a.status == 410 }

const (
	maxFollowers   = 5
	maxAddrs       = 64
	followDuration = 2 * minuteMillis
	skewDuration   = int64(maxSkew / time.Millisecond)
)

func answerOf(v *visit) answer {
	m, _ := momentsOf(v)
	return answer{m, v.addr, v.status, isRefusal(v.status, v.method)}
}

func (f *followers) add(v *visit, isVerified bool) {
	if isVerified {
		f.verified = firstAnswers(f.verified, answerOf(v))
	}
	f.answers = firstAnswers(f.answers, answerOf(v))
}

// firstAnswers returns answers with another one, in ascending order. An answer after the first five of all and of
// its address is left out.
func firstAnswers(all []answer, a answer) []answer {
	all = append(all, a)
	slices.SortFunc(all, func(a, b answer) int {
		return cmp.Or(cmp.Compare(a.at, b.at), -compareBool(a.isRefusal, b.isRefusal), a.moment.compare(b.moment))
	})
	number := map[netip.Addr]int{}
	n := 0
	return slices.DeleteFunc(all, func(a answer) bool {
		n++
		number[a.addr]++
		return n > maxFollowers && number[a.addr] > maxFollowers
	})
}

// has reports whether a visit at a time is not after the fifth request of all, or of its address.
func (f *followers) has(v *visit, t int64) bool {
	before, ofAddr := 0, 0
	for _, a := range f.verified {
		if a.at < t {
			before++
			if a.addr == v.addr {
				ofAddr++
			}
		}
	}
	return before < maxFollowers || ofAddr < maxFollowers
}

// targets returns the requests that can be the target of a redirect.
func (found *redirect) targets() *followers {
	if len(found.own.answers) > 0 {
		return &found.own
	}
	return &found.any
}

// isOwn reports whether a visit is to a host of the redirect, or from its address.
func (found *redirect) isOwn(r *run, v *visit) bool {
	return len(found.addrs) >= maxAddrs || v.addr.IsValid() && slices.Contains(found.addrs, v.addr) ||
		slices.ContainsFunc(found.sites, func(site int) bool {
			return site == v.origin || r.origins[site].Host() == r.origins[v.origin].Host()
		})
}

// addFar records an answer in another log.
func (found *redirect) addFar(a answer) {
	i := slices.IndexFunc(found.far, func(other answer) bool { return other.isMissing() == a.isMissing() })
	switch {
	case !a.isRefusal:
	case i < 0:
		found.far = append(found.far, a)
	case a.moment.compare(found.far[i].moment) < 0:
		found.far[i] = a
	}
}

// isInOtherLog reports whether another clock can have written the time of a visit than the redirect's.
func (found *redirect) isInOtherLog(v *visit) bool {
	return len(found.logs) > 1 || found.logs[0] != v.log
}

// isAnswered reports whether a file follows each redirect, as answers and fetches of robots.txt show. It is false if
// there can be more addresses than are kept.
func (found *redirect) isAnswered() bool {
	if len(found.addrs) >= maxAddrs {
		return false
	}
	answers := found.targets().answers
	hasFile := func(addr netip.Addr) bool {
		return slices.Contains(found.followed, addr) || slices.ContainsFunc(answers, func(a answer) bool {
			return a.addr == addr && (a.status == 200 || a.status == 304)
		})
	}
	return !slices.ContainsFunc(found.addrs, func(addr netip.Addr) bool { return !hasFile(addr) })
}

// redirects are in ascending order, one a minute.
type redirects []*redirect

func compareRedirect(r *redirect, minute int64) int { return compareMinute(r.first, minute) }

func (all redirects) with(v *visit) redirects {
	m, _ := momentsOf(v)
	i, known := slices.BinarySearchFunc(all, minuteOf(v.begin), compareRedirect)
	if !known {
		all = slices.Insert(all, i, &redirect{first: m, last: v.begin})
	}
	r := all[i]
	r.last = max(r.last, v.begin)
	if !slices.Contains(r.logs, v.log) {
		r.logs = append(r.logs, v.log)
	}
	if !slices.Contains(r.sites, v.origin) {
		r.sites = append(r.sites, v.origin)
	}
	if len(r.addrs) < maxAddrs && !slices.Contains(r.addrs, v.addr) {
		r.addrs = append(r.addrs, v.addr)
	}
	if m.compare(r.first) < 0 {
		r.first = m
	}
	return all
}

// near returns the redirects that a request of a time can follow, if clocks differ.
func (all redirects) near(t int64) redirects {
	begin, _ := slices.BinarySearchFunc(all, t-skewDuration-followDuration-minuteMillis, compareRedirect)
	end := begin
	for end < len(all) && all[end].first.at <= t+skewDuration {
		end++
	}
	isOver := func(r *redirect) bool { return t > r.last+followDuration+skewDuration }
	return slices.DeleteFunc(slices.Clone(all[begin:end]), isOver)
}

// precedes reports whether a redirect is within two minutes before a time, by one clock.
func (found *redirect) precedes(t int64) bool {
	return found.first.at <= t && t <= found.last+followDuration
}

// followAll records a request after redirects, which are near.
func (r *run) followAll(near redirects, v *visit, isVerified bool) {
	for _, found := range near {
		switch {
		case isRobots(v.target):
			isFollowed := found.precedes(v.begin) && (v.status == 200 || v.status == 304)
			if isFollowed && slices.Contains(found.addrs, v.addr) && !slices.Contains(found.followed, v.addr) {
				found.followed = append(found.followed, v.addr)
			}
		case found.isInOtherLog(v) && !found.precedes(v.begin):
			found.addFar(answerOf(v))
		case v.begin < found.last || !found.precedes(v.begin):
		case found.isOwn(r, v):
			found.own.add(v, isVerified)
		default:
			found.any.add(v, isVerified)
		}
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// mayBeTarget reports whether a visit can be the target of a redirected robots.txt: one of the operator's
// next five requests within two minutes.
func (r *run) mayBeTarget(v *visit) bool {
	all := r.redirects[r.crawlers[v.crawler].operator]
	if len(all) == 0 {
		return false
	}
	for _, t := range []int64{v.begin, v.end} {
		for _, found := range all.near(t) {
			targets := found.targets()
			isTimely := found.precedes(t) && targets.has(v, t) || found.isInOtherLog(v)
			if isTimely && (targets == &found.any || found.isOwn(r, v)) {
				return true
			}
		}
	}
	return false
}

// collect finds the verified crawlers, and which answers to fetches of robots.txt had no rules.
func (r *run) collect(v *visit, id visitor.Identity, later map[int][]visit) {
	if id.State == visitor.Verified && !r.isVerified(v.crawler) {
		r.verified[v.crawler], _ = momentsOf(v)
	}
	if v.is(headed) && isRobots(v.target) && isFile(v.status, v.method) && v.crawler >= 0 && !isFalse(id.State) {
		key := witness{r.siteOf(v.origin), r.crawlers[v.crawler].operator}
		first, last := momentsOf(v)
		r.sent[key] = r.sent[key].with(first, v.bytes).with(last, v.bytes)
	}
	isWitness := isRefusal(v.status, v.method) || isRedirect(v.status) || r.isEmptyToo(v)
	if !isRobots(v.target) || !r.isJudged() || !isWitness {
		return
	}
	if isFalse(id.State) { // it counts only if no visit of the crawler is verified
		if n := len(later[v.crawler]); n < maxLater {
			later[v.crawler] = append(later[v.crawler], *v)
			return
		}
	}
	r.testify(v)
}

const maxLater = 100_000

// isVerified reports whether a visit of a crawler is verified.
func (r *run) isVerified(crawler int) bool {
	_, is := r.verified[crawler]
	return is
}

func isFalse(s visitor.State) bool { return s == visitor.NotListed || s == visitor.Contradicted }

// isEmptyToo reports whether a visit shows an outage that only its operator saw.
func (r *run) isEmptyToo(v *visit) bool {
	return r.NoSiteCache && isOutage(v.status, v.method, v.is(empty))
}

// testify records an answer to a fetch of robots.txt for the operator that it names, and for the
// operators whose address got it.
func (r *run) testify(v *visit) {
	if v.crawler >= 0 {
		r.testifyFor(v, r.crawlers[v.crawler].operator)
	}
	if v.addr.IsValid() && r.Lists != nil && !isRedirect(v.status) {
		for name, operator := range r.operators {
			isNamed := v.crawler >= 0 && operator == r.crawlers[v.crawler].operator
			if !isNamed && r.verifier.OfOperator(name, v.addr, instant(v.begin)) {
				r.testifyFor(v, operator)
			}
		}
	}
}

func (r *run) testifyFor(v *visit, operator int) {
	if isRedirect(v.status) {
		r.redirects[operator] = r.redirects[operator].with(v)
		return
	}
	if r.origins[v.origin].judged || v.origin == 0 {
		first, last := momentsOf(v)
		key := witness{r.siteOf(v.origin), operator}
		r.refusals[key] = r.refusals[key].with(first).with(last)
	}
}

// follow finds where redirected fetches of robots.txt led.
func (r *run) follow() {
	for operator, all := range r.redirects {
		// --served-since states that the file was served, perhaps by a server without a log here.
		isFollowed := func(found *redirect) bool { return len(found.followed) > 0 }
		isElsewhere := r.History == nil && !slices.ContainsFunc(all, isFollowed)
		for _, found := range all {
			isLast := len(found.own.answers)+len(found.any.answers)+len(found.far) == 0
			isAnswered := found.isAnswered() || isElsewhere && isLast
			for _, site := range found.sites {
				if !r.origins[site].judged && site != 0 {
					continue
				}
				key := witness{r.siteOf(site), operator}
				for _, a := range slices.Concat(found.targets().answers, found.far) {
					// Many pages do not exist, so their 404 says nothing if another request got an answer.
					if a.isRefusal && !(isAnswered && a.isMissing()) {
						r.refusals[key] = r.refusals[key].with(a.moment)
					}
				}
				if !isAnswered {
					last := found.first
					last.at = found.last
					r.redirected[key] = r.redirected[key].with(found.first).with(last)
				}
			}
		}
	}
}
