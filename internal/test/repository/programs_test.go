package repository

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// starts lists the places that start a program, apart from tests and from programs that are run
// by hand in this repository. A new place needs a reason why what it reads cannot choose the
// program, its arguments or its environment.
var starts = map[string]string{
	"cmd/internal/inout/git/git.go":                  "git, in repositories that may be hostile; the only place that starts git",
	"cmd/internal/many/watch/exec.go":                "the command of --exec, which the user has typed",
	"cmd/robots/serve.go":                            "the browser that the system names, with the address of this service",
	"cmd/internal/many/examplestest/examplestest.go": "interpreters, for tests of the examples in documents",
}

// byHand are folders whose programs the developers run, in this repository only.
var byHand = []string{"benchmarks", "deploy", "internal/test"}

// TestStartsOfPrograms finds every use of what starts a program: os/exec, os.StartProcess, and
// their counterparts in syscall.
func TestStartsOfPrograms(t *testing.T) {
	t.Chdir(root)
	found := map[string]bool{}
	eachSource(t, ".", func(folder, name string, file *ast.File) {
		isByHand := slices.ContainsFunc(byHand, func(under string) bool { return strings.HasPrefix(folder+"/", under+"/") })
		if startsProgram(file) && !isByHand {
			found[path.Clean(name)] = true
		}
	})
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if starts[name] == "" {
			t.Errorf("%s starts a program: for git call cmd/internal/inout/git, otherwise add a reason to starts", name)
		}
	}
	for name := range starts {
		if !found[name] {
			t.Errorf("%s starts no program: remove it from starts", name)
		}
	}
}

// startsProgram reports whether a file can start a program.
func startsProgram(file *ast.File) (starts bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			from, _ := selector.X.(*ast.Ident)
			starts = starts || from != nil && slices.Contains(starters, from.Name+"."+selector.Sel.Name)
		}
		return true
	})
	return starts
}

var starters = []string{"exec.Command", "exec.CommandContext", "exec.Cmd", "os.StartProcess", "syscall.Exec", "syscall.ForkExec", "syscall.StartProcess"}
