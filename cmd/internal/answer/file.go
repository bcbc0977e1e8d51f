package answer

import (
	"iter"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// File is the text of a robots.txt with an index of its rules. It is immutable.
type File struct {
	Name      string // as given, "" if it was fetched
	Text      []byte
	Lines     int       // number of lines, with the empty one after a final line end
	Kind      wire.Body // what the text looks like
	Truncated bool      // the robots.txt has more bytes than the limit up to which it was read

	spans map[int]span // of the Allow and Disallow lines
}

// span is a rule: its text from the key to the end of the value, without a comment.
type span struct {
	text  string
	empty bool // it has no path
}

// NewFile returns a file without a name that is not truncated. The text must not be
// modified afterwards.
func NewFile(text []byte) *File {
	f := &File{Text: text, Kind: wire.BodyOf(text), spans: make(map[int]span)}
	whole := string(text) // which all rules share
	for line := range robotstxt.Lines(text) {
		f.Lines = line.Number
		if line.Kind == robotstxt.KindAllow || line.Kind == robotstxt.KindDisallow {
			f.spans[line.Number] = span{
				text:  strings.TrimRight(whole[line.KeyOffset:line.ValueOffset+len(line.Value)], " \t\v\f\r\n"),
				empty: len(line.Value) == 0,
			}
		}
	}
	return f
}

// Rule returns the text of a line that is a rule, without a comment, and "" for
// any other line.
func (f *File) Rule(line int) string { return f.spans[line].text }

// Rules yields the lines that are rules with their texts, in no order.
func (f *File) Rules() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for line, s := range f.spans {
			if !yield(line, s.text) {
				return
			}
		}
	}
}

// IsEnd reports whether a line is the empty one after the last line end, which
// robotstxt.Lines yields and readers do not count.
func IsEnd(line robotstxt.Line) bool { return len(line.Raw) == 0 && line.Number > 1 }
