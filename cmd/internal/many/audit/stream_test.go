package audit_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// filesOf returns the files of a source, and its error.
func filesOf(t *testing.T, source audit.Source) (files []audit.Input, err error) {
	t.Helper()
	err = source.Files(t.Context(), func(in *audit.Input) error {
		file := *in
		file.Body = bytes.Clone(in.Body)
		files = append(files, file)
		return nil
	})
	return files, err
}

// closing counts how often data are closed.
type closing struct {
	io.Reader
	closed *int
}

func (c closing) Close() error { *c.closed++; return nil }

// TestObject: an object has the files and the error of a local file with the same bytes, in each
// form, whole, cut and empty. It closes its data and leaves no temporary file, even if the data or
// the program that takes the files fail.
func TestObject(t *testing.T) {
	temporary := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temporary)
	}
	forms := sitesInForms(t, 50)
	forms["shop.example.txt"] = []byte("User-agent: *\nDisallow: /\n")
	folder := t.TempDir()
	failure := errors.New("the connection was reset")
	for form, whole := range forms {
		for _, data := range [][]byte{whole, whole[:len(whole)/2+3], nil} {
			name := filepath.Join(folder, form)
			writeFile(t, name, data)
			in, errs := audit.Open([]string{name}, nil, audit.Config{})
			if len(errs) > 0 || len(in.Sources) != 1 {
				t.Fatal(form, errs)
			}
			want, wantErr := filesOf(t, in.Sources[0])
			record := ""
			if form == "shop.example.txt" {
				record = name
			}
			closed := 0
			object := func(r io.Reader) audit.Source {
				return audit.Object("https://archives.example/"+form, record, func() (io.ReadCloser, error) { return closing{r, &closed}, nil }, audit.Config{})
			}
			got, err := filesOf(t, object(iotest.HalfReader(bytes.NewReader(data))))
			if !reflect.DeepEqual(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s, %d bytes: %d files, %v; of a file %d, %v", form, len(data), len(got), err, len(want), wantErr)
			}
			if len(data) == len(whole) && (err != nil || len(got) == 0) {
				t.Errorf("%s: %d files, %v", form, len(got), err)
			}
			if len(data) < len(whole) || record != "" { // a robots.txt that cannot be read is a row
				continue
			}
			if _, err := filesOf(t, object(io.MultiReader(bytes.NewReader(data[:len(data)/2]),
				iotest.ErrReader(failure)))); !errors.Is(err, failure) {
				t.Errorf("%s: the error of the data is %v", form, err)
			}
			stop := errors.New("stop")
			if err := object(bytes.NewReader(data)).Files(t.Context(), func(*audit.Input) error {
				return stop
			}); !errors.Is(err, stop) {
				t.Errorf("%s: the error of yield is %v", form, err)
			}
			if closed != 3 {
				t.Errorf("%s: three objects were closed %d times", form, closed)
			}
		}
	}
	if left, err := os.ReadDir(temporary); err != nil ||
		slices.ContainsFunc(left, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "robots-") }) {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

// TestObjectIsTable: an audit counts its tables, and does not read them again as robots.txt files.
func TestObjectIsTable(t *testing.T) {
	var table bytes.Buffer
	if err := audit.WriteRows(&table, []audit.Crawler{{Crawler: "GPTBot", Host: "shop.example"}}); err != nil {
		t.Fatal(err)
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(&table), nil }
	files, err := filesOf(t, audit.Object("crawlers.parquet", "", open, audit.Config{}))
	if err == nil || !strings.Contains(err.Error(), "this is a table of an audit") || len(files) > 0 {
		t.Errorf("%d files, %v", len(files), err)
	}
	failure := errors.New("forbidden")
	open = func() (io.ReadCloser, error) { return nil, failure }
	if _, err := filesOf(t, audit.Object("a.warc.gz", "", open, audit.Config{})); !errors.Is(err, failure) {
		t.Error(err)
	}
	files, err = filesOf(t, audit.Object("robots.txt", "shop.example/robots.txt", open, audit.Config{}))
	if err != nil || len(files) != 1 || files[0].Host != "shop.example" || files[0].Problem != audit.Damaged ||
		files[0].Detail != failure.Error() {
		t.Errorf("%+v, %v", files, err)
	}
}
