package fix_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
)

// The laws of fixes, which docs/design.md lists. O is a file, F the file after plain fixes, or after all.

// unclear are the codes of lines that crawlers do not read as they are meant.
var unclear = strings.Fields(`RX104 RX107 RX109 RX113 RX115 RX116 RX202 RX203 RX204 RX205 RX211 RX212 RX215 RX219 RX220 RX222
	RX301 RX304 RX314 RX405 RX409 RX410 RX411 RX412 RX416 RX417 RX517`)

// advice are codes of findings without a fix: the line is read as meant, or another line is.
var advice = strings.Fields("RX110 RX207 RX211 RX212 RX301 RX303 RX308 RX311 RX313 RX314 RX524")

// checkLaws checks the laws on a file, and returns how many fixes it has.
func checkLaws(t *testing.T, name string, body []byte, config lint.Config) (fixes int) {
	t.Helper()
	config.MaxFindings, config.MaxPerCode = -1, -1
	findings := lint.Check(body, config)
	plain, all := mustMake(t, string(body), fix.Config{Lint: config}), mustMake(t, string(body),
		fix.Config{Lint: config, All: true})
	differ := func(law, before, after []byte, strictly bool) {
		t.Helper()
		change, err := fix.ChangeOf(t.Context(), before, after, strictly)
		if err != nil {
			t.Fatal(err)
		}
		if change != "" {
			t.Errorf("%s: law %s: %s\nbefore %.2000q\nafter %.2000q\nfile %.2000q", name, law, change, before, after, body)
		}
	}
	differ([]byte("1"), body, plain.Body, true)
	if plain.Made > 0 {
		checkMended(t, name, body, plain.Body, findings, config, differ)
	}
	mended, err := fix.MendOnly(t.Context(), body, config)
	if err != nil {
		t.Fatal(err)
	}
	differ([]byte("3"), mended, all.Body, false)
	checkListed(t, name, findings, all)
	for i := range findings {
		checkFix(t, name, body, &findings[i])
	}
	return plain.Made + all.Made
}

// checkMended checks law 2: F stays equal to O after a line that both have is mended as its finding advises.
func checkMended(t *testing.T, name string, body, fixed []byte, findings []lint.Finding, config lint.Config,
	differ func(law, before, after []byte, strictly bool)) {
	t.Helper()
	const most = 12 // each takes four comparisons
	after := lint.Check(fixed, config)
	tried := 0
	for i := range findings {
		f := &findings[i]
		if !slices.Contains(unclear, string(f.Code)) || tried == most {
			continue
		}
		text := lineOf(body, f.Line)
		k := slices.IndexFunc(after, func(g lint.Finding) bool {
			return g.Code == f.Code && bytes.Equal(lineOf(fixed, g.Line), text) &&
				sameEarlier(body, f.Line, fixed, g.Line)
		})
		if k < 0 {
			continue
		}
		tried++
		differ([]byte(fmt.Sprintf("2 (%s on line %d)", f.Code, f.Line)), mendOne(t, body, f), mendOne(t, fixed, &after[k]), false)
	}
}

// sameEarlier reports whether a line is the same one of equal lines in two files.
func sameEarlier(a []byte, lineA int, b []byte, lineB int) bool {
	count := func(body []byte, line int) (n int) {
		text := lineOf(body, line)
		for l := range robotstxt.Lines(body) {
			if l.Number < line && bytes.Equal(bytes.TrimRight(l.Raw, "\r\n"), text) {
				n++
			}
		}
		return n
	}
	return count(a, lineA) == count(b, lineB)
}

func lineOf(body []byte, number int) []byte {
	for line := range robotstxt.Lines(body) {
		if line.Number == number {
			return bytes.TrimRight(line.Raw, "\r\n")
		}
	}
	return nil
}

// mendOne mends a line as its finding advises. A line with advice alone is emptied.
func mendOne(t *testing.T, body []byte, f *lint.Finding) []byte {
	t.Helper()
	var edits []lint.Edit
	if f.Fix != nil {
		edits = f.Fix.Edits
	} else {
		for line := range robotstxt.Lines(body) {
			if line.Number == f.Line {
				edits = []lint.Edit{{Start: line.Offset, End: line.Offset + len(bytes.TrimRight(line.Raw, "\r\n")), New: "#"}}
			}
		}
	}
	mended, err := lint.Apply(body, edits)
	if err != nil {
		t.Fatal(err)
	}
	return mended
}

// checkListed checks law 4: result and note list each mending fix with its line of O.
func checkListed(t *testing.T, name string, findings []lint.Finding, all *fix.Result) {
	t.Helper()
	for _, m := range all.Mended {
		if !slices.ContainsFunc(findings, func(f lint.Finding) bool {
			return string(f.Code) == m.Code && f.Line == m.Line && f.Fix != nil && f.Fix.Meaning
		}) {
			t.Errorf("%s: law 4: %s on line %d is no mending fix of the file", name, m.Code, m.Line)
		}
		if note := all.Note(); !strings.Contains(note, fmt.Sprintf("%s on line %d", m.Code, m.Line)) {
			t.Errorf("%s: law 4: the note %q does not list %s on line %d", name, note, m.Code, m.Line)
		}
	}
}

// directive is a directive of the protocol, wherever it is in a line.
var directive = regexp.MustCompile(`(?i)(user-?agent|disallow|allow|sitemap|crawl-delay)[ \t]*:`)

// checkFix checks laws 5, 6 and 7 for a fix.
func checkFix(t *testing.T, name string, body []byte, f *lint.Finding) {
	t.Helper()
	if f.Fix == nil || !f.Fix.Meaning {
		return
	}
	if slices.Contains(advice, string(f.Code)) {
		t.Errorf("%s: laws 5 and 6: %s on line %d has a fix", name, f.Code, f.Line)
	}
	if f.Code == "RX403" {
		return // the whole file, as it is, in another encoding
	}
	mended, err := lint.Apply(body, f.Fix.Edits)
	if err != nil {
		t.Fatal(err)
	}
	lines := make(map[string]bool)
	for line := range robotstxt.Lines(body) {
		lines[string(line.Raw)] = true
	}
	for line := range robotstxt.Lines(mended) {
		text, _, _ := bytes.Cut(line.Raw, []byte("#"))
		if n := len(directive.FindAll(text, -1)); n > 1 && !lines[string(line.Raw)] {
			t.Errorf("%s: law 7: the fix of %s on line %d makes a line of %d directives: %q", name, f.Code, f.Line, n, line.Raw)
		}
	}
	if f.Code == "RX309" {
		return // blank lines
	}
	for line := range robotstxt.Lines(body) {
		for _, e := range f.Fix.Edits {
			if e.Start < line.Offset+len(line.Raw) && e.End > line.Offset && line.Number != f.Line &&
				line.Number != f.Line+1 {
				t.Errorf("%s: law 5: the fix of %s on line %d edits line %d", name, f.Code, f.Line, line.Number)
			}
		}
	}
}

// TestLawsOnCases checks the laws on the cases.
func TestLawsOnCases(t *testing.T) {
	for _, c := range readCases(t) {
		checkLaws(t, c.name, []byte(c.body), lint.Config{URL: c.url})
	}
}

// TestLawsOnMistakes checks the laws on real files with mistakes as people make them: on 150 files, and on 1,000
// with ROBOTSTXT_LONG.
func TestLawsOnMistakes(t *testing.T) {
	fixes, files := 0, 0
	for body, name := range mistakenFiles(t) {
		config := lint.Config{Profile: lint.Profiles()[files%len(lint.Profiles())]}
		fixes += checkLaws(t, name, body, config)
		files++
	}
	t.Logf("%d fixes in %d files", fixes, files)
	if fixes < files {
		t.Errorf("%d fixes in %d files are too few to test anything", fixes, files)
	}
}

// mistakenFiles yields real files with mistakes, always the same. Each file has its own seed, so that a sample has the
// same mistakes.
func mistakenFiles(t *testing.T) iter.Seq2[[]byte, string] {
	const all, large = 1000, 20_000 // hundreds of rules take long to compare, and are like fewer
	bodies, names := witness.Corpus(t)
	var small []int
	for i, body := range bodies {
		if len(body) <= large {
			small = append(small, i)
		}
	}
	step := 1
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		step = 7
	}
	return func(yield func([]byte, string) bool) {
		for k := 0; k < all && len(small) > 0; k += step {
			i := small[k*len(small)/all]
			r := rand.New(rand.NewPCG(48, uint64(k)))
			if !yield(withMistakes(r, bodies[i], 1+r.IntN(4)), fmt.Sprintf("%s, seed %d", filepath.Base(names[i]), k)) {
				return
			}
		}
	}
}

// FuzzLaws: the laws hold for any file with mistakes.
func FuzzLaws(f *testing.F) {
	for i, c := range readCases(f) {
		f.Add([]byte(c.body), uint64(i), uint8(i%3))
	}
	f.Fuzz(func(t *testing.T, body []byte, seed uint64, mistakes uint8) {
		if len(body) > 2000 {
			t.Skip()
		}
		body = withMistakes(rand.New(rand.NewPCG(seed, 0)), body, int(mistakes%4))
		checkLaws(t, "the file", body, lint.Config{Profile: lint.Profiles()[seed%uint64(len(lint.Profiles()))]})
	})
}

// withMistakes returns a file with some mistakes as people make them.
func withMistakes(r *rand.Rand, body []byte, n int) []byte {
	if r.IntN(8) == 0 {
		body = wholeMistakes[r.IntN(len(wholeMistakes))](body)
	}
	for range n {
		lines := strings.SplitAfter(string(body), "\n")
		at := r.IntN(len(lines))
		for range 20 { // mistakes are in directives
			if strings.Contains(lines[at], ":") {
				break
			}
			at = r.IntN(len(lines))
		}
		text := strings.TrimRight(lines[at], "\r\n")
		end := lines[at][len(text):]
		lines[at] = mistakes[r.IntN(len(mistakes))](r, text) + end
		if r.IntN(6) == 0 && at+1 < len(lines) { // a line break is lost
			lines[at] = strings.TrimRight(lines[at], "\r\n") + []string{" ", "", `\n`, "\t"}[r.IntN(4)]
		}
		body = []byte(strings.Join(lines, ""))
	}
	return body
}

// wholeMistakes are what people, editors and servers do to a file.
var wholeMistakes = []func(body []byte) []byte{
	func(body []byte) []byte { return append([]byte("\ufeff"), body...) },
	func(body []byte) []byte { return append([]byte("\u00ef\u00bb\u00bf"), body...) },
	func(body []byte) []byte { // UTF-16
		wide := []byte{0xff, 0xfe}
		for _, unit := range utf16.Encode([]rune(string(body))) {
			wide = binary.LittleEndian.AppendUint16(wide, unit)
		}
		return wide
	},
	func(body []byte) []byte { // Latin-1, saved as UTF-8 once more
		var twice []rune
		for _, c := range body {
			twice = append(twice, rune(c))
		}
		return []byte(string(twice))
	},
	func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("\n"), []byte("\r")) },
	func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("\n"), []byte("\n\n")) },
	func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("\n"), []byte(`\n`)) },
	func(body []byte) []byte { return slices.Concat(body, body) },
	func(body []byte) []byte { return slices.Concat([]byte("<pre>\n"), body, []byte("\n</pre>\n")) },
	func(body []byte) []byte {
		return append([]byte("Copy these lines into your file:\nPHP Warning:  Undefined index in /var/www/robots.php on line 3\n"), body...)
	},
	func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("-"), []byte("\u2011")) },
	func(body []byte) []byte { return bytes.ReplaceAll(body, []byte(": "), []byte(":\u00a0")) },
}

// mistakes are what people do to a line.
var mistakes = []func(r *rand.Rand, line string) string{
	func(_ *rand.Rand, line string) string { return strings.Replace(line, ": /", ": ", 1) },
	func(_ *rand.Rand, line string) string { return strings.Replace(line, ":", "", 1) },
	func(_ *rand.Rand, line string) string { return strings.Replace(line, ":", " =", 1) },
	func(_ *rand.Rand, line string) string { return strings.Replace(line, ":", ";", 1) },
	func(_ *rand.Rand, line string) string { return line + " /private/" },
	func(_ *rand.Rand, line string) string { return line + ", /private/" },
	func(_ *rand.Rand, line string) string { return line + " // staff only" },
	func(_ *rand.Rand, line string) string { return line + ";" },
	func(_ *rand.Rand, line string) string { return line + " Allow: /private/pub/" },
	func(_ *rand.Rand, line string) string { return line + "Disallow: /tmp/" },
	func(_ *rand.Rand, line string) string { return line + `\n` },
	func(_ *rand.Rand, line string) string { return line + "<br>" },
	func(_ *rand.Rand, line string) string { return "- " + line },
	func(_ *rand.Rand, line string) string { return "\ufeff" + line },
	func(_ *rand.Rand, line string) string { return strings.Replace(line, ":", ":\n", 1) },
	func(_ *rand.Rand, line string) string { return line + "\n\nUser-agent: *\nAllow: blog/" },
	func(_ *rand.Rand, line string) string { return line + "\nCrawl-delay: 5\nUser-agent: SlowBot" },
	func(_ *rand.Rand, line string) string { return line + "\nUser agent Googlebot\nDisallow: /drafts/" },
	func(_ *rand.Rand, line string) string { return line + "\nUser-agent: rogerbot\nDisallow: /\n" },
	func(_ *rand.Rand, line string) string { // a letter is missing, or there twice
		if len(line) < 5 {
			return line
		}
		i := 1 + r0(line)
		return line[:i] + line[i+1:]
	},
	func(r *rand.Rand, line string) string {
		key, value, _ := strings.Cut(line, ":")
		return key + `: "` + strings.TrimSpace(value) + `"`
	},
	func(r *rand.Rand, line string) string {
		key, value, _ := strings.Cut(line, ":")
		return key + ": https://shop.example" + strings.TrimSpace(value)
	},
	func(_ *rand.Rand, line string) string { return line + ", bingbot, Gogglebot" },
	func(_ *rand.Rand, line string) string { return line + " and ClaudeBot/1.0" },
	func(_ *rand.Rand, line string) string { return line + "\nUser-agent:\nGPTBot\nDisallow: /a/" },
	func(_ *rand.Rand, line string) string { return line + "#fragment" },
	func(_ *rand.Rand, line string) string { return "<p>" + line + "</p>" },
	func(_ *rand.Rand, line string) string { return "1. " + line },
	func(_ *rand.Rand, line string) string { return strings.ReplaceAll(line, "/", "\\") },
	func(_ *rand.Rand, line string) string { return strings.ReplaceAll(line, "*", ".*") },
	func(_ *rand.Rand, line string) string { return line + "\u200b" },
	func(_ *rand.Rand, line string) string { return line + "\x00" },
	func(_ *rand.Rand, line string) string { return line + "\n# " + line + "\n" + line },
	func(r *rand.Rand, line string) string { // a blank in the value
		i := strings.IndexByte(line, ':') + 1
		if i >= len(line) {
			return line
		}
		i += r.IntN(len(line) - i)
		return line[:i] + " " + line[i:]
	},
}

// r0 returns a place in the key of a line.
func r0(line string) int { return len(line) % 4 }
