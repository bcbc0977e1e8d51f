package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readFile returns a file of the repository.
func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// eachFile calls do with the path of each file under a folder, except data of tests, and what
// Git and npm keep.
func eachFile(t *testing.T, under string, do func(name string) error) {
	t.Helper()
	err := filepath.WalkDir(under, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return do(filepath.ToSlash(name))
		case slices.Contains([]string{".git", "testdata", "node_modules"}, entry.Name()):
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// fenced returns the first block of the given language in a Markdown text.
func fenced(t *testing.T, markdown, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(markdown, "\n```"+language+"\n")
	block, _, closed := strings.Cut(rest, "\n```\n")
	if !found || !closed {
		t.Fatalf("no block of %s", language)
	}
	return block
}

// TestReadmeSnippet checks that the Go code in the README is the body of Example, so
// it compiles and prints the output shown.
func TestReadmeSnippet(t *testing.T) {
	t.Chdir(root)
	source := readFile(t, "example_test.go")
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "example_test.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Name.Name != "Example" {
			continue
		}
		body := source[files.Position(function.Body.Lbrace).Offset+1 : files.Position(function.Body.Rbrace).Offset]
		want := strings.TrimSpace(strings.ReplaceAll(body, "\n\t", "\n"))
		if got := fenced(t, readFile(t, "README.md"), "go"); got != want {
			t.Errorf("the first Go block of README.md is not the body of Example in example_test.go.\nREADME.md:\n%s\n\nexample_test.go:\n%s", got, want)
		}
		return
	}
	t.Fatal("no function Example in example_test.go")
}

// TestReadmeCommands checks that .ci/run runs the first two commands of the README, so
// that they work.
func TestReadmeCommands(t *testing.T) {
	t.Chdir(root)
	commands := strings.Split(fenced(t, readFile(t, "README.md"), "sh"), "\n")
	if len(commands) != 2 || commands[1] != "go test work" {
		t.Fatalf("the first block of README.md is not one command for the main job and `go test work`: %q", commands)
	}
	run := strings.Split(readFile(t, ".ci/run"), "\n")
	for _, command := range commands {
		runs := func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), command) }
		if !slices.ContainsFunc(run, runs) {
			t.Errorf(".ci/run does not run the README's command %q", command)
		}
	}
}

// TestGoOfDocs: the code in the documents needs no newer Go than the module that it imports.
func TestGoOfDocs(t *testing.T) {
	if !strings.Contains(readFile(t, "../../../go.mod"), "\ngo 1.25") {
		t.Skip("the module requires a newer Go")
	}
	eachFile(t, "../../../docs", func(name string) error {
		if strings.HasSuffix(name, ".md") && strings.Contains(readFile(t, name), "errors.AsType") {
			t.Errorf("%s uses errors.AsType of Go 1.26", name)
		}
		return nil
	})
}
