package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/kosterhq/robotstxt"

// ground lists the packages that every other package may import, each with the
// ground packages that it imports itself; it may import no others of the module.
// Code that two packages need belongs here if neither should import the other, so
// that it exists only once.
var ground = map[string][]string{
	"internal/ascii":   {},
	"internal/pattern": {"internal/ascii"},
	"internal/typo":    {"internal/ascii"},

	"internal/contentcoding": {},
	"internal/reuse":         {},

	"internal/agentheader": {"internal/ascii"},
	"internal/bodyhead":    {"internal/ascii"},
	"internal/structured":  {"internal/ascii"},
	"internal/agentlist":   {"internal/agentheader", "internal/ascii"},
}

// roof lists the packages that may import every other package and that no package
// imports.
var roof = []string{"cmd/robots", "cmd/robots-wasm"}

// mayImport lists for each other package of the repository which packages it may
// import besides ground. Imports of tests are not checked. Paths are relative to the
// root; "" is the root.
//
// Before you write a new package, add its row here.
var mayImport = map[string][]string{
	"": {}, // see also rootMustNotReach

	// These do not import the engine, so that authors of other parsers and clients
	// can use them.
	"conformance":         {"origin"}, // which masks passwords in errors
	"origin":              {},
	"cache":               {},
	"cache/cachetest":     {"cache"},
	"cache/disk":          {"cache", "internal/sqlitefile"},
	"cache/valkey":        {"cache"},
	"history":             {"fetch", "internal/sqlitefile", "origin"}, // fetch: what a client hands over
	"internal/sqlitefile": {},                                         // a module of its own: the root must not require SQLite
	"internal/witness":    {},

	"crawlers": {""}, // which dialect can name a token, and the rules of a reading

	"internal/safedial": {},
	"internal/places":   {""},                       // lines and columns of bytes, from the scanner
	"semdiff":           {""},                       // reads robots.txt only through the engine
	"permission":        {"", "crawlers", "origin"}, // no network and no HTML: lint and web pages link it
	"permission/page":   {"permission"},             // the only package that requires an HTML parser
	"lint":              {"", "crawlers", "origin", "permission", "semdiff"},
	"lint/editor":       {"", "crawlers", "lint", "semdiff", "internal/places"},   // for language servers and pages; not in lint, whose users need no positions
	"fetch":             {"", "crawlers", "origin", "cache", "internal/safedial"}, // crawlers: how each reads files
	"robotshttp":        {"", "crawlers", "origin", "fetch"},

	"robotshttp/permission": {"", "fetch", "origin", "permission", "robotshttp"}, // not in robotshttp, whose users need no permission

	// These contain only tests, or code for tests.
	"fetch/ftptest":                    {},
	"fetch/fetchmetrics":               {"fetch"}, // the only package that requires Prometheus
	"lint/dictionarytest":              {},
	"deploy/deploytest":                {},
	"cmd/beam":                         {"", "fetch", "cmd/internal/answer", "cmd/internal/audit", "cmd/internal/files", "cmd/internal/term"}, // the only package that requires Apache Beam
	"deploy/image":                     {},                                                                                                    // makes the container image; the only package that requires a library for it
	"cache/valkey/internal/fleet":      {},
	"cache/valkey/internal/valkeytest": {},
	"cmd/internal/page/browsertest":    {},
	"internal/repository":              {},
	"internal/golden":                  {},                         // compares generated files
	"internal/surfaces":                {"", "crawlers", "origin"}, // the questions that every surface is asked

	// The packages of the tool that are independent of the command line. They
	// return values and print nothing.
	"cmd/internal/compare":        {"", "cmd/internal/answer", "cmd/internal/wire", "crawlers", "origin", "semdiff"}, // runs in a web page too, so it must not import fetch
	"cmd/internal/fix":            {"", "lint", "semdiff", "cmd/internal/term", "cmd/internal/wire"},
	"cmd/internal/urllist":        {"origin", "cmd/internal/term"},
	"cmd/internal/files":          {"cmd/internal/term", "origin"},
	"cmd/internal/languageserver": {"lint", "lint/editor", "cmd/internal/api", "cmd/internal/fix", "cmd/internal/lintconfig", "cmd/internal/term"}, // translates between a protocol and these
	"cmd/internal/lintconfig":     {"lint", "cmd/internal/files", "cmd/internal/report", "cmd/internal/term"},
	"cmd/internal/sites":          {"", "cache", "cache/disk", "cache/valkey", "cmd/internal/answer", "cmd/internal/prose", "cmd/internal/term", "cmd/internal/urllist", "cmd/internal/wire", "crawlers", "fetch", "lint", "origin", "permission", "permission/page"},
	"cmd/internal/serve":          {"", "cache", "crawlers", "fetch", "fetch/fetchmetrics", "origin", "cmd/internal/answer", "cmd/internal/api", "cmd/internal/api/editing", "cmd/internal/sites", "cmd/internal/page", "cmd/internal/urllist", "cmd/internal/wire"},
	"cmd/internal/expect":         {"", "conformance", "origin", "semdiff", "cmd/internal/answer", "cmd/internal/files", "cmd/internal/report", "cmd/internal/prose", "cmd/internal/term", "cmd/internal/wire"},
	"cmd/internal/table":          {"cmd/internal/term"}, // rows in columns; independent of robots.txt
	"cmd/internal/audit":          {"", "crawlers", "fetch", "lint", "origin", "semdiff", "cmd/internal/answer", "cmd/internal/sites", "cmd/internal/files", "cmd/internal/table", "cmd/internal/term", "cmd/internal/warc", "cmd/internal/wire"},
	"cmd/internal/auditreport":    {"", "crawlers", "lint", "semdiff", "cmd/internal/audit", "cmd/internal/past", "cmd/internal/term", "cmd/internal/wire"},
	"cmd/internal/past":           {"", "fetch", "history", "origin", "cmd/internal/audit", "cmd/internal/term", "cmd/internal/watch", "cmd/internal/wire"},
	"cmd/internal/watch":          {"", "crawlers", "fetch", "lint", "origin", "permission", "semdiff", "cmd/internal/answer", "cmd/internal/compare", "cmd/internal/report", "cmd/internal/term", "cmd/internal/wire", "internal/sqlitefile"}, // has a store of its own beside the history
	"cmd/internal/warc":           {},                                                                                                                                                                                                          // archives of any kind
	"cmd/internal/term":           {},                                                                                                                                                                                                          // terminals; independent of robots.txt
	"cmd/internal/report":         {"", "cmd/internal/answer", "cmd/internal/compare", "cmd/internal/table", "cmd/internal/term", "cmd/internal/wire", "internal/places", "lint", "origin", "semdiff"},
	"cmd/internal/page":           {"cmd/internal/wire"}, // files, and a form with answers
	"cmd/internal/prose":          {"", "crawlers", "origin", "permission", "semdiff", "cmd/internal/answer", "cmd/internal/table", "cmd/internal/term", "cmd/internal/wire"},
	"cmd/internal/aiview":         {"", "crawlers", "lint", "permission", "semdiff", "cmd/internal/answer", "cmd/internal/wire"},
	"cmd/internal/rows":           {"", "cmd/internal/answer", "cmd/internal/prose", "cmd/internal/table", "cmd/internal/term", "cmd/internal/wire"},
	"cmd/internal/api":            {"", "crawlers", "semdiff", "cmd/internal/answer", "cmd/internal/compare", "cmd/internal/term", "cmd/internal/wire"}, // the WebAssembly engine links it, so it must not import lint
	"cmd/internal/generate":       {"", "crawlers", "permission", "semdiff", "cmd/internal/answer", "cmd/internal/term", "cmd/internal/wire"},           // runs in a web page too
	"cmd/internal/api/editing":    {"", "crawlers", "lint", "lint/editor", "origin", "cmd/internal/aiview", "cmd/internal/answer", "cmd/internal/api", "cmd/internal/report", "cmd/internal/fix", "cmd/internal/generate", "cmd/internal/urllist", "cmd/internal/wire"},
	"cmd/internal/wasm":           {"", "origin", "cmd/internal/answer", "cmd/internal/api", "cmd/internal/wire"},
	"cmd/internal/wire":           {"", "permission", "semdiff"}, // for programs without a network too, so it must not import fetch

	// Programs without a network use answer too, so it must not import fetch; sites
	// fetches. term is imported for its escaping and its errors.
	"cmd/internal/answer": {"", "crawlers", "origin", "semdiff", "cmd/internal/term", "cmd/internal/wire"},

	"benchmarks":            {"", "benchmarks/corpus", "benchmarks/driver", "benchmarks/peers"},
	"benchmarks/auditpairs": {}, // runs the tool
	"benchmarks/board":      {"conformance", "benchmarks/corpus", "benchmarks/driver", "benchmarks/peers"},
	"benchmarks/colly":      {},
	"benchmarks/corpus":     {""},
	"benchmarks/driver":     {"benchmarks/corpus"},
	"benchmarks/load":       {"", "benchmarks/corpus", "benchmarks/machine"}, // talks HTTP to the tool, which it builds
	"benchmarks/machine":    {},
	"benchmarks/peers":      {"", "benchmarks/corpus"},
	"benchmarks/report":     {"", "benchmarks", "benchmarks/board", "benchmarks/corpus", "benchmarks/driver", "benchmarks/machine", "benchmarks/peers"},
}

// rootMustNotReach are the packages that the root must not import, directly or
// indirectly, because every program that parses would link them. A parser with
// net/http was measured at 3.88 MB, one without at 1.77 MB.
var rootMustNotReach = []string{"net", "net/http", "regexp"}

// rootMustNotImport are the packages that the root must not import directly, because
// it neither opens files nor prints. (fmt imports os.)
var rootMustNotImport = []string{"os", "log", "log/slog"}

// withoutNetwork are the packages that must not reach net, net/http or permission/page,
// because a web page uses them too: with fetch in it, its WebAssembly grows from 2.3
// to 6.2 MB.
var withoutNetwork = []string{
	"lint", "lint/editor", "permission",
	"cmd/internal/aiview", "cmd/internal/answer", "cmd/internal/api", "cmd/internal/api/editing", "cmd/internal/compare", "cmd/internal/fix", "cmd/internal/generate", "cmd/internal/lintconfig",
	"internal/places", "cmd/internal/prose", "cmd/internal/report", "cmd/internal/rows", "cmd/internal/table", "cmd/internal/term", "cmd/internal/urllist", "cmd/internal/wasm", "cmd/internal/wire",
}

// maxLinked is the number of packages that a program may link because it imports the
// root. It includes the root, ground and the internal packages of the standard
// library.
const maxLinked = 75

// relative returns an import path relative to the root; ok is false if it is of
// another repository.
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
// tests. It does not call go list, because go test records only the files that the
// test itself opens: with go list it would return a stale cached result.
func eachSource(t *testing.T, under string, mode parser.Mode, do func(folder, name string, file *ast.File)) {
	t.Helper()
	eachFile(t, under, func(name string) error {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, ".") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, mode|parser.ParseComments)
		if err != nil || isGenerator(file) {
			return err
		}
		do(strings.TrimPrefix(path.Dir(name), "."), name, file)
		return nil
	})
}

// isGenerator reports whether a file is a program to run by hand, outside of all
// packages.
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
	t.Chdir(root)
	for importer, imports := range importsOfModules(t) {
		allowed, listed := mayImport[importer]
		if ofGround, isGround := ground[importer]; isGround {
			allowed, listed = ofGround, true
		} else {
			allowed = slices.AppendSeq(slices.Clone(allowed), maps.Keys(ground))
		}
		isRoof := slices.Contains(roof, importer)
		if !listed && !isRoof {
			t.Errorf("package %q has no row: list in mayImport which packages of the repository it may import", importer)
			continue
		}
		for _, path := range imports {
			imported, ours := relative(path)
			if ours && slices.Contains(roof, imported) || ours && !isRoof && !slices.Contains(allowed, imported) {
				t.Errorf("package %q imports %q, but may import only %q: remove the import, or add it to mayImport if the dependency is intended",
					importer, imported, allowed)
			}
		}
	}
}

func TestImportsOfTheRoot(t *testing.T) {
	t.Chdir(root)
	for _, path := range importsOfModules(t)[""] {
		if slices.Contains(rootMustNotImport, path) {
			t.Errorf("the root imports %s: the engine must not open files or print; leave that to the caller", path)
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
			t.Errorf("the root imports %s, directly or indirectly: every program that parses would link it", path)
		}
		if standard == "true" {
			continue
		}
		within, ours := relative(path)
		if _, isGround := ground[within]; !ours || within != "" && !isGround {
			t.Errorf("the root depends on %s: it may import only the standard library and ground", path)
		}
	}
}

func TestPackagesWithoutNetwork(t *testing.T) {
	t.Chdir(root)
	imports := importsOfModules(t)
	for _, start := range withoutNetwork {
		if imports[start] == nil {
			t.Errorf("there is no package %q", start)
		}
		seen := map[string]bool{}
		var visit func(folder string)
		visit = func(folder string) {
			if seen[folder] {
				return
			}
			seen[folder] = true
			for _, path := range imports[folder] {
				if imported, ours := relative(path); ours {
					if imported == "permission/page" {
						t.Errorf("package %q reaches %q, which reads HTML, through %q", start, imported, folder)
					}
					visit(imported)
				} else if path == "net" || path == "net/http" {
					t.Errorf("package %q reaches %s, through %q", start, path, folder)
				}
			}
		}
		visit(start)
	}
}

// TestToolPackagesKnowNoCommandLine checks that packages in cmd/internal return
// values and write only to writers that the caller passes, so that a service or a web
// page can use them. Only cmd/robots has flags and opens the standard streams.
func TestToolPackagesKnowNoCommandLine(t *testing.T) {
	t.Chdir(root)
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
				if pkg, ok := selector.X.(*ast.Ident); ok && slices.Contains(streams[pkg.Name], selector.Sel.Name) {
					t.Errorf("%s uses %s.%s: take the stream as a parameter", name, pkg.Name, selector.Sel.Name)
				}
			}
			return true
		})
	})
	if read == 0 {
		t.Error("no file of cmd/internal was read")
	}
}

// TestPackageMap checks that the table of CONTRIBUTING.md contains each package of the tables
// above, itself or as a part of the package above it, and no package that does not exist.
func TestPackageMap(t *testing.T) {
	t.Chdir(root)
	described := map[string]bool{"": true}
	for line := range strings.Lines(readFile(t, "CONTRIBUTING.md")) {
		if cell, found := strings.CutPrefix(line, "| `"); found {
			cell, _, _ = strings.Cut(cell, "` |")
			for folder := range strings.SplitSeq(cell, "`, `") {
				described[strings.TrimSuffix(folder, "/")] = true
			}
		}
		if strings.HasPrefix(line, "`go.work`") {
			break // the end of the table
		}
	}
	for folder := range described {
		if _, err := os.Stat(filepath.Join(".", folder)); err != nil {
			t.Errorf("CONTRIBUTING.md describes %s: %v", folder, err)
		}
	}
	packages := slices.Concat(roof, slices.Collect(maps.Keys(ground)), slices.Collect(maps.Keys(mayImport)))
	for _, folder := range packages {
		if !described[folder] && !described[path.Dir(folder)] {
			t.Errorf("CONTRIBUTING.md does not describe %s", folder)
		}
	}
}
