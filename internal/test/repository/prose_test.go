package repository

import (
	"go/ast"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// faultsOfProse are the faults of prose that a machine can see, with advice. They make a
// reader go over a sentence twice.
var faultsOfProse = []struct {
	fault  *regexp.Regexp
	advice string
}{
	{regexp.MustCompile(`\b(that|those) of\b`), `name the thing: not "the status is that of fetch" but "the status reports the verdict for fetch"`},
	{regexp.MustCompile(`(^|[.!?:] )Of [a-z]`), `subject first: not "Of two rules the longer one wins" but "If two rules match, the longer one wins"`},
	{regexp.MustCompile(`\d %($|[^0-9a-zA-Z])`), "write 25%, without a space"},
	{regexp.MustCompile(`\balso (if|in|with|after|when|for)\b`), `write even or including: "even if comments move its lines"`},
}

// TestProse checks the pages and the help texts.
func TestProse(t *testing.T) {
	t.Chdir(root)
	for _, pattern := range []string{"*.md", "docs/*.md", "npm/README.md"} {
		pages, err := filepath.Glob(pattern)
		if err != nil || len(pages) == 0 {
			t.Fatalf("no pages match %s: %v", pattern, err)
		}
		for _, page := range pages {
			switch page {
			case "docs/spec.md", "docs/disagreements.md": // their tables are notes about clauses
			default:
				checkProse(t, page, readFile(t, page))
			}
		}
	}
	files, err := filepath.Glob("cmd/robots/*.go")
	if err != nil {
		t.Fatal(err)
	}
	texts := 0
	for _, file := range files {
		ast.Inspect(parsed(t, filepath.ToSlash(file)), func(n ast.Node) bool {
			var name, value ast.Node
			switch n := n.(type) {
			case *ast.KeyValueExpr: // a field of a command
				name, value = n.Key, n.Value
			case *ast.ValueSpec: // a constant that is one
				name = n.Names[0]
				if len(n.Values) == 1 {
					value = n.Values[0]
				}
			}
			ident, isIdent := name.(*ast.Ident)
			text, isText := value.(*ast.BasicLit)
			if !isIdent || !isText || !strings.HasSuffix(ident.Name, "Long") && !strings.HasSuffix(ident.Name, "Short") {
				return true
			}
			help, err := strconv.Unquote(text.Value)
			if err != nil {
				t.Fatal(err)
			}
			texts++
			checkProse(t, file, help)
			return true
		})
	}
	if texts < 45 {
		t.Errorf("only %d help texts were found", texts)
	}
}

// TestProseOfComments checks the comments of all packages. It does not see a comment that
// begins with "Of", because a function of that name has one.
func TestProseOfComments(t *testing.T) {
	t.Chdir(root)
	comments := 0
	eachSource(t, ".", func(_, name string, file *ast.File) {
		for _, group := range file.Comments {
			comments++
			text := strings.TrimPrefix(strings.Join(strings.Fields(group.Text()), " "), "Of ")
			for _, f := range faultsOfProse {
				if found := f.fault.FindString(text); found != "" {
					t.Errorf("%s: %q in %.60q: %s", name, strings.TrimSpace(found), text, f.advice)
				}
			}
		}
	})
	if comments < 10_000 {
		t.Errorf("only %d comments were found", comments)
	}
}

// checkProse reports the faults of a text in Markdown, outside code.
func checkProse(t *testing.T, name, text string) {
	t.Helper()
	code := false
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if code || strings.HasPrefix(line, "    ") {
			continue
		}
		for _, f := range faultsOfProse {
			if found := f.fault.FindString(line); found != "" {
				t.Errorf("%s: line %d: %q: %s", name, i+1, strings.TrimSpace(found), f.advice)
			}
		}
	}
}
