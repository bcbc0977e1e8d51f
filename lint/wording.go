package lint

import (
	"fmt"
	"strconv"
	"strings"
)

// shown is an argument of a message. It is written only if the finding is kept.
type shown struct {
	bytes  []byte // of the body
	text   string // if bytes is nil
	n      int
	number bool // shows n
	quoted bool // escapes the text, and cuts a long one
}

// quote shows a part of the body: escaped, and cut if it is long.
func quote(text []byte) shown { return shown{bytes: text, quoted: true} }

// quoteText is quote for a string.
func quoteText(text string) shown { return shown{text: text, quoted: true} }

// str shows a text as it is.
func str(text string) shown { return shown{text: text} }

// num shows a number.
func num(n int) shown { return shown{n: n, number: true} }

// String returns the text as a message shows it.
func (s shown) String() string { return string(s.appendTo(nil)) }

func (s shown) appendTo(to []byte) []byte {
	const limit = 60
	text := s.text
	switch {
	case s.number:
		return strconv.AppendInt(to, int64(s.n), 10)
	case s.bytes != nil:
		text = string(s.bytes[:min(len(s.bytes), limit+1)])
	}
	switch {
	case !s.quoted:
		return append(to, text...)
	case len(text) > limit:
		return append(strconv.AppendQuote(to, text[:limit]), "…"...)
	}
	return strconv.AppendQuote(to, text)
}

// message returns a format with its arguments.
func (r *finder) message(format string, args []shown) string {
	text := r.text[:0]
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			break
		}
		text = append(text, format[:i]...)
		switch {
		case format[i+1] == '%':
			text = append(text, '%')
		case len(args) > 0: // a test counts them
			text, args = args[0].appendTo(text), args[1:]
		}
		format = format[i+2:]
	}
	r.text = append(text, format...)
	return r.keep(r.text)
}

// also adds to a message, if the finding has one.
func (f *Finding) also(texts ...string) {
	if f.Message != "" {
		f.Message += strings.Join(texts, "")
	}
}

// number writes a count with its noun, which gets an s for its plural.
func number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// lineName names a line by its key.
func lineName(l *line) shown {
	if len(l.key()) == 0 {
		return str("a line of text")
	}
	return quote(l.key())
}

// shortened is a number as a message shows it.
func shortened(number []byte) string {
	const limit = 20
	if len(number) > limit {
		return string(number[:limit]) + "…"
	}
	return string(number)
}

// mostListed is the number of names that listed writes.
const mostListed = 5

// listed writes a few names in a sentence.
func listed(names []string) string {
	if len(names) > mostListed {
		return strings.Join(names[:mostListed], ", ") + " and " + strconv.Itoa(len(names)-mostListed) + " more"
	}
	return strings.Join(names, ", ")
}
