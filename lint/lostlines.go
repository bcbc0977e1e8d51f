package lint

import (
	"bytes"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// lostDirective returns as which kind of directive a line is meant that crawlers do not read, and its value. The
// kind is 0 if it is none.
func lostDirective(l *line) (kind robotstxt.Kind, value []byte) {
	kind, value = nearlyDirective(l)
	if kind > 0 || l.kind != robotstxt.KindUnknown || l.missingColon || isForeignComment(l.key()) {
		return kind, value
	}
	return nearestCore(strings.ToLower(string(l.key()))), l.value()
}

// ruleMeant returns the kind and the value of a line that is a rule, or is meant as one. The kind is 0 for others.
func ruleMeant(l *line) (kind robotstxt.Kind, value []byte) {
	if isRule(l) {
		return l.kind, l.value()
	}
	kind, value = lostDirective(l)
	if kind == robotstxt.KindAllow || kind == robotstxt.KindDisallow {
		return kind, value
	}
	return 0, nil
}

func isMeantAsRule(l line) bool {
	kind, _ := ruleMeant(&l)
	return kind > 0
}

// losesAgent reports whether a line was meant to be a user-agent line but is none, or contains one.
func losesAgent(l *line) bool {
	text := l.value()
	switch l.kind {
	case robotstxt.KindUserAgent:
		return false
	case robotstxt.KindUnknown, robotstxt.KindNoDirective:
		text = l.content()
		if isForeignComment(text) {
			return false
		}
		if _, end := strayMark(l); end > 0 {
			return lineAlone(l.raw()[end:]).Kind == robotstxt.KindUserAgent
		}
		if kind, _ := lostDirective(l); kind == robotstxt.KindUserAgent {
			return true
		}
	}
	return bytes.IndexByte(text, ':') >= 0 && bytes.Contains(bytes.ToLower(text), []byte("user-agent:"))
}

// lostEdits are the edits that make a directive of a line that crawlers do not read, none if it is not sure how.
func (d *document) lostEdits(l *line) []Edit {
	if kind, value := nearlyDirective(l); kind > 0 {
		return d.colonEdits(l, kind, value)
	}
	return misspeltEdits(l)
}

// colonEdits are the edits that write again a line that lacks its colon, none if the text might be about crawlers, or
// if spaces in a path might mean something else.
func (d *document) colonEdits(l *line, kind robotstxt.Kind, value []byte) []Edit {
	isAgent := kind == robotstxt.KindUserAgent
	if isAgent && !namesCrawlers(value) || !isAgent && bytes.ContainsAny(value, " \t") &&
		!d.arePaths(wordsOf(value)) && !isNameWithBlanks(value) {
		return nil
	}
	text := l.content()
	start := len(text) - len(bytes.TrimLeft(text, ascii.Space+choose(l.number == 1, bom, "")))
	end := len(bytes.TrimRight(text, ascii.Space))
	return []Edit{{l.offset() + start, l.offset() + end, strings.TrimRight(plainKeys[kind]+": "+string(value), " ")}}
}

// misspeltEdits are the edits that write the key that a misspelt one means. Without a name after User-agent,
// the rules below would be for nobody. If the key begins with a sign, the value ends in such a sign too.
func misspeltEdits(l *line) []Edit {
	kind, value := lostDirective(l)
	if bytes.ContainsAny(l.key(), "\"'`([{<&") || bytes.HasPrefix(l.key(), []byte("**")) ||
		len(value) == 0 && kind == robotstxt.KindUserAgent {
		return nil
	}
	return []Edit{l.replaceKey(plainKeys[kind])}
}
