package lint

import (
	"bytes"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

// Format returns body in a uniform layout: "Key: value", keys in their usual case, a
// space before a trailing comment, an empty line between groups and none inside them,
// empty lines around lines for the whole file, equal line ends, no byte order mark.
// Lines keep their order, and only empty lines are removed. Formatting the result
// again does not change it.
//
// No verdict, sitemap or extension line changes, for any crawler and any URL: in google, in
// rfc9309, in the profile's dialect, and for crawlers that skip misspelt lines.
//
// Format does not change what it cannot format safely: lines that are not directives,
// very long lines, lines with a NUL, misspelt keys, lines without a colon, keys of which
// only the beginning is recognised, and an empty line before a User-agent line, where
// some crawlers end a group. In profiles whose crawlers end groups at empty lines, it
// also keeps the empty lines in groups. It returns a body without any directive, such as
// a web page, unchanged.
//
// Format does not modify body, and the result shares no memory with it.
func Format(body []byte, profile Profile, ends LineEnds) []byte {
	audience := profile.audience()
	parts := partsOf(body, audience.dialect.Parse(body))
	if isForeign(parts) {
		return bytes.Clone(body)
	}
	space(parts, audience.blankLines)
	out := make([]byte, 0, len(body)+len(body)/8)
	end := ends.in(body)
	for i := range parts {
		if parts[i].spaced {
			out = append(out, end...)
		}
		out = append(parts[i].appendTo(out), end...)
	}
	if bodyhead.MarkLen(out) > 0 {
		// The line was not the first, or a second mark follows the first. The parser
		// ignores one (G3).
		out = append([]byte(bom), out...)
	}
	return out
}

// LineEnds is how Format ends lines.
type LineEnds uint8

// The line ends. A CR alone, with which no editor ends lines today, is never kept.
const (
	KeepEnds LineEnds = iota // CRLF if more lines of the body end with CRLF than with LF, else LF
	LF
	CRLF
)

func (e LineEnds) in(body []byte) string {
	pairs := bytes.Count(body, []byte("\r\n"))
	isCRLF := e == CRLF || e == KeepEnds && 2*pairs > bytes.Count(body, []byte("\n"))
	return choose(isCRLF, "\r\n", "\n")
}

// part is a line to be laid out. Empty lines are none.
type part struct {
	line
	content []byte // the line without its end and the byte order mark
	gap     bool   // an empty line is before it
	starts  bool   // it begins a group
	spaced  bool   // an empty line is written before it
}

func partsOf(body []byte, robots *robotstxt.Robots) (parts []part) {
	starts := make(map[int]bool) // the first lines of groups
	gap := false                 // an empty line is above
	for g := range robots.Groups() {
		for a := range g.Agents() {
			starts[a.Line] = true
			break
		}
	}
	parts = make([]part, 0, countLines(body))
	for l := range robotstxt.Lines(body) {
		if l.Kind == robotstxt.KindEmpty && !l.NULCut && !l.TooLong {
			gap = true
			continue
		}
		p := part{line: newLine(&l, &body), content: bytes.TrimRight(l.Raw, "\r\n"), gap: gap, starts: starts[l.Number]}
		if l.Number == 1 {
			p.content = p.content[bodyhead.MarkLen(p.content):]
		}
		parts = append(parts, p)
		gap = false
	}
	return parts
}

func isForeign(parts []part) bool {
	return slices.ContainsFunc(parts, func(p part) bool { return isUnread(p.line) }) &&
		!slices.ContainsFunc(parts, func(p part) bool { return readable(p.kind) })
}

// space sets before which lines an empty one is written. Comments belong to the next
// line: a run of them and the line after it are treated together.
func space(parts []part, keep bool) {
	var before *part // the last line that is not a comment
	for rest := parts; len(rest) > 0; {
		n := 1 + slices.IndexFunc(rest, func(p part) bool { return p.kind != robotstxt.KindComment })
		must, may := false, true // have an empty line
		if n == 0 {
			n = len(rest) // comments at the end of the file
		} else if next := &rest[n-1]; before != nil {
			// Crawlers that skip a misspelt key would end a group at the empty line.
			begins := next.starts && ascii.EqualFold(next.key(), plainKeys[robotstxt.KindUserAgent]) &&
				!next.missingColon
			must = begins || !keep && before.isWide() != next.isWide()
			may = keep || must || next.kind == robotstxt.KindUserAgent || next.isWide() && n > 1
		}
		run := rest[:n]
		for i := range run {
			run[i].spaced = may && run[i].gap
			must = must && !run[i].spaced
		}
		run[0].spaced = run[0].spaced || must
		before, rest = &run[n-1], rest[n:]
	}
	if len(parts) > 0 {
		parts[0].spaced = false
	}
}

func (p *part) isWide() bool {
	return p.kind == robotstxt.KindSitemap || p.kind == robotstxt.KindUnknown && ascii.EqualFold(p.key(), "license")
}

func (p *part) appendTo(out []byte) []byte {
	key := p.layoutKey()
	switch {
	case p.nulCut, !p.roomy(), key == "" && p.kind != robotstxt.KindComment:
		return append(out, p.content...)
	case p.kind != robotstxt.KindComment:
		out = append(append(out, key...), ':')
		if len(p.value()) > 0 {
			out = append(append(out, ' '), p.value()...)
		}
		if p.commented() {
			out = append(out, ' ')
		}
	}
	return append(out, bytes.Trim(p.comment(), ascii.Space)...)
}

var usualKeys = append(extensionKeys[:], "Host", "Noindex", "Nofollow", "Noarchive")

// layoutKey returns the key that the line shall have, empty if the line shall
// stay as it is.
func (p *part) layoutKey() string {
	if p.missingColon {
		return ""
	}
	if int(p.kind) < len(plainKeys) && ascii.EqualFold(p.key(), plainKeys[p.kind]) {
		return plainKeys[p.kind]
	}
	// A URL alone on its line, or words in front of one, would be torn apart.
	if !isName(p.key()) || bytes.HasPrefix(p.value(), []byte("//")) {
		return ""
	}
	if i := slices.IndexFunc(usualKeys, func(usual string) bool { return ascii.EqualFold(p.key(), usual) }); i >= 0 {
		return usualKeys[i]
	}
	return string(p.key())
}

func isName(key []byte) bool {
	return len(key) > 0 && ascii.IsLetter(key[0]) && consistsOf(key, inName)
}
