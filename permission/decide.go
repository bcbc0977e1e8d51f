package permission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

// Decide answers a question from sources, with an answer for each of its purposes. If sources is
// nil, nothing is known about the site.
func Decide(q Question, s *Sources) []Answer {
	if len(q.Purposes) == 0 {
		q.Purposes = Purposes()
	}
	if q.Crawler.Name == "" {
		q.Crawler.Name = "*"
	}
	e := evaluation{q: q, s: cmp.Or(s, &Sources{}), stated: make([]statement, 0, 16)}
	e.readFetch()
	e.readUnseen()
	uses := make([]Use, len(q.Purposes))
	for i, p := range q.Purposes {
		uses[i] = e.readUse(p)
	}
	e.readUsage()
	e.readSignals()
	e.readLicenses()
	e.readTDM()
	e.readTags()
	answers := make([]Answer, 0, len(q.Purposes))
	for i := range uses {
		answers = append(answers, e.answer(&uses[i]))
	}
	return answers
}

type evaluation struct {
	q        Question
	s        *Sources
	known    crawlers.Crawler    // zero if the crawler is not
	rules    robotstxt.Rules     // of the crawler; zero if the file has no rules for it
	own      *robotstxt.Decision // of rules; nil if they are not known
	fetch    Verdict
	stated   []statement
	findings []finding
	cut      []string            // response fields that were not read to the end
	lines    []string            // lines and documents that were not read to the end
	licenses []licenseSource     // of readLicenses
	unknown  []robotstxt.Dialect // in which robots.txt is not known, although there is one
	unseen   []unseen            // purposes that a disallowed response could refuse
	undated  bool                // a date was found, but the question has no time
	tdmLevel tdmLevel            // the kind of source whose TDMRep reservation decides
}

type statement struct {
	purpose crawlers.Purpose
	Reason
}

// finding is a Finding about some purposes, nil for all that are about use.
type finding struct {
	purposes []crawlers.Purpose
	Finding
}

// maxAlike is how many statements of one source with the same meaning are kept, and how many
// findings of one source: a file can have fifty thousand.
const maxAlike = 8

// The most bytes of a text in an answer, and of the URL of a document or a policy.
const (
	longestText = 300
	longestURL  = 2048
)

// clip shortens a text of a site. Each answer repeats the texts of its reasons.
func clip(text string) string {
	if len(text) <= longestText {
		return text
	}
	return strings.ToValidUTF8(text[:longestText], "") + "…"
}

// withoutUser returns a URL of a site with *** in place of a user name and password.
func withoutUser(url string) string {
	if !strings.Contains(url, "@") {
		return url
	}
	return origin.Text(url).Given()
}

func (e *evaluation) say(p crawlers.Purpose, r Reason) {
	r.Text, r.Path, r.Terms = clip(r.Text), clip(withoutUser(r.Path)), withoutUser(r.Terms)
	alike := 0
	for i := range e.stated {
		s := &e.stated[i]
		if s.purpose == p && s.Source == r.Source && s.Says == r.Says && s.Overridden == r.Overridden &&
			s.Place.Header == r.Place.Header {
			alike++
		}
	}
	if alike < maxAlike {
		e.stated = append(e.stated, statement{p, r})
	}
}

// report keeps a signal that has no effect, for all purposes but fetching, or for some.
func (e *evaluation) report(f Finding, purposes ...crawlers.Purpose) {
	f.Text, f.Message = clip(f.Text), clip(f.Message)
	alike := 0
	for i := range e.findings {
		if e.findings[i].Source == f.Source {
			alike++
		}
	}
	if alike < maxAlike {
		e.findings = append(e.findings, finding{purposes, f})
	}
}

func verdictOf(s Says) Verdict {
	switch s {
	case SaysNo:
		return Disallowed
	case SaysReserved:
		return Reserved
	case SaysYes:
		return Allowed
	}
	return Unknown
}

var strictness = []Verdict{Disallowed, Reserved, Allowed, Unknown}

// rank returns how strict a statement is, compared with others about its purpose: 0 for the
// strictest. The smallest rank decides.
func rank(r *Reason) int {
	if r.Overridden {
		return len(strictness)
	}
	return slices.Index(strictness, verdictOf(r.Says))
}

// reasons returns the reasons for a purpose, the deciding one first.
func (e *evaluation) reasons(of crawlers.Purpose) []Reason {
	list := make([]Reason, 0, len(e.stated))
	first := 0
	for i := range e.stated {
		if s := &e.stated[i]; s.purpose == of {
			list = append(list, s.Reason)
			if rank(&s.Reason) < rank(&list[first]) {
				first = len(list) - 1
			}
		}
	}
	if len(list) > 0 {
		deciding := list[first]
		copy(list[1:], list[:first])
		list[0] = deciding
	}
	return list
}

func (e *evaluation) answer(u *Use) Answer {
	p := u.Purpose
	a := Answer{
		URL: e.q.URL, Crawler: e.q.Crawler.Name, Operator: e.q.Crawler.Operator, Purpose: p,
		Verdict: Unknown, Fetch: e.fetch,
		Kind: u.Kind, Token: u.Token, NeedNotObey: u.NeedNotObey,
		Conflicts: []Conflict{}, Missing: []string{}, Findings: []Finding{},
	}
	if !IsPurpose(p) && p != crawlers.Unknown {
		a.Reasons = []Reason{}
		a.Findings = append(a.Findings, Finding{Text: string(p), Message: "this is not a known purpose"})
		return a
	}
	of := p
	if _, isUse := LabelOf(p); !isUse && p != Mining {
		of = Fetch // only the rules of robots.txt apply to it
	}
	a.Reasons = e.reasons(p)
	if len(a.Reasons) > 0 && !a.Reasons[0].Overridden {
		a.Verdict = verdictOf(a.Reasons[0].Says)
	}
	if a.Verdict != Unknown && !a.Reasons[0].isRule() {
		a.Kind = KindSignal
		a.Token = ""
	}
	for i := range e.findings {
		if f := &e.findings[i]; f.purposes == nil && of != Fetch || slices.Contains(f.purposes, of) {
			a.Findings = append(a.Findings, f.Finding)
		}
	}
	a.Conflicts = conflicts(a.Reasons)
	lacks := e.missing(of)
	stricter := false
	a.Missing = make([]string, 0, len(lacks))
	for _, m := range lacks {
		if !slices.Contains(a.Missing, m.text) {
			a.Missing = append(a.Missing, m.text)
		}
		stricter = stricter || slices.Index(strictness, m.most) < slices.Index(strictness, a.Verdict)
	}
	a.Provisional = stricter && (a.Verdict == Allowed || a.Verdict == Reserved)
	return a
}

// isRule reports whether a reason is a rule of robots.txt, or the absence of one.
func (r *Reason) isRule() bool { return r.Source == sourceRobots || r.Source == sourceToken }

// conflicts returns the contradictions between reasons: one for each pair of sources if one says
// yes and the other refuses. A statement that its own source overrides contradicts only that
// source.
func conflicts(reasons []Reason) []Conflict {
	found := []Conflict{}
	var seen [][2]string
	for i := range reasons {
		for j := range reasons {
			yes, no := &reasons[i], &reasons[j]
			if yes.Says != SaysYes || no.Says != SaysNo && no.Says != SaysReserved ||
				(yes.Overridden || no.Overridden) && yes.Source != no.Source {
				continue
			}
			pair := [2]string{channel(yes), channel(no)}
			slices.Sort(pair[:])
			if slices.Contains(seen, pair) {
				continue
			}
			seen = append(seen, pair)
			c := Conflict{Reasons: [2]int{i, j}, Kind: "across", Rule: ruleBetween(yes, no)}
			if pair[0] == pair[1] {
				c.Kind = "within"
			}
			found = append(found, c)
		}
	}
	return found
}

func channel(r *Reason) string { return r.Source + "\x00" + r.Place.URL + "\x00" + r.Place.Header }

func ruleBetween(a, b *Reason) string {
	if a.Source != b.Source {
		return "none"
	}
	switch a.Source {
	case sourceUsage:
		return "vocab 5.1"
	case sourceLicense:
		return "RSL 4.9"
	case sourceTDM:
		return "TDMRep: the header overrides the file, and the page overrides the header"
	}
	return "none"
}
