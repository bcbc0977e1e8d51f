package compare

import (
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/origin"
)

type differing struct {
	name     string
	row      int // of the Result
	old, new robotstxt.Rules
}

// compareSite sets the site of the files, which is the first URL's if none is known, and
// compares it with that of a URL.
func (r *Result) compareSite(u origin.URL) (same bool) {
	r.SiteKnown = len(r.Governed) > 0
	if r.SiteKnown {
		r.Site = r.Governed[0].String()
		return slices.ContainsFunc(r.Governed, func(o origin.Origin) bool { return o.Governs(u) })
	}
	other := r.others.Of(u)
	if !other.IsZero() {
		r.Site = r.others.Site.String()
	}
	return other.IsZero()
}

// Lines returns the lines that decide about the URL of a flip for one of its crawlers, 0 for
// none.
func (r *Result) Lines(url, agent string) (before, after int) {
	for i := range r.differing {
		if d := &r.differing[i]; d.name == agent {
			pair := d.lines(origin.Text(url).Compared())
			return pair[0], pair[1]
		}
	}
	return 0, 0
}

// watch prepares Judge for the crawlers of the last row. No URL can flip for crawlers whose
// verdicts are proved equal.
func (r *Result) watch(agents []string) {
	for _, name := range agents {
		for _, is := range r.readers[ascii.ToLower(name)] {
			if is.crawler.Name == name {
				crawler := searched(is.crawler)
				r.differing = append(r.differing, differing{name, len(r.Rows) - 1,
					crawler.Rules(is.group.files[0]), crawler.Rules(is.group.files[1])})
			}
		}
	}
}

// Differing returns the number of crawlers whose verdicts Judge compares.
func (r *Result) Differing() int { return len(r.differing) }

// Judge compares the verdicts for a URL, and adds it to the flips if one differs. The
// URL can be a path. If the site of the files is known, URLs of other sites are only counted.
// A URL that flips is counted in its change, and the first one is its witness.
func (r *Result) Judge(url string) {
	r.URLs++
	u := origin.Text(url)
	if !r.compareSite(u) {
		r.OtherURLs++
		if r.SiteKnown {
			return
		}
	}
	compared := u.Compared()
	agents := make(map[wire.ChangeEffect][]string)
	for i := range r.differing {
		d := &r.differing[i]
		before, oldLine := d.old.Verdict(compared)
		after, newLine := d.new.Verdict(compared)
		if before != after {
			agents[effectOf(after)] = append(agents[effectOf(after)], d.name)
			r.count(u, d, lines{oldLine, newLine})
		}
	}
	for _, effect := range []wire.ChangeEffect{wire.Opens, wire.Closes} {
		if len(agents[effect]) > 0 {
			r.Flips = append(r.Flips, wire.Flip{URL: u.Given(), Agents: agents[effect], Effect: effect})
		}
	}
}
