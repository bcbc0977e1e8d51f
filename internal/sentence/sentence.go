// Package sentence puts lists and numbers into sentences.
package sentence

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// MaxListed is the number of patterns or values in a sentence.
const MaxListed = 3

// Words are the words of a language.
type Words struct {
	Say    func(english string, values ...any) string // returns a text in the language, with its values
	Number func(n int) string
	Listed int // the number of patterns or values in a sentence; 0 for MaxListed
}

// MaxListed is the number of patterns or values in a sentence of the words.
func (w Words) MaxListed() int { return cmp.Or(w.Listed, MaxListed) }

// English are the words of most texts.
var English = Words{Say: fmt.Sprintf, Number: Thousands}

// Thousands returns a number with commas.
func Thousands(n int) string { return Grouped(n, ",") }

// Grouped returns a number with a separator between each three digits.
func Grouped(n int, separator string) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + separator + digits[i:]
	}
	return digits
}

// List returns texts as a sentence has them: "a, b and c".
func List(texts []string) string { return English.List(texts) }

// List returns texts as a sentence has them.
func (w Words) List(texts []string) string {
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return w.Say("%s and %s", strings.Join(texts[:last], ", "), texts[last])
}

// First joins the first few of texts.
func (w Words) First(texts []string, few int) string { return w.FirstOf(texts, few, len(texts)) }

// FirstOf is First for the first texts of all.
func (w Words) FirstOf(texts []string, few, all int) string {
	if all > few {
		return w.Say("%s and %s more", strings.Join(texts[:few], ", "), w.Number(all-few))
	}
	return strings.Join(texts, ", ")
}

// FirstOf lists up to MaxListed texts, and of more the first ones but one. There might be others unless all is
// set.
func FirstOf[T any](list []T, text func(T) string, all bool) string {
	return FirstIn(English, list, text, all)
}

// FirstIn is FirstOf in a language.
func FirstIn[T any](w Words, list []T, text func(T) string, all bool) string {
	named := list
	if most := w.MaxListed(); len(list) > most {
		named = list[:most-1]
	}
	var texts []string
	for _, element := range named {
		texts = append(texts, text(element))
	}
	switch more := len(list) - len(named); {
	case more > 0 && all:
		texts = append(texts, w.Say("%s more", w.Number(more)))
	case more > 0:
		texts = append(texts, w.Say("at least %s more", w.Number(more)))
	case !all:
		texts = append(texts, w.Say("perhaps others"))
	}
	return w.List(texts)
}
