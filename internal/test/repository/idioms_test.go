package repository

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxWidth    = 120 // columns of a line, with four for a tab, texts and data not counted
	maxFunction = 60  // lines of a function, outside tests
)

// tableRow matches a line that is one row of a table.
var tableRow = regexp.MustCompile(`^\s*([^\s:]+:\s+)?&?\{.*\},(\s*//.*)?$`)

// TestIdioms checks the code's form: an if states what it tests and assigns nothing that
// outlives it, lines fit on a screen, and functions fit on a page.
func TestIdioms(t *testing.T) {
	t.Chdir(root)
	read := 0
	eachFile(t, ".", func(name string) error {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") {
			return nil
		}
		read++
		source := readFile(t, name)
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if ast.IsGenerated(file) {
			return nil
		}
		lineOf := func(pos token.Pos) int { return files.Position(pos).Line }
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				if assignsInHeader(n) {
					t.Errorf("%s:%d: the header of an if assigns to an outer variable: assign on the line before", name, lineOf(n.Pos()))
				}
			case *ast.FuncDecl:
				if lines := lineOf(n.End()) - lineOf(n.Pos()) + 1; lines > maxFunction && !strings.HasSuffix(name, "_test.go") {
					t.Errorf("%s:%d: %s has %d lines, more than %d", name, lineOf(n.Pos()), n.Name.Name, lines, maxFunction)
				}
			}
			return true
		})
		for line, width := range widths(source) {
			if width > maxWidth {
				t.Errorf("%s:%d: a line has %d columns, texts not counted, more than %d", name, line+1, width, maxWidth)
			}
		}
		return nil
	})
	if read == 0 {
		t.Error("no file was read")
	}
}

// assignsInHeader reports whether an if sets variables other than err and ok that exist
// outside of it.
func assignsInHeader(n *ast.IfStmt) bool {
	assignment, ok := n.Init.(*ast.AssignStmt)
	if !ok || assignment.Tok == token.DEFINE {
		return false
	}
	for _, target := range assignment.Lhs {
		name, isIdent := target.(*ast.Ident)
		if !isIdent || name.Name != "err" && name.Name != "ok" && name.Name != "_" {
			return true
		}
	}
	return false
}

// widths returns the columns of each line. The content of strings is not counted, and
// neither are lines inside one, lines with a URL, the output of an example, and rows of
// tables: elements of a literal that are literals themselves.
func widths(source string) []int {
	lines := strings.Split(source, "\n")
	counted := make([]int, len(lines))
	isOutput := false
	for i, line := range lines {
		comment := strings.TrimSpace(line)
		isOutput = strings.HasPrefix(comment, "// Output:") || isOutput && strings.HasPrefix(comment, "//")
		counted[i] = utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
		if isOutput || tableRow.MatchString(line) || strings.Contains(line, "://") {
			counted[i] = 0
		}
	}
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), nil, 0)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return counted
		}
		if tok != token.STRING {
			continue
		}
		first := file.Line(pos) - 1
		texts := strings.Split(text, "\n")
		for i, part := range texts {
			counted[first+i] -= utf8.RuneCountInString(part)
		}
	}
}
