package editing

import (
	"bytes"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/lint/editor"
)

// tokens collects the tokens of lines.
type tokens struct {
	document *editor.Document
	found    []wire.Token
}

// valueKinds are the kinds of the values of lines.
var valueKinds = map[robotstxt.Kind]wire.TokenKind{
	robotstxt.KindUserAgent: wire.TokenAgent,
	robotstxt.KindAllow:     wire.TokenPattern,
	robotstxt.KindDisallow:  wire.TokenPattern,
	robotstxt.KindSitemap:   wire.TokenURL,
}

// add adds the tokens of a line.
func (t *tokens) add(line robotstxt.Line) {
	content := bytes.TrimRight(line.Raw, "\r\n")
	end := line.Offset + len(content)
	if line.Key == nil && line.Kind == robotstxt.KindNoDirective {
		before := content
		if line.Comment != nil {
			before = content[:line.CommentOffset-line.Offset]
		}
		begin := len(before) - len(bytes.TrimLeft(before, " \t\ufeff"))
		t.put(wire.TokenIgnored, line.Offset+begin, line.Offset+len(bytes.TrimRight(before, " \t")))
	}
	read := end // the end of what crawlers read
	if line.Key != nil {
		kind := wire.TokenUnknownKey
		if isKnown(line.Kind) || line.Kind == robotstxt.KindUnused {
			kind = wire.TokenKey
		}
		t.put(kind, line.KeyOffset, line.KeyOffset+len(line.Key))
		value, ok := valueKinds[line.Kind]
		if !ok {
			value = wire.TokenValue
		}
		read = line.ValueOffset + len(line.Value)
		if value == wire.TokenPattern {
			t.pattern(line)
		} else {
			t.put(value, line.ValueOffset, read)
		}
	}
	if line.Comment != nil {
		t.put(wire.TokenComment, line.CommentOffset, line.CommentOffset+len(line.Comment))
		return
	}
	if line.TooLong || line.NULCut {
		t.put(wire.TokenIgnored, read, end)
	}
}

// pattern adds the path pattern of a rule, and the wildcards in it.
func (t *tokens) pattern(line robotstxt.Line) {
	begin := 0
	for i, c := range line.Value {
		if c == '*' || c == '$' && i == len(line.Value)-1 {
			t.put(wire.TokenPattern, line.ValueOffset+begin, line.ValueOffset+i)
			t.put(wire.TokenWildcard, line.ValueOffset+i, line.ValueOffset+i+1)
			begin = i + 1
		}
	}
	t.put(wire.TokenPattern, line.ValueOffset+begin, line.ValueOffset+len(line.Value))
}

// put adds a token, unless it is empty.
func (t *tokens) put(kind wire.TokenKind, start, end int) {
	if start >= end {
		return
	}
	r := t.document.Range(start, end)
	if r.Start.Line == r.End.Line && r.Start.Character < r.End.Character {
		t.found = append(t.found, wire.Token{Line: r.Start.Line, Start: r.Start.Character, End: r.End.Character, Kind: kind})
	}
}
