package lint

import (
	"fmt"
	"strconv"
	"strings"
)

// How messages write what they speak of.

// quote writes a part of the body as a message may show it: escaped, and cut
// where it is long.
func quote[T ~string | ~[]byte](part T) string {
	const limit = 60
	if len(part) > limit {
		return strconv.Quote(string(part[:limit])) + "…"
	}
	return strconv.Quote(string(part))
}

// number writes a count with its noun, which gets an s for its plural.
func number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// isAre is the verb for a number of things.
func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// lineEnds says that a number of lines end in some way.
func lineEnds(n int) string {
	if n == 1 {
		return "a line ends"
	}
	return fmt.Sprintf("%d lines end", n)
}

// lineName names a line by its key.
func lineName(l *line) string {
	if len(l.key()) == 0 {
		return "a line of text"
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

// listed writes a few names in a sentence.
func listed(names []string) string {
	const limit = 5
	if len(names) > limit {
		return strings.Join(names[:limit], ", ") + " and " + strconv.Itoa(len(names)-limit) + " more"
	}
	return strings.Join(names, ", ")
}
