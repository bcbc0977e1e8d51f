package watch

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// statements is what the lines of a part say: that a group is for an agent, or a line and an agent to which it
// applies. Two files with equal statements mean the same; the order of lines and comments are no statements.
type statements map[string]bool

// maxGroup bounds the agents of a group that are paired with each of its lines.
const maxGroup = 32

// statements returns what an answer says, nothing if it is no file.
func (p Part) statements(s *Served) statements {
	all := make(statements)
	if s.File && !s.isHTML() {
		p.walk(s.Body, func(said []string, _ *robotstxt.Line) bool {
			for _, statement := range said {
				all[statement] = true
			}
			return true
		})
	}
	return all
}

// walk calls is for each line of a body that belongs to a part, with its statements. An agent line for which it
// returns false is no member of its group. A line whose group has lost all members has no statements.
func (p Part) walk(body []byte, is func(said []string, line *robotstxt.Line) bool) {
	var agents []string
	inGroup, hasRule := false, false
	for line := range robotstxt.Lines(body) {
		value := string(line.Value)
		switch line.Kind {
		case robotstxt.KindUserAgent:
			if hasRule {
				agents, hasRule = nil, false
			}
			inGroup = true
			name := strings.ToLower(value)
			if is([]string{"\x00" + name}, &line) && len(agents) < maxGroup {
				agents = append(agents, name)
			}
			continue
		case robotstxt.KindSitemap:
			if p == SitemapsPart {
				is([]string{"sitemap\x00" + value}, &line)
			}
			continue
		case robotstxt.KindAllow, robotstxt.KindDisallow:
			hasRule = true
			if p != RulesPart || value == "" { // which says nothing
				continue
			}
		case robotstxt.KindUnused, robotstxt.KindUnknown:
			if !p.has(&line) {
				continue
			}
		default:
			continue
		}
		of := agents
		if !inGroup {
			of = []string{""}
		}
		key := line.Kind.String()
		if line.Kind == robotstxt.KindUnused || line.Kind == robotstxt.KindUnknown {
			key = strings.ToLower(string(line.Key))
		}
		said := make([]string, len(of))
		for i, agent := range of {
			said[i] = agent + "\x00" + key + "\x00" + value
		}
		is(said, &line)
	}
}

// reduced returns an answer without the lines whose statements are all unknown, and the number of such lines.
// Comments and empty rules take their place, so that the others keep their numbers and groups.
func (p Part) reduced(s *Served, known ...statements) (*Served, int) {
	type span struct {
		from, to int
		instead  string
	}
	var dropped []span
	p.walk(s.Body, func(said []string, line *robotstxt.Line) bool {
		isKnown := slices.ContainsFunc(said, func(statement string) bool {
			return slices.ContainsFunc(known, func(all statements) bool { return all[statement] })
		})
		if !isKnown {
			instead := "#"
			if line.Kind == robotstxt.KindAllow || line.Kind == robotstxt.KindDisallow {
				instead = "Disallow: #" // so that two groups do not become one
			}
			dropped = append(dropped, span{line.KeyOffset, line.Offset + len(line.Raw), instead})
		}
		return isKnown
	})
	if len(dropped) == 0 {
		return s, 0
	}
	r := *s
	r.Body = make([]byte, 0, len(s.Body)+len(dropped))
	from := 0
	for _, d := range dropped {
		r.Body = append(append(append(r.Body, s.Body[from:d.from]...), d.instead...), s.Body[d.from:d.to]...)
		from = d.to
	}
	r.Body = append(r.Body, s.Body[from:]...)
	return &r, len(dropped)
}

// common returns what two answers have in common that the reported one has not: a line is there if both have
// it, or one has it and the reported one too. It returns nil if that is neither of them less some lines, or if
// they are served in different ways.
func (p Part) common(reported, earlier, now *Served) *Served {
	switch {
	case now.Outcome != earlier.Outcome || now.File != earlier.File || now.isHTML() != earlier.isHTML(),
		now.Truncated != earlier.Truncated || now.host() != earlier.host():
		return nil
	case !now.File || now.isHTML():
		return now
	}
	old, first, last := p.statements(reported), p.statements(earlier), p.statements(now)
	both := func(a, b statements) bool { // what of the reported answer a has, b has too
		for statement := range a {
			if old[statement] && !b[statement] {
				return false
			}
		}
		return true
	}
	switch {
	case both(first, last):
		now, _ = p.reduced(now, old, first)
		return now
	case both(last, first):
		earlier, _ = p.reduced(earlier, old, last)
		return earlier
	}
	return nil
}

// isLess reports whether an answer has only statements of others. One that is no file has none.
func (p Part) isLess(s *Served, than ...*Served) bool {
	known := make([]statements, len(than))
	for i := range than {
		known[i] = p.statements(than[i])
	}
	for statement := range p.statements(s) {
		if !slices.ContainsFunc(known, func(all statements) bool { return all[statement] }) {
			return false
		}
	}
	return true
}

// isWithin reports whether each crawler for which paths open or close in some changes is one for which they do in
// others too, and whether all other kinds are there too, at least as grave. What two answers have in common might
// otherwise be what neither of them means: of a closed site and an empty file, that all opens.
func isWithin(some, others []wire.WatchChange) bool {
	type effect struct {
		kind  wire.WatchKind
		agent string
	}
	known := make(map[effect]int) // the least rank
	note := func(e effect, gravity int) {
		if before, isKnown := known[e]; !isKnown || gravity < before {
			known[e] = gravity
		}
	}
	for i := range others {
		gravity := rank(others[i].Gravity)
		note(effect{others[i].Kind, ""}, gravity)
		for _, agent := range others[i].Agents {
			note(effect{others[i].Kind, agent}, gravity)
		}
	}
	has := func(c *wire.WatchChange, agent string) bool {
		gravity, isKnown := known[effect{c.Kind, agent}]
		return isKnown && gravity <= rank(c.Gravity)
	}
	for i := range some {
		c := &some[i]
		if c.Kind == wire.WatchLint {
			continue
		}
		if !has(c, "") {
			return false
		}
		if c.Kind != wire.WatchCloses && c.Kind != wire.WatchOpens {
			continue
		}
		for _, agent := range c.Agents {
			if !has(c, agent) {
				return false
			}
		}
	}
	return true
}

// Kept is an answer that a state keeps with its body.
type Kept struct{ Served }

type storedServed struct {
	Served
	storedBody
}

// storedBody is the body of an answer in a state.
type storedBody struct {
	Text []byte `json:"text,omitempty"` // zstd
	Size int64  `json:"size,omitempty"`
}

func stored(body []byte) storedBody { return storedBody{sqlitefile.Compress(body), int64(len(body))} }

func (s *storedBody) body() ([]byte, error) { return sqlitefile.Decompress(s.Text, s.Size) }

// MarshalJSON returns the answer with its body.
func (k *Kept) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedServed{k.Served, stored(k.Body)})
}

// UnmarshalJSON reads what MarshalJSON returns.
func (k *Kept) UnmarshalJSON(text []byte) (err error) {
	var stored storedServed
	if err := json.Unmarshal(text, &stored); err != nil {
		return err
	}
	k.Served = stored.Served
	k.Body, err = stored.body()
	return err
}
