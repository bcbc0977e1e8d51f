package watch

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// statements is what the lines of a part say, each hashed, in order: that a group is for an agent, or a line and an
// agent to which it applies. Two files with equal statements mean the same; the order of lines and comments are none.
type statements []uint64

func (all statements) has(statement uint64) bool {
	_, has := slices.BinarySearch(all, statement)
	return has
}

// without returns the statements that are not among others.
func (all statements) without(others statements) statements {
	return slices.DeleteFunc(slices.Clone(all), others.has)
}

// seed is secret, so that no site can have two lines that are one statement.
var seed = maphash.MakeSeed()

func pair(a, b uint64) uint64 { return maphash.Comparable(seed, [2]uint64{a, b}) }

// maxGroup bounds the agents of a group that are paired with each of its lines. The last one stands for all others.
const maxGroup = 32

// statements returns what an answer says, nothing if it is not a file.
func (p Part) statements(s *Served) (all statements) {
	p.walk(s, func(said, _ []uint64, _ *robotstxt.Line) bool {
		all = append(all, said...)
		return true
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// walk calls is for each line of a file that belongs to a part, with its statements, and the agent of each, 0 for a
// line outside all groups. An agent line for which it returns false does not belong to its group. A line whose group
// has lost all members has no statements.
func (p Part) walk(s *Served, is func(said, of []uint64, line *robotstxt.Line) bool) {
	if !s.File || s.isHTML() {
		return
	}
	outside := []uint64{0}
	agents := outside
	var said []uint64
	hasRule := true
	for line := range robotstxt.Lines(s.Body) {
		key := line.Kind.String()
		switch line.Kind {
		case robotstxt.KindUserAgent:
			if hasRule {
				agents, hasRule = nil, false
			}
			name := maphash.String(seed, strings.ToLower(string(line.Value)))
			alone := []uint64{name}
			switch isMember := is(alone, alone, &line); {
			case isMember && len(agents) < maxGroup:
				agents = append(agents, name)
			case isMember:
				agents[maxGroup-1] += name
			}
			continue
		case robotstxt.KindSitemap:
			if p != SitemapsPart {
				continue
			}
		case robotstxt.KindAllow, robotstxt.KindDisallow:
			hasRule = true
			if p != RulesPart || len(line.Value) == 0 { // which says nothing
				continue
			}
		case robotstxt.KindUnused, robotstxt.KindUnknown:
			if !p.has(&line) {
				continue
			}
			key = strings.ToLower(string(line.Key))
		default:
			continue
		}
		of := agents
		if line.Kind == robotstxt.KindSitemap {
			of = outside
		}
		what := pair(maphash.String(seed, key), maphash.Bytes(seed, line.Value))
		said = said[:0]
		for _, agent := range of {
			said = append(said, pair(agent, what))
		}
		is(said, of, &line)
	}
}

// reduced returns an answer without the lines whose statements are all unknown. Comments and empty rules take their
// place, so that the others keep their numbers and groups.
func (p Part) reduced(s *Served, known ...statements) *Served {
	type span struct {
		from, to int
		instead  string
	}
	var dropped []span
	p.walk(s, func(said, _ []uint64, line *robotstxt.Line) bool {
		isKnown := slices.ContainsFunc(said, func(statement uint64) bool {
			return slices.ContainsFunc(known, func(all statements) bool { return all.has(statement) })
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
		return s
	}
	r := *s
	r.Body = make([]byte, 0, len(s.Body)+len(dropped))
	from := 0
	for _, d := range dropped {
		r.Body = append(append(append(r.Body, s.Body[from:d.from]...), d.instead...), s.Body[d.from:d.to]...)
		from = d.to
	}
	r.Body = append(r.Body, s.Body[from:]...)
	return &r
}

// common returns what two answers have in common that the reported one has not: a line is there if both have
// it, or one has it and the reported one too. It returns nil if they are served in different ways, or if what the later
// one lacks is too much.
func (p Part) common(reported, earlier, now *Served) *Served {
	switch {
	case now.Outcome != earlier.Outcome || now.File != earlier.File || now.isHTML() != earlier.isHTML(),
		now.Truncated != earlier.Truncated || now.host() != earlier.host():
		return nil
	case !now.File || now.isHTML():
		return now
	}
	old, first, last := p.statements(reported), p.statements(earlier), p.statements(now)
	isLost := func(a, b statements) func(statement uint64) bool { // whether of the reported answer a has what b has not
		return func(statement uint64) bool { return old.has(statement) && a.has(statement) && !b.has(statement) }
	}
	switch lost := isLost(first, last); {
	case !slices.ContainsFunc(first, lost):
		return p.reduced(now, old, first)
	case !slices.ContainsFunc(last, isLost(last, first)):
		return p.reduced(earlier, old, last)
	default:
		return p.with(p.reduced(now, old, first), earlier, lost)
	}
}

// maxAdded bounds what with adds.
const maxAdded = 500 << 10

// with returns an answer with statements of another one. They come after its lines, which keep their numbers, each in a
// group of its own, because groups for one agent are read as one; or before, if they are outside all groups. It returns
// nil if that is too much.
func (p Part) with(s, other *Served, isAdded func(statement uint64) bool) *Served {
	names := make(map[uint64][]byte)
	var outside, groups []byte
	isTooMuch := false
	p.walk(other, func(said, of []uint64, line *robotstxt.Line) bool {
		if line.Kind == robotstxt.KindUserAgent {
			names[said[0]] = line.Value
		}
		for i, statement := range said {
			name, isKnown := names[of[i]]
			switch {
			case !isAdded(statement) || isTooMuch, of[i] == 0 && p == RulesPart: // which says nothing
			case of[i] != 0 && !isKnown: // it stands for several
				isTooMuch = true
			case of[i] == 0:
				outside = fmt.Appendf(outside, "%s: %s\n", line.Key, line.Value)
			case line.Kind == robotstxt.KindUserAgent:
				groups = fmt.Appendf(groups, "User-agent: %s\nDisallow:\n", name)
			default:
				groups = fmt.Appendf(groups, "User-agent: %s\n%s: %s\nDisallow:\n", name, line.Key, line.Value)
			}
			isTooMuch = isTooMuch || len(outside)+len(groups) > maxAdded
		}
		return true
	})
	if isTooMuch {
		return nil
	}
	r := *s
	r.Body = slices.Concat(outside, s.Body, []byte("\nDisallow:\n"), groups)
	return &r
}

// isGraver reports whether some changes have one of a kind that is not among others, or is more serious there.
func isGraver(some, others []wire.WatchChange) bool {
	return slices.ContainsFunc(some, func(c wire.WatchChange) bool {
		return c.Kind != wire.WatchLint && !slices.ContainsFunc(others, func(o wire.WatchChange) bool {
			return o.Kind == c.Kind && rank(o.Gravity) <= rank(c.Gravity)
		})
	})
}

// isPartOf reports whether each crawler for which paths open or close in some changes is one for which they do in
// others too, and whether all other kinds are there too, at least as grave. What two answers have in common might
// otherwise be what neither of them means: of a closed site and an empty file, that all opens.
func isPartOf(some, others []wire.WatchChange) bool {
	if isGraver(some, others) {
		return false
	}
	type effect struct {
		kind  wire.WatchKind
		agent string
	}
	known := make(map[effect]int) // the least rank
	for i := range others {
		for _, agent := range others[i].Agents {
			e := effect{others[i].Kind, agent}
			if before, isKnown := known[e]; !isKnown || rank(others[i].Gravity) < before {
				known[e] = rank(others[i].Gravity)
			}
		}
	}
	for i := range some {
		c := &some[i]
		if c.Kind != wire.WatchCloses && c.Kind != wire.WatchOpens {
			continue
		}
		for _, agent := range c.Agents {
			if gravity, isKnown := known[effect{c.Kind, agent}]; !isKnown || gravity > rank(c.Gravity) {
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
