package lint_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// codesIn returns the codes of the findings in body.
func codesIn(body string, config lint.Config) []lint.Code {
	var codes []lint.Code
	for _, f := range lint.Check([]byte(body), config) {
		codes = append(codes, f.Code)
	}
	return codes
}

// goodConfig returns the configuration of an entry's good example.
func goodConfig(e lint.Entry) lint.Config {
	if e.GoodExample != nil {
		return *e.GoodExample
	}
	return e.Example
}

// TestExamples: each code is found in its bad example and not in its good one.
func TestExamples(t *testing.T) {
	for _, e := range lint.Catalogue() {
		t.Run(string(e.Code), func(t *testing.T) {
			if codes := codesIn(e.Bad, e.Example); !slices.Contains(codes, e.Code) {
				t.Errorf("not found in its bad example, but %v:\n%s", codes, e.Bad)
			}
			if slices.Contains(codesIn(e.Good, goodConfig(e)), e.Code) {
				t.Errorf("found in its good example:\n%s", e.Good)
			}
		})
	}
}

// TestCatalogue checks the form of the entries.
func TestCatalogue(t *testing.T) {
	code := regexp.MustCompile(`^RX[1-6][0-9][0-9]$`)
	name := regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)*$`)
	last, names := lint.Code(""), map[string]bool{}
	for _, e := range lint.Catalogue() {
		if !code.MatchString(string(e.Code)) || e.Code <= last {
			t.Errorf("code %q after %q: want RX and three digits, in order", e.Code, last)
		}
		if !name.MatchString(e.Name) || names[e.Name] {
			t.Errorf("%s: name %q: want words joined by '-', once", e.Code, e.Name)
		}
		for what, text := range map[string]string{"title": e.Title, "why": e.Why} {
			if !strings.HasSuffix(text, ".") || strings.Contains(text, "\n") {
				t.Errorf("%s: %s %q: want sentences on one line", e.Code, what, text)
			}
		}
		const most = 60
		if n := len(strings.Fields(e.Why)); n > most {
			t.Errorf("%s: the reason has %d words, more than %d", e.Code, n, most)
		}
		last, names[e.Name] = e.Code, true
	}
}

// TestChecks: each check in the sources is in the catalogue, and each message has as
// many verbs as arguments.
func TestChecks(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	checks, messages := 0, 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "Entry" && len(n.Elts) > 0 {
					checks++
				}
			case *ast.CallExpr:
				if called, ok := n.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(called.Sel.Name, "find") {
					messages += checkVerbs(t, n)
				}
			}
			return true
		})
	}
	if want := len(lint.Catalogue()); checks != want {
		t.Errorf("%d checks in the sources, %d in the catalogue: add the others to it", checks, want)
	}
	if messages < 100 {
		t.Errorf("only %d messages found", messages)
	}
}

// checkVerbs checks that a call's format has as many verbs as arguments after it, and returns the
// number of formats.
func checkVerbs(t *testing.T, call *ast.CallExpr) int {
	for i, arg := range call.Args {
		format, ok := arg.(*ast.BasicLit)
		if !ok || format.Kind != token.STRING {
			continue
		}
		verbs := strings.Count(strings.ReplaceAll(format.Value, "%%", ""), "%")
		if n := len(call.Args) - i - 1; verbs != n {
			t.Errorf("%d verbs and %d arguments: %s", verbs, n, format.Value)
		}
		return 1
	}
	return 0
}

// TestMessages checks the form of the messages of all examples: sentences that a person can
// read.
func TestMessages(t *testing.T) {
	for _, e := range lint.Catalogue() {
		for _, f := range lint.Check([]byte(e.Bad), e.Example) {
			first, last := f.Message[0], f.Message[len(f.Message)-1]
			starts := strings.IndexByte(`"$*`, first) >= 0 || 'A' <= first && first <= 'Z' || '0' <= first && first <= '9'
			known := false // a crawler's name or a URL may begin in lower case
			for _, name := range f.For {
				known = known || strings.HasPrefix(f.Message, name)
			}
			named := strings.HasPrefix(f.Message, "http") || regexp.MustCompile(`^[a-z]+bot `).MatchString(f.Message)
			if !starts && !known && !named || last != '.' && last != '?' {
				t.Errorf("%s: %q: want a sentence", f.Code, f.Message)
			}
		}
	}
}

// TestNamed checks that each entry is found by its code and by its name, in any case.
func TestNamed(t *testing.T) {
	for _, e := range lint.Catalogue() {
		for _, text := range []string{string(e.Code), strings.ToLower(string(e.Code)), e.Name} {
			if named, ok := lint.Named(text); !ok || named.Code != e.Code {
				t.Errorf("%s: %v, found %v", text, named.Code, ok)
			}
		}
	}
	if _, ok := lint.Named("RX999"); ok {
		t.Error("RX999 is found")
	}
}

// TestPedantic checks that pedantic checks are off unless they are requested, one by one or
// all together.
func TestPedantic(t *testing.T) {
	const body = "\ufeffUser-agent: *\nDisallow: /fish/\n"
	for _, c := range []struct {
		config lint.Config
		want   int
	}{
		{lint.Config{}, 0},
		{lint.Config{Pedantic: true}, 1},
		{lint.Config{Severities: map[lint.Code]lint.Severity{"RX402": lint.Warning}}, 1},
		{lint.Config{Pedantic: true, Severities: map[lint.Code]lint.Severity{"RX402": lint.Off}}, 0},
	} {
		if got := lint.Check([]byte(body), c.config); len(got) != c.want {
			t.Errorf("%+v: %v, want %d", c.config, got, c.want)
		}
	}
}
