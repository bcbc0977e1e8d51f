package repository

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/kosterhq/robotstxt/conformance"
)

// specClauses are all clauses of the texts. Each must have exactly one row in
// docs/spec.md.
var specClauses = []struct{ prefix, ids string }{
	{"G", "1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31;32;33;34;35;36;" +
		"37;38;39;40;41;42;43;44;45;46;47;48;49;50;51;52;53;54;55;56;57;58;59;60;61;62;63;64;65;66;67;68;69"},
	{"RFC 9309 ", "1;1.1;2;2.1;2.2;2.2.1;2.2.2;2.2.3;2.2.4;2.3;2.3.1;2.3.1.1;2.3.1.2;2.3.1.3;2.3.1.4;2.3.1.5;" +
		"2.4;2.5;3;4;5;5.1;5.2"},
	{"Draft: ", "abstract;introduction;normative;specification;protocol definition;formal syntax;the user-agent line;" +
		"the allow and disallow lines;special characters;other lines;access method;access results;successful access;" +
		"redirects;unavailable status;unreachable status;parsing errors;caching;limits;examples;simple example;" +
		"longest match;references"},
	{"Page: ", "introduction;what is a robots.txt file;file location and range of validity;" +
		"examples of valid robots.txt URLs;handling of errors and HTTP status codes;2xx (success);3xx (redirection);" +
		"4xx (client errors);5xx (server errors);other errors;caching;file format;syntax;user-agent;disallow;allow;" +
		"sitemap;grouping of lines and rules;order of precedence for user agents;examples;" +
		"matching of user-agent fields;grouping of rules;URL matching based on path values;order of precedence for rules"},
	{"Koster ", "1;2;3;3.1;3.2;3.2.1;3.2.2;3.3;3.4;4;4.1;4.2;5"},
}

func clauseSet() map[string]bool {
	set := map[string]bool{}
	for _, list := range specClauses {
		for id := range strings.SplitSeq(list.ids, ";") {
			set[list.prefix+id] = true
		}
	}
	return set
}

// specFacts are the facts that docs/spec.md is compared with.
type specFacts struct {
	clauses map[string]bool
	names   map[string]bool     // what code declares, as in "(*scanner).read" or "origin.Of"
	tests   map[string]bool     // the tests, as in "TestReadBody" or "origin.TestText"
	vectors map[string][]string // the clauses that each vector cites
	cited   map[string]string   // a clause that a vector or comment cites: one that does
}

// TestSpec checks that docs/spec.md has a row for every clause and for every citation
// in vectors and comments, and that the code and tests named in it exist.
func TestSpec(t *testing.T) {
	t.Chdir(root)
	facts := specFacts{clauseSet(), map[string]bool{}, map[string]bool{}, map[string][]string{}, map[string]string{}}
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		facts.vectors[v.Name] = v.Clauses
		for _, clause := range v.Clauses {
			facts.cited[clause] = "vector " + v.Name
		}
	}
	facts.readModule(t)
	report := checkSpec(readFile(t, "docs/spec.md"), facts)
	for _, problem := range report.problems {
		t.Errorf("docs/spec.md: %s", problem)
	}
	t.Logf("%d clauses, %d with code and evidence, %d not applicable",
		len(report.rows), len(report.rows)-report.notApplicable, report.notApplicable)
	t.Logf("%d of %d vectors and %d tests named as evidence; %d clauses cited in vectors and comments",
		len(report.vectors), len(vectors), len(report.tests), len(facts.cited))
}

var (
	cellBorder = regexp.MustCompile(` *\| *`)
	backquoted = regexp.MustCompile("`[^`]+`")
	testName   = regexp.MustCompile(`^(\w+\.)?(Test|Fuzz|Example)`)
	// citation finds clauses in comments. Clauses of the draft and of the page are
	// phrases, which a pattern cannot distinguish from the sentence around them.
	citation = regexp.MustCompile(`\bG\d+\b|\b(?:RFC 9309|Koster) \d(?:\.\d)*\b`)
)

// specReport is the result of checkSpec.
type specReport struct {
	problems       []string
	rows           map[string]bool
	notApplicable  int
	vectors, tests map[string]bool // named as evidence
}

func (r *specReport) problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// checkSpec reads the tables of a text in Markdown, all of which have the
// columns clause, what it says, code, and vectors and tests.
func checkSpec(text string, facts specFacts) *specReport {
	r := &specReport{rows: map[string]bool{}, vectors: map[string]bool{}, tests: map[string]bool{}}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| clause |") {
			continue
		}
		cells := cellBorder.Split(strings.TrimSpace(line), -1)
		if len(cells) != 6 { // four columns, and the empty text outside of the borders
			r.problem("not 4 columns: %s", strings.TrimSpace(line))
			continue
		}
		r.row(cells[1], cells[2], cells[3], cells[4], facts)
	}
	r.complete(facts)
	return r
}

func (r *specReport) row(cell, says, code, evidence string, facts specFacts) {
	clause := htmlAnchor.ReplaceAllString(cell, "")
	if want := fmt.Sprintf("<a id=%q></a>%s", clauseAnchor(clause), clause); cell != want {
		r.problem("%s has no anchor: write %s", clause, want)
	}
	switch {
	case r.rows[clause]:
		r.problem("%s has two rows", clause)
	case !facts.clauses[clause]:
		r.problem("%s is no clause of the texts", clause)
	case says == "":
		r.problem("%s: nothing says what it says", clause)
	}
	r.rows[clause] = true
	r.evidence(clause, evidence, facts)
	switch {
	case strings.HasPrefix(code, "not applicable: "):
		r.notApplicable++
		return
	case code == "" || evidence == "":
		r.problem("%s has no code or no evidence", clause)
	}
	for _, name := range r.quoted(clause, code) {
		if !facts.names[name] {
			r.problem("%s: there is no %s in the code", clause, name)
		}
	}
}

// clauseAnchor returns the anchor of a clause's row: lower case, with hyphens between
// words and numbers, as in "rfc-9309-2-2-1".
func clauseAnchor(clause string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(clause), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}

func (r *specReport) evidence(clause, cell string, facts specFacts) {
	for _, name := range r.quoted(clause, cell) {
		cites, isVector := facts.vectors[name]
		switch {
		case isVector && !slices.Contains(cites, clause):
			r.problem("%s: the vector %s does not cite it", clause, name)
		case !isVector && !(facts.tests[name] && testName.MatchString(name)):
			r.problem("%s: there is no vector or test %s", clause, name)
		}
		named := r.tests
		if isVector {
			named = r.vectors
		}
		named[name] = true
	}
}

// quoted returns the names in a cell: in backquotes, with commas between.
func (r *specReport) quoted(clause, cell string) (names []string) {
	for _, name := range backquoted.FindAllString(cell, -1) {
		names = append(names, strings.Trim(name, "`"))
	}
	if cell != "" && cell != "`"+strings.Join(names, "`, `")+"`" {
		r.problem("%s: not a list of names in backquotes: %s", clause, cell)
	}
	return names
}

// complete reports clauses and citations without a row.
func (r *specReport) complete(facts specFacts) {
	for _, clause := range slices.Sorted(maps.Keys(facts.clauses)) {
		if !r.rows[clause] {
			r.problem("%s has no row", clause)
		}
	}
	for _, clause := range slices.Sorted(maps.Keys(facts.cited)) {
		if !r.rows[clause] {
			r.problem("the %s cites %s, which has no row", facts.cited[clause], clause)
		}
	}
}

// readModule collects names, tests and citations from all files of the module.
func (f *specFacts) readModule(t *testing.T) {
	t.Helper()
	eachFile(t, ".", func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		file := parsed(t, name)
		for _, group := range file.Comments {
			for _, clause := range citation.FindAllString(strings.Join(strings.Fields(group.Text()), " "), -1) {
				f.cited[clause] = "comment in " + name
			}
		}
		names, qualifier := f.names, ""
		if strings.HasSuffix(name, "_test.go") {
			names = f.tests
		}
		if folder := path.Dir(name); folder != "." {
			qualifier = path.Base(folder) + "."
		}
		for _, decl := range file.Decls {
			for _, declared := range declared(decl, qualifier) {
				names[declared] = true
			}
		}
		return nil
	})
}

// declared returns the names of a declaration, a method's as "(*Type).Method".
func declared(decl ast.Decl, qualifier string) (names []string) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			return []string{qualifier + decl.Name.Name}
		}
		receiver := decl.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			return []string{fmt.Sprintf("(*%s%s).%s", qualifier, pointer.X, decl.Name.Name)}
		}
		return []string{fmt.Sprintf("%s%s.%s", qualifier, receiver, decl.Name.Name)}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, qualifier+spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, qualifier+name.Name)
				}
			}
		}
	}
	return names
}

// TestCheckSpec checks that checkSpec finds faults and reports their clauses.
func TestCheckSpec(t *testing.T) {
	t.Chdir(root)
	facts := specFacts{
		clauses: map[string]bool{"G1": true, "G2": true},
		names:   map[string]bool{"Parse": true, "(*scanner).read": true}, tests: map[string]bool{"TestParse": true, "parse": true},
		vectors: map[string][]string{"a/one": {"G1"}, "a/two": {"G2"}}, cited: map[string]string{"G1": "vector a/one"},
	}
	if got := checkSpec("| G1 | says | `Parse` | `a/one` |", facts).problems[0]; got != `G1 has no anchor: write <a id="g1"></a>G1` {
		t.Errorf("no anchor: got %s", got)
	}
	const g1, g2 = "| G1 | says | `Parse`, `(*scanner).read` | `a/one`, `TestParse` |\n", "| G2 | says | not applicable: of people | |\n"
	for _, c := range []struct{ name, text, problem string }{
		{"complete", "| clause | what | code | tests |\n|---|---|---|---|\n" + g1 + "text\n" + g2, ""},
		{"missing row", g2, "G1 has no row; the vector a/one cites G1, which has no row"},
		{"doubled row", g1 + g1 + g2, "G1 has two rows"},
		{"unknown clause", g1 + g2 + "| G3 | x | not applicable: y | |", "G3 is no clause of the texts"},
		{"column missing", g1 + g2 + "| G1 | says | `Parse` |", "not 4 columns: | G1 | says | `Parse` |"},
		{"nothing said", "| G1 | | `Parse` | `a/one` |\n" + g2, "G1: nothing says what it says"},
		{"no code", "| G1 | says | | `a/one` |\n" + g2, "G1 has no code or no evidence"},
		{"no evidence", "| G1 | says | `Parse` | |\n" + g2, "G1 has no code or no evidence"},
		{"no reason", "| G1 | says | not applicable: | `a/one` |\n" + g2, "G1: not a list of names in backquotes: not applicable:"},
		{"not yet", "| G1 | says | not yet: soon | `a/one` |\n" + g2, "G1: not a list of names in backquotes: not yet: soon"},
		{"unknown name", "| G1 | says | `scanner.read` | `a/one` |\n" + g2, "G1: there is no scanner.read in the code"},
		{"no backquotes", "| G1 | says | Parse | `a/one` |\n" + g2, "G1: not a list of names in backquotes: Parse"},
		{"unknown vector", "| G1 | says | `Parse` | `a/one`, `a/three` |\n" + g2, "G1: there is no vector or test a/three"},
		{"unknown tests", "| G1 | says | `Parse` | `TestX`, `parse` |\n" + g2, "G1: there is no vector or test TestX; G1: there is no vector or test parse"},
		{"vector of another clause", "| G1 | says | `Parse` | `a/two` |\n" + g2, "G1: the vector a/two does not cite it"},
	} {
		// Every row needs its anchor.
		text := strings.NewReplacer("| G1 |", `| <a id="g1"></a>G1 |`, "| G2 |", `| <a id="g2"></a>G2 |`, "| G3 |", `| <a id="g3"></a>G3 |`).Replace(c.text)
		if got := strings.ReplaceAll(strings.Join(checkSpec(text, facts).problems, "; "), `<a id="g1"></a>`, ""); got != c.problem {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.problem)
		}
	}
}
