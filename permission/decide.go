package permission

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// Decide answers a question from what is known, with an answer for each of its purposes.
func Decide(q Question, s *Sources) []Answer {
	if len(q.Purposes) == 0 {
		q.Purposes = Purposes()
	}
	if q.Crawler == "" {
		q.Crawler = "*"
	}
	e := evaluation{q: q, s: s, stated: make([]statement, 0, 16)}
	e.readFetch()
	e.readUnseen()
	e.readTokens()
	e.readUsage()
	e.readSignals()
	e.readLicenses()
	e.readTDM()
	e.readTags()
	answers := make([]Answer, 0, len(q.Purposes))
	for _, p := range q.Purposes {
		answers = append(answers, e.answer(p))
	}
	return answers
}

// evaluation is a question while its sources are read, one after the other.
type evaluation struct {
	q        Question
	s        *Sources
	rules    robotstxt.Rules // of the crawler; zero if there are none
	fetch    Verdict
	stated   []statement
	findings []finding
	cut      []string            // response fields that are longer than what was read of them
	lines    []string            // lines and documents that are more than what was read of them
	asked    []licenseSource     // of readLicenses
	unknown  []robotstxt.Dialect // in which robots.txt is not known, although there is one
	unseen   []unseen            // what a disallowed response could refuse
	undated  bool                // a date was found, but the question has no time
	tdmFrom  tdmLevel            // the source of TDMRep that decides
}

// statement is what a signal says about a purpose.
type statement struct {
	purpose crawlers.Purpose
	Reason
}

// finding is a Finding about some purposes, nil for all that are about use.
type finding struct {
	purposes []crawlers.Purpose
	Finding
}

// mostAlike is how many statements with the same source that say the same are kept, and how many
// findings of a source: a file may have fifty thousand.
const mostAlike = 8

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

// say keeps what a signal says about a purpose.
func (e *evaluation) say(p crawlers.Purpose, r Reason) {
	r.Text, r.Path = clip(r.Text), clip(r.Path)
	alike := 0
	for i := range e.stated {
		s := &e.stated[i]
		if s.purpose == p && s.Source == r.Source && s.Says == r.Says && s.Overridden == r.Overridden && s.Place.Header == r.Place.Header {
			alike++
		}
	}
	if alike < mostAlike {
		e.stated = append(e.stated, statement{p, r})
	}
}

// find keeps a signal that has no effect, for all purposes but fetching, or for some.
func (e *evaluation) find(f Finding, purposes ...crawlers.Purpose) {
	f.Text, f.Message = clip(f.Text), clip(f.Message)
	alike := 0
	for i := range e.findings {
		if e.findings[i].Source == f.Source {
			alike++
		}
	}
	if alike < mostAlike {
		e.findings = append(e.findings, finding{purposes, f})
	}
}

// isUse reports whether signals other than the rules of robots.txt are about a purpose.
func isUse(p crawlers.Purpose) bool {
	return p == search || p == aiSearch || p == aiTraining || p == Mining
}

// verdictOf returns the verdict of a statement.
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

// strictness orders verdicts, the strictest first.
var strictness = []Verdict{Disallowed, Reserved, Allowed, Unknown}

// weight returns the place of a statement among those of its purpose: the deciding one first.
func weight(r *Reason) int {
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
			if list = append(list, s.Reason); weight(&s.Reason) < weight(&list[first]) {
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

func (e *evaluation) answer(p crawlers.Purpose) Answer {
	a := Answer{
		URL: e.q.URL, Crawler: e.q.Crawler, Operator: e.q.Operator, Purpose: p, Verdict: Unknown, Fetch: e.fetch,
		Conflicts: []Conflict{}, Missing: []string{}, Findings: []Finding{},
	}
	of := p
	if !IsPurpose(p) && p != crawlers.Unknown {
		a.Reasons, a.Findings = []Reason{}, append(a.Findings, Finding{Text: string(p), Message: "this is no known purpose"})
		return a
	}
	if !isUse(p) {
		of = Fetch
	}
	if a.Reasons = e.reasons(of); len(a.Reasons) > 0 && !a.Reasons[0].Overridden {
		a.Verdict = verdictOf(a.Reasons[0].Says)
	}
	for i := range e.findings {
		if f := &e.findings[i]; f.purposes == nil && of != Fetch || slices.Contains(f.purposes, of) {
			a.Findings = append(a.Findings, f.Finding)
		}
	}
	a.Conflicts = conflicts(a.Reasons)
	stricter := false
	for _, m := range e.missing(of) {
		a.Missing = append(a.Missing, m.text)
		stricter = stricter || slices.Index(strictness, m.most) < slices.Index(strictness, a.Verdict)
	}
	a.Provisional = stricter && (a.Verdict == Allowed || a.Verdict == Reserved)
	return a
}

// conflicts returns the contradictions between reasons: one for each pair of sources of which
// one says yes and the other refuses. What a source itself overrides contradicts that source only.
func conflicts(reasons []Reason) []Conflict {
	found := []Conflict{}
	var seen [][2]string
	for i := range reasons {
		for j := range reasons {
			yes, no := &reasons[i], &reasons[j]
			if yes.Says != SaysYes || no.Says != SaysNo && no.Says != SaysReserved || (yes.Overridden || no.Overridden) && yes.Source != no.Source {
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

// channel returns the source of a reason with its document.
func channel(r *Reason) string { return r.Source + "\x00" + r.Place.URL + "\x00" + r.Place.Header }

// ruleBetween returns the text that decides between two reasons.
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
		return "TDMRep: the header overrides the file, the page the header"
	}
	return "none"
}
