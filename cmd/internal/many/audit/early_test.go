package audit_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// sitesInForms returns the files of so many sites in each form of inputs.
func sitesInForms(t *testing.T, sites int) map[string][]byte {
	t.Helper()
	var records, lines, rows, members bytes.Buffer
	var inTar, inZip bytes.Buffer
	tarball, zipped := tar.NewWriter(&inTar), zip.NewWriter(&inZip)
	rows.WriteString("host,body\n")
	for i := range sites {
		host, body := fmt.Sprintf("s%d.example", i), fmt.Sprintf("User-agent: *\nDisallow: /%d\n", i*i*7919)
		record := warcRecord("https://"+host+"/robots.txt", 200, body)
		records.WriteString(record)
		members.Write(gzipped([]byte(record)))
		fmt.Fprintf(&lines, "{\"host\": %q, \"body\": %q}\n", host, body)
		fmt.Fprintf(&rows, "%s,%q\n", host, "x")
		rows.Truncate(rows.Len() - len("\"x\"\n"))
		fmt.Fprintf(&rows, "\"%s\"\n", body)
		if err := tarball.WriteHeader(&tar.Header{Name: host, Mode: 0o644, Size: int64(len(body))}); err != nil {
			t.Fatal(err)
		}
		tarball.Write([]byte(body))
		entry, err := zipped.Create(host)
		if err != nil {
			t.Fatal(err)
		}
		entry.Write([]byte(body))
	}
	if err := errors.Join(tarball.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"a.warc": records.Bytes(), "a.warc.gz": members.Bytes(), "one.warc.gz": gzipped(records.Bytes()),
		"a.jsonl": lines.Bytes(), "a.jsonl.gz": gzipped(lines.Bytes()), "a.csv": rows.Bytes(), "a.csv.gz": gzipped(rows.Bytes()),
		"a.tar": inTar.Bytes(), "a.tgz": gzipped(inTar.Bytes()), "a.zip": inZip.Bytes(), "a.parquet": parquetOf(t, sites),
	}
}

// parquetOf returns a table of robots.txt files.
func parquetOf(t *testing.T, sites int) []byte {
	t.Helper()
	type row struct {
		Host string `parquet:"host"`
		Body string `parquet:"body"`
	}
	var rows []row
	for i := range sites {
		rows = append(rows, row{fmt.Sprintf("s%d.example", i), fmt.Sprintf("User-agent: *\nDisallow: /%d\n", i)})
	}
	name := filepath.Join(t.TempDir(), "t.parquet")
	if err := parquet.WriteFile(name, rows); err != nil {
		t.Fatal(err)
	}
	return []byte(readFile(t, name))
}

// TestInputEndsEarly cuts an input of each form in the middle, and everything of it: the run
// names it with the files that were read, whose rows there are, and calls none of them damaged.
// After an interruption the next run names it, too, unless it was replaced: then it is read again.
func TestInputEndsEarly(t *testing.T) {
	const sites = 200
	for form, whole := range sitesInForms(t, sites) {
		for what, data := range map[string][]byte{"whole": whole, "half": whole[:len(whole)/2+3], "empty": nil} {
			name := filepath.Join(t.TempDir(), form)
			writeFile(t, name, data)
			in, errs := audit.Open([]string{name}, nil, audit.Config{})
			if len(errs) > 0 {
				t.Errorf("%s, %s: %v", form, what, errs)
				continue
			}
			parts, err := audit.OpenParts(filepath.Join(t.TempDir(), "parts"), audit.PartsConfig{})
			if err != nil {
				t.Fatal(err)
			}
			progress := new(audit.Progress)
			incomplete, err := audit.Run(t.Context(), in.Sources, parts, audit.Options{Progress: progress})
			if err != nil {
				t.Fatal(err)
			}
			files, _ := rowsOf(t, parts)
			read := len(files)
			if progress.Damaged.Load() > 0 {
				t.Errorf("%s, %s: %d records are damaged", form, what, progress.Damaged.Load())
			}
			if what == "whole" {
				if len(incomplete) > 0 || read != sites {
					t.Errorf("%s: %d files, %v", form, read, incomplete)
				}
				continue
			}
			// whose tables of contents are at the end
			none := what == "empty" || strings.HasSuffix(form, ".zip") || strings.HasSuffix(form, ".parquet")
			if none != (read == 0) || read > sites*2/3 {
				t.Errorf("%s, %s: %d files were read", form, what, read)
			}
			for range 2 {
				if len(incomplete) != 1 || !incomplete[0].EndsEarly() || incomplete[0].Files != read ||
					!strings.Contains(incomplete[0].Error(), form+" is not complete: ") {
					t.Errorf("%s, %s: %d files, %v", form, what, read, incomplete)
				}
				incomplete, err = audit.Run(t.Context(), in.Sources, parts, audit.Options{})
				if err != nil {
					t.Fatal(err)
				}
			}
			writeFile(t, name, whole) // the download was repeated
			in, _ = audit.Open([]string{name}, nil, audit.Config{})
			incomplete, err = audit.Run(t.Context(), in.Sources, parts, audit.Options{})
			if err != nil || len(incomplete) > 0 {
				t.Errorf("%s, %s, replaced: %v, %v", form, what, incomplete, err)
			}
			if files, _ := rowsOf(t, parts); len(files) != sites {
				t.Errorf("%s, %s, replaced: %d files", form, what, len(files))
			}
		}
	}
}

// TestCutTables: tables of text that end within a row.
func TestCutTables(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		files int
		early bool
	}{
		"no line end.csv":    {"host,body\na.example,x\nb.example,y", 2, false},
		"in quotes.csv":      {"host,body\na.example,x\nb.example,\"User-agent: *\nDisallow:", 1, true},
		"line in quotes.csv": {"host,body\na.example,x\nb.example,\"User-agent: *\n", 1, true},
		"before a cell.csv":  {"host,body\na.example,x\nb.exam", 1, true},
		"short row.csv":      {"host,body\na.example,x\nb.example\n", 2, false},
		"short, then.csv":    {"host,body\nb.example\na.example,x", 2, false},
		"lone quote.csv":     {"host,body\na.example,x\"y\n", 1, false},
		"head.csv":           {"host,body\n", 0, false},
		"half a head.csv":    {"host,\"bo", 0, true},
		"no line end.jsonl":  {"{\"host\":\"a.example\",\"body\":\"\"}", 1, false},
		"half.jsonl":         {"{\"host\":\"a.example\",\"body\":\"\"}\n{\"host\":\"b.ex", 1, true},
		"bad last.jsonl":     {"{\"host\":\"a.example\",\"body\":\"\"}\n{bad}\n", 2, false},
	} {
		path := filepath.Join(t.TempDir(), name)
		writeFile(t, path, []byte(c.text))
		in, errs := audit.Open([]string{path}, nil, audit.Config{})
		if len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
			continue
		}
		progress := new(audit.Progress)
		incomplete, err := audit.Run(t.Context(), in.Sources, nil, audit.Options{Progress: progress})
		early := len(incomplete) == 1 && incomplete[0].EndsEarly()
		if err != nil || int(progress.Files.Load()) != c.files || early != c.early || len(incomplete) > 0 && !early {
			t.Errorf("%s: %d files, %v, %v", name, progress.Files.Load(), incomplete, err)
		}
	}
}

// broken is a source that panics after a file.
type broken struct{}

func (broken) Name() string { return "broken.warc" }

func (broken) Files(_ context.Context, yield func(*audit.Input) error) error {
	if err := yield(&audit.Input{Host: "first.example", Body: []byte(openFile)}); err != nil {
		return err
	}
	var none []string
	panic(none[len(openFile)])
}

// TestFaults: a panic at one file is the problem of its row, and a panic of a source ends that
// input. All other files are judged, by the same run.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	for i := range 300 {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("s%d.example", i)), []byte(openFile))
	}
	sources, errs := openSources([]string{dir}, nil, audit.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	sources = append(sources, broken{})
	var mu sync.Mutex
	var faults []error
	o := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Lint: true},
		Observe: func(in *audit.Input) error {
			if in.Host == "s7.example" {
				var lines []string
				_ = lines[len(in.Body)]
			}
			return nil
		}, Fault: func(err error) {
			mu.Lock()
			defer mu.Unlock()
			faults = append(faults, err)
		}}
	parts, err := audit.OpenParts(filepath.Join(t.TempDir(), "parts"), audit.PartsConfig{})
	if err != nil {
		t.Fatal(err)
	}
	incomplete, err := audit.Run(t.Context(), sources, parts, o)
	if err != nil || len(incomplete) != 1 || incomplete[0].Files != 1 || !strings.Contains(incomplete[0].Error(), "broken.warc: internal error: ") {
		t.Errorf("%v, %v", incomplete, err)
	}
	if len(faults) != 1 || !strings.Contains(faults[0].Error(), "SHA-256 digest") || !strings.Contains(term.TraceOf(faults[0]), "TestFaults") {
		t.Errorf("%v", faults)
	}
	files, crawlers := rowsOf(t, parts)
	if len(files) != 301 || len(crawlers) != 301 {
		t.Fatalf("%d and %d rows", len(files), len(crawlers))
	}
	for _, f := range files {
		if got, want := text(f.Problem), "null"; f.Host == "s7.example" {
			if got != string(audit.Internal) || !strings.Contains(text(f.Detail), "internal error: ") || f.Outcome != nil {
				t.Errorf("%s: %s, %s", f.Host, got, text(f.Detail))
			}
		} else if got != want || f.LintErrors == nil {
			t.Errorf("%s: %s", f.Host, got)
		}
	}
}

// TestUnreadableFolder: a folder that cannot be read does not hide the files after it.
func TestUnreadableFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("NOT TESTED: root reads all folders")
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "b", "b.example"), []byte(openFile))
	for _, host := range []string{"a.example", "c.example"} {
		writeFile(t, filepath.Join(dir, host), []byte(openFile))
	}
	if err := os.Chmod(filepath.Join(dir, "b"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(dir, "b"), 0o755)
	sources, _ := openSources([]string{dir}, nil, audit.Config{})
	progress := new(audit.Progress)
	incomplete, err := audit.Run(t.Context(), sources, nil, audit.Options{Progress: progress})
	if err != nil || len(incomplete) != 1 || progress.Files.Load() != 2 {
		t.Errorf("%d files, %v, %v", progress.Files.Load(), incomplete, err)
	}
}
