package report

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kosterhq/robotstxt/lint"
)

// sarifSchema is the standard's own schema, see testdata/README.md.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(filepath.Join("testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// sarifBodies are files in which places are hard to tell, and the bad examples of
// all findings.
func sarifBodies() map[string]string {
	bodies := map[string]string{
		"empty":      "",
		"unended":    "User-agent: *\nDisallow: a*",
		"CRLF":       "User-agent: *\r\nDisallow: a*\r\n\r\nDisallow: b\r\n",
		"CR":         "User-agent: *\rDisallow: a*\rDisallow: a*\r",
		"mixed":      "User-agent: *\n\rDisallow: a*\r\n\r\rDisallow: a*\r\n",
		"mark":       "\ufeffUser-agent: *\nDisallow: a*\n",
		"late mark":  "User-agent: *\n\ufeffDisallow: a*\n",
		"two marks":  "\ufeff\ufeffUser-agent: *\nDisallow: a*\n",
		"wide":       "# \U0001f916 robots\nUser-agent: *\nDisallow: \U0001f916é*\nDisallow: ü\U0001f916/a*\n",
		"not UTF-8":  "User-agent: *\nDisallow: a\xff*\n# \xf0\x9f\nDisallow: \xe2\x82*\n",
		"NUL":        "User-agent: *\nDisallow: a\x00b*\n",
		"controls":   "User-agent: *\nDisallow: a\x1b[31m\x7f\u009b\u202e*\n",
		"one line":   strings.Repeat("é\U0001f916", 5000) + "\nDisallow: a*",
		"long value": "User-agent: *\nDisallow: " + strings.Repeat("é", 4000) + "*\n",
	}
	for _, e := range lint.Catalogue() {
		bodies[string(e.Code)] = e.Bad
	}
	return bodies
}

// sarifLogOf returns the log of what is found in a body, and the log as JSON.
func sarifLogOf(t *testing.T, body string, findings []lint.Finding) (log SARIFLog, text []byte) {
	t.Helper()
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	r := newSARIF(Config{Out: out, Version: "1"})
	in := &File{Name: "robots.txt", Body: []byte(body), Report: lint.Report{Findings: findings}}
	if err := errors.Join(r.File(in), r.End(false, []error{errors.New("told\x1b[a](https://evil.example)")}), out.Flush()); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	return log, b.Bytes()
}

// TestSARIFLog checks the logs with the standard's schema, and that other programs find the
// places and make the fixes that are meant.
func TestSARIFLog(t *testing.T) {
	schema := sarifSchema(t)
	for what, body := range sarifBodies() {
		t.Run(what, func(t *testing.T) {
			findings := lint.Check([]byte(body), lint.Config{Severities: map[lint.Code]lint.Severity{"RX206": lint.Error}})
			log, text := sarifLogOf(t, body, findings)
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); err != nil {
				t.Error(err)
			}
			run := log.Runs[0]
			if len(run.Results) != len(findings) {
				t.Fatalf("%d results of %d findings", len(run.Results), len(findings))
			}
			seen := make(map[string]bool)
			for i, result := range run.Results {
				f := findings[i]
				print := string(f.Code) + " " + result.PartialFingerprints["lineDigest/v1"]
				if len(result.PartialFingerprints) != 1 || !strings.Contains(print, ":") || seen[print] {
					t.Errorf("result %d has the fingerprints %v", i, result.PartialFingerprints)
				}
				seen[print] = true
				at := result.Locations[0].PhysicalLocation
				if result.RuleID != f.Code || run.Tool.Driver.Rules[result.RuleIndex].ID != f.Code ||
					at.ArtifactLocation.URI != "robots.txt" {
					t.Errorf("result %d is %s, rule %d, in %s: want %s", i, result.RuleID, result.RuleIndex, at.ArtifactLocation.URI, f.Code)
				}
				checkSARIFRegion(t, body, at.Region, f.Start, f.End)
				if f.Fix != nil {
					checkSARIFFix(t, body, result.Fixes[0].ArtifactChanges[0].Replacements, f.Fix)
				}
			}
		})
	}
}

// TestSARIFEscape: all text is escaped, and contains no links.
func TestSARIFEscape(t *testing.T) {
	const odd = "odd\x1b[a](https://evil.example)"
	_, text := sarifLogOf(t, "\xff\x1b", []lint.Finding{{
		Code: "RX401", Start: 0, End: 2, Line: 1, Column: 1, Message: odd, For: []string{odd},
		Related: []lint.Related{{Line: 1, Message: odd}},
		Fix:     &lint.Fix{Title: odd},
	}})
	if bytes.Contains(text, []byte(`\u001b`)) || bytes.Contains(text, []byte("](https://evil")) || bytes.Count(text, []byte(`odd\\x1b`)) != 4 || !bytes.Contains(text, []byte(`"told\\x1b[a]`)) ||
		!bytes.Contains(text, []byte(`\\xff\\x1b`)) || !bytes.Contains(text, []byte(`"executionSuccessful":false`)) {
		t.Errorf("got %s", text)
	}
}

// checkSARIFRegion checks that both descriptions of a region mean the given bytes. Neither contains
// a byte order mark.
func checkSARIFRegion(t *testing.T, body string, r *sarifRegion, start, end int) {
	t.Helper()
	want := strings.TrimPrefix(body[start:end], "\ufeff")
	if start > 0 {
		want = body[start:end]
	}
	if got := byColumns(body, r); got != asText(want) {
		t.Errorf("lines %d:%d to %d:%d are %q, want %q", r.StartLine, r.StartColumn, r.EndLine, r.EndColumn, got, want)
	}
	units := utf16.Encode([]rune(asText(strings.TrimPrefix(body, "\ufeff"))))
	if got := string(utf16.Decode(units[r.CharOffset : r.CharOffset+r.CharLength])); got != asText(want) {
		t.Errorf("characters %d, %d are %q, want %q", r.CharOffset, r.CharLength, got, want)
	}
	if r.ByteOffset == nil {
		if !strings.HasPrefix(body, "\ufeff") || start > 2 {
			t.Errorf("bytes %d to %d are not described as bytes", start, end)
		}
		return
	}
	if *r.ByteOffset != start || r.ByteLength != end-start {
		t.Errorf("bytes %d, %d, want %d, %d", *r.ByteOffset, r.ByteLength, start, end-start)
	}
	if s := r.Snippet; s != nil {
		content := []byte(s.Text)
		if s.Binary != "" {
			content, _ = base64.StdEncoding.DecodeString(s.Binary)
		}
		if string(content) != want {
			t.Errorf("snippet %q, want %q", content, want)
		}
	}
}

// asText is what a program sees that reads a file as UTF-8.
func asText(body string) string { return string([]rune(body)) }

// byColumns finds a region in a body by the lines and columns, as the standard
// says: the text without a byte order mark, cut after each line's end.
func byColumns(body string, r *sarifRegion) string {
	var lines [][]uint16
	var line []rune
	runes := []rune(strings.TrimPrefix(body, "\ufeff"))
	for i, c := range runes {
		line = append(line, c)
		if c == '\n' || c == '\r' && (i+1 == len(runes) || runes[i+1] != '\n') {
			lines, line = append(lines, utf16.Encode(line)), nil
		}
	}
	if len(line) > 0 || len(lines) == 0 {
		lines = append(lines, utf16.Encode(line))
	}
	if r.StartLine == r.EndLine {
		return string(utf16.Decode(lines[r.StartLine-1][r.StartColumn-1 : r.EndColumn-1]))
	}
	parts := slices.Clone(lines[r.StartLine-1][r.StartColumn-1:])
	for _, between := range lines[r.StartLine : r.EndLine-1] {
		parts = append(parts, between...)
	}
	if r.EndLine <= len(lines) { // else it is the first column after the last line
		parts = append(parts, lines[r.EndLine-1][:r.EndColumn-1]...)
	}
	return string(utf16.Decode(parts))
}

// checkSARIFFix makes the replacements of a log, and wants what the fix makes.
func checkSARIFFix(t *testing.T, body string, replacements []sarifReplacement, fix *lint.Fix) {
	t.Helper()
	want, err := lint.Apply([]byte(body), fix.Edits)
	if err != nil {
		t.Fatal(err)
	}
	got := []byte(body)
	for _, r := range slices.Backward(replacements) {
		start := 0
		content := ""
		if d := r.DeletedRegion; d.ByteOffset != nil {
			if r.InsertedContent != nil {
				text, err := base64.StdEncoding.DecodeString(r.InsertedContent.Binary)
				if err != nil || r.InsertedContent.Text != "" {
					t.Fatalf("a replacement of bytes by %+v", r.InsertedContent)
				}
				content = string(text)
			}
			start = *d.ByteOffset
			got = slices.Replace(got, start, start+d.ByteLength, []byte(content)...)
			continue
		}
		if r.InsertedContent != nil {
			content = r.InsertedContent.Text
		}
		if !utf8.Valid(got) {
			t.Fatal("a replacement of text in what is no text")
		}
		text, mark := strings.CutPrefix(string(got), "\ufeff")
		units := utf16.Encode([]rune(text))
		start = r.DeletedRegion.CharOffset
		units = slices.Replace(units, start, start+r.DeletedRegion.CharLength, utf16.Encode([]rune(content))...)
		got = []byte(string(utf16.Decode(units)))
		if mark {
			got = append([]byte("\ufeff"), got...)
		}
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the fix %q makes %.200q, want %.200q", fix.Title, got, want)
	}
}
