package repository

import (
	"go/ast"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// recovers lists each recover outside of tests, by file and function, with its reason. A job
// over many files or sites calls panics.Contain instead, so that the panic is logged.
var recovers = map[string]string{
	"cmd/internal/inout/panics/panics.go Contain":       "the one for jobs over many files, sites, messages and lines",
	"cmd/internal/frontends/serve/handler.go ServeHTTP": "an answer that has begun must break off, and http.ErrAbortHandler is no fault: net/http requires another panic for that",
	"cmd/internal/frontends/wasm/module.go recovered":   "a module boundary: after a panic, JavaScript could not call the instance again",
	"cmd/internal/many/audit/output.go guard":           "a library boundary: parquet-go panics at some damaged files, which is damage and no internal error",
	"fetch/attempt.go failPanic":                        "a library boundary: net/http and the FTP library read what strangers send, in goroutines of the client's callers",
	"fetch/flight.go endPanic":                          "a library boundary: a flight runs in a goroutine of its own, and parses what a stranger serves",
	"fetch/proxytarget.go findTarget":                   "a library boundary: the Resolver of a caller may panic, in a goroutine of the client",
	"internal/sqlitefile/queue.go transact":             "a library boundary: one goroutine makes the changes of all callers, and parses rows of a file that another process may have written",
	"robotshttp/turn.go watch":                          "a library boundary: the clock of a caller may panic, in a goroutine of net/http; returned calls it again for the caller",
	"benchmarks/peers/peers.go recovered":               "a library boundary: some of the parsers that are compared panic",
}

// goroutines lists each goroutine that the tool starts outside of tests, by file and function,
// and how it survives a panic that a file or a site causes.
var goroutines = map[string]string{
	"cmd/robots/serve.go openBrowser":                        "waits for a browser",
	"cmd/internal/inout/term/progress.go StartProgress":      "draws numbers",
	"cmd/internal/ask/sites/store.go Close":                  "closes a store",
	"cmd/internal/ask/sites/prefetch.go Prefetch":            "lookUp calls panics.Contain, and so does what reads the URLs before",
	"cmd/internal/many/audit/run.go Run":                     "analyse calls panics.Contain for each file, and readers do for each input",
	"cmd/internal/many/audit/run.go input":                   "calls panics.Contain, and empties its channel",
	"cmd/internal/many/past/git.go start":                    "writes names for git",
	"cmd/internal/many/watch/deliver.go Deliver":             "calls panics.Contain for each output",
	"cmd/internal/many/watch/run.go Run":                     "visit, transact and Deliver call panics.Contain",
	"cmd/internal/many/watch/store.go open":                  "closes a store",
	"cmd/internal/many/visits/run.go ask":                    "asks DNS; package visitor compares names of bounded length",
	"cmd/internal/frontends/languageserver/server.go Serve":  "calls panics.Contain for each message",
	"cmd/internal/frontends/languageserver/server.go handle": "calls panics.Contain",
	"cmd/internal/frontends/serve/server.go Serve":           "net/http, whose handler recovers",
	"cmd/internal/frontends/serve/sites.go rulings":          "calls panics.Contain for each site",
}

// TestPanics checks both lists.
func TestPanics(t *testing.T) {
	t.Chdir(root)
	recovering, starting := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		name = filepath.ToSlash(name)
		for _, declared := range parsed(t, name).Decls {
			f, ok := declared.(*ast.FuncDecl)
			if !ok {
				continue
			}
			place := name + " " + f.Name.Name
			ast.Inspect(f, func(n ast.Node) bool {
				recovering[place] = recovering[place] || recoversFrom(n)
				starting[place] = starting[place] || startsGoroutine(n)
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	listed := func(found map[string]bool, list map[string]string, what string, isOurs func(string) bool) {
		maps.DeleteFunc(found, func(place string, is bool) bool { return !is || !isOurs(place) })
		for _, place := range slices.Sorted(maps.Keys(found)) {
			if list[place] == "" {
				t.Errorf("%s %s: add it to the list with its reason", place, what)
			}
		}
		for place := range list {
			if !found[place] {
				t.Errorf("%s no longer %s: remove it from the list", place, what)
			}
		}
	}
	listed(recovering, recovers, "recovers", func(string) bool { return true })
	listed(starting, goroutines, "starts a goroutine", func(place string) bool { return strings.HasPrefix(place, "cmd/") })
}

// recoversFrom reports whether a node is a call of recover.
func recoversFrom(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "recover" && len(call.Args) == 0
}

// startsGoroutine reports whether a node is a go statement, or a call of the method Go of a group.
func startsGoroutine(n ast.Node) bool {
	if _, ok := n.(*ast.GoStmt); ok {
		return true
	}
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	return ok && method.Sel.Name == "Go"
}
