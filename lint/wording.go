package lint

import (
	"fmt"
	"strconv"
	"strings"
)

// quoted is a text that a message shows escaped, and cut if it is long.
type quoted string

// maxQuoted is how many bytes of a text are shown.
const maxQuoted = 60

// quote shows a part of the body.
func quote[T ~string | ~[]byte](text T) quoted { return quoted(text[:min(len(text), maxQuoted+1)]) }

func (q quoted) String() string {
	shown, more := string(q), ""
	if len(q) > maxQuoted {
		shown, more = shown[:maxQuoted], "…"
	}
	return strings.ReplaceAll(strconv.Quote(shown), `\\`, `\`) + more // as in the file, where \ escapes nothing
}

// number writes a count with its noun, which gets an s for its plural.
func number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// alsoBelow is a sentence of the one finding about several lines, n of which are further down. It begins with a
// space, and is empty if n is 0.
func alsoBelow(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return " The same is true of " + number(n, noun) + " below."
}

// lineName names a line by its key.
func lineName(l *line) string {
	if len(l.key()) == 0 {
		return "a line of text"
	}
	return quote(l.key()).String()
}

// shortened is a number as a message shows it.
func shortened(number []byte) string {
	const limit = 20
	if len(number) > limit {
		return string(number[:limit]) + "…"
	}
	return string(number)
}

// maxListed is the number of names that listed writes.
const maxListed = 5

// listed writes a few names in a sentence.
func listed(names []string) string {
	if len(names) > maxListed {
		return strings.Join(names[:maxListed], ", ") + " and " + strconv.Itoa(len(names)-maxListed) + " more"
	}
	return strings.Join(names, ", ")
}
