package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path"
	"regexp"
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
	"internal/ascii":     {},
	"internal/lookalike": {},
	"internal/pattern":   {"internal/ascii"},
	"internal/typo":      {"internal/ascii"},

	"internal/contentcoding":     {},
	"internal/cacheheader":       {},
	"internal/faulttext":         {},
	"internal/faulttext/network": {"internal/faulttext"},
	"internal/folders":           {},
	"internal/regular":           {},
	"internal/reuse":             {},
	"internal/seldom":            {},
	"internal/sentence":          {},

	"internal/agentheader": {},
	"internal/bodyhead":    {"internal/ascii"},
	"internal/structured":  {"internal/ascii"},
	"internal/agentlist":   {"internal/agentheader", "internal/ascii"},
}

// roof lists the packages that may import every other package and that no package
// imports.
var roof = []string{"cmd/robots", "cmd/robots-wasm"}

// wings lists the folders of cmd/internal, the lower ones first. They contain the
// packages of the tool that are independent of the command line: they return values and
// print nothing. A package may import the library, its own wing and lower ones.
var wings = []string{"inout", "ask", "show", "maintain", "many", "frontends"}

// isLibrary reports whether a folder contains a package that the tool's packages may
// import: the root and the packages beside cmd, but no tests and no measurements.
func isLibrary(folder string) bool {
	first, _, _ := strings.Cut(folder, "/")
	return !slices.Contains([]string{"cmd", "benchmarks", "deploy"}, first) && !strings.HasPrefix(folder, "internal/test/")
}

// wingImports returns whether a package is in a wing, and whether it may import another
// because of that.
func wingImports(importer, imported string) (isInWing, ok bool) {
	from, to := wingOf(importer), wingOf(imported)
	return from >= 0, from >= 0 && (to >= 0 && to <= from || isLibrary(imported))
}

// wingOf returns the number of the wing that contains a package, or -1.
func wingOf(folder string) int {
	rest, isInternal := strings.CutPrefix(folder, "cmd/internal/")
	wing, _, isInside := strings.Cut(rest, "/")
	if !isInternal || !isInside {
		return -1
	}
	return slices.Index(wings, wing)
}

// mayImport lists for each package outside the wings which packages it may import
// besides ground. A row for a package in a wing limits it further. Imports of tests are
// not checked. Paths are relative to the root; "" is the root.
//
// Before you write a new package outside the wings, add its row here.
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
	"history":             {"", "fetch", "internal/sqlitefile", "origin", "semdiff"}, // fetch: what a client hands over; semdiff: what means the same
	"internal/sqlitefile": {},                                                        // a module of its own: the root must not require SQLite

	"crawlers": {""}, // which dialect can name a token, and the rules of a reading

	"internal/safedial": {},

	// Helpers: unlike ground they import the root.
	"internal/places": {""}, // lines and columns of bytes, from the scanner

	"internal/uselines":   {""},        // which lines about use apply to a crawler
	"internal/effecttext": {"semdiff"}, // what a change opens and closes, in words
	"internal/agentname":  {""},        // how texts name the crawlers of user-agent lines

	"semdiff":         {"", "internal/uselines"},                       // reads robots.txt only through the engine
	"permission":      {"", "crawlers", "origin", "internal/uselines"}, // no network and no HTML: lint and web pages link it
	"permission/page": {"permission"},                                  // the only package that requires an HTML parser
	"lint":            {"", "crawlers", "origin", "permission", "semdiff", "internal/uselines", "internal/agentname"},
	"lint/editor":     {"", "crawlers", "lint", "semdiff", "internal/places", "internal/effecttext"}, // for language servers and pages; not in lint, whose users need no positions
	"fetch":           {"", "crawlers", "origin", "cache", "internal/safedial"},                      // crawlers: how each reads files
	"robotshttp":      {"", "crawlers", "origin", "fetch"},

	"visitor": {"crawlers"}, // who sent a request; net and net/http are its own

	"robotshttp/permission": {"", "fetch", "origin", "permission", "robotshttp"}, // not in robotshttp, whose users need no permission

	// These contain only tests, or code for tests.
	"fetch/fetchmetrics":                 {"fetch"}, // the only package that requires Prometheus
	"deploy/image":                       {},        // makes the container image; the only package that requires a library for it
	"cmd/internal/frontends/serve/fleet": {},

	// Rigs of tests: only files of tests import them.
	"internal/test/enginetest":         {"", "internal/test/witness"}, // files and URLs for tests of the engine
	"internal/test/golden":             {},                            // compares generated files
	"internal/test/interop/browser":    {},
	"internal/test/interop/deploy":     {},
	"internal/test/interop/dictionary": {},
	"internal/test/interop/ftp":        {},
	"internal/test/largeheap":          {}, // the garbage collector of tests
	"internal/test/localnames":         {}, // the resolver of tests
	"internal/test/repository":         {},
	"internal/test/surfaces":           {"", "conformance", "crawlers", "origin"}, // the questions that every surface is asked
	"internal/test/valkeytest":         {},
	"internal/test/witness":            {}, // URLs where a verdict can change, found without the engine

	// These packages of the tool import less than their wing may, see wings.
	"cmd/internal/inout/table":    {"cmd/internal/inout/term"},                                                          // rows in columns; independent of robots.txt
	"cmd/internal/many/warc":      {},                                                                                   // archives of any kind
	"cmd/internal/inout/term":     {"origin"},                                                                           // terminals, which show no password of a URL
	"cmd/internal/frontends/page": {"cmd/internal/inout/files", "cmd/internal/inout/markup", "cmd/internal/inout/wire"}, // files, and a form with answers

	"benchmarks":            {"", "benchmarks/corpus", "benchmarks/driver", "benchmarks/peers"},
	"benchmarks/auditpairs": {}, // runs the tool
	"benchmarks/moving":     {"", "internal/test/witness", "benchmarks/board", "benchmarks/corpus", "benchmarks/driver", "benchmarks/peers"},
	"benchmarks/board":      {"conformance", "benchmarks/corpus", "benchmarks/driver", "benchmarks/peers"},
	"benchmarks/colly":      {},
	"benchmarks/corpus":     {""},
	"benchmarks/driver":     {"benchmarks/corpus"},
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
	"cmd/internal/ask/aiview", "cmd/internal/ask/answer", "cmd/internal/frontends/calls", "cmd/internal/frontends/calls/editing", "cmd/internal/ask/compare", "cmd/internal/ask/permit", "cmd/internal/maintain/fix", "cmd/internal/maintain/generate", "cmd/internal/maintain/lintconfig",
	"internal/places", "cmd/internal/show/prose", "cmd/internal/show/report", "cmd/internal/show/rows", "cmd/internal/inout/table", "cmd/internal/inout/term", "cmd/internal/inout/accesslog", "cmd/internal/inout/times", "cmd/internal/inout/urllist", "cmd/internal/frontends/wasm", "cmd/internal/inout/wire",
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
	eachSource(t, ".", func(folder, _ string, file *ast.File) {
		imports[folder] = append(imports[folder], pathsOf(file)...)
	})
	return imports
}

// eachSource parses the Go files under a folder, for all systems and without
// tests. It does not call go list, because go test records only the files that the
// test itself opens: with go list it would return a stale cached result.
func eachSource(t *testing.T, under string, do func(folder, name string, file *ast.File)) {
	t.Helper()
	eachFile(t, under, func(name string) error {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, ".") {
			return nil
		}
		if file := parsed(t, name); !isGenerator(file) {
			do(strings.TrimPrefix(path.Dir(name), "."), name, file)
		}
		return nil
	})
}

// parsedFiles are the files that a test has parsed, by their paths from the root.
var parsedFiles = map[string]*ast.File{}

// parsed parses a Go file with its comments, once for all tests. The working directory is the root.
func parsed(t *testing.T, name string) *ast.File {
	t.Helper()
	if parsedFiles[name] == nil {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsedFiles[name] = file
	}
	return parsedFiles[name]
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
		isInWing, _ := wingImports(importer, "")
		if !listed && !isRoof && !isInWing {
			t.Errorf("package %q has no row: list in mayImport which packages of the repository it may import", importer)
			continue
		}
		for _, path := range imports {
			imported, ours := relative(path)
			if !ours {
				continue
			}
			if _, ok := wingImports(importer, imported); ok && !listed {
				continue
			}
			if slices.Contains(roof, imported) || !isRoof && !slices.Contains(allowed, imported) {
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
	eachSource(t, "cmd/internal", func(_, name string, file *ast.File) {
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

// oneDoor lists functions of the standard library that packages of cmd may call only in some
// files, because the meaning of such a call must exist once: a file of a user must not be
// destroyed on one path that forgot about it, and a text of a stranger must not be taken
// for markup.
var oneDoor = []struct {
	pkg, names string // names is a regular expression
	files      []string
	instead    string
}{
	{"os", "^(Create|CreateTemp|WriteFile|OpenFile|Rename|Link|Symlink|Truncate|CopyFS|Root|OpenRoot|OpenInRoot)$",
		[]string{
			"cmd/internal/inout/files/write.go",
			"cmd/internal/inout/files/folder.go",             // a folder of files that files.Write has written
			"cmd/internal/inout/files/temporary.go",          // a new name in the folder of the system for them
			"cmd/internal/many/audit/parts.go",               // the private names in the folder of --parts
			"cmd/internal/many/examplestest/examplestest.go", // a test's way to node_modules
		}, "files.Write or files.Temporary"},
	{"io/ioutil", "", nil, "files.Write"},
	{"html", "^EscapeString$", []string{"cmd/internal/inout/markup/markup.go"}, "package markup"},
	{"encoding/xml", "^Escape", nil, "package markup"},
	{"html/template", "", nil, "package markup"}, // with it the linker keeps every exported method of the program
	{"syscall", "^(Open|Creat|Openat|Rename|Renameat|Link|Symlink)$", nil, "files.Write"},
}

// TestOneDoor checks that functions of oneDoor are used only in their files.
func TestOneDoor(t *testing.T) {
	t.Chdir(root)
	used := map[string]bool{}
	eachSource(t, "cmd", func(_, name string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := selector.X.(*ast.Ident)
			for _, door := range oneDoor {
				if !ok || nameOf(file, door.pkg) != pkg.Name ||
					!regexp.MustCompile(door.names).MatchString(selector.Sel.Name) {
					continue
				}
				used[door.pkg+" "+name] = true
				if !slices.Contains(door.files, name) {
					t.Errorf("%s uses %s.%s: use %s", name, pkg.Name, selector.Sel.Name, door.instead)
				}
			}
			return true
		})
	})
	for _, door := range oneDoor {
		for _, name := range door.files {
			if !used[door.pkg+" "+name] {
				t.Errorf("%s does not need its exception for %s", name, door.pkg)
			}
		}
	}
}

// nameOf returns the name of an imported package in a file, "" if it is not imported.
func nameOf(file *ast.File, imported string) string {
	for _, spec := range file.Imports {
		switch {
		case strings.Trim(spec.Path.Value, `"`) != imported:
		case spec.Name != nil:
			return spec.Name.Name
		default:
			return path.Base(imported)
		}
	}
	return ""
}

// TestNamesOfLimits checks that a limit is called max…, in tests too: the other name of the
// same thing is not there.
func TestNamesOfLimits(t *testing.T) {
	t.Chdir(root)
	most := regexp.MustCompile("^most[A-Z]")
	eachFile(t, ".", func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		ast.Inspect(parsed(t, name), func(n ast.Node) bool {
			if ident, ok := n.(*ast.Ident); ok && most.MatchString(ident.Name) {
				t.Errorf("%s: %s: a limit is called max…", name, ident.Name)
			}
			return true
		})
		return nil
	})
}
