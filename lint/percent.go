package lint

import (
	"bytes"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// percentEntries are about how patterns write bytes that a URL holds encoded.
var percentEntries = []Entry{
	{
		Code:     "RX206",
		Name:     "pattern-not-ascii",
		Severity: Info,
		Title:    "A pattern holds bytes outside of ASCII.",
		Why:      "Google's parser and RFC 9309 2.2.2 compare them percent-encoded (G22). Readers that do not encode never match them.",
		Bad:      "User-agent: *\nDisallow: /caf\u00e9/\n",
		Good:     "User-agent: *\nDisallow: /caf%C3%A9/\n",
	},
	{
		Code:     "RX212",
		Name:     "bad-percent-code",
		Severity: Warning,
		Title:    "A percent sign is not followed by two hex digits.",
		Why:      "Google's parser compares it as it stands (G23), RFC 9309 as %25: crawlers disagree on what the pattern matches.",
		Bad:      "User-agent: *\nDisallow: /100%/\n",
		Good:     "User-agent: *\nDisallow: /100%25/\n",
	},
	{
		Code:     "RX213",
		Name:     "lower-case-percent-code",
		Severity: Info,
		Title:    "A percent code is written in lower case.",
		Why:      "Google's parser and RFC 9309 2.2.2 compare such codes in upper case (G22). Readers that do not would miss the URL.",
		Bad:      "User-agent: *\nDisallow: /caf%c3%a9/\n",
		Good:     "User-agent: *\nDisallow: /caf%C3%A9/\n",
	},
}

// findPercentCodes reports codes that are none, and those in lower case. To write
// %25 for a stray percent sign changes what Google compares (G23); upper case
// changes nothing, as it is made of the pattern anyway (G22).
func (d *document) findPercentCodes(l *line) {
	var bad, upper []Edit
	for i := 0; i < len(l.value()); i++ {
		if l.value()[i] != '%' {
			continue
		}
		at := l.valueAt() + i
		if _, ok := ascii.Unhex(l.value()[i+1:]); !ok {
			bad = append(bad, Edit{at, at + 1, "%25"})
			continue
		}
		if code := bytes.ToUpper(l.value()[i : i+3]); !bytes.Equal(code, l.value()[i:i+3]) {
			upper = append(upper, Edit{at, at + 3, string(code)})
		}
		i += 2
	}
	if len(bad) > 0 {
		f := d.find("RX212", l, bad[0].Start, bad[0].End, "'%%' in %s is not followed by two hex digits: Google compares it as it stands, RFC 9309 as %%25", quote(l.value()))
		f.Fix = &Fix{Title: "write the '%' as %25", Edits: bad, Meaning: true}
	}
	if len(upper) > 0 {
		f := d.find("RX213", l, upper[0].Start, upper[0].End, "%s is compared as %s", quote(l.value()[upper[0].Start-l.valueAt():upper[0].End-l.valueAt()]), quote(upper[0].New))
		f.Fix = &Fix{Title: "write the codes in upper case", Edits: upper}
	}
}

// findNotASCII reports bytes that are compared percent-encoded. The fix changes
// nothing as long as the line is not cut elsewhere for it.
func (d *document) findNotASCII(l *line) {
	var edits []Edit
	for i := 0; i < len(l.value()); i++ {
		start := i
		for i < len(l.value()) && l.value()[i] >= utf8.RuneSelf {
			i++
		}
		if i > start {
			edits = append(edits, Edit{l.valueAt() + start, l.valueAt() + i, percentEncode(l.value()[start:i])})
		}
	}
	first := edits[0]
	raw := d.body[first.Start:first.End]
	note := ""
	if !utf8.Valid(l.value()) {
		note = "; it is not UTF-8, which URLs are written in"
	}
	f := d.find("RX206", l, first.Start, first.End, "%s is compared as %s%s", quote(raw), quote(first.New), note)
	if grown := len(l.raw) + 2*len(l.value()); grown <= readBytes {
		f.Fix = &Fix{Title: "percent-encode the pattern", Edits: edits}
	}
}

func percentEncode(raw []byte) string {
	coded := make([]byte, 0, 3*len(raw))
	for _, c := range raw {
		coded = ascii.AppendPercent(coded, c)
	}
	return string(coded)
}
