package warc_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
)

// TestEarlyEnd cuts an archive of three records at many places: the records before the
// cut are read, nothing is called damaged, and the end is an *EndError with the bytes that there
// were, unless the cut is between two records, which looks complete.
func TestEarlyEnd(t *testing.T) {
	records := three()
	frame := func(text string) []byte { return frames(t, []string{text}, zstd.WithEncoderCRC(true)) }
	gzipped := func(text string) []byte { return compressed(text) }
	for name, stored := range map[string]func(string) []byte{"plain": func(text string) []byte { return []byte(text) },
		"gzip": gzipped, "zstd": frame} {
		var archive []byte
		ends := map[int]int{} // records by the length of an archive with no others
		for i, text := range records {
			archive = append(archive, stored(text)...)
			ends[len(archive)] = i + 1
		}
		for length := range archive {
			if _, isWhole := ends[length]; !isWhole && length%7 > 0 && len(archive)-length > 8 {
				continue
			}
			r := warc.NewReader(bytes.NewReader(archive[:length]), warc.Config{})
			read, err := 0, error(nil)
			for ; err == nil; read++ {
				_, err = r.Next()
			}
			read--
			var early *warc.EndError
			// without the lines that end a record
			complete := name == "plain" && strings.HasSuffix(strings.Join(records, "")[:length], "\n") && read > 0
			switch n, isWhole := ends[length]; {
			case isWhole && (err != io.EOF || read != n):
				t.Errorf("%s, %d whole records: %d, %v", name, n, read, err)
			case !isWhole && err == io.EOF && complete:
			case !isWhole && !errors.As(err, &early):
				t.Errorf("%s, cut after %d of %d bytes: %d records, %v", name, length, len(archive), read, err)
			case !isWhole && name != "zstd" && early.Read != int64(length):
				t.Errorf("%s, cut after %d bytes: %v", name, length, err)
			}
			if _, again := r.Next(); again != err {
				t.Errorf("%s: %v, then %v", name, err, again)
			}
		}
	}
}

// TestNoRecord: files without any record are not archives that have none.
func TestNoRecord(t *testing.T) {
	half := strings.Join(three(), "")
	likeRecord := response("four.example", "# a\nWARC/1.0 is not a record\n# b\n")
	for name, c := range map[string]struct{ archive, want, err string }{
		"empty":               {"", "end", "it is empty"},
		"gzip of nothing":     {string(compressed("")), "end", "there is no record in its 23 bytes"},
		"a web page":          {"<html>\nnot found\n</html>\n", "! end", "there is no record in its 25 bytes"},
		"a preallocated file": {half + strings.Repeat("\x00", 5000), "one two three end", "it ends after 5785 bytes, within the record at offset 785"},
		"likewise, gzip":      {string(compressed(three()...)) + strings.Repeat("\x00", 5000), "one two three end", ""},
		"text of a record":    {half + likeRecord[:len(likeRecord)-5], "one two three ! ! end", ""},
	} {
		if got := strings.Join(read(t, strings.NewReader(c.archive)), " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		r := warc.NewReader(strings.NewReader(c.archive), warc.Config{})
		err := error(&warc.DamageError{})
		for errors.As(err, new(*warc.DamageError)) || err == nil {
			_, err = r.Next()
		}
		if c.err != "" && err.Error() != c.err {
			t.Errorf("%s: %v, want %s", name, err, c.err)
		}
	}
}
