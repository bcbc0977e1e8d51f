package permission_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/enginetest"
	"github.com/kosterhq/robotstxt/internal/test/golden"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/permission"
)

// TestUseLaws checks the laws about uses on the cases, on the vectors, and on real files for every
// known token.
func TestUseLaws(t *testing.T) {
	for _, c := range golden.Lines[useCase](t, "testdata/use/permit.jsonl") {
		q, s := c.question()
		newLaws([]byte(c.File), s).check(t, c.ID, q)
	}
	vectors, err := conformance.PermissionCases()
	if err != nil {
		t.Fatal(err)
	}
	for i := range vectors {
		c := &vectors[i]
		if s := sourcesOf(c); s.Robots != nil && s.Robots.In != nil {
			q := questionOf(c)
			q.Purposes = permission.Purposes()
			newLaws(c.Text(c.Robots), s).check(t, c.Name, q)
		}
	}
}

// TestUseLawsOnRealFiles is TestUseLaws on real files, for every known token.
func TestUseLawsOnRealFiles(t *testing.T) {
	bodies, names := witness.Corpus(t)
	step := max(1, len(bodies)/enginetest.Size(6, 300))
	for i := 0; i < len(bodies) && !t.Failed(); i += step {
		l := newLaws(bodies[i], &permission.Sources{Robots: permission.NewRobots(robotsURL, bodies[i])})
		urls := append(enginetest.WitnessURLs(bodies[i], 2), "https://example.com/")
		n := 0
		for c := range crawlers.All() {
			q := permission.Ask(urls[n%len(urls)], c.Token)
			q.Purposes = append(c.Purposes, permission.Fetch, "search", "ai-search", "ai-training")
			l.check(t, names[i], q)
			n++
		}
	}
}

// laws are what a site says, to check laws of the answers.
type laws struct {
	body   []byte
	before *permission.Sources
	closed map[int]*permission.Sources // with a Disallow more, after a line
}

func newLaws(body []byte, s *permission.Sources) *laws {
	return &laws{body, s, map[int]*permission.Sources{}}
}

// check checks that what keeps the deciding token away refuses the use; that each other verdict about a use
// but unknown has a place; and that a Disallow more in the group that decides makes no answer milder.
func (l *laws) check(t *testing.T, name string, q permission.Question) {
	t.Helper()
	for i, a := range permission.Decide(q, l.before) {
		p := q.Purposes[i]
		id := fmt.Sprintf("%s: %s of %s at %s", name, p, q.Crawler.Name, q.URL)
		u := permission.UseOf(l.before.Robots, q.Crawler, p)
		if u.Token != "" && !u.Rules.Allowed(q.URL) && a.Verdict != permission.Disallowed {
			t.Errorf("%s: %s is kept away, but the answer is %s", id, u.Token, a.Verdict)
		}
		if _, isUse := permission.LabelOf(p); (isUse || p == permission.Mining) && a.Verdict != permission.Unknown {
			if place := a.Reasons[0].Place; place.Line == 0 && place.Header == "" && place.Pointer == "" && place.URL == "" {
				t.Errorf("%s: %s, from nowhere: %+v", id, a.Verdict, a.Reasons[0])
			}
		}
		if u.Token == "" {
			continue
		}
		for group := range u.Rules.Groups() {
			one := q
			one.Purposes = []crawlers.Purpose{p}
			if after := permission.Decide(one, l.with(group)); mildness(after[0].Verdict) > mildness(a.Verdict) {
				t.Errorf("%s: %s, but %s with another Disallow after line %d", id, a.Verdict, after[0].Verdict, lastLine(group))
			}
		}
	}
}

// with returns what the site says with a Disallow more in a group.
func (l *laws) with(group robotstxt.Group) *permission.Sources {
	last := lastLine(group)
	if l.closed[last] == nil {
		var body []byte
		for line := range robotstxt.Lines(l.body) {
			body = append(body, line.Raw...)
			if line.Number == last {
				body = append(body, "\nDisallow: /\n"...)
			}
		}
		after := *l.before
		after.Robots = permission.NewRobots(l.before.Robots.URL, body)
		l.closed[last] = &after
	}
	return l.closed[last]
}

// lastLine returns the last line of a group: a rule, or an agent if it has none.
func lastLine(group robotstxt.Group) (line int) {
	for a := range group.Agents() {
		line = max(line, a.Line)
	}
	for r := range group.Rules() {
		line = max(line, r.Line)
	}
	return line
}

// mildness returns how mild a verdict is.
func mildness(v permission.Verdict) int {
	return slices.Index([]permission.Verdict{permission.Disallowed, permission.Reserved, permission.Allowed,
		permission.Unknown}, v)
}
