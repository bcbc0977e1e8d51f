package repository

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestZeroValues calls everything that the public packages export: with zero values, with
// texts beside nil pointers, and with pointers to zero values. A call may panic only in the
// caller's goroutine, and only if its comment says so. The calls are made by a program that
// this test writes, so that it finds those which do not exist yet. It links all packages, which
// takes some seconds. .ci/run sets ROBOTSTXT_LONG.
func TestZeroValues(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("set ROBOTSTXT_LONG to call everything that is exported")
	}
	t.Chdir(root)
	public := publicPackages(t)
	program := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(program, []byte(callsOf(t, public)), 0o600); err != nil {
		t.Fatal(err)
	}
	caller, err := os.ReadFile("internal/test/repository/testdata/zerovalues.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(program), "caller.go"), caller, 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", program, filepath.Join(filepath.Dir(program), "caller.go"))
	run.Env = append(os.Environ(), "ZERO_VALUES_HOME="+t.TempDir())
	output, err := run.CombinedOutput()
	text := string(output)
	if err != nil || !strings.Contains(text, " calls\n") {
		t.Fatalf("%v: a call ended the program, or began no program:\n%s", err, text)
	}
	documented := documentedPanics(t, public)
	for line := range strings.Lines(text) {
		if name, why, found := strings.Cut(strings.TrimSpace(line), " panics: "); found && !documented[name] && !documented[name[:strings.LastIndex(name, ".")]] {
			t.Errorf("%s panics: return an error that says what to do, or write in its comment that it panics: %s", name, why)
		}
	}
	t.Log(text[strings.LastIndex(strings.TrimSpace(text), "\n")+1:])
}

// callsOf returns the part of the program that names what there is to call.
func callsOf(t *testing.T, public []publicPackage) string {
	t.Helper()
	importer := compiled(public)
	imports, lines := map[string]string{}, []string{}
	for i, p := range public {
		pkg, err := importer.Import(p.path)
		if err != nil {
			t.Fatal(err)
		}
		alias := fmt.Sprintf("p%d", i)
		for _, name := range pkg.Scope().Names() {
			object := pkg.Scope().Lookup(name)
			of := alias + "." + name
			switch o := object.(type) {
			case *types.Func:
				if !o.Exported() || strings.Contains(o.Signature().String(), "*testing.T") {
					continue // the suites for stores are tests
				}
			case *types.TypeName:
				if !o.Exported() || types.IsInterface(o.Type()) {
					continue
				}
				if generic, ok := o.Type().(*types.Named); ok && generic.TypeParams().Len() > 0 {
					of += "[" + strings.TrimSuffix(strings.Repeat("string,", generic.TypeParams().Len()), ",") + "]"
				}
				of = "new(" + of + ")"
			default:
				continue
			}
			imports[alias] = p.path
			lines = append(lines, fmt.Sprintf("\tcall(%q, %s)\n", p.path+"."+name, of))
		}
	}
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, alias := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&b, "\t%s %q\n", alias, imports[alias])
	}
	fmt.Fprintf(&b, ")\n\nfunc all() {\n%s}\n", strings.Join(lines, ""))
	return b.String()
}

// documentedPanics returns the functions and methods whose comment says that they panic, and the
// types whose comment says that of their zero value, in the form "path.Name" or "path.Type.Name".
func documentedPanics(t *testing.T, public []publicPackage) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, p := range public {
		within, _ := relative(p.path)
		files, err := filepath.Glob(filepath.Join(".", within, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE && strings.Contains(g.Doc.Text(), "panics") {
					for _, s := range g.Specs {
						if s, ok := s.(*ast.TypeSpec); ok {
							found[p.path+"."+s.Name.Name] = true
						}
					}
				}
				f, ok := d.(*ast.FuncDecl)
				if !ok || !strings.Contains(f.Doc.Text(), "panics") {
					continue
				}
				found[p.path+"."+receiverOf(f)+f.Name.Name] = true
			}
		}
	}
	return found
}

// receiverOf returns the type of a method's receiver and a dot, and "" for a function.
func receiverOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	at := f.Recv.List[0].Type
	for {
		switch of := at.(type) {
		case *ast.StarExpr:
			at = of.X
		case *ast.IndexExpr:
			at = of.X
		case *ast.IndexListExpr:
			at = of.X
		case *ast.Ident:
			return of.Name + "."
		default:
			return "?."
		}
	}
}
