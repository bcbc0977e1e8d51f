package robotstxt_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/kosterhq/robotstxt"

// ground lists the packages that every other package may import, with the
// ground that each needs itself. They import nothing else of the module. What
// two packages need and neither should import from the other belongs here, so
// that it is never written twice.
var ground = map[string][]string{
	"internal/ascii":   {},
	"internal/pattern": {"internal/ascii"},
	"internal/typo":    {"internal/ascii"},

	"internal/agentheader": {"internal/ascii"},
	"internal/agentlist":   {"internal/agentheader", "internal/ascii"},
}

// roof lists the packages that may import every other and that none imports.
var roof = []string{"cmd/robots"}

// mayImport lists for each other package of the repository's modules which
// packages it may import besides ground, tests aside. Paths are relative to the
// root, whose import path begins those of the other modules; "" is the root.
//
// A new package is entered here first: what it may import is part of what it
// is. Entries for packages that are still to come are fine.
var mayImport = map[string][]string{
	"": {}, // see also rootMustNotReach

	// These know nothing of the engine, so that authors of other parsers and
	// clients can use them.
	"conformance":      {},
	"crawlers":         {},
	"origin":           {},
	"cache":            {},
	"cache/cachetest":  {"cache"},
	"cache/disk":       {"cache"},
	"cache/valkey":     {"cache"},
	"internal/witness": {},

	"internal/safedial": {},
	"semdiff":           {""}, // takes every reading from the engine
	"lint":              {"", "crawlers", "origin"},
	"fetch":             {"", "origin", "cache", "internal/safedial"},
	"robotshttp":        {"", "origin", "fetch"},

	// These have tests, or code for tests, only.
	"fetch/ftptest":                    {},
	"lint/dictionarytest":              {},
	"cache/valkey/internal/fleet":      {},
	"cache/valkey/internal/valkeytest": {},

	// The parts of the tool that have nothing to do with a command line. They
	// return values and print nothing.
	"cmd/internal/places":     {""},                                             // where bytes stand: asks the scanner for the lines
	"cmd/internal/compare":    {"", "crawlers", "semdiff", "cmd/internal/wire"}, // for a page too: never fetch
	"cmd/internal/minimize":   {"", "semdiff"},
	"cmd/internal/fix":        {"", "lint", "semdiff", "cmd/internal/term", "cmd/internal/wire"},
	"cmd/internal/lintconfig": {"lint", "origin", "cmd/internal/term"},
	"cmd/internal/sarif":      {"lint", "cmd/internal/places"},
	"cmd/internal/replace":    {}, // files, whatever is in them
	"cmd/internal/expect":     {"", "conformance", "origin", "semdiff", "cmd/internal/ask", "cmd/internal/term", "cmd/internal/wire"},
	"cmd/internal/term":       {}, // people's terminals; knows no robots.txt
	"cmd/internal/report":     {"lint", "cmd/internal/places", "cmd/internal/sarif", "cmd/internal/term", "cmd/internal/wire"},
	"cmd/internal/wire":       {""}, // for programs without a network too: never fetch

	// Of term it uses the escaping.
	"cmd/internal/ask": {"", "crawlers", "origin", "fetch", "cmd/internal/term", "cmd/internal/wire"},

	"benchmarks":        {"", "benchmarks/corpus", "benchmarks/driver", "benchmarks/peers"},
	"benchmarks/board":  {"conformance", "benchmarks/corpus", "benchmarks/driver", "benchmarks/peers"},
	"benchmarks/chart":  {},
	"benchmarks/colly":  {},
	"benchmarks/corpus": {""},
	"benchmarks/driver": {"benchmarks/corpus"},
	"benchmarks/peers":  {"", "benchmarks/corpus"},
	"benchmarks/report": {"", "benchmarks", "benchmarks/board", "benchmarks/chart", "benchmarks/corpus", "benchmarks/driver", "benchmarks/peers"},
	"benchmarks/search": {"", "benchmarks", "benchmarks/corpus", "benchmarks/peers"},
}

// rootMustNotReach are the packages that the root must not import at any depth:
// a program that only parses would grow by megabytes. A parser that links
// net/http was measured at 3.88 MB against 1.77 MB without.
var rootMustNotReach = []string{"net", "net/http", "regexp"}

// rootMustNotImport are the packages that the root must not import itself: it
// neither opens files nor prints. (fmt brings os along.)
var rootMustNotImport = []string{"os", "log", "log/slog"}

// maxLinked is how many packages a program that imports the root may link, the
// root, ground and the standard library's internal packages included.
const maxLinked = 75

// relative returns a path within the module; ok is false for others.
func relative(path string) (within string, ok bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

// importsOfModules returns what each package of each module imports, for all
// systems and without its tests.
func importsOfModules(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	eachSource(t, ".", parser.ImportsOnly, func(folder, _ string, file *ast.File) {
		imports[folder] = append(imports[folder], pathsOf(file)...)
	})
	return imports
}

// eachSource parses the Go files under a folder, for all systems and without
// tests. It reads the files itself because go test then knows that this test
// depends on them; of what a go list reads, it would not, and would repeat an old
// answer.
func eachSource(t *testing.T, under string, mode parser.Mode, do func(folder, name string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(under, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != "." && (strings.ContainsAny(entry.Name()[:1], "._") || entry.Name() == "testdata" || entry.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, mode|parser.ParseComments)
		if err != nil || isGenerator(file) {
			return err
		}
		do(strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "."), name, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isGenerator reports whether a file belongs to no package but is run by hand.
func isGenerator(file *ast.File) bool {
	return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
		return group.List[0].Text == "//go:build ignore"
	})
}

func pathsOf(file *ast.File) (paths []string) {
	for _, spec := range file.Imports {
		paths = append(paths, strings.Trim(spec.Path.Value, "\"`"))
	}
	return paths
}

func TestImportsWithinTheModules(t *testing.T) {
	for importer, imports := range importsOfModules(t) {
		allowed, listed := mayImport[importer]
		if ofGround, isGround := ground[importer]; isGround {
			allowed, listed = ofGround, true
		} else {
			allowed = slices.AppendSeq(slices.Clone(allowed), maps.Keys(ground))
		}
		isRoof := slices.Contains(roof, importer)
		if !listed && !isRoof {
			t.Errorf("package %q is not in the table: say in mayImport which packages of the module it may import", importer)
			continue
		}
		for _, path := range imports {
			imported, ours := relative(path)
			if ours && slices.Contains(roof, imported) || ours && !isRoof && !slices.Contains(allowed, imported) {
				t.Errorf("package %q imports %q, but may import only %q of the module: whoever uses it would link the other too, and the two could no longer change apart",
					importer, imported, allowed)
			}
		}
	}
}

func TestImportsOfTheRoot(t *testing.T) {
	for _, path := range importsOfModules(t)[""] {
		if slices.Contains(rootMustNotImport, path) {
			t.Errorf("the root imports %s: the engine reads bytes and returns values; files and messages are the caller's", path)
		}
	}
	output, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{.Standard}}", ".").Output()
	if err != nil {
		t.Fatalf("go list -deps .: %v", err)
	}
	if linked := strings.Count(string(output), "\n"); linked > maxLinked {
		t.Errorf("the root links %d packages, more than %d", linked, maxLinked)
	}
	for line := range strings.Lines(string(output)) {
		path, standard, _ := strings.Cut(strings.TrimSpace(line), " ")
		if slices.Contains(rootMustNotReach, path) {
			t.Errorf("the root reaches %s: a program that only parses would link it", path)
		}
		if standard == "true" {
			continue
		}
		within, ours := relative(path)
		if _, isGround := ground[within]; !ours || within != "" && !isGround {
			t.Errorf("the root depends on %s: it promises the standard library and ground only", path)
		}
	}
}

// TestToolPackagesKnowNoCommandLine: packages in cmd/internal return values and
// write to writers that they are given, so that a service or a page can use them.
// Only cmd/robots has flags, and its main hands out the standard streams.
func TestToolPackagesKnowNoCommandLine(t *testing.T) {
	streams := map[string][]string{
		"os":  {"Stdin", "Stdout", "Stderr", "Args", "Exit"},
		"fmt": {"Print", "Printf", "Println"},
		"log": {"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln", "Default"},
	}
	read := 0
	eachSource(t, "cmd/internal", 0, func(_, name string, file *ast.File) {
		read++
		for _, path := range pathsOf(file) {
			if strings.HasPrefix(path, "github.com/spf13/") || path == "flag" {
				t.Errorf("%s imports %s: the command line belongs to cmd/robots", name, path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if of, ok := selector.X.(*ast.Ident); ok && slices.Contains(streams[of.Name], selector.Sel.Name) {
					t.Errorf("%s uses %s.%s: the caller hands in the streams", name, of.Name, selector.Sel.Name)
				}
			}
			return true
		})
	})
	if read == 0 {
		t.Error("no file of cmd/internal was read")
	}
}
