package visits

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
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

// answerKind is what an answer to a request for robots.txt means for the rules of its client.
type answerKind uint8

const (
	neutral     answerKind = iota // it says nothing about the file
	served                        // it has a whole file
	notModified                   // the client's copy is the file
	moved                         // it sends the client to another URL
	refused                       // the client might have no rules
	unavailable                   // nor anybody else: a cache can pass the answer on
	empty                         // a file without a byte, which a cache can pass on, too
)

// answerTo returns the kind of an answer. A firewall sends 202 with a challenge, and a crawler whose request is
// malformed has no rules either. A cache needs no permission to pass on some statuses [RFC 9110 15.1, RFC 7725 3].
// Only GET gets the file, and HEAD asks about it: any client can have another method refused each day. It can also
// name a version of HTTP that the server does not know. A text that is not a status, or that the log lacks, can
// have been an error of the server [RFC 9110 15].
func answerTo(method string, status int, isEmpty bool) answerKind {
	switch {
	case method != "GET" && method != "HEAD":
		return neutral
	case method == "HEAD" && (status == 405 || status == 501), status == 505:
		return refused
	case status == 204, status == 404, status == 405, status == 410, status == 451, status >= 500, status < 100:
		return unavailable
	case status == 304:
		return notModified
	case status >= 300 && status < 400:
		return moved
	case status != 200 && status != 203:
		return refused
	case method != "GET":
		return neutral
	case isEmpty:
		return empty
	}
	return served
}

func (v *visit) answer() answerKind { return answerTo(v.method, v.status, v.is(emptied)) }

// isRefusal reports whether an answer might leave a crawler without rules.
func (k answerKind) isRefusal() bool { return k == refused || k == unavailable }

// isOutage reports whether an answer shows that the site served no rules to anybody.
func (k answerKind) isOutage() bool { return k == unavailable || k == empty }

// isFile reports whether the client of an answer has the file.
func (k answerKind) isFile() bool { return k == served || k == notModified }

const nobody = -1 // instead of an operator

// everybody is for the answers of a site to all clients.
func everybody(site int) witness { return witness{site, nobody} }

// redirect is one or more redirected fetches of robots.txt by an operator in a minute.
type redirect struct {
	first   moment
	last    int64
	logs    []int // that have them
	sites   []int
	times   []int64      // of each
	addrs   []netip.Addr // from which each came
	fetches []answer     // of robots.txt with a file, after the first one
	early   []answer     // to other requests before the last one

	// related are the requests after it to the same host or from the same address. others can be its target
	// only if there are no related ones, because a target is fetched at once.
	related, others followers
	// byOtherClocks are refusals in other logs: at most one for a page that does not exist, and another.
	byOtherClocks []answer
}

// followers are requests after a redirect: the first five, and the first five from each of its addresses.
type followers struct {
	verified []answer // of verified senders
	answers  []answer // of senders who might be the operator
}

// answer is the answer to a request after a redirect.
type answer struct {
	moment
	addr       netip.Addr
	isVerified bool
	target     targetSum
	isRobots   bool // it is to /robots.txt
	status     int
	kind       answerKind
}

// isRefusal reports whether an answer, if it is to a redirected robots.txt, might leave a crawler without rules.
func (a *answer) isRefusal() bool { return a.kind.isRefusal() || a.kind == empty }

// isMissing reports that a page does not exist. That is nothing rare, unless the page must be the target of a redirect.
func (a *answer) isMissing() bool { return a.status == 404 || a.status == 410 }

const (
	maxFollowers   = 5
	maxRedirects   = 64 // in a minute
	followDuration = 2 * minuteMillis
	skewDuration   = int64(maxSkew / time.Millisecond)
)

func (r *run) answerOf(v *visit, isVerified bool) answer {
	m, _ := momentsOf(v)
	target := sumOfTarget(&r.origins[v.origin], v.target)
	return answer{m, v.addr, isVerified, target, isRobots(v.target), v.status, v.answer()}
}

func (f *followers) add(a answer) {
	if a.isVerified {
		f.verified = firstAnswers(f.verified, a)
	}
	f.answers = firstAnswers(f.answers, a)
}

// firstAnswers returns answers with another one, in ascending order. An answer after the first five of all and of
// its address is left out.
func firstAnswers(all []answer, a answer) []answer {
	all = append(all, a)
	slices.SortFunc(all, func(a, b answer) int {
		return cmp.Or(cmp.Compare(a.at, b.at), -compareBool(a.isRefusal(), b.isRefusal()), a.moment.compare(b.moment))
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
	if len(found.related.answers) > 0 {
		return &found.related
	}
	return &found.others
}

// isRelated reports whether a visit is to a host of the redirect, or from its address.
func (found *redirect) isRelated(r *run, v *visit) bool {
	return len(found.addrs) >= maxRedirects || v.addr.IsValid() && slices.Contains(found.addrs, v.addr) ||
		slices.ContainsFunc(found.sites, func(site int) bool {
			return site == v.origin || r.origins[site].Host() == r.origins[v.origin].Host()
		})
}

// addOtherClock records an answer in another log.
func (found *redirect) addOtherClock(a answer) {
	i := slices.IndexFunc(found.byOtherClocks, func(other answer) bool { return other.isMissing() == a.isMissing() })
	switch {
	case !a.isRefusal():
	case i < 0:
		found.byOtherClocks = append(found.byOtherClocks, a)
	case a.moment.compare(found.byOtherClocks[i].moment) < 0:
		found.byOtherClocks[i] = a
	}
}

// isByOtherClock reports whether another clock can have written the time of a visit than the redirect's. Each log has
// its own: even if one begins where another ends, they can be of two servers.
func (found *redirect) isByOtherClock(v *visit) bool {
	return len(found.logs) > 1 || found.logs[0] != v.log
}

// isOwn reports whether an answer went to an address that was redirected.
func (found *redirect) isOwn(a *answer) bool {
	return a.addr.IsValid() && slices.Contains(found.addrs, a.addr)
}

// files returns the answers with a file after the redirects: those to the addresses that were redirected, and those
// from known targets to others of the operator. What others got from elsewhere is a page, or their own robots.txt.
func (found *redirect) files(known map[targetSum]bool) []answer {
	return slices.DeleteFunc(slices.Concat(found.fetches, found.early, found.targets().answers), func(a answer) bool {
		return !a.kind.isFile() || !found.isOwn(&a) && !(a.isVerified && known[a.target])
	})
}

// isAnswered reports whether a file follows each redirect: one to its own address, or one from a known target to
// another address. It is false if there can be more redirects than are kept.
func (found *redirect) isAnswered(known map[targetSum]bool) bool {
	return len(found.times) < maxRedirects && isEachAnswered(found, found.files(known), moment{at: math.MaxInt64})
}

// isEachAnswered reports whether one of some files follows each redirect before a time.
func isEachAnswered(found *redirect, files []answer, before moment) bool {
	last := map[netip.Addr]int64{} // redirect of an address
	for i, addr := range found.addrs {
		if found.times[i] <= before.at {
			last[addr] = max(last[addr], found.times[i])
		}
	}
	var latest int64 // redirect of an address without a file of its own
	for addr, t := range last {
		isIts := func(f answer) bool { return f.addr == addr && f.at >= t && f.compare(before) < 0 }
		if addr.IsValid() && slices.ContainsFunc(files, isIts) {
			delete(last, addr)
		} else {
			latest = max(latest, t)
		}
	}
	others := 0
	for _, f := range files {
		if !found.isOwn(&f) && f.at >= latest && f.compare(before) < 0 {
			others++
		}
	}
	return others >= len(last)
}

// isPage reports whether an answer is to a request for a page and not for the target: a file at a known target
// follows the redirect, and the answer is about another place; or its address got a file between it and the redirect;
// or its address was not redirected, and each that was already had a file.
func (found *redirect) isPage(a *answer, known map[targetSum]bool) bool {
	files := found.files(known)
	last := found.first.at
	for _, t := range found.times {
		if t <= a.at {
			last = max(last, t)
		}
	}
	if !found.isOwn(a) && isEachAnswered(found, files, a.moment) {
		return true
	}
	return slices.ContainsFunc(files, func(file answer) bool {
		isTarget := (known[file.target] || file.isRobots) && !known[a.target]
		return file.at >= last && (isTarget || file.addr == a.addr && file.compare(a.moment) < 0)
	})
}

// targetSum is the beginning of the SHA-256 of an origin and a target.
type targetSum string

func sumOfTarget(at *site, target string) targetSum {
	sum := sha256.Sum256([]byte(at.String() + target))
	return targetSum(hex.EncodeToString(sum[:8]))
}

// findTargets finds the places to which robots.txt redirects: verified senders got files there after two redirects.
func (r *run) findTargets() {
	count := map[targetSum]int{}
	for _, all := range r.redirects {
		for _, found := range all {
			here := map[targetSum]bool{}
			for _, a := range found.files(nil) {
				if a.isVerified && !here[a.target] {
					here[a.target] = true
					count[a.target]++
				}
			}
		}
	}
	for target, n := range count {
		if n > 1 {
			r.targets[target] = true
		}
	}
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
	if len(r.times) < maxRedirects {
		r.times, r.addrs = append(r.times, v.begin), append(r.addrs, v.addr)
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
	a := r.answerOf(v, isVerified)
	for _, found := range near {
		switch {
		case a.isRobots:
			if found.precedes(v.begin) && a.kind.isFile() {
				found.fetches = firstAnswers(found.fetches, a)
			}
		case found.isByOtherClock(v) && !found.precedes(v.begin):
			found.addOtherClock(a)
		case !found.precedes(v.begin):
		case v.begin < found.last:
			found.early = firstAnswers(found.early, a)
		case found.isRelated(r, v):
			found.related.add(a)
		default:
			found.others.add(a)
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
			isTimely := found.precedes(t) && targets.has(v, t) || found.isByOtherClock(v)
			if isTimely && (targets == &found.others || found.isRelated(r, v)) {
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
	if v.is(headed) && isRobots(v.target) && v.answer() == served && v.crawler >= 0 && !isFalse(id.State) {
		key := witness{r.siteOf(v.origin), r.crawlers[v.crawler].operator}
		first, last := momentsOf(v)
		r.sent[key] = r.sent[key].with(first, v.bytes).with(last, v.bytes)
	}
	kind := v.answer()
	isOutage := kind == empty && !r.NoSiteCache && isRobots(v.target) // of all
	isWitness := kind.isRefusal() || kind == moved || kind == empty && !isOutage
	if !asksForRobots(v.target) || !r.isJudged() || !isWitness {
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

// testify records an answer to a fetch of robots.txt for the operator that it names, and for the
// operators whose address got it.
func (r *run) testify(v *visit) {
	if v.crawler >= 0 {
		r.testifyFor(v, r.crawlers[v.crawler].operator)
	}
	if v.addr.IsValid() && r.Lists != nil && v.answer() != moved {
		for name, operator := range r.operators {
			isNamed := v.crawler >= 0 && operator == r.crawlers[v.crawler].operator
			if !isNamed && r.verifier.OfOperator(name, v.addr, instant(v.begin)) {
				r.testifyFor(v, operator)
			}
		}
	}
}

func (r *run) testifyFor(v *visit, operator int) {
	if v.answer() == moved {
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
	r.findTargets()
	for operator, all := range r.redirects {
		// --served-since states that the file was served, perhaps by a server without a log here.
		isFollowed := func(found *redirect) bool { return len(found.fetches) > 0 }
		isElsewhere := r.History == nil && !slices.ContainsFunc(all, isFollowed)
		for _, found := range all {
			isLast := len(found.early)+len(found.targets().answers)+len(found.byOtherClocks) == 0
			isAnswered := found.isAnswered(r.targets) || isElsewhere && isLast
			for _, site := range found.sites {
				if !r.origins[site].judged && site != 0 {
					continue
				}
				key := witness{r.siteOf(site), operator}
				for _, a := range slices.Concat(found.early, found.targets().answers) {
					// Many pages do not exist, so their 404 says nothing about the target.
					if a.isRefusal() && !(isAnswered && a.isMissing() && found.isPage(&a, r.targets)) {
						r.refusals[key] = r.refusals[key].with(a.moment)
					}
				}
				for _, a := range found.byOtherClocks { // whose order is not known
					if a.isRefusal() && !(isAnswered && a.isMissing()) {
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
