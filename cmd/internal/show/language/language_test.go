package language

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/lint"
)

// folders have the sources that say something in a language.
var folders = []string{".", "../prose", "../sitereport", "../../maintain/generate", "../../../../internal/sentence", "../../../../internal/effecttext"}

// texts calls do for each English text in the sources: an argument of Say, Count, quote, note or first, and the values
// of declarations and literals of type Text. rest is called for the other texts of a file.
func texts(t *testing.T, do func(text string), rest func(file, text string)) {
	t.Helper()
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatal(folder, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "german.go" {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			found, keys := map[*ast.BasicLit]bool{}, map[*ast.BasicLit]bool{}
			under := func(node ast.Node) {
				ast.Inspect(node, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.BasicLit:
						found[n] = found[n] || n.Kind == token.STRING
					case *ast.CallExpr, *ast.IndexExpr:
						return false
					}
					return true
				})
			}
			isText := func(of ast.Expr) bool {
				return of != nil && regexp.MustCompile(`\bText\b`).MatchString(source(of))
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					called := source(n.Fun)
					called = called[strings.LastIndexByte(called, '.')+1:]
					first, has := map[string]int{"Say": 0, "say": 0, "Count": 1, "quote": 2, "note": 0, "first": 0}[called]
					for i, argument := range n.Args {
						if has && source(n.Fun) != "term.Count" && (i == first || called == "Count" && i == 2) {
							under(argument)
						}
					}
				case *ast.CompositeLit:
					if m, isMap := n.Type.(*ast.MapType); isMap && isText(m.Value) {
						for _, row := range n.Elts {
							key, isLiteral := row.(*ast.KeyValueExpr).Key.(*ast.BasicLit)
							keys[key] = isLiteral
							under(row.(*ast.KeyValueExpr).Value)
						}
					} else if isText(n.Type) {
						under(n)
					}
				case *ast.ValueSpec:
					if isText(n.Type) {
						for _, value := range n.Values {
							under(value)
						}
					}
				case *ast.FuncDecl:
					if n.Type.Results != nil && len(n.Type.Results.List) == 1 && isText(n.Type.Results.List[0].Type) {
						ast.Inspect(n, func(n ast.Node) bool {
							if r, ok := n.(*ast.ReturnStmt); ok {
								under(r)
							}
							return true
						})
					}
				}
				return true
			})
			ast.Inspect(file, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, _ := strconv.Unquote(lit.Value)
					if found[lit] {
						do(text)
					} else if !keys[lit] {
						rest(filepath.Base(name), text)
					}
				}
				_, isImport := n.(*ast.ImportSpec)
				return !isImport
			})
		}
	}
}

// source returns an expression as text.
func source(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.Ident:
		return of.Name
	case *ast.SelectorExpr:
		return source(of.X) + "." + of.Sel.Name
	case *ast.ArrayType:
		return source(of.Elt)
	case *ast.MapType:
		return source(of.Key) + " " + source(of.Value)
	case *ast.StructType:
		var fields []string
		for _, f := range of.Fields.List {
			fields = append(fields, source(f.Type))
		}
		return strings.Join(fields, " ")
	}
	return ""
}

// joined are texts that the sources join from constants, and those of other packages.
var joined = []Text{
	compare.AnyText + "; known crawlers with another answer have their own rows", compare.AnyText, wire.FetchedAnyway, "%s (in part)",
}

// TestGerman: each text that a letter or a report can have is in the table, and each text of the table is used.
func TestGerman(t *testing.T) {
	used := map[Text]bool{}
	isUsed := func(text string) { used[Text(text)] = true }
	for _, text := range slices.Concat(joined, phrases) {
		isUsed(string(text))
	}
	for _, title := range fixes(t) {
		if german[Text(title)] != "" { // otherwise it has values, see TestFixes
			isUsed(title)
		}
	}
	constants := map[string]bool{}
	texts(t, isUsed, func(_, text string) { constants[text] = true })
	missing := 0
	for text := range used {
		isShort := !regexp.MustCompile(`[A-Za-z]{2}`).MatchString(strings.ReplaceAll(string(text), "%s", ""))
		if german[text] == "" && !isShort && !partsOfTexts[string(text)] {
			missing++
			t.Errorf("there is no German for %q", text)
		}
	}
	for text := range german {
		if !used[text] && !constants[string(text)] && !slices.Contains(ofOthers, text) {
			t.Errorf("no source says %q", text)
		}
	}
	if len(used) < 150 {
		t.Errorf("only %d texts are found", len(used))
	}
}

// partsOfTexts are the parts of texts in joined, and keys of maps whose values are texts.
var partsOfTexts = map[string]bool{"; known crawlers with another answer have their own rows": true}

// ofOthers are the texts without values that other packages make.
var ofOthers = []Text{
	"open", "closed", "undecided", "no group applies to the crawler", "robots.txt itself is always allowed", "no rule with a path matches", "not given", "page",
	"response header", "cut", "time", "a setting that only the owner sees", "unreachable", "not seen by the crawler, because robots.txt disallows the URL",
	"not a URL", "not a valid URL", "a URL begins with https:// or http://, a path with /",
}

// TestProblemsOfURLs: what is said about a text that is neither a URL nor a path is German in German.
func TestProblemsOfURLs(t *testing.T) {
	for _, text := range []string{"foo", "mailto:a@shop.example", "http://[x", "https://", "//", "//a b/", "https://a b/"} {
		problem, hint := urllist.Problem(text)
		if problem == "" || German.Phrase(problem) == problem || hint != "" && German.Phrase(hint) == hint {
			t.Errorf("%q is %q, %q in German", text, German.Phrase(problem), German.Phrase(hint))
		}
	}
}

// TestNoOtherEnglish: the letter says nothing but what is in the table.
func TestNoOtherEnglish(t *testing.T) {
	texts(t, func(string) {}, func(file, text string) {
		isCompared := slices.Contains([]string{"its own", "response header", "not seen"}, text)
		if (file == "letter.go" || file == "sitereport.go") && !isCompared && regexp.MustCompile(`[a-z]{3,} [a-z]{2,}`).MatchString(text) {
			t.Errorf("%s: %q is in no language", file, text)
		}
	})
}

// TestValues: a translation has the values of its text, and one is not several.
func TestValues(t *testing.T) {
	verb := regexp.MustCompile(`%(?:\.0)?[sd]`)
	table := maps.Clone(german)
	for _, r := range reasons().Reasons {
		table[Text(r.Tool)] = r.De
		if n := strings.Count(r.En, "%"); n > 0 && n != strings.Count(r.Tool, "%") || German.Reason(r.Tool) == r.Tool {
			t.Errorf("%q does not have the values of %q", r.En, r.Tool)
		}
	}
	for english, translated := range table {
		want, got := verb.FindAllString(string(english), -1), verb.FindAllString(translated, -1)
		if fmt.Sprint(want) != strings.ReplaceAll(fmt.Sprint(got), "%.0s", "%s") {
			t.Errorf("%q has the values %v, and %q has %v", english, want, translated, got)
		}
		spaces := regexp.MustCompile(`^ | $`)
		if n := len(spaces.FindAllString(string(english), -1)); n != len(spaces.FindAllString(translated, -1)) {
			t.Errorf("%q does not have the spaces of %q", translated, english)
		}
	}
	for _, c := range []struct{ got, want string }{
		{German.Count(1, "byte", "bytes") + German.Count(1234567, "byte", "bytes"), "1 Byte1.234.567 Byte"},
		{English.Count(1, "byte", "bytes") + English.Count(1234, "byte", "bytes"), "1 byte1,234 bytes"},
		{German.Time(time.Date(2026, 3, 1, 9, 5, 0, 0, time.UTC)), "1. März 2026, 09:05 UTC"},
		{English.Time(time.Date(2026, 3, 1, 9, 5, 0, 0, time.UTC)), "1 March 2026, 09:05 UTC"},
		{German.Date("2026-05") + German.Date("2026") + German.Date("soon"), "Mai 20262026Datum soon"},
		{German.Date("unknown") + English.Date("unknown"), "Datum unbekanntdate unknown"},
		{German.List([]string{"a", "b", "c"}) + German.First([]string{"a", "b", "c"}, 1), "a, b und ca und 2 weitere"},
		{German.Reason("HTTP status 503"), "HTTP-Status 503"},
		{German.Reason("HTTP status 302, after 3 redirects"), "HTTP-Status 302 nach 3 Weiterleitungen"},
		{German.Reason("the file has been unreachable since 2026-11-30T03:00:00Z (EOF); policy google"), "die robots.txt ist nicht abrufbar (seit dem 30. November 2026, 03:00 UTC)"},
		{English.Reason("the file has been unreachable since 2026-11-30T03:00:00Z (HTTP status 503); policy google"), "robots.txt has been unreachable since 30 November 2026, 03:00 UTC (HTTP status 503)"},
		{German.Reason("the file has been unreachable since 2026-11-30T03:00:00Z (HTTP status 503); policy google"), "die robots.txt ist nicht abrufbar (seit dem 30. November 2026, 03:00 UTC, HTTP-Status 503)"},
		{German.Phrase("no rule of the group for GPTBot matches"), "keine Regel der Gruppe für GPTBot passt"},
		{German.Phrase(wire.JoinedGroup(3, "GPTBot")), "die Gruppe von Zeile 3 gilt auch für GPTBot: keine Regel trennt jene Zeile von den User-agent-Zeilen darüber"},
		{German.Phrase("Disallow: /refused") + English.Phrase("unreachable"), "Disallow: /refusedunreachable"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestTitles: there is a German title for each kind of problem, and for no other.
func TestTitles(t *testing.T) {
	titles := maps.Clone(germanTitles())
	used := map[string]bool{}
	for _, entry := range lint.Catalogue() {
		title := German.Title(string(entry.Code), entry.Title)
		if !strings.HasSuffix(title, ".") || title == entry.Title || used[title] {
			t.Errorf("%s, %s has the German title %q", entry.Code, entry.Title, title)
		}
		used[title] = true
		delete(titles, string(entry.Code))
	}
	for code, title := range titles {
		t.Errorf("there is no %s: %s", code, title)
	}
}

// TestFixes: each title of a fix in package lint, and each that the catalogue's examples have, is German in German.
func TestFixes(t *testing.T) {
	titles := fixes(t)
	for _, entry := range lint.Catalogue() {
		for _, f := range lint.Inspect([]byte(entry.Bad), entry.Example).Findings {
			if f.Fix != nil {
				titles = append(titles, f.Fix.Title)
			}
		}
	}
	for _, title := range titles {
		if got := German.Phrase(title); got == title || regexp.MustCompile(`\b(the|write|remove|and|or|them|more)\b`).MatchString(got) {
			t.Errorf("%q is %q in German", title, got)
		}
	}
	if len(titles) < 60 {
		t.Errorf("only %d titles are found", len(titles))
	}
}

// fixes returns the titles of fixes in the sources of package lint, with GPTBot in place of values.
func fixes(t *testing.T) (titles []string) {
	t.Helper()
	names, err := filepath.Glob("../../../../lint/*.go")
	if err != nil {
		t.Fatal(err)
	}
	add := func(of ast.Expr) {
		for _, title := range titlesOf(of) {
			if strings.Contains(title, " ") && !strings.HasSuffix(title, ".") { // not a variable, and not a sentence
				titles = append(titles, title)
			}
		}
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if called := source(n.Fun); strings.HasSuffix(called, ".mend") || strings.HasSuffix(called, ".writePath") {
					add(n.Args[strings.Count(called, "writePath")])
				}
			case *ast.KeyValueExpr:
				if source(n.Key) == "Title" {
					add(n.Value)
				}
			case *ast.AssignStmt:
				if strings.HasSuffix(source(n.Lhs[0]), ".Fix.Title") {
					add(n.Rhs[0])
				}
			case *ast.ValueSpec:
				if n.Names[0].Name == "title" {
					add(n.Values[0])
				}
			}
			return true
		})
	}
	return titles
}

func titlesOf(of ast.Expr) []string {
	switch of := of.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(of.Value)
		return []string{text}
	case *ast.BinaryExpr:
		return []string{titlesOf(of.X)[0] + titlesOf(of.Y)[0]}
	case *ast.CallExpr:
		if source(of.Fun) == "choose" {
			return slices.Concat(titlesOf(of.Args[1]), titlesOf(of.Args[2]))
		}
	}
	return []string{"GPTBot"}
}
