package compare

import (
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// differing is a crawler for which the files may differ.
type differing struct {
	name     string
	old, new robotstxt.Rules
}

// watch prepares Judge for crawlers. No URL can flip for those that are proved equal.
func (r *Result) watch(agents []string) {
	for _, reading := range r.readings {
		for _, c := range reading.crawlers {
			if slices.Contains(agents, c.Name) {
				crawler := searched(c)
				r.differing = append(r.differing, differing{c.Name, crawler.Rules(reading.files[0]), crawler.Rules(reading.files[1])})
			}
		}
	}
}

// Differing returns the number of crawlers whose verdicts Judge compares.
func (r *Result) Differing() int { return len(r.differing) }

// Judge compares the verdicts for a URL, and adds it to the flips if one differs. The
// URL may be a path. Judge does not check whether the files govern its host.
func (r *Result) Judge(url string) {
	r.URLs++
	u := origin.Text(url)
	compared := u.Compared()
	agents := make(map[wire.ChangeEffect][]string)
	for i := range r.differing {
		d := &r.differing[i]
		before, after := d.old.Allowed(compared), d.new.Allowed(compared)
		if before != after {
			agents[effectOf(after)] = append(agents[effectOf(after)], d.name)
		}
	}
	for _, effect := range []wire.ChangeEffect{wire.Opens, wire.Closes} {
		if len(agents[effect]) > 0 {
			r.Flips = append(r.Flips, wire.Flip{URL: u.Given(), Agents: agents[effect], Effect: effect})
		}
	}
}
