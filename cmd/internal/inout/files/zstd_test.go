package files_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
)

func TestDecompressed(t *testing.T) {
	text := strings.Repeat("a line of a log\n", 1000)
	var gz, zst bytes.Buffer
	w := gzip.NewWriter(&gz)
	io.WriteString(w, text)
	w.Close()
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(z, text)
	z.Close()
	for name, packed := range map[string]string{"plain": text, "gzip": gz.String(), "zstd": zst.String()} {
		r, err := files.Decompressed(iotest.OneByteReader(strings.NewReader(packed)))
		if err != nil {
			t.Fatal(name, err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes, %v, want %d", name, len(got), err, len(text))
		}
		if name == "plain" {
			continue
		}
		r, err = files.Decompressed(strings.NewReader(packed[:len(packed)-5]))
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err = io.ReadAll(r); err == nil {
			t.Errorf("%s that was cut is read without an error", name)
		}
	}
}
