package lint

import (
	"fmt"
	"strconv"
	"strings"
)

type quoted string

const maxQuoted = 60

func quote[T ~string | ~[]byte](text T) quoted { return quoted(text[:min(len(text), maxQuoted+1)]) }

func (q quoted) String() string {
	shown := strconv.Quote(string(q[:min(len(q), maxQuoted)])) + choose(len(q) > maxQuoted, "…", "")
	return strings.ReplaceAll(shown, `\\`, `\`) // as in the file, where \ escapes nothing
}

// choose returns value if the condition is true. Both values are made in any case.
func choose[T any](condition bool, value, otherwise T) T {
	if condition {
		return value
	}
	return otherwise
}

// number writes a count with its noun, which gets an s for its plural.
func number(n int, noun string) string {
	return fmt.Sprintf("%d %s%s", n, noun, choose(n == 1, "", "s"))
}

// alsoBelow is a sentence of the one finding about several lines, n of which are further down. It begins with a
// space, and is empty if n is 0.
func alsoBelow(n int, noun string) string {
	return choose(n == 0, "", " The same is true of "+number(n, noun)+" below.")
}

func lineName(l *line) string {
	return choose(len(l.key()) == 0, "a line of text", quote(l.key()).String())
}

// shortened is a number as a message shows it.
func shortened(number []byte) string {
	const limit = 20
	if len(number) > limit {
		return string(number[:limit]) + "…"
	}
	return string(number)
}

const maxListed = 5

func listed(names []string) string {
	if len(names) > maxListed {
		return strings.Join(names[:maxListed], ", ") + " and " + strconv.Itoa(len(names)-maxListed) + " more"
	}
	return strings.Join(names, ", ")
}
