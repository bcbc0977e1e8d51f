package robotstxt

import (
	"iter"
	"time"
)

// Rules is a robots.txt as one crawler sees it: the rules of the groups that
// speak to it, or a verdict that needs no file. It is a small value, safe for
// concurrent use; the zero value allows everything.
type Rules struct {
	robots       *Robots // nil: no file
	label        string  // the token that chose the groups; without a file, why there is none
	start, end   uint32  // the agent lines that chose the groups, in Robots.tokens
	first, after uint32  // the rules of the first of these groups, in Robots.rules
	disallowAll  bool    // without a file
}

// Rules returns the file as the crawler that asks for agents sees it. The list
// is an ordered fallback, most specific token first: "Googlebot-News",
// "Googlebot". The first one that any agent line names decides, and all groups
// that name it count together (G38); if none is named, or none is asked for,
// the groups for "*" do (G31). Koster1996 takes the first such record only.
//
// Tokens are compared in full, whatever the case of their letters, and used
// untouched (G27): "FooBot/1.0" or a whole User-Agent header is never named in
// dialect Google. ValidAgent tells.
func (r *Robots) Rules(agents ...string) Rules {
	for _, agent := range agents {
		if rules := r.rulesFor(agent); rules.chosen() {
			return rules
		}
	}
	return r.rulesFor(everyone)
}

// NamedRules is Rules without the fallback to "*", for crawlers that obey only
// groups that name them (G55). Where none does, or only "*" is asked for,
// everything is allowed.
func (r *Robots) NamedRules(agents ...string) Rules {
	for _, agent := range agents {
		if agent == everyone {
			continue
		}
		if rules := r.rulesFor(agent); rules.chosen() {
			return rules
		}
	}
	return Rules{robots: r}
}

func (r *Robots) rulesFor(token string) Rules {
	start, end := r.named(token)
	if r.dialect.reading().Records {
		end = min(end, start+1)
	}
	rules := Rules{robots: r, label: token, start: uint32(start), end: uint32(end)}
	if rules.chosen() {
		rules.first, rules.after = r.ruleRange(r.groupOf(r.token(start).agent()))
	}
	return rules
}

// AllowAll returns Rules that allow every URL, for a site without a usable
// robots.txt. Explain repeats the reason.
func AllowAll(reason string) Rules { return Rules{label: reason} }

// DisallowAll returns Rules that disallow every URL, for a site whose
// robots.txt cannot be had at present. Explain repeats the reason.
func DisallowAll(reason string) Rules { return Rules{disallowAll: true, label: reason} }

// chosen reports whether any agent line chose a group.
func (r Rules) chosen() bool { return r.start < r.end }

// groups yields the chosen groups in file order, each once.
func (r Rules) groups() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := r.start; i < r.end; i++ {
			if !yield(r.robots.groupOf(r.robots.token(int(i)).agent())) {
				return
			}
		}
	}
}

// Groups yields the groups that apply to the crawler, in file order. Rules of the
// same groups give the same answers.
func (r Rules) Groups() iter.Seq[Group] {
	return func(yield func(Group) bool) {
		if r.robots == nil {
			return
		}
		for group := range r.groups() {
			if !yield(Group{r.robots, group}) {
				return
			}
		}
	}
}

// Allowed reports whether the crawler may fetch url: absolute, scheme-relative,
// or a path with its query. The URL is compared as it is, neither rejected nor
// changed (G48, G58–G62); EncodeURL is for URLs that are not encoded yet. It
// does not allocate, except where the dialect rewrites a path to over 64 KB, and
// once for a crawler with many questions: for the index that makes many rules as
// cheap as few.
func (r Rules) Allowed(url string) bool {
	allowed, _ := r.Verdict(url)
	return allowed
}

// Verdict is Allowed with the deciding line, which Decision.Line describes (G54).
// It costs no more; Explain gives the grounds.
func (r Rules) Verdict(url string) (allowed bool, line int) {
	if r.robots == nil {
		return !r.disallowAll, 0
	}
	reading := r.robots.dialect.reading()
	path, bare := reading.pathOf(url)
	if reading.rewrites(path, bare) {
		return r.verdictRewritten(reading, path, bare)
	}
	return r.verdict(reading, path)
}

// verdictRewritten brings the path into the form to compare first.
func (r *Rules) verdictRewritten(reading *reading, path string, bare bool) (allowed bool, line int) {
	b := newBuffer()
	defer b.free()
	return r.verdict(reading, b.path(reading, path, bare))
}

// verdict decides about a path in the form to compare. Few rules of one group
// are tried one after the other, many through an index, once there is one.
func (r *Rules) verdict(reading *reading, path string) (allowed bool, line int) {
	m := newMatch(reading, path)
	if r.end-r.start <= 1 && r.after-r.first <= fewRules || reading.FirstMatch {
		m.scan(r.robots, r.first, r.after)
	} else if slot := r.indexSlot(); slot.index.Load() != nil {
		m.best = slot.index.Load().heaviest(&m.path)
	} else {
		slot.add(*r, r.scanAll(&m))
	}
	m.path.Free()
	return m.verdict()
}

// scanAll considers the rules of all chosen groups, and returns about how much
// work that was.
func (r *Rules) scanAll(m *match) (work uint64) {
	for group := range r.groups() {
		first, after := r.robots.ruleRange(group)
		work += uint64(after-first) + tryWork*uint64(m.scan(r.robots, first, after))
	}
	return work
}

// Extensions yields the named extension lines of the chosen groups, in file
// order: those that stand between a group's first agent line and the next
// group. They are not inherited from "*".
func (r Rules) Extensions() iter.Seq[Extension] {
	return func(yield func(Extension) bool) {
		for group := range r.Groups() {
			for e := range group.Extensions() {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// CrawlDelay returns how long the crawler is asked to wait between requests,
// and whether it is asked at all. A Crawl-delay belongs to the whole run of
// agents that it stands in or under; of several the largest counts. One that
// is negative or no decimal number of seconds does not count.
func (r Rules) CrawlDelay() (delay time.Duration, ok bool) {
	for e := range r.Extensions() {
		if e.Name != extensionNames[keptCrawlDelay] {
			continue
		}
		if d, valid := parseSeconds(e.Value); valid {
			delay, ok = max(delay, d), true
		}
	}
	return delay, ok
}

// parseSeconds reads digits with an optional fraction: "10", "0.5", ".5". What
// does not fit a Duration becomes the largest one.
func parseSeconds(s string) (time.Duration, bool) {
	const largest = time.Duration(1<<63 - 1)
	var whole, fraction time.Duration
	unit, digits, point, full := time.Second, 0, false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '.' && !point:
			point = true
		case c < '0' || c > '9':
			return 0, false
		case point:
			digits++
			unit /= 10
			fraction += time.Duration(c-'0') * unit
		default:
			digits++
			// Once full it stays full.
			if whole = whole*10 + time.Duration(c-'0'); full || whole > largest/time.Second {
				full, whole = true, 0
			}
		}
	}
	delay := whole*time.Second + fraction
	if full || delay < 0 {
		delay = largest
	}
	return delay, digits > 0
}
