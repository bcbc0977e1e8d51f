package editor

import (
	"bytes"
	"iter"

	"github.com/kosterhq/robotstxt"
)

// Token is a part of a line to colour.
type Token struct {
	Kind  Kind  // KindKey, KindComment, or one of KindUnknownKey to KindIgnored
	Range Range // within one line; not empty
}

// Tokens yields the parts of the lines from first to last to colour, in the order of the body
// and without overlaps. Lines are counted from 0.
func (d *Document) Tokens(first, last int) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		more := true
		put := func(kind Kind, start, end int) {
			if r := d.Range(start, end); more && start < end && r.Start.Line == r.End.Line &&
				r.Start.Character < r.End.Character {
				more = yield(Token{kind, r})
			}
		}
		for line := range robotstxt.Lines(d.body) {
			if line.Number-1 > last || !more {
				return
			}
			if line.Number-1 >= first {
				tokensOf(line, put)
			}
		}
	}
}

// tokensOf calls put for the parts of a line; some of them are empty.
func tokensOf(line robotstxt.Line, put func(kind Kind, start, end int)) {
	content := bytes.TrimRight(line.Raw, "\r\n")
	end := line.Offset + len(content)
	if line.Key == nil && line.Kind == robotstxt.KindNoDirective {
		before := content
		if line.Comment != nil {
			before = content[:line.CommentOffset-line.Offset]
		}
		begin := len(before) - len(bytes.TrimLeft(before, " \t\ufeff"))
		put(KindIgnored, line.Offset+begin, line.Offset+len(bytes.TrimRight(before, " \t")))
	}
	read := end // the end of what crawlers read
	if line.Key != nil {
		kind := KindKey
		if line.Kind == robotstxt.KindUnknown {
			kind = KindUnknownKey
		}
		put(kind, line.KeyOffset, line.KeyOffset+len(line.Key))
		read = line.ValueOffset + len(line.Value)
		switch line.Kind {
		case robotstxt.KindUserAgent:
			put(KindAgent, line.ValueOffset, read)
		case robotstxt.KindAllow, robotstxt.KindDisallow:
			putPattern(line, put)
		case robotstxt.KindSitemap:
			put(KindURL, line.ValueOffset, read)
		default:
			put(KindValue, line.ValueOffset, read)
		}
	}
	switch {
	case line.Comment != nil:
		put(KindComment, line.CommentOffset, line.CommentOffset+len(line.Comment))
	case line.TooLong || line.NULCut:
		put(KindIgnored, read, end)
	}
}

// putPattern calls put for the path pattern of a rule, and for the wildcards in it.
func putPattern(line robotstxt.Line, put func(kind Kind, start, end int)) {
	begin := 0
	for i, c := range line.Value {
		if c == '*' || c == '$' && i == len(line.Value)-1 {
			put(KindPattern, line.ValueOffset+begin, line.ValueOffset+i)
			put(KindWildcard, line.ValueOffset+i, line.ValueOffset+i+1)
			begin = i + 1
		}
	}
	put(KindPattern, line.ValueOffset+begin, line.ValueOffset+len(line.Value))
}
