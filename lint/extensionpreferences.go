package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
)

// The purposes that preferences are about, see permission.Labels.
const (
	search     crawlers.Purpose = "search"
	aiSearch   crawlers.Purpose = "ai-search"
	aiTraining crawlers.Purpose = "ai-training"
)

type preference struct {
	line       *line
	path       string // empty: all
	about      crawlers.Purpose
	grants     bool
	draft      string // that defines the line
	start, end int    // in the body
}

func (x *extensions) quoted(p *preference) quoted { return quote(x.body[p.start:p.end]) }

// findDraft reports a finding that depends on a draft, and names it, because drafts change.
func (x *extensions) findDraft(draft string, c check, l *line, start, end int, format string, args ...any) *Finding {
	return x.find(c, l, start, end, strings.TrimSuffix(format, ".")+" (%s).", append(args, draft)...)
}

func (x *extensions) prefer(l *line, path string, p *permission.Preference, draft string) {
	if l.group < 0 {
		return
	}
	if path == "/" {
		path = "" // it is about all pages, too
	}
	start, end := l.valueAt()+p.LabelAt, l.valueAt()+p.ValueAt+len(p.Value)
	x.preferences = append(x.preferences,
		&preference{l, path, p.Purpose, p.Says == permission.SaysYes, draft, start, end})
}

var rxPreferenceContradicted = check{Entry: &Entry{
	Code: "RX514", Name: "preference-contradicted", Severity: Warning,
	Title: "A preference about AI or search contradicts another line.",
	Why:   "If two Content-Usage lines for one path differ, n wins, unlike Allow (" + draftAttach + " section 3.1). If a Content-Signal and a Content-Usage differ, no specification decides. A yes for blocked pages has no effect. In a Content-Signal, use=immediate and use=reference limit a yes for other uses. It is info if a line permits training that groups refuse.",
	Bad:   "User-agent: *\nAllow: /\nContent-Signal: ai-train=no\nContent-Usage: train-ai=y\n",
	Good:  "User-agent: *\nAllow: /\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\n",
}}

// subject is what a preference is about. Groups that share a crawler have the number of the
// first one.
type subject struct {
	group int32
	path  string
	about crawlers.Purpose
}

func (x *extensions) inspectPreferences() {
	if x.preferences == nil {
		return
	}
	stated := map[subject]*preference{}
	first := x.firstGroups()
	for _, p := range x.preferences {
		s := subject{first[p.line.group], p.path, p.about}
		if before, ok := stated[s]; !ok {
			stated[s] = p
		} else if before.grants != p.grants {
			x.findContradiction(p, before)
		}
	}
	x.inspectUnread(stated, first)
	x.inspectSearch(stated, first)
	if x.wants(rxPreferenceContradicted) {
		x.inspectClosed()
		x.inspectTraining()
	}
}

// firstGroups returns for each group the first one that names a crawler of it, if crawlers
// read all groups that name them.
func (x *extensions) firstGroups() []int32 {
	first := make([]int32, len(x.groups))
	for i := range first {
		first[i] = int32(i)
		for _, a := range x.groups[i].agents {
			if line := x.naming(a.Token); line > 0 && !x.audience.firstGroup {
				first[i] = min(first[i], x.line(line).group)
			}
		}
	}
	return first
}

var rxPreferenceNotRead = check{Entry: &Entry{
	Code: "RX524", Name: "preference-not-read", Severity: Info,
	Title: "Crawlers with a group of their own do not read this preference about AI or search.",
	Why:   "A Content-Signal or Content-Usage line belongs to its group (" + draftAttach + " section 3), and a crawler that a group names ignores the group for *. Reported if the line refuses a use, and groups of crawlers of search engines and AI services, or of control tokens such as Google-Extended, let them in and state nothing about it.",
	Bad:   "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: Googlebot\nDisallow: /search\n",
	Good:  "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: Googlebot\nContent-Signal: ai-train=no\nDisallow: /search\n",
}}

// inspectUnread reports the first refusal for all crawlers that some with a group of their own do not read. Permissions
// change nothing for them.
func (x *extensions) inspectUnread(stated map[subject]*preference, first []int32) {
	if !x.wants(rxPreferenceNotRead) {
		return
	}
	states := map[subject]bool{} // about any path
	for s := range stated {
		states[subject{group: s.group, about: s.about}] = true
	}
	looked := map[crawlers.Purpose]bool{} // each purpose is compared with all groups
	for _, p := range x.preferences {
		if p.grants || looked[p.about] || !x.groups[p.line.group].forAll {
			continue
		}
		looked[p.about] = true
		var names []string
		for i, group := range first {
			if !states[subject{group: group, about: p.about}] {
				names = append(names, readers(&x.groups[i])...)
			}
		}
		if names != nil {
			because := choose(len(names) == 1, "another group names it and has", "other groups name them and have")
			f := x.findDraft(p.draft, rxPreferenceNotRead, p.line, p.start, p.end, "This line does not apply to %s, because %s no such line.", listed(names), because)
			f.For = names
			return
		}
	}
}

// readers returns the crawlers and control tokens of search engines and AI services that a group names and
// lets in. It is nil for groups for all crawlers.
func readers(g *group) (names []string) {
	if g.forAll || g.closed {
		return nil
	}
	for _, a := range g.agents {
		c, known := findCrawler(a.Token)
		reads := slices.ContainsFunc(c.Purposes, func(p crawlers.Purpose) bool {
			_, ok := permission.LabelOf(p)
			return ok
		})
		if known && reads && c.Status != crawlers.Retired && c.Obeys != crawlers.ObeysNone {
			names = append(names, c.Token)
		}
	}
	return names
}

var rxSearchDecides = check{Entry: &Entry{
	Code: "RX525", Name: "search-decides", Severity: Info, Pedantic: true,
	Title:   "The preference about search also decides about AI inside a search engine.",
	Why:     "In Content-Usage, search overrides train-ai and ai-use for what only a search engine uses: search=y allows it to train models for its ranking and to use them, whatever train-ai and ai-use say, but not to write summaries (" + draftVocab + " section 4.3). Not reported if the preferences say the same.",
	Bad:     "User-agent: *\nAllow: /\nContent-Usage: train-ai=n, search=y\n",
	Good:    "User-agent: *\nAllow: /\nContent-Usage: train-ai=n, search=n\n",
	Example: Config{Pedantic: true},
}}

func (x *extensions) inspectSearch(stated map[subject]*preference, first []int32) {
	for _, p := range x.preferences {
		if p.about != search || p.draft != draftAttach {
			continue
		}
		for _, about := range [...]crawlers.Purpose{aiTraining, aiSearch} {
			other := stated[subject{first[p.line.group], p.path, about}]
			if other == nil || other.draft != p.draft || other.grants == p.grants {
				continue
			}
			f := x.findDraft(draftVocab, rxSearchDecides, p.line, p.start, p.end, "Inside a search engine %s decides, not %s.", x.quoted(p), x.quoted(other))
			f.Related = []Related{{other.line.number, "the preference about AI"}}
			return
		}
	}
}

func (x *extensions) findContradiction(p, before *preference) {
	draft := p.draft
	counts := "no specification decides which one applies"
	switch {
	case p.draft != before.draft:
		draft = draftSignals + ", " + draftAttach
	case p.draft == draftAttach:
		counts = "n wins"
	}
	f := x.findDraft(draft, rxPreferenceContradicted, p.line, p.start, p.end, "%s contradicts %s on line %d; %s.",
		x.quoted(p), x.quoted(before), before.line.number, counts)
	f.Related = []Related{{before.line.number, x.quoted(before).String()}}
}

func (x *extensions) inspectClosed() {
	for i := 0; i < len(x.preferences); {
		p := x.preferences[i]
		grants := false
		for ; i < len(x.preferences) && x.preferences[i].line == p.line; i++ {
			grants = grants || x.preferences[i].grants
		}
		if rule := x.closing(p.line.group, cmp.Or(p.path, "/")); rule > 0 {
			f := x.findLine(rxPreferenceContradicted.infoIf(!grants).rareIf(!grants), p.line, "This preference has no effect, because these pages are blocked (%s).", p.draft)
			f.Related = []Related{{rule, "the rule that blocks them"}}
		}
	}
}

// closing returns the line of a rule that disallows all paths which begin with a path. It is 0 if there is none, or
// if an Allow, or another group of a crawler, might open some again.
func (x *extensions) closing(group int32, path string) int {
	rules := x.groups[group].rules
	x.budget -= len(rules)
	opensPart := func(r robotstxt.Rule) bool { return r.Allow && r.Pattern != "" }
	if x.budget < 0 || x.shared()[group] || slices.ContainsFunc(rules, opensPart) {
		return 0
	}
	for _, r := range rules {
		if r.Pattern != "" && strings.HasPrefix(path, r.Pattern) && !strings.ContainsAny(path, "*$") {
			return r.Line
		}
	}
	return 0
}

// inspectLevel reports that the signal use limits what another signal of the line allows.
func (x *extensions) inspectLevel(l *line, level *permission.Preference, stated []*preference) {
	for _, p := range stated {
		if p.grants && slices.Contains(level.Limited(), p.about) {
			f := x.findDraft(draftSignals, rxPreferenceContradicted, l, p.start, p.end, "use=%s on the same line limits %s.", level.Value, x.quoted(p))
			f.Related = []Related{{l.number, "use=" + level.Value}}
		}
	}
}

// inspectTraining reports that all crawlers may use the pages to train, but that the site is
// closed to several large crawlers that collect training data.
func (x *extensions) inspectTraining() {
	for _, p := range x.preferences {
		if p.about != aiTraining || !p.grants || p.path != "" || !x.groups[p.line.group].forAll {
			continue
		}
		var closed []string
		line := 0
		for _, c := range largeTraining() {
			if named := x.naming(c.Name); named > 0 && x.refusal(c, aiTraining) > 0 {
				closed = append(closed, c.Name)
				line = named
			}
		}
		if len(closed) < minRefused {
			return
		}
		f := x.findDraft(p.draft, rxPreferenceContradicted.at(Info), p.line, p.start, p.end,
			"%s allows training, but the site is closed to %s.", x.quoted(p), listed(closed))
		f.Related = []Related{{line, "a group that closes the site"}}
		return
	}
}
