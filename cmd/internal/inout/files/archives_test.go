package files_test

import (
	"archive/zip"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func decompressed(t *testing.T, packed []byte) (string, error) {
	t.Helper()
	r, err := files.Decompressed(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

// TestZip: the files in an archive are read one after the other, deflated or stored, and a cut archive is an
// error.
func TestZip(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	long := strings.Repeat("GET /tea\n", 10_000)
	for name, method := range map[string]uint16{"deflated.log": zip.Deflate, "again.log": zip.Deflate} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, long)
	}
	w, err := z.CreateRaw(&zip.FileHeader{Name: "stored.log", Method: zip.Store, CompressedSize64: 4, UncompressedSize64: 4})
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "end\n")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if text, err := decompressed(t, b.Bytes()); err != nil || text != long+long+"end\n" {
		t.Errorf("%d bytes, %v, want %d", len(text), err, 2*len(long)+4)
	}
	for _, n := range []int{6, 40, 200, b.Len() / 3} {
		if text, err := decompressed(t, b.Bytes()[:n]); err == nil && len(text) < len(long) {
			t.Errorf("the first %d bytes are read without an error", n)
		}
	}
}

// TestEntries: an archive's files are read one by one, and a reader of one log refuses several.
func TestEntries(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"folder/", "folder/a.log", "b.log"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "/") {
			io.WriteString(w, "of "+name)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(t.TempDir(), "logs.zip")
	if err := os.WriteFile(archive, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range files.Entries(archive) {
		text, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(text)
		if err := errors.Join(err, text.Close()); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(entry.Name, " ", entry.Size, " ", string(content)))
	}
	if want := []string{"folder/a.log 15 of folder/a.log", "b.log 8 of b.log"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	r, err := files.Decompressed(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	several := errors.New("several files")
	files.ReadOneFile(r, several)
	if _, err := io.ReadAll(r); err != several {
		t.Errorf("several files as one: %v", err)
	}
	// A log whose last line has an archive is not one.
	if err := os.WriteFile(archive, append([]byte("GET /\n"), b.Bytes()...), 0o600); err != nil {
		t.Fatal(err)
	}
	if entries := files.Entries(archive); entries != nil {
		t.Errorf("a log that ends like an archive has the files %v", entries)
	}
}

// TestManyEntries: the directory of an archive is read once, not for each file, and an archive with a larger one
// than the bound is not read by it.
func TestManyEntries(t *testing.T) {
	pack := func(files int, name string) string {
		archive := filepath.Join(t.TempDir(), "logs.zip")
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := range files {
			w, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i, name)})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(w, i)
		}
		if err := errors.Join(z.Close(), os.WriteFile(archive, b.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		return archive
	}
	entries := files.Entries(pack(5_000, ".log"))
	last := entries[len(entries)-1]
	most := testing.AllocsPerRun(10, func() {
		text, err := last.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(text)
		if err := errors.Join(err, text.Close()); err != nil || string(content) != "4999" {
			t.Fatalf("%q, %v", content, err)
		}
	})
	if most > 100 {
		t.Errorf("a file of %d is opened with %.0f allocations", len(entries), most)
	}
	if entries := files.Entries(pack(300, strings.Repeat("x", 1<<16-100))); entries != nil {
		t.Errorf("a directory of 20 MB has %d entries", len(entries))
	}
}

// TestDamagedEntries: an error about a file in an archive says what is wrong.
func TestDamagedEntries(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("access.log")
	if err == nil {
		_, err = io.WriteString(w, strings.Repeat("GET /tea\n", 1000))
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	directory := bytes.Index(b.Bytes(), []byte("PK\x01\x02"))
	archive := filepath.Join(t.TempDir(), "logs.zip")
	write := func(text []byte) {
		if err := os.WriteFile(archive, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Bytes of the directory: flags, method, checksum. [APPNOTE.TXT 4.3.12]
	for at, want := range map[int]string{8: "the archive is encrypted", 10: "the archive has a file in the unknown method 9", 16: "the ZIP archive is damaged"} {
		damaged := slices.Clone(b.Bytes())
		damaged[directory+at] = 9
		write(damaged)
		entry := files.Entries(archive)[0]
		text, err := entry.Open()
		if err == nil {
			_, err = io.ReadAll(text)
			text.Close()
		}
		if err == nil || term.Reason(err) != want {
			t.Errorf("byte %d: %v, want %s", at, err, want)
		}
	}
	write(b.Bytes())
	entry := files.Entries(archive)[0]
	write(b.Bytes()[:20]) // it is replaced meanwhile
	if _, err := entry.Open(); err == nil || term.Reason(err) != "it ends too early" {
		t.Errorf("an archive that became shorter: %v", err)
	}
}

func TestBzip2(t *testing.T) {
	packed, err := hex.DecodeString("425a6839314159265359b118c7330000025780001040008280040022000400200031064c4100da9a061a737e2ee48a70a12162318e66")
	if err != nil {
		t.Fatal(err)
	}
	text, err := decompressed(t, packed)
	if err != nil || text != "GET /tea\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestConvert: a form that cannot be read names the command that converts it.
func TestConvert(t *testing.T) {
	for begin, want := range map[string]string{"\xfd7zXZ\x00\x00": "xz -dc", "\xff\xfea\x00": "iconv -f UTF-16 -t UTF-8", "\xfe\xff\x00a": "iconv -f UTF-16 -t UTF-8"} {
		_, err := decompressed(t, []byte(begin))
		if convert := (*files.ConvertError)(nil); !errors.As(err, &convert) || convert.Command != want {
			t.Errorf("%q: %v, want the command %s", begin, err, want)
		}
	}
}
