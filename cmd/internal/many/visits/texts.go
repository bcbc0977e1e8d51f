package visits

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

// text is a file, as it is or as crawlers might read its lines.
type text struct {
	body      []byte
	isRecords bool // only crawlers that read records read it
	parsed    map[robotstxt.Dialect]*robotstxt.Robots
}

// textsOf returns a file as it is, and after it what it is to crawlers that read its lines in other ways.
func textsOf(body []byte) (texts []text) {
	add := func(body []byte, isRecords bool) {
		texts = append(texts, text{body, isRecords, map[robotstxt.Dialect]*robotstxt.Robots{}})
	}
	for _, spaced := range append([][]byte{body}, otherSpaces(body)...) {
		for _, other := range append([][]byte{spaced}, otherwise(spaced)...) {
			add(other, false)
			if records := strictRecords(other); !bytes.Equal(records, other) {
				add(records, true)
			}
		}
	}
	return texts
}

func (t *text) in(d robotstxt.Dialect) *robotstxt.Robots {
	if t.parsed[d] == nil {
		t.parsed[d] = d.Parse(t.body)
	}
	return t.parsed[d]
}

// isReadIn reports whether crawlers that read in a dialect might read the text.
func (t *text) isReadIn(d robotstxt.Dialect) bool { return !t.isRecords || d.Traits().Records }

// of returns the rules for all crawlers that might have sent a header, and those that they might obey because no source
// states their reading. If a text is not the file as it is, crawlers that read as Google states do not read it.
func (t *text) of(c *crawler, isFile bool) (senders, unstated []robotstxt.Rules) {
	rules := func(readings []crawlers.Reading) (all []robotstxt.Rules) {
		for _, reading := range readings {
			isItsText := isFile || reading.Dialect != robotstxt.Google || !reading.Stated
			if isItsText && t.isReadIn(reading.Dialect) {
				all = append(all, reading.Rules(t.in(reading.Dialect)))
			}
		}
		return all
	}
	unstated = rules(c.unstated)
	if c.isOpen {
		unstated = append(unstated, rules(t.partlyNamed(c))...)
	}
	return rules(c.senders), unstated
}

// partlyNamed returns the readings of a crawler that obeys a group whose name is a part of its own name, or has its own
// name as a part [Koster 3.2.1].
func (t *text) partlyNamed(c *crawler) (all []crawlers.Reading) {
	own := strings.ToLower(c.Token)
	for _, dialect := range robotstxt.Dialects() {
		if !t.isReadIn(dialect) {
			continue
		}
		for group := range t.in(dialect).Groups() {
			for agent := range group.Agents() {
				name := strings.ToLower(agent.Token)
				isPart := strings.Contains(own, name) || strings.Contains(name, own)
				if name == "" || name == "*" || name == own || !isPart {
					continue
				}
				reading := c.own.In(&dialect)
				reading.Tokens = slices.Concat([]string{agent.Token}, c.own.Tokens)
				all = append(all, reading)
			}
		}
	}
	return all
}

// otherwise returns what a file is to crawlers that read lines in other ways than Google's parser, if RFC 9309 does
// not define these lines: without them, with groups that have other names, or with values that end at white space. It
// is nil if there are none.
func otherwise(body []byte) (texts [][]byte) {
	var exact, nameless, split bytes.Buffer
	isEqual := true
	for line := range robotstxt.Lines(body) {
		isAgent := line.Kind == robotstxt.KindUserAgent
		isRule := line.Kind == robotstxt.KindAllow || line.Kind == robotstxt.KindDisallow
		isCut := !bytes.Equal(line.Value, firstWord(line.Value))
		isMarked := line.Offset == 0 && bodyhead.MarkLen(body) > 0
		content, _, _ := bytes.Cut(line.Raw, []byte("#"))
		isSpaced := bytes.ContainsAny(content, "\v\f") // RFC 9309 knows only spaces and tabs
		isWhole := !line.MissingColon && !line.NULCut && !line.TooLong && !isMarked && !isSpaced
		isExact := isWhole && ascii.EqualFold(line.Key, line.Kind.String())
		isNamed := !isAgent || isName(line.Value)
		if !isAgent && !isRule || isExact && !isCut && isNamed {
			exact.Write(line.Raw)
			nameless.Write(line.Raw)
			split.Write(line.Raw)
			continue
		}
		isEqual = false
		exact.WriteString("#\n")
		if isNamed {
			nameless.Write(line.Raw)
		} else {
			nameless.WriteString("User-agent: --\n")
		}
		switch {
		case isAgent:
			for _, name := range words(line.Value) {
				split.WriteString("User-agent: " + string(name) + "\n")
			}
		case isCut:
			split.WriteString(line.Kind.String() + ": " + string(firstWord(line.Value)) + "\n")
		default:
			split.Write(line.Raw)
		}
	}
	if isEqual {
		return nil
	}
	return [][]byte{exact.Bytes(), nameless.Bytes(), split.Bytes()}
}

// otherSpaces returns a file with other white space than spaces and tabs, and with control characters, as spaces; and
// with the line ends among them, as Unicode and Python know them, as line ends. Google's parser knows two of them.
func otherSpaces(body []byte) (texts [][]byte) {
	var spaces, lines []byte
	for i := 0; i < len(body); {
		r, size := utf8.DecodeRune(body[i:])
		if size == 1 && r == utf8.RuneError {
			r = rune(body[i]) // as in Latin-1
		}
		char := body[i : i+size]
		i += size
		if strings.ContainsRune("\t\n\r ", r) || !unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf) {
			spaces, lines = append(spaces, char...), append(lines, char...)
			continue
		}
		spaces = append(spaces, ' ')
		if strings.ContainsRune("\v\f\x1c\x1d\x1e\u0085\u2028\u2029", r) {
			lines = append(lines, '\n')
		} else {
			lines = append(lines, ' ')
		}
	}
	switch {
	case bytes.Equal(spaces, body):
		return nil
	case bytes.Equal(spaces, lines):
		return [][]byte{spaces}
	}
	return [][]byte{spaces, lines}
}

// strictRecords returns what a file is to crawlers that take Koster's drafts at their word: an empty value permits all
// URLs, and a line with any other key is one of a record's rules, so that a name after it begins the next record.
func strictRecords(body []byte) (records []byte) {
	rules := 0 // where the rules of the record begin
	isAfterOther := false
	for line := range robotstxt.Lines(body) {
		isAgent := line.Kind == robotstxt.KindUserAgent
		if isAgent && isAfterOther {
			records = append(records, '\n')
		}
		isRule := line.Kind == robotstxt.KindAllow || line.Kind == robotstxt.KindDisallow
		if isRule && len(line.Value) == 0 && rules > 0 {
			records = slices.Insert(records, rules, []byte("Allow: /\n")...)
			rules = 0 // once is enough
		}
		records = append(records, line.Raw...)
		switch {
		case isAgent:
			rules, isAfterOther = len(records), false
		case line.Kind > robotstxt.KindUserAgent && !isRule:
			isAfterOther = true
		}
	}
	return records
}

// isName reports whether a group's name is a star or a product token, as all crawlers read it. Google's parser takes
// the beginning of others, such as * in "* Bingbot" and GPTBot in "GPTBot/1.0".
func isName(value []byte) bool {
	return string(value) == "*" || len(value) > 0 && !bytes.ContainsFunc(value, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("()<>@,;:\\\"/[]?={}*", r)
	})
}

// words returns the parts of a value between white space, commas and semicolons.
func words(value []byte) [][]byte {
	return bytes.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ';' || r <= ' ' })
}

// firstWord returns a value up to its first white space.
func firstWord(value []byte) []byte {
	if i := bytes.IndexFunc(value, func(r rune) bool { return r <= ' ' }); i >= 0 {
		return value[:i]
	}
	return value
}
