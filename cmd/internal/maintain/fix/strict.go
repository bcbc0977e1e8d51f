package fix

import (
	"bytes"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Strict readers follow RFC 9309 to the letter: they know only the keys User-agent, Allow
// and Disallow, in full and with a colon, and compare the whole value of a user-agent line.
// They do not read "Disallow /x" or "DisallowAITraining: /", and do not take Sogou for the
// crawler in "Sogou web spider".

func (p *prover) compareStrict(before, after []byte, steps int) (*Change, error) {
	names := make(map[string]string)
	old, new := strict(before, names), strict(after, names)
	if bytes.Equal(old, new) {
		return nil, nil
	}
	change, err := p.compare(robotstxt.RFC9309, old, new, steps)
	if change == nil || err != nil {
		return nil, err
	}
	change.Strict = true
	for i, crawler := range change.Crawlers {
		for value, name := range names {
			if len(crawler.Tokens) == 1 && crawler.Tokens[0] == name {
				change.Crawlers[i].Tokens = []string{value}
			}
		}
	}
	return change, nil
}

var strictKeys = map[robotstxt.Kind]string{robotstxt.KindUserAgent: "User-agent", robotstxt.KindAllow: "Allow", robotstxt.KindDisallow: "Disallow"}

// strict returns what strict readers read in a file: each user-agent value is replaced by a
// token, the same for equal values, and each line that they skip by an empty one.
func strict(body []byte, names map[string]string) []byte {
	var out bytes.Buffer
	for line := range robotstxt.Lines(body) {
		key := strictKeys[line.Kind]
		value := string(line.Value)
		if line.Kind == robotstxt.KindUserAgent {
			value = nameOf(line.Value, names)
		}
		if key != "" && ascii.EqualFold(line.Key, key) && !line.Typo && !line.MissingColon && !line.TooLong &&
			!line.NULCut {
			out.WriteString(key + ": " + value)
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

func nameOf(value []byte, names map[string]string) string {
	if string(value) == "*" {
		return "*"
	}
	key := ascii.ToLower(string(value))
	if names[key] == "" {
		name := []byte("x")
		for n := len(names) + 1; n > 0; n /= 26 {
			name = append(name, byte('a'+n%26))
		}
		names[key] = string(name)
	}
	return names[key]
}
