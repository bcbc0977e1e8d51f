package repository

import (
	"cmp"
	"flag"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/golden"
)

//go:generate go test -run ^(TestAPI|TestNotices)$ -update .

var update = flag.Bool("update", false, "write the listings and notices that the tests compare")

// resultNames matches the names that the compiler gives to results without one.
var resultNames = regexp.MustCompile(`#rv\d+ `)

// publicPackage is a package that programs can import.
type publicPackage struct {
	path   string
	export string // the file with its compiled declarations
}

// publicPackages returns those of the released modules, sorted by import path.
func publicPackages(t *testing.T) (public []publicPackage) {
	t.Helper()
	importsOfModules(t) // opens the sources, so that go test does not repeat an outdated result
	arguments := []string{"list", "-export", "-f", "{{.Name}}\t{{.ImportPath}}\t{{.Export}}"}
	for _, folder := range releasedModules(t) {
		arguments = append(arguments, "./"+strings.TrimPrefix(folder+"/...", "/"))
	}
	list := exec.Command("go", arguments...)
	list.Stderr = os.Stderr
	output, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.Lines(string(output)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if fields[0] == "main" || slices.Contains(strings.Split(fields[1], "/"), "internal") {
			continue
		}
		public = append(public, publicPackage{fields[1], fields[2]})
	}
	slices.SortFunc(public, func(a, b publicPackage) int { return cmp.Compare(a.path, b.path) })
	return public
}

// compiled reads the compiled declarations of packages.
func compiled(public []publicPackage) types.Importer {
	exports := map[string]string{}
	for _, p := range public {
		exports[p.path] = p.export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}

// listingOf returns the exported declarations of a package, one a line, without comments.
func listingOf(pkg *types.Package) string {
	qualify := func(other *types.Package) string {
		if other == pkg {
			return ""
		}
		return other.Name()
	}
	var lines []string
	add := func(format string, args ...any) {
		lines = append(lines, resultNames.ReplaceAllString(fmt.Sprintf(format, args...), "")+"\n")
	}
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		declared := types.ObjectString(object, qualify)
		named, isType := object.(*types.TypeName)
		switch constant, isConstant := object.(*types.Const); {
		case isConstant:
			add("%s = %s", strings.SplitN(declared, " = ", 2)[0], constant.Val().ExactString())
		case !isType:
			add("%s", declared)
		case named.IsAlias():
			add("%s", declared)
		default:
			listType(add, named, qualify)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// listType adds a type, its exported fields, and its methods, with those of embedded types.
func listType(add func(string, ...any), name *types.TypeName, qualify types.Qualifier) {
	parameters := ""
	if generic, ok := name.Type().(*types.Named); ok && generic.TypeParams().Len() > 0 {
		parameters = strings.TrimPrefix(types.TypeString(generic, qualify), name.Name())
	}
	switch under := name.Type().Underlying().(type) {
	case *types.Struct:
		add("type %s%s struct", name.Name(), parameters)
		for field := range under.Fields() {
			if field.Exported() {
				add("type %s struct, %s %s", name.Name(), field.Name(), types.TypeString(field.Type(), qualify))
			}
		}
	case *types.Interface:
		add("type %s%s interface", name.Name(), parameters)
		for method := range under.Methods() {
			if method.Exported() {
				add("type %s interface, %s%s", name.Name(), method.Name(), strings.TrimPrefix(types.TypeString(method.Type(), qualify), "func"))
			}
		}
		return
	default:
		add("type %s%s %s", name.Name(), parameters, types.TypeString(under, qualify))
	}
	values := types.NewMethodSet(name.Type())
	for selection := range types.NewMethodSet(types.NewPointer(name.Type())).Methods() {
		method := selection.Obj()
		if !method.Exported() {
			continue
		}
		receiver := "*" + name.Name()
		if values.Lookup(method.Pkg(), method.Name()) != nil {
			receiver = name.Name()
		}
		add("method (%s) %s%s", receiver, method.Name(), strings.TrimPrefix(types.TypeString(selection.Type(), qualify), "func"))
	}
}

// TestAPI checks that the folder internal/test/repository/api lists what each public package exports, so that no
// change of it is made by accident, and that docs/stability.md has a row for each.
func TestAPI(t *testing.T) {
	t.Chdir(root)
	public := publicPackages(t)
	gc := compiled(public)
	stability := readFile(t, "docs/stability.md")
	listed := map[string]bool{}
	for _, p := range public {
		pkg, err := gc.Import(p.path)
		if err != nil {
			t.Fatalf("%s: %v", p.path, err)
		}
		within, _ := relative(p.path)
		short := cmp.Or(within, pkg.Name())
		name := filepath.Join("internal/test/repository/api", strings.ReplaceAll(short, "/", "-")+".txt")
		listed[name] = true
		want := listingOf(pkg)
		if !strings.Contains(stability, "\n| `"+short+"` |") {
			t.Errorf("docs/stability.md has no row for `%s`: say whether its API is stable", short)
		}
		golden.Check(t, *update, name, []byte(want), "go generate ./internal/test/repository, and commit the listing; once a version is released, say it in CHANGELOG.md")
	}
	files, err := filepath.Glob("internal/test/repository/api/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if !listed[name] {
			t.Errorf("%s lists a package that does not exist: delete it if that is intended", name)
		}
	}
}
