package permission

import (
	"cmp"
	"strings"

	"github.com/kosterhq/robotstxt/crawlers"
)

// lack is a source that was not given, or cut, and the strictest verdict that it could give.
type lack struct {
	text string
	most Verdict
}

func (e *evaluation) missing(p crawlers.Purpose) (lacks []lack) {
	if p != Mining {
		lacks = e.missingRobots(p)
	}
	if p == Fetch {
		return lacks
	}
	for _, u := range e.unseen {
		if u.purpose == p {
			lacks = append(lacks, u.lack)
		}
	}
	lacks = e.missingResponse(lacks, p)
	if p == Mining {
		return lacks
	}
	for _, name := range e.lines {
		lacks = append(lacks, lack{name + ": cut", Disallowed})
	}
	for _, l := range e.licenses {
		if l.document == nil {
			lacks = append(lacks, e.notGiven("license "+l.url, Disallowed))
		} else if l.document.Cut {
			lacks = append(lacks, lack{"license " + l.url + ": cut", Disallowed})
		}
	}
	if p == aiSearch && e.q.Crawler.Operator == google {
		lacks = append(lacks, lack{"Search Console: a setting that only the owner sees", Disallowed})
	}
	if (p == search || p == aiSearch) && e.undated {
		lacks = append(lacks, lack{"time: not given", Disallowed})
	}
	return lacks
}

func (e *evaluation) notGiven(name string, most Verdict) lack {
	return lack{name + ": " + cmp.Or(e.s.Why[name], "not given"), most}
}

func (e *evaluation) missingRobots(p crawlers.Purpose) (lacks []lack) {
	r := e.s.Robots
	if r == nil {
		return []lack{e.notGiven("robots.txt", Disallowed)}
	}
	if r.Unreachable {
		lacks = append(lacks, lack{"robots.txt: unreachable", Disallowed})
	}
	if r.Cut {
		lacks = append(lacks, lack{"robots.txt: cut", Disallowed})
	}
	if p != Fetch && r.In != nil && e.q.Crawler.Unread {
		lacks = append(lacks, lack{"robots.txt: its rules for this crawler are unknown", Disallowed})
	}
	for _, d := range e.unknown {
		if p != Fetch || d == e.q.Crawler.Reading.Dialect {
			lacks = append(lacks, lack{"robots.txt: not read in the " + d.String() + " dialect", Disallowed})
		}
	}
	return lacks
}

// missingResponse adds the parts of the response, its page and tdmrep.json that are not
// known. No signal refuses mining: signals reserve it at most. A TDMRep source that a known
// one overrides could not change the answer.
func (e *evaluation) missingResponse(lacks []lack, p crawlers.Purpose) []lack {
	page, header, file := Disallowed, Disallowed, Reserved
	if p == Mining {
		page, header = Reserved, Reserved
		if e.tdmLevel == fromPage {
			header = Unknown
		}
	}
	if e.tdmLevel > fromFile {
		file = Unknown
	}
	if e.s.Header == nil {
		lacks = append(lacks, e.notGiven("response header", header))
	}
	for _, name := range e.cut {
		most := header
		if p == Mining && !strings.HasPrefix(name, "Tdm-") {
			most = Unknown
		}
		lacks = append(lacks, lack{"response header " + name + ": cut", most})
	}
	if e.s.Page == nil {
		lacks = append(lacks, e.notGiven("page", page))
	} else if e.s.Page.Cut {
		lacks = append(lacks, lack{"page: " + cmp.Or(e.s.Page.Problem, "cut"), page})
	}
	if p == search {
		return lacks
	}
	if e.s.TDMRep == nil {
		lacks = append(lacks, e.notGiven("tdmrep.json", file))
	} else if e.s.TDMRep.Cut {
		lacks = append(lacks, lack{"tdmrep.json: cut", file})
	}
	return lacks
}
