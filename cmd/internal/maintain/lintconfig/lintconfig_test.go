package lintconfig_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
	"github.com/kosterhq/robotstxt/lint"
)

// TestParseErrors: an error says where, which field and what to do.
func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ text, message, hint string }{
		{"profile: google\nfail_on: info\n", `x.yaml:2:1: there is no setting "fail_on"`, "did you mean fail-on?"},
		{"colour: red\n", `x.yaml:1:1: there is no setting "colour"`, "the settings are exclude, fail-on, ignore, overrides, pedantic, profile, severities, url"},
		{"overrides:\n  - fils: [a]\n", `x.yaml:2:5: overrides[0]: there is no setting "fils"`, "did you mean files?"},
		{"ignore:\n  - RX402\n  - RX999\n", `x.yaml:3:5: ignore[1]: there is no code "RX999"; --list lists them`, ""},
		{"profile: gogle\n", `x.yaml:1:10: profile: unknown profile "gogle"`, ""},
		{"profile: [google]\n", "x.yaml:1:10: profile: must be one value, not a list", "write one word"},
		{"severities: [RX402]\n", "x.yaml:1:13: severities: must be a mapping", "write codes and severities: {RX402: off}"},
		{"severities:\n  RX402: warn\n", `x.yaml:2:10: severities.RX402: unknown severity "warn"`, ""},
		{"profile: bing\nprofile: bing\n", `x.yaml:2:1: the setting "profile" is already on line 1`, "keep one of them"},
		{"ignore: [RX402\n", "x.yaml:1:1: did not find expected", ""},
		{"pedantic: maybe\n", "x.yaml:1:1: cannot unmarshal", ""},
		{"- a\n", "x.yaml:1:1: must be a mapping", "write settings and values: profile: google"},
		{"overrides: [a]\n", "x.yaml:1:13: overrides[0]: must be a mapping", ""},
		{"overrides: a\n", "x.yaml:1:12: overrides: must be a list", "name the files and their settings: [{files: [a.txt], profile: bing}]"},
		{"ignore: &a [*a]\n", "x.yaml:1:13: ignore[0]: must be one value, not a list", "write one word"},
		{"overrides:\n  - files: ['staging\\**\\*.txt']\n", `x.yaml:2:13: overrides[0].files[0]: the pattern "staging\\**\\*.txt" has a backslash`,
			`write "staging/**/*.txt": patterns have slashes on every system`},
		{"overrides:\n  - files: '[a'\n", `x.yaml:2:12: overrides[0].files: the pattern "[a" is malformed`, "close each [ and {"},
		{"overrides:\n  - profile: bing\n", "x.yaml: overrides: an override has no files", `name them: files: ["staging/**/*.txt"]`},
		{"profile: bing\n---\nprofile: bing\n", "x.yaml: there is a second document", "keep one document and remove the line ---"},
	} {
		_, err := lintconfig.Parse("x.yaml", []byte(test.text))
		e := (*term.Error)(nil)
		if hint := term.HintOf(err); !errors.As(err, &e) || !strings.HasPrefix(e.Error(), test.message) ||
			test.hint != "" && hint != test.hint {
			t.Errorf("%q: %v (%q), want %q and the hint %q", test.text, err, hint, test.message, test.hint)
		}
	}
}

func TestFor(t *testing.T) {
	file, err := lintconfig.Parse("x.yaml", []byte(`
profile: &main production
fail-on: error
url: https://shop.example/robots.txt
ignore: RX306
severities: {byte-order-mark: off}
overrides:
  - files: ["staging/**/*.txt", "./old/*.txt"]
    profile: staging
    ignore: []
  - files: other.txt
    fail-on: off
    severities: {RX306: error}
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]lint.Profile{
		"robots.txt":             lint.Production,
		"staging/robots.txt":     lint.Staging,
		"staging/a/b/robots.txt": lint.Staging,
		"staging/a/b/robots.xml": lint.Production,
		"old/robots.txt":         lint.Staging,
		"old/a/robots.txt":       lint.Production,
		"../staging/robots.txt":  lint.Production,
	} {
		absolute, err := filepath.Abs(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		s := file.For(absolute)
		config := s.Config()
		if config.Profile != want || config.URL != "https://shop.example/robots.txt" || config.Severities["RX306"] != lint.Off || s.Fails(lint.Warning) || !s.Fails(lint.Error) {
			t.Errorf("%s: %+v, want the profile %s", name, config, want)
		}
	}
	other, _ := filepath.Abs(filepath.Join("a", "b", "other.txt"))
	if s := file.For(other); s.Fails(lint.Error) || s.Severities["RX306"] != lint.Error || s.Severities["RX402"] != lint.Off {
		t.Errorf("a pattern without a slash is for any folder: %+v", s)
	}
}

func TestEmpty(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "profile:\n", "{}\n"} {
		if _, err := lintconfig.Parse("x.yaml", []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestFinder(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".robotslint.yaml", "profile: bing\n")
	write("a/b/robots.txt", "")
	write("repo/.git", "")
	write("bad/.robotslint.yaml", "x: y\n")
	write("large/.robotslint.yaml", strings.Repeat("[", lintconfig.MaxBytes+1))
	yandex := lint.Yandex
	for _, test := range []struct {
		finder lintconfig.Finder
		name   string
		want   lint.Profile
	}{
		{lintconfig.Finder{}, "a/b/robots.txt", lint.Bing},
		{lintconfig.Finder{}, "repo/robots.txt", lint.Google},
		{lintconfig.Finder{None: true}, "a/robots.txt", lint.Google},
		{lintconfig.Finder{Above: lintconfig.Settings{Profile: &yandex}}, "a/robots.txt", lint.Yandex},
	} {
		s, err := test.finder.For(filepath.Join(folder, filepath.FromSlash(test.name)))
		if err != nil || s.Config().Profile != test.want {
			t.Errorf("%s: %s (%v), want %s", test.name, s.Config().Profile, err, test.want)
		}
	}
	var finder lintconfig.Finder
	if _, err := finder.For(filepath.Join(folder, "bad", "a.txt")); err == nil || errors.Is(err, lintconfig.ErrRepeated) {
		t.Errorf("the first error is %v", err)
	}
	if _, err := finder.For(filepath.Join(folder, "bad", "b.txt")); !errors.Is(err, lintconfig.ErrRepeated) {
		t.Errorf("the second error is %v", err)
	}
	if _, err := finder.For(filepath.Join(folder, "large", "a.txt")); err == nil || !strings.Contains(err.Error(), "over 16 KiB") {
		t.Errorf("a large file: %v", err)
	}
	if want := []string{filepath.Join(folder, "bad", lintconfig.Name),
		filepath.Join(folder, "large", lintconfig.Name)}; !slices.Equal(finder.Names(), want) {
		t.Errorf("looked for %q, want %q", finder.Names(), want)
	}
	if err := os.Symlink(os.DevNull, filepath.Join(folder, "repo", lintconfig.Name)); err != nil {
		t.Skip(err) // a link needs a right on Windows
	}
	finder = lintconfig.Finder{}
	if _, err := finder.For(filepath.Join(folder, "repo", "a.txt")); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a device: %v", err)
	}
}

// FuzzParse: no text ends the program, and an error begins with the name.
func FuzzParse(f *testing.F) {
	f.Add("profile: google\noverrides:\n  - files: [\"a/**\"]\n    ignore: RX402\n")
	f.Add("severities: {RX402: off}\nignore: &a [RX101]\n")
	f.Add(strings.Repeat("[", 5000))
	f.Add("a: &a [*a]\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > lintconfig.MaxBytes {
			t.Skip()
		}
		if _, err := lintconfig.Parse("x.yaml", []byte(text)); err != nil && !strings.HasPrefix(err.Error(), "x.yaml:") {
			t.Errorf("%v", err)
		}
	})
}

// TestExcludes: a pattern excludes files and folders with all that is in them.
func TestExcludes(t *testing.T) {
	folder := t.TempDir()
	text := "exclude: [vendor, \"old/**/*.txt\", ./tmp]\n"
	if err := os.WriteFile(filepath.Join(folder, lintconfig.Name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	finder := &lintconfig.Finder{}
	for name, want := range map[string]bool{
		"vendor/robots.txt": true, "a/vendor/b/robots.txt": true, "vendored/robots.txt": false,
		"old/robots.txt": true, "old/a/b/robots.txt": true, "a/old/robots.txt": false,
		"tmp/robots.txt": true, "a/tmp/robots.txt": false, "robots.txt": false,
	} {
		if got := finder.Excludes(filepath.Join(folder, filepath.FromSlash(name))); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if (&lintconfig.Finder{None: true}).Excludes(filepath.Join(folder, "vendor", "robots.txt")) {
		t.Error("without settings, a file is excluded")
	}
}
