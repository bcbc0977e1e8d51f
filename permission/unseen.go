package permission

import (
	"cmp"
	"slices"

	"github.com/kosterhq/robotstxt/crawlers"
)

// unseen is a signal that could refuse a purpose, if the crawler saw it.
type unseen struct {
	purpose crawlers.Purpose
	lack
}

// readUnseen reports the signals of the response and its page if robots.txt disallows the URL for
// the crawler, and removes them. Such a crawler never requests the page: Google's page states this
// for robots tags, and attach-05 3.2 states that preferences apply to what can be crawled. For the
// other signals it is our reading. A program that has the page from elsewhere might have to obey the
// signals, so an answer that they would make stricter is provisional.
func (e *evaluation) readUnseen() {
	if e.fetch != Disallowed {
		return
	}
	u := evaluation{q: e.q, s: &Sources{Header: e.s.Header, Page: e.s.Page}, fetch: Unknown}
	u.readUsage()
	u.readLicenses()
	u.readTDM()
	u.readTags()
	for i := range u.stated {
		if s := &u.stated[i]; s.Source != sourceLicense {
			e.reportUnseen(Finding{Source: s.Source, Place: s.Place, Text: s.Text}, verdictOf(s.Says), s.purpose)
		}
	}
	for _, l := range u.licenses {
		f := Finding{Source: sourceLicense, Place: l.place, Text: clip(cmp.Or(l.url, "an RSL document"))}
		e.reportUnseen(f, Disallowed, search, aiSearch, aiTraining)
	}
	e.hideResponse()
}

// hideResponse removes the response and its page from the sources. Sources that were not given stay
// missing.
func (e *evaluation) hideResponse() {
	seen := *e.s
	if seen.Header != nil {
		seen.Header = map[string][]string{}
	}
	if seen.Page != nil {
		seen.Page = &Page{}
	}
	e.s = &seen
}

func (e *evaluation) reportUnseen(f Finding, most Verdict, purposes ...crawlers.Purpose) {
	f.Message = "the crawler never sees it, because robots.txt disallows the URL"
	same := slices.IndexFunc(e.findings, func(other finding) bool { return other.Finding == f })
	if same < 0 {
		e.report(f, purposes...)
	} else {
		e.findings[same].purposes = append(e.findings[same].purposes, purposes...)
	}
	text := "page"
	if f.Place.Header != "" {
		text = "response header"
	}
	for _, p := range purposes {
		l := unseen{p, lack{text + ": not seen by the crawler, because robots.txt disallows the URL", most}}
		if most != Allowed && most != Unknown && !slices.Contains(e.unseen, l) {
			e.unseen = append(e.unseen, l)
		}
	}
}
