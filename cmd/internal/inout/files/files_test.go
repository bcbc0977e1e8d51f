package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// tree makes empty files in a temporary folder, which becomes the current one.
func tree(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		name = filepath.FromSlash(name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// found returns the names, with slashes, and the errors in the form "! text (hint)".
func found(search files.Search, args ...string) (found []string) {
	for name, err := range search.Files(args...) {
		if err != nil {
			found = append(found, "! "+err.Error()+" ("+term.HintOf(err)+")")
			continue
		}
		found = append(found, filepath.ToSlash(name))
	}
	return found
}

func TestFiles(t *testing.T) {
	tree(t, "robots.txt", "notes.txt", "sites/b/robots.txt", "sites/a/robots.txt", "sites/a/robots.old.txt", "sites/a/x.txt",
		"sites/.git/robots.txt", "vendor/deep/robots.txt", ".well-known/robots.txt", "empty/x")
	all := []string{"robots.txt", "sites/a/robots.old.txt", "sites/a/robots.txt", "sites/b/robots.txt", "vendor/deep/robots.txt"}
	for _, test := range []struct {
		args    []string
		exclude []string
		want    []string
	}{
		{args: []string{"."}, want: all},
		{args: []string{"sites/", "./robots.txt", "sites"}, want: []string{"sites/a/robots.old.txt", "sites/a/robots.txt", "sites/b/robots.txt", "./robots.txt"}},
		{args: []string{"robots.txt", "."}, want: all},
		{args: []string{"sites/a/x.txt", "lost.txt", "-", "https://shop.example/?a*"}, want: []string{"sites/a/x.txt", "lost.txt", "-", "https://shop.example/?a*"}},
		{args: []string{"sites/*/*.txt"}, want: []string{"sites/a/robots.old.txt", "sites/a/robots.txt", "sites/a/x.txt", "sites/b/robots.txt"}},
		{args: []string{"**/robots.txt"}, want: []string{"robots.txt", "sites/a/robots.txt", "sites/b/robots.txt", "vendor/deep/robots.txt"}},
		{args: []string{"{sites/a,vendor}/**/robots.txt"}, want: []string{"sites/a/robots.txt", "vendor/deep/robots.txt"}},
		{args: []string{"**/.well-known/*"}, want: []string{".well-known/robots.txt"}},
		{args: []string{".well-known"}, want: []string{".well-known/robots.txt"}},
		{args: []string{"*.txt", "notes.txt"}, want: []string{"notes.txt", "robots.txt"}},
		{args: []string{"."}, exclude: []string{"vendor"}, want: all[:4]},
		{args: []string{"."}, exclude: []string{"vendor/**", "*.old.txt"}, want: []string{"robots.txt", "sites/a/robots.txt", "sites/b/robots.txt"}},
		{args: []string{"sites"}, exclude: []string{"a/**"}, want: []string{"sites/b/robots.txt"}},
		{args: []string{"sites"}, exclude: []string{"./sites/a"}, want: []string{"sites/b/robots.txt"}},
		{args: []string{"robots.txt"}, exclude: []string{"robots.txt"}, want: []string{"robots.txt"}},
		{args: []string{"no/*.txt", "x*", "robots.txt"}, want: []string{`! no file matches "no/*.txt" ("**" matches any folders: "**/robots.txt")`,
			`! no file matches "x*" ("**" matches any folders: "**/robots.txt")`, "robots.txt"}},
		{args: []string{"empty"}, want: []string{`! there are no robots.txt files in "empty" (files with other names must be given one by one, or by a pattern)`}},
		{args: []string{"[a", "robots.txt"}, want: []string{`! the pattern "[a" is malformed (close each [ and {)`, "robots.txt"}},
	} {
		if got := found(files.Robots(test.exclude...), test.args...); !slices.Equal(got, test.want) {
			t.Errorf("%q without %q:\n%s\nwant\n%s", test.args, test.exclude, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// TestLinks: links to files are followed; links to folders, which may form a circle,
// are not, except the one that an argument names.
func TestLinks(t *testing.T) {
	tree(t, "real/robots.txt", "real/sub/x.txt")
	for link, target := range map[string]string{
		"real/sub/up": "..", "linked": "real", "real/robots.link.txt": "sub/x.txt", "real/robots.lost.txt": "nothing",
	} {
		if err := os.Symlink(filepath.FromSlash(target), filepath.FromSlash(link)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	want := []string{"linked/robots.link.txt", "linked/robots.lost.txt", "linked/robots.txt"}
	if got := found(files.Robots(), "linked"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestUnreadable: a folder that cannot be read is an error, and the others are searched.
func TestUnreadable(t *testing.T) {
	tree(t, "a/robots.txt", "b/robots.txt", "c/robots.txt")
	var got []string
	search := files.Robots()
	for name, err := range search.Files(".") {
		if err != nil {
			name = "! " + err.Error()
		}
		got = append(got, filepath.ToSlash(name))
		if len(got) == 1 {
			if err := os.RemoveAll("b"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(got) != 3 || got[0] != "a/robots.txt" || !strings.HasPrefix(got[1], `! cannot read the folder "b": `) || got[2] != "c/robots.txt" {
		t.Errorf("%q", got)
	}
	for name := range search.Files(".") {
		if name != filepath.Join("a", "robots.txt") {
			t.Errorf("%s after the end", name)
		}
		break
	}
}

func TestIsRobots(t *testing.T) {
	for name, want := range map[string]bool{
		"robots.txt": true, "Robots.TXT": true, "robots.staging.txt": true, "robots-old.txt": true, "robots_1.txt": true,
		"shop.robots.txt": true, "shop-robots.txt": true, "shop_robots.txt": true, "a.robots.b.txt": false,
		"robots.txt.bak": false, "robotstxt": false, "robotsx.txt": false, "myrobots.txt": false, ".txt": false, "notes.txt": false, "robots.md": false,
	} {
		if got := files.IsRobots(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestOpen(t *testing.T) {
	tree(t, "site/robots.txt", "other/x")
	for name, want := range map[string]string{
		"lost.txt":              `there is no file "lost.txt"`,
		"https://shop.example/": `"https://shop.example/" is a URL, not a file`,
		"site":                  `"site" is a directory`,
		"other":                 `"other" is a directory`,
	} {
		if _, err := files.Open(name); err == nil || err.Error() != want || !errors.As(err, new(*term.Error)) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	f, err := files.Open("site/robots.txt")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// TestSeparateLongNames: a name that is too long is compared without questions about each name above it.
func TestSeparateLongNames(t *testing.T) {
	outputs := []files.Named{{Name: strings.Repeat("a/", 60_000), Role: "--out"}}
	allocations := testing.AllocsPerRun(1, func() {
		if err := files.Separate(outputs, slices.Values([]files.Named{{Name: "x", Role: "an argument"}})); err != nil {
			t.Error(err)
		}
	})
	if allocations > 1000 {
		t.Errorf("%v allocations", allocations)
	}
}
