package robotstxt_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/conformance"
)

// TestConformance runs the vectors through every function that gives a verdict.
func TestConformance(t *testing.T) {
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	engine := func(dialect string, body []byte, agents []string, url string) (bool, int) {
		var d robotstxt.Dialect
		if err := d.UnmarshalText([]byte(dialect)); err != nil {
			t.Fatal(err)
		}
		checkDecision(t, d, d.Parse(body), body, agents, url)
		decision := d.Parse(body).Rules(agents...).Explain(url)
		return decision.Allowed, decision.Line
	}
	for _, failure := range conformance.Run(engine, vectors) {
		t.Error(failure)
	}
}

// TestSpecTest runs the public checks of google/robotstxt-spec-test, from the
// folder that ROBOTSTXT_SPECTEST names, and skips without it.
func TestSpecTest(t *testing.T) {
	folder := os.Getenv("ROBOTSTXT_SPECTEST")
	if folder == "" {
		t.Skip("ROBOTSTXT_SPECTEST is not set: want a folder of textproto checks")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.textproto"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no */*.textproto in ROBOTSTXT_SPECTEST=%s (%v)", folder, err)
	}
	checks, passed := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fields, err := textprotoFields(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		var body, url, agent string
		for _, field := range fields {
			switch field.name {
			case "robotstxt":
				body = field.value
			case "testurl":
				url = field.value
			case "useragent":
				agent = field.value
			case "expected_outcome":
				checks++
				allowed := robotstxt.Parse([]byte(body)).Rules(agent).Allowed(url)
				checkDecision(t, robotstxt.Google, robotstxt.Parse([]byte(body)), []byte(body), []string{agent}, url)
				if allowed != (field.value == "ALLOWED") {
					t.Errorf("%s: %q %q: allowed %v, want %s\n%s", filepath.Base(file), agent, url, allowed, field.value, body)
					continue
				}
				passed++
			}
		}
	}
	t.Logf("%d of %d checks passed", passed, checks)
	if checks < 400 {
		t.Errorf("only %d checks found, want 400", checks)
	}
}

type textprotoField struct{ name, value string }

// textprotoFields returns the scalar fields of a message in text format, in
// order, whatever they are nested in: "name: value", where value is a word or
// strings that are joined.
func textprotoFields(text string) (fields []textprotoField, err error) {
	name := ""
	for text != "" {
		switch c := text[0]; {
		case c == '#':
			_, text, _ = strings.Cut(text, "\n")
		case strings.IndexByte(" \t\r\n[]{},:", c) >= 0:
			text = text[1:]
		case c == '"':
			end := 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				return nil, fmt.Errorf("string without end: %.40s", text)
			}
			value, err := unquoteC(text[1:end])
			if err != nil {
				return nil, err
			}
			if name != "" {
				fields = append(fields, textprotoField{name, ""})
				name = ""
			}
			fields[len(fields)-1].value += value
			text = text[end+1:]
		default:
			word := text
			if i := strings.IndexAny(text, " \t\r\n[]{},:\""); i >= 0 {
				word = text[:i]
			}
			text = text[len(word):]
			if strings.HasPrefix(strings.TrimLeft(text, " "), ":") {
				name = word
			} else {
				fields = append(fields, textprotoField{name, word})
				name = ""
			}
		}
	}
	return fields, nil
}

// unquoteC undoes C's escapes, octal ones of one to three digits among them.
func unquoteC(s string) (string, error) {
	var b strings.Builder
	for s != "" {
		if s[0] != '\\' || len(s) == 1 {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		digits := 1
		for digits < len(s) && digits < 4 && '0' <= s[digits] && s[digits] <= '7' {
			digits++
		}
		if digits > 1 {
			n, err := strconv.ParseUint(s[1:digits], 8, 8)
			if err != nil {
				return "", err
			}
			b.WriteByte(byte(n))
			s = s[digits:]
			continue
		}
		if s[1] == '\'' || s[1] == '"' {
			b.WriteByte(s[1])
			s = s[2:]
			continue
		}
		r, multibyte, rest, err := strconv.UnquoteChar(s, 0)
		if err != nil {
			return "", fmt.Errorf("bad escape in %.20q", s)
		}
		if multibyte {
			b.WriteRune(r)
		} else {
			b.WriteByte(byte(r))
		}
		s = rest
	}
	return b.String(), nil
}
