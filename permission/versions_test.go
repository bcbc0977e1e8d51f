package permission

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestVersions checks that Versions returns each constant with the version of a text.
func TestVersions(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(spec.Names[0].Name, "version") || len(spec.Values) == 0 {
				return true
			}
			value, ok := spec.Values[0].(*ast.BasicLit)
			if !ok {
				return true
			}
			found++
			text, err := strconv.Unquote(value.Value)
			if err != nil || !slices.Contains(Versions(), text) {
				t.Errorf("Versions does not have %s of %s", value.Value, name)
			}
			return true
		})
	}
	if found != len(Versions()) {
		t.Errorf("%d constants, %d versions", found, len(Versions()))
	}
}
