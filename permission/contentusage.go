package permission

import (
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/structured"
	"github.com/kosterhq/robotstxt/internal/uselines"
)

const (
	keyUsage     = uselines.ContentUsage
	versionUsage = "draft-ietf-aipref-attach-05, draft-ietf-aipref-vocab-08"
)

// ReadUsage reads the value of a Content-Usage line: an optional path and a Dictionary
// [attach-05 3.2, vocab-08 6, RFC 9651 3.2].
func ReadUsage(value string) Preferences {
	p := cutPath(value)
	members, at, expected := structured.ReadDictionary(p.Text)
	if expected != "" {
		p.Expected, p.ExpectedAt = expected, p.TextAt+at
		return p
	}
	last := make(map[string]int, len(members))
	for i := range members {
		last[members[i].Key] = i
	}
	for i, m := range members {
		said := Preference{
			Label: m.Key, LabelAt: p.TextAt + m.KeyAt, Value: m.Value, Repeated: last[m.Key] != i,
			Parameter: m.Parameter, ParameterAt: p.TextAt + m.ParameterAt, IsLabel: usagePurpose(m.Parameter) != "",
			Purpose: usagePurpose(m.Key),
		}
		if m.Value != "" {
			said.ValueAt = p.TextAt + m.ValueAt
		}
		if said.Purpose != "" && !said.Repeated {
			said.Says = saysOf(m.Value, "y", "n")
		}
		p.List = append(p.List, said)
	}
	return p
}

func saysOf(value, yes, no string) Says {
	switch value {
	case yes:
		return SaysYes
	case no:
		return SaysNo
	}
	return ""
}

func (e *evaluation) readUsage() {
	e.reportMisspelt()
	u := e.useLines(keyUsage, ReadUsage)
	if u != nil {
		for i, x := range u.lines {
			e.reportIneffective(sourceUsage, at(e.placeOfLine(x)), x.Value, &u.values[i])
		}
	}
	for _, x := range e.linesOutside(keyUsage) {
		e.report(Finding{sourceUsage, e.placeOfLine(x), x.Value, "the line is in no group, so it applies to no crawler"})
	}
	switch {
	case u == nil:
	case e.fetch == Disallowed:
		x := u.lines[0]
		e.report(Finding{sourceUsage, e.placeOfLine(x), x.Value, "no preferences are implied for URLs that robots.txt disallows [attach-05 3.1]"})
	default:
		best := longest(u.matched)
		for _, i := range best {
			e.sayAll(&u.values[i], at(e.placeOfLine(u.lines[i])), Reason{
				Source: sourceUsage, Version: versionUsage, Agent: e.rules.Agent(), Path: u.paths[i],
				Strength: WGDraft, HonouredBy: []string{},
				Reading: u.paths[i] != u.paths[best[0]], // of equal length, but not equal
			})
		}
	}
	// Several lines of a structured field are one value [RFC 9651 4.2].
	if values := e.header(keyUsage); len(values) > 0 {
		text := strings.Join(values, ", ")
		p := ReadUsage(text)
		if p.Path != "" { // only rules have a path: no key begins with a slash
			p = Preferences{Expected: "a key in lower case"}
		}
		place := func(offset int) Place { return Place{Header: keyUsage, Index: lineAt(values, offset)} }
		e.reportIneffective(sourceUsage, place, text, &p)
		e.sayAll(&p, place, Reason{
			Source: sourceUsage, Version: versionUsage, Strength: WGDraft, HonouredBy: []string{},
		})
	}
}

// at returns a place for all offsets of a value.
func at(p Place) func(offset int) Place { return func(int) Place { return p } }

// lineAt returns the line with an offset of the lines joined by a comma and a space.
func lineAt(lines []string, offset int) int {
	for i, line := range lines {
		offset -= len(line) + len(", ")
		if offset < 0 {
			return i
		}
	}
	return len(lines) - 1
}

func (e *evaluation) sayAll(p *Preferences, place func(offset int) Place, r Reason) {
	for i := range p.List {
		if said := &p.List[i]; said.Says != "" {
			r.Place, r.Text, r.Says = place(said.LabelAt), said.Label+"="+said.Value, said.Says
			e.say(said.Purpose, r)
		}
	}
}

func (e *evaluation) reportIneffective(source string, place func(offset int) Place, text string, p *Preferences) {
	if p.Expected != "" {
		e.report(Finding{source, place(p.ExpectedAt), text, "the whole value has no effect, because " + p.Expected + " is expected after " + quoteStart(text, p.ExpectedAt)})
		return
	}
	for i := range p.List {
		said := &p.List[i]
		report := func(message string) { e.report(Finding{source, place(said.LabelAt), text, message}) }
		switch {
		case said.Purpose == "" && said.Level() == "":
			report("the label " + said.Label + " is unknown, so it has no effect")
		case said.Repeated:
			report(said.Label + " is repeated, and only its last value applies")
		case said.Purpose != "" && said.Label != ascii.ToLower(said.Label):
			report(said.Label + " has no effect, because labels are in lower case")
		case said.Purpose != "" && said.Says == "":
			report(said.Label + " has no effect, because the specification does not define its value")
		}
		if said.Parameter != "" {
			report(said.Parameter + " is a parameter of " + said.Label + ", so it has no effect")
		}
	}
}

// quoteStart returns the end of a text before an offset, for a message.
func quoteStart(text string, at int) string {
	if at == 0 {
		return "the start"
	}
	return text[max(0, at-20):at]
}

func (e *evaluation) placeOfLine(x robotstxt.Extension) Place {
	return Place{URL: e.s.Robots.URL, Line: x.Line}
}

// maxHeader is how much of the lines of one response field is read, in bytes.
const maxHeader = 64 << 10

func (e *evaluation) header(name string) []string {
	values := e.s.Header[name]
	size := 0
	for i, value := range values {
		size += len(value) + 1
		if size > maxHeader {
			e.cut = append(e.cut, name)
			return values[:i]
		}
	}
	return values
}
