// Package sentence puts lists and numbers into English sentences.
package sentence

import (
	"strconv"
	"strings"
)

// MaxListed is the number of patterns or values in a sentence.
const MaxListed = 3

// Thousands returns a number with commas.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// List returns texts as a sentence has them: "a, b and c".
func List(texts []string) string {
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// FirstOf lists up to MaxListed texts, and of more the first ones but one. There might be others unless all is
// set.
func FirstOf[T any](list []T, text func(T) string, all bool) string {
	named := list
	if len(list) > MaxListed {
		named = list[:MaxListed-1]
	}
	var texts []string
	for _, element := range named {
		texts = append(texts, text(element))
	}
	switch more := len(list) - len(named); {
	case more > 0 && all:
		texts = append(texts, Thousands(more)+" more")
	case more > 0:
		texts = append(texts, "at least "+Thousands(more)+" more")
	case !all:
		texts = append(texts, "perhaps others")
	}
	return List(texts)
}
