package generate

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// applied is what a file has for a crawler. A file can name thousands of crawlers that have the
// same thousands of lines, so each group is read once, and crawlers are compared by numbers.
type applied struct {
	rules      int   // is equal for the same rules in the same order, of any file and crawler
	lines      int   // is equal for the same lines of a file
	extensions tally // of the lines beyond the protocol that must stay
}

// tally is a hash of texts that ignores their order.
type tally [2]uint64

func (t *tally) add(o tally) {
	for i := range t {
		t[i] += o[i]
	}
}

// part is what a group has for its crawlers.
type part struct {
	line       int // of the group's first agent
	rules      int // 0 if it has none
	extensions tally
	lists      map[string][]*list // lines that belong to some agents only, by token in lower case
}

type list struct {
	line       int // of the list's first agent
	extensions tally
}

// number returns a number that is equal for equal contents only.
func (p *prover) number(content []byte) int {
	sum := sha256.Sum256(content)
	if p.numbers[sum] == 0 {
		p.numbers[sum] = len(p.numbers) + 1
	}
	return p.numbers[sum]
}

func (p *prover) tally(e robotstxt.Extension) (t tally) {
	if !ofFile(e.Name) && p.kept(e) {
		for i := range t {
			t[i] = maphash.String(p.seeds[i], e.Name+": "+e.Value)
		}
	}
	return t
}

// applied returns what a file has for the crawler of rules, which are the file's.
func (p *prover) applied(f *file, rules robotstxt.Rules) *applied {
	if known := f.applied[rules]; known != nil {
		return known
	}
	a := &applied{}
	agent := ascii.ToLower(rules.Agent())
	read := append([]byte(rules.Dialect().String()), 0)
	lines := append([]byte(rules.Dialect().String()), 0)
	for group := range rules.Groups() {
		of := p.part(f, group)
		if of.rules > 0 {
			read = binary.AppendUvarint(read, uint64(of.rules))
		}
		lines = binary.AppendUvarint(append(lines, 0), uint64(of.line))
		a.extensions.add(of.extensions)
		for _, l := range of.lists[agent] {
			lines = binary.AppendUvarint(lines, uint64(l.line))
			a.extensions.add(l.extensions)
		}
	}
	a.rules, a.lines = p.number(read), p.number(lines)
	f.applied[rules] = a
	return a
}

func (p *prover) part(f *file, group robotstxt.Group) *part {
	if known := f.parts[group]; known != nil {
		return known
	}
	of := &part{lists: make(map[string][]*list)}
	for agent := range group.Agents() {
		of.line = agent.Line
		break
	}
	var content []byte
	for r := range group.Rules() {
		content = append(append(append(content, keyOf(r.Allow)...), r.Pattern...), '\n')
	}
	if content != nil {
		of.rules = p.number(content)
	}
	of.readExtensions(p, group)
	f.parts[group] = of
	return of
}

// readExtensions reads the agents of each list once.
func (o *part) readExtensions(p *prover, group robotstxt.Group) {
	var latest *list
	for e := range group.Extensions() {
		if !e.Listed() {
			o.extensions.add(p.tally(e))
			continue
		}
		if first := firstAgent(e); latest == nil || latest.line != first {
			latest = &list{line: first}
			for agent := range e.Agents() {
				token := ascii.ToLower(agent.Token)
				if lists := o.lists[token]; len(lists) == 0 || lists[len(lists)-1] != latest {
					o.lists[token] = append(lists, latest)
				}
			}
		}
		latest.extensions.add(p.tally(e))
	}
}

func firstAgent(e robotstxt.Extension) int {
	for agent := range e.Agents() {
		return agent.Line
	}
	return 0
}

// allows reports whether rules of a file allow a URL that stands for the site.
func (p *prover) allows(f *file, rules robotstxt.Rules) bool {
	number := p.applied(f, rules).rules
	allowed, known := p.allowed[number]
	if !known {
		allowed = rules.Allowed(anyURL)
		p.allowed[number] = allowed
	}
	return allowed
}
