// Package language puts letters and reports into the languages that the tool writes. Quotes, lines of files and
// the names of crawlers stay as they are.
package language

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/sentence"
)

// Language is a language of letters and reports, by its tag.
type Language string

// The languages. The zero Language is English.
const (
	English Language = "en"
	German  Language = "de"
)

// Tags returns the tags of all languages.
func Tags() []string { return []string{string(English), string(German)} }

// Text is an English text with its verbs of package fmt. The table of each other language has it.
type Text string

// Say returns a text in the language, with its values.
func (l Language) Say(english Text, values ...any) string {
	text := string(english)
	if l == German {
		if translated, ok := german[english]; ok {
			text = translated
		}
	}
	if len(values) == 0 {
		return text
	}
	return fmt.Sprintf(text, values...)
}

// Words returns the words for lists and effects.
func (l Language) Words() sentence.Words {
	say := func(english string, values ...any) string { return l.Say(Text(english), values...) }
	return sentence.Words{Say: say, Number: l.Number}
}

// Number returns a number with separators.
func (l Language) Number(n int) string {
	if l == German {
		return sentence.Grouped(n, ".")
	}
	return sentence.Thousands(n)
}

// Count returns a number with its noun.
func (l Language) Count(n int, one, more Text) string {
	if n == 1 {
		return "1 " + l.Say(one)
	}
	return l.Number(n) + " " + l.Say(more)
}

// First joins the first few of escaped texts.
func (l Language) First(texts []string, few int) string { return l.Words().First(texts, few) }

// FirstOf is First for the first texts of all.
func (l Language) FirstOf(texts []string, few, all int) string {
	return l.Words().FirstOf(texts, few, all)
}

// List returns texts as a sentence has them.
func (l Language) List(texts []string) string { return l.Words().List(texts) }

// Day returns the date of a time in UTC.
func (l Language) Day(t time.Time) string {
	t = t.UTC()
	return l.Say("%d %s %d", t.Day(), l.month(t), t.Year())
}

// Time returns a time in UTC with its date.
func (l Language) Time(t time.Time) string { return l.Day(t) + ", " + l.Clock(t) }

// Clock returns a time in UTC without its date.
func (l Language) Clock(t time.Time) string { return t.UTC().Format("15:04 UTC") }

// Date returns a date of the data about crawlers, which can be a month or a year.
func (l Language) Date(text string) string {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		t, err := time.Parse(layout, text)
		switch {
		case err != nil:
		case layout == time.DateOnly:
			return l.Day(t)
		case layout == "2006-01":
			return l.month(t) + " " + strconv.Itoa(t.Year())
		default:
			return text
		}
	}
	if text == crawlers.Unknown {
		return l.Say("date unknown")
	}
	return l.Say("date %s", text)
}

func (l Language) month(t time.Time) string { return l.Say(months[t.Month()-1]) }

var months = [...]Text{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// Agent returns a product token as term.Token does.
func (l Language) Agent(token string) string {
	if token == "" {
		return l.Say("the empty token")
	}
	return term.Token(token)
}

// Title returns the title of a kind of problem, whose English title is given.
func (l Language) Title(code, english string) string {
	if l == German {
		return cmp.Or(germanTitles()[code], english)
	}
	return english
}

// Clause returns a sentence as it stands after a colon: German ones begin with a capital letter there.
func (l Language) Clause(sentence string) string {
	if l == German && sentence != "" {
		return Sentence(sentence)
	}
	return sentence
}

// Sentence returns a text with a capital letter at its beginning.
func Sentence(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:size]) + text[size:]
}

// Phrase translates an English text that another package has made from one of phrases. A text that is made from
// none stays as it is.
func (l Language) Phrase(english string) string {
	if l != German {
		return english
	}
	if text, ok := german[Text(english)]; ok {
		return text
	}
	for _, phrase := range phrases {
		if values := valuesOf(string(phrase), english); values != nil {
			return l.Say(phrase, l.times(values)...)
		}
	}
	return english
}

// times returns values with those that are times as Time returns them.
func (l Language) times(values []any) []any {
	for i, value := range values {
		if t, err := time.Parse(time.RFC3339, value.(string)); err == nil {
			values[i] = l.Time(t)
		}
	}
	return values
}

// valuesOf returns the values with which a text was made from a phrase, nil if it was not.
func valuesOf(phrase, text string) (values []any) {
	parts := strings.Split(phrase, "%s")
	rest, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return nil
	}
	for i, part := range parts[1:] {
		at := strings.Index(rest, part)
		if i == len(parts)-2 {
			at = len(rest) - len(part)
		}
		if at < 0 || !strings.HasPrefix(rest[at:], part) {
			return nil
		}
		values = append(values, rest[:at])
		rest = rest[at+len(part):]
	}
	return values
}
