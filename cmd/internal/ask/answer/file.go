package answer

import (
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

// File is the text of a robots.txt with an index of its rules. It is immutable.
type File struct {
	Name      string // as given, "" if it was fetched
	Text      []byte
	Lines     int            // number of lines, with the empty one after a final line end
	Kind      robotstxt.Body // what the text looks like
	Truncated bool           // the robots.txt has more bytes than the limit up to which it was read

	spans   []span // the Allow and Disallow lines, in their order
	longest int    // the length in bytes of the longest of them
}

// span is a rule: its text from the key to the end of the value, without a comment.
type span struct {
	line  int
	text  string
	value int // the offset of its value, which is empty if the rule has no path
}

func (s span) empty() bool { return s.value == len(s.text) }

// NewFile returns a file without a name that is not truncated. The text must not be
// modified afterwards.
func NewFile(text []byte) *File {
	f := &File{Text: text, Kind: robotstxt.BodyOf(text)}
	whole := string(text) // which all rules share
	for line := range robotstxt.Lines(text) {
		f.Lines = line.Number
		if line.Kind == robotstxt.KindAllow || line.Kind == robotstxt.KindDisallow {
			rule := span{line: line.Number,
				text: strings.TrimRight(whole[line.KeyOffset:line.ValueOffset+len(line.Value)], " \t\v\f\r\n")}
			rule.value = len(rule.text) - len(line.Value)
			f.spans, f.longest = append(f.spans, rule), max(f.longest, len(rule.text))
		}
	}
	return f
}

// NotRules describes a file in which crawlers find no rules because it is not a
// robots.txt, such as "a web page" or "UTF-16". For other files it returns "".
func (f *File) NotRules() string { return NotRules(f.Kind, f.Text) }

// NotRules is File.NotRules for a body or its beginning.
func NotRules(kind robotstxt.Body, head []byte) string {
	switch kind {
	case robotstxt.BodyHTML:
		return "a web page"
	case robotstxt.BodyBinary:
		return bodyhead.Binary(head)
	}
	return ""
}

// Rule returns the text of a line that is a rule, without a comment, and "" for
// any other line.
func (f *File) Rule(line int) string { return f.span(line).text }

// Value returns the value of such a line.
func (f *File) Value(line int) string {
	s := f.span(line)
	return s.text[s.value:]
}

// span returns the rule of a line, the zero value if it has none. A map of lines would
// take longer to fill than a large file to parse.
func (f *File) span(line int) span {
	i, found := slices.BinarySearchFunc(f.spans, line, func(s span, line int) int { return s.line - line })
	if !found {
		return span{}
	}
	return f.spans[i]
}

// LongestRule returns the length of the longest text that Rule returns.
func (f *File) LongestRule() int { return f.longest }

// Rules yields the lines that are rules with their texts, in their order.
func (f *File) Rules() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for _, s := range f.spans {
			if !yield(s.line, s.text) {
				return
			}
		}
	}
}

// IsEnd reports whether a line is the empty one after the last line end, which
// robotstxt.Lines yields and readers do not count.
func IsEnd(line robotstxt.Line) bool { return len(line.Raw) == 0 && line.Number > 1 }
