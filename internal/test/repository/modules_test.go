package repository

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rootRequires lists what the go.mod of the root may require, with the packages
// that link it. A program that imports a package of the root module inherits these
// lines: its own versions of the modules are raised to them. Requirements of the
// tool, a store or a test belong in the go.mod of another module.
var rootRequires = map[string]string{
	"code.dny.dev/ssrf":            "internal/safedial: which addresses are private",
	"github.com/jlaffaye/ftp":      "fetch: FTP",
	"github.com/maypok86/otter/v2": "cache and fetch: what is kept in memory",
	"golang.org/x/net":             "origin: IDN",
	"golang.org/x/sync":            "fetch: single flight",
	"golang.org/x/text":            "golang.org/x/net/idna",
}

var (
	useLine     = regexp.MustCompile(`^\s*(?:use\s+)?(\.\S*)( // not released)?$`)
	requireLine = regexp.MustCompile(`^\s*(?:require\s+)?([a-z]\S*\.\S+/\S+)\s+(v\S+)(?:\s*//.*)?$`)
	replaceLine = regexp.MustCompile(`^\s*(?:replace\s+)?(\S+)(?:\s+(\S+))?\s*=>\s*(\S+)$`)
)

// modulesInUse returns the folders that go.work lists, with slashes; the root is
// "".
func modulesInUse(t *testing.T) (folders []string) {
	t.Helper()
	return append(releasedModules(t), modulesOf(t, false)...)
}

// releasedModules returns those of them that programs can require.
func releasedModules(t *testing.T) []string {
	t.Helper()
	return modulesOf(t, true)
}

func modulesOf(t *testing.T, released bool) (folders []string) {
	t.Helper()
	for line := range strings.Lines(readFile(t, "go.work")) {
		if found := useLine.FindStringSubmatch(strings.TrimRight(line, "\n")); found != nil && (found[2] == "") == released {
			folders = append(folders, strings.TrimPrefix(path.Clean(found[1]), "."))
		}
	}
	return folders
}

// moduleOf returns the innermost of the modules that a folder is in.
func moduleOf(folder string, modules []string) (innermost string) {
	for _, m := range modules {
		if len(m) > len(innermost) && (folder == m || strings.HasPrefix(folder, m+"/")) {
			innermost = m
		}
	}
	return innermost
}

// TestModulesInUse checks that go.work lists every module of the repository, and that
// the import rules cover at least one package of each. A module that is not listed is
// left out of all checks. One with a workspace of its own needs a step of .ci/run.
func TestModulesInUse(t *testing.T) {
	t.Chdir(root)
	inUse := modulesInUse(t)
	eachFile(t, ".", func(name string) error {
		if path.Base(name) != "go.mod" {
			return nil
		}
		folder := strings.TrimPrefix(path.Dir(name), ".")
		if _, err := os.Stat(path.Join(folder, "go.work")); err == nil && folder != "" {
			if !strings.Contains(readFile(t, ".ci/run"), "cd "+folder+" ") {
				t.Errorf(".ci/run does not test the module in %q, which has a workspace of its own", folder)
			}
		} else if !slices.Contains(inUse, folder) {
			t.Errorf("go.work does not list the module in %q: go test work and all checks would leave it out", folder)
		}
		return nil
	})
	seen := map[string]int{}
	for folder := range importsOfModules(t) {
		seen[moduleOf(folder, inUse)]++
	}
	for _, m := range inUse {
		if seen[m] == 0 {
			t.Errorf("the import rules cover no package of the module in %q", m)
		}
	}
}

// TestRequirements checks that the root requires exactly the modules in rootRequires,
// that no go.mod replaces a module, and that each module requires its siblings at the
// version that go.work replaces.
func TestRequirements(t *testing.T) {
	t.Chdir(root)
	replaced := map[string]string{} // module to version
	for line := range strings.Lines(readFile(t, "go.work")) {
		if found := replaceLine.FindStringSubmatch(strings.TrimRight(line, "\n")); found != nil {
			replaced[found[1]] = found[2]
			if within, ours := relative(found[1]); !ours || found[2] == "" ||
				path.Clean("./"+within) != path.Clean(found[3]) {
				t.Errorf("go.work: want a replacement of one of our modules, at a version, by its folder: %s", line)
			}
		}
	}
	for _, folder := range modulesInUse(t) {
		name := path.Join(folder, "go.mod")
		required := map[string]string{}
		for line := range strings.Lines(readFile(t, name)) {
			line = strings.TrimRight(line, "\n")
			if regexp.MustCompile(`^\s*replace\b`).MatchString(line) || replaceLine.MatchString(line) {
				t.Errorf("%s: %q: replacements belong in go.work; importers ignore those in a go.mod, so our tests would not see their versions", name, line)
			}
			if found := requireLine.FindStringSubmatch(line); found != nil {
				required[found[1]] = found[2]
			}
		}
		for sibling, version := range required {
			if _, ours := relative(sibling); ours && replaced[sibling] != version {
				t.Errorf("%s requires %s at %s, and go.work replaces %q", name, sibling, version, replaced[sibling])
			}
		}
		if folder != "" {
			if required[module] == "" && folder != "internal/sqlitefile" { // which imports nothing of ours
				t.Errorf("%s does not require the root", name)
			}
			continue
		}
		got, want := slices.Sorted(maps.Keys(required)), slices.Sorted(maps.Keys(rootRequires))
		if !slices.Equal(got, want) {
			t.Errorf("the root's go.mod requires\n%q\nand rootRequires lists\n%q", got, want)
		}
	}
}
