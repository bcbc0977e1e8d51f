package files_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func write(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// holds wants a file of that content.
func holds(t *testing.T, name, content string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != content {
		t.Errorf("%s is %q (%v), want %q", name, got, err, content)
	}
}

// alone wants these files in a folder, and no others.
func alone(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("files %q (%v), want %q", got, err, want)
	}
}

func mode(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// text returns a function that writes a text.
func text(text string) func(io.Writer) error {
	return func(to io.Writer) error {
		_, err := io.WriteString(to, text)
		return err
	}
}

// inFolder makes a new folder the current one.
func inFolder(t *testing.T) { t.Helper(); t.Chdir(t.TempDir()) }

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(filepath.FromSlash(target), name); err != nil {
		t.Skip("no links here:", err)
	}
}

func TestWriteNew(t *testing.T) {
	inFolder(t)
	created, err := os.Create("created")
	if err != nil {
		t.Fatal(err)
	}
	created.Close()
	err = files.Write("new", func(to io.Writer) error {
		if _, err := os.Lstat("new"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("before it is complete: %v", err)
		}
		return text("new")(to)
	})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, "new", "new")
	if got, want := mode(t, "new"), mode(t, "created"); got != want {
		t.Errorf("mode %v, want %v", got, want)
	}
	alone(t, ".", "created", "new")
}

// TestWriteExisting: it is replaced at once, keeps its mode, and what is beside it stays.
func TestWriteExisting(t *testing.T) {
	inFolder(t)
	write(t, "o.csv", "old", 0o640)
	write(t, "o.csv.new", "of the user", 0o644)
	before := mode(t, "o.csv")
	err := files.Write("o.csv", func(to io.Writer) error {
		err := text(strings.Repeat("new", 1<<20))(to)
		holds(t, "o.csv", "old")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, "o.csv", strings.Repeat("new", 1<<20))
	holds(t, "o.csv.new", "of the user")
	if after := mode(t, "o.csv"); after != before {
		t.Errorf("mode %v, want %v", after, before)
	}
	alone(t, ".", "o.csv", "o.csv.new")
}

// TestWriteLink: links stay, also those to nothing and through linked folders.
func TestWriteLink(t *testing.T) {
	inFolder(t)
	for _, folder := range []string{"a/real", "b"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link(t, "a/real", "folder")
	link(t, "../o.csv", filepath.Join("a", "real", "up")) // a/o.csv
	link(t, "up", filepath.Join("a", "real", "link"))
	link(t, "folder/link", "first")
	for _, content := range []string{"new", "newer"} { // without the target, then with it
		if err := files.Write("first", text(content)); err != nil {
			t.Fatal(err)
		}
		holds(t, filepath.Join("a", "o.csv"), content)
	}
	if err := files.Write(filepath.Join("folder")+"/../b.csv", text("beside")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first", filepath.Join("a", "real", "link"), filepath.Join("a", "real", "up")} {
		if mode(t, name)&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", name)
		}
	}
	alone(t, ".", "a", "b", "first", "folder")
	if runtime.GOOS != "windows" { // which removes ".." before it follows links
		alone(t, "a", "b.csv", "o.csv", "real")
	}
	link(t, "circle", "circle")
	if err := files.Write("circle", text("new")); err == nil {
		t.Error("a circle of links is written")
	}
}

func TestWriteReadOnly(t *testing.T) {
	inFolder(t)
	write(t, "o.csv", "old", 0o444)
	err := files.Write("o.csv", func(io.Writer) error { t.Error("write was called"); return nil })
	if !errors.Is(err, files.ErrReadOnly) || err.Error() != `cannot write "o.csv": it is read-only` || term.HintOf(err) == "" {
		t.Errorf("error %v, want %v", err, files.ErrReadOnly)
	}
	holds(t, "o.csv", "old")
	alone(t, ".", "o.csv")
}

// TestWriteFails: after an error or a panic the old content stays, and no other file.
func TestWriteFails(t *testing.T) {
	inFolder(t)
	write(t, "o.csv", "old", 0o644)
	failure := errors.New("the input is damaged")
	for _, name := range []string{"o.csv", "new.csv"} {
		err := files.Write(name, func(to io.Writer) error {
			_ = text(strings.Repeat("new", 1<<20))(to)
			return failure
		})
		if err != failure {
			t.Errorf("%s: error %v, want that of the function", name, err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = files.Write(name, func(io.Writer) error { panic("a bug") })
		}()
	}
	holds(t, "o.csv", "old")
	alone(t, ".", "o.csv")
}

func TestWriteImpossible(t *testing.T) {
	inFolder(t)
	write(t, "file", "", 0o644)
	for name, want := range map[string]string{
		".":             `cannot write ".": `,
		"missing/o.csv": `cannot write "missing/o.csv": `,
		"file/o.csv":    `cannot write "file/o.csv": `,
		"":              `cannot write "": `,
	} {
		err := files.Write(name, text("new"))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if hint := term.HintOf(files.Write("missing/o.csv", text(""))); hint != "create its folder first" {
		t.Errorf("hint %q", hint)
	}
	alone(t, ".", "file")
}

func TestReplace(t *testing.T) {
	inFolder(t)
	write(t, "robots.txt", "old", 0o640)
	if err := files.Replace("robots.txt", []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, "robots.txt", "new")
	if err := files.Replace("robots.txt", []byte("old"), []byte("newer")); !errors.Is(err, files.ErrChanged) {
		t.Errorf("error %v, want %v", err, files.ErrChanged)
	}
	holds(t, "robots.txt", "new")
	if err := files.Replace("missing", nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v of a missing file", err)
	}
	if err := files.Replace(".", nil, nil); !errors.Is(err, files.ErrIrregular) {
		t.Errorf("error %v of a folder", err)
	}
	alone(t, ".", "robots.txt")
}
