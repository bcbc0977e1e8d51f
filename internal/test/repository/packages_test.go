package repository

import (
	"fmt"
	"go/ast"
	"go/doc"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/golden"
)

// packageGroups are the tables of docs/packages.md. A package is in the first one whose folder it
// is in.
var packageGroups = []struct{ folder, title, text string }{
	{"cmd/internal/inout", "Wing inout", "What comes in and goes out: terminal, tables, files, lists, the JSON form. It gives no verdict."},
	{"cmd/internal/ask", "Wing ask", "Questions about files and sites."},
	{"cmd/internal/show", "Wing show", "Answers as text, tables and the formats of other programs."},
	{"cmd/internal/maintain", "Wing maintain", "What an owner does with a file."},
	{"cmd/internal/many", "Wing many", "Many files, or one site many times."},
	{"cmd/internal/frontends", "Wing frontends", "Programs beside the command line."},
	{"cmd", "The tool", "The programs. The wings below contain everything that does not depend on a command line. They return values and print nothing, and a wing imports only wings above it."},
	{"internal", "Shared by packages, and for tests", "Not for programs outside of this repository."},
	{"benchmarks", "Measurements", ""},
	{"deploy", "Deployment", ""},
	{"", "The library", "The packages that a Go program imports. [stability.md](stability.md) lists which of them can change."},
}

// packageOrder is the order of these tables.
var packageOrder = []string{"The library", "The tool", "Wing inout", "Wing ask", "Wing show", "Wing maintain", "Wing many", "Wing frontends",
	"Shared by packages, and for tests", "Measurements", "Deployment"}

// TestPackages checks that docs/packages.md has the first sentence of the documentation of each
// package.
func TestPackages(t *testing.T) {
	t.Chdir(root)
	synopses := map[string]string{}
	eachSource(t, ".", func(folder, _ string, file *ast.File) {
		if text := file.Doc.Text(); text != "" {
			synopses[folder] = new(doc.Package).Synopsis(text)
		} else if _, known := synopses[folder]; !known {
			synopses[folder] = ""
		}
	})
	tables := map[string]string{}
	for _, folder := range slices.Sorted(maps.Keys(synopses)) {
		sentence := synopses[folder]
		_, says, _ := strings.Cut(sentence, " ")
		if _, says, _ = strings.Cut(says, " "); says == "" {
			t.Errorf("package %q has no documentation that begins with its name", folder)
		}
		says = strings.NewReplacer("[", "", "]", "", "|", `\|`).Replace(strings.TrimRight(says, ".:"))
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil && folder != "" {
			says += ". A module"
		}
		name := folder
		if name == "" {
			name = "/"
		}
		title := titleOf(folder)
		tables[title] += fmt.Sprintf("| `%s` | %s |\n", name, says)
	}
	var b strings.Builder
	b.WriteString("# Packages\n\nMade by `go generate ./internal/test/repository` from the first sentence of each package's documentation.\n")
	for _, title := range packageOrder {
		for _, group := range packageGroups {
			if group.title == title {
				fmt.Fprintf(&b, "\n## %s\n\n", title)
				if group.text != "" {
					b.WriteString(group.text + "\n\n")
				}
				b.WriteString("| package | it |\n|---|---|\n" + tables[title])
			}
		}
	}
	golden.Check(t, *update, "docs/packages.md", []byte(b.String()), "go generate ./internal/test/repository")
}

func titleOf(folder string) string {
	for _, group := range packageGroups {
		if group.folder == "" || folder == group.folder || strings.HasPrefix(folder, group.folder+"/") {
			return group.title
		}
	}
	return ""
}
