package audit

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/bzip2"
	"fmt"
	"net/netip"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/net/publicsuffix"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
	"github.com/kosterhq/robotstxt/internal/regular"
)

type form uint8

const (
	formFile    form = iota // a robots.txt, or unknown
	formWARC                // plain, gzip, bzip2 or zstd
	formTar                 // plain, gzip or bzip2, too
	formZip                 // or WACZ
	formLines               // NDJSON; plain, gzip or bzip2
	formCSV                 // a row for each file; plain, gzip or bzip2
	formParquet             //
	formARC                 // cannot be read
)

var forms = []struct {
	end  string
	form form
}{
	{".warc", formWARC}, {".warc.zst", formWARC}, {".tar", formTar}, {".tgz", formTar}, {".zip", formZip}, {".wacz", formZip},
	{".ndjson", formLines}, {".jsonl", formLines}, {".csv", formCSV}, {".tsv", formCSV}, {".parquet", formParquet},
}

// formOf returns the form that a name shows.
func formOf(name string) form {
	name = strings.ToLower(name)
	for _, packed := range append(partial, ".gz", ".bz2") {
		name = strings.TrimSuffix(name, packed)
	}
	for _, f := range forms {
		if strings.HasSuffix(name, f.end) {
			return f.form
		}
	}
	return formFile
}

// The sizes of the beginnings that show a form, in bytes: stored, and without compression.
const (
	sniffStored = 4 << 10
	sniffed     = 512
)

// sniff returns the form that the beginning of data shows, even within gzip and bzip2, and formFile if it is text or
// unknown. It removes bzip2, which shows a beginning only after a whole block. The mark of tar is in its first block.
// [POSIX.1, ustar interchange format]
func sniff(stored *bufio.Reader) (*bufio.Reader, form) {
	stored = withoutBzip2(stored)
	begin, _ := stored.Peek(sniffStored)
	if warc.IsZstd(begin) {
		return stored, formWARC
	}
	text, err := unzipped(bufio.NewReader(bytes.NewReader(begin)))
	if err != nil {
		return stored, formFile
	}
	begin, _ = text.Peek(sniffed)
	for _, f := range []struct {
		magic string
		form  form
	}{{"WARC/", formWARC}, {"PK\x03\x04", formZip}, {"PK\x05\x06", formZip}, {"PAR1", formParquet}, {"filedesc://", formARC}} {
		if bytes.HasPrefix(begin, []byte(f.magic)) {
			return stored, f.form
		}
	}
	if len(begin) == sniffed && string(begin[257:262]) == "ustar" {
		return stored, formTar
	}
	return stored, formFile
}

// unzipped returns the data of an archive that can be compressed with gzip or bzip2.
func unzipped(stored *bufio.Reader) (*bufio.Reader, error) {
	if begin, _ := stored.Peek(2); !bytes.HasPrefix(begin, []byte{0x1f, 0x8b}) {
		return withoutBzip2(stored), nil
	}
	unzip, err := gzip.NewReader(stored)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(unzip, 64<<10), nil
}

// withoutBzip2 returns data without their compression, if they begin like a bzip2 stream: with its mark, the size of
// its blocks, and a block.
func withoutBzip2(stored *bufio.Reader) *bufio.Reader {
	begin, _ := stored.Peek(10)
	if len(begin) < 10 || string(begin[:3]) != "BZh" || string(begin[4:10]) != "1AY&SY" {
		return stored
	}
	return bufio.NewReaderSize(bzip2.NewReader(stored), 64<<10)
}

// errARC is the error for an archive in the form that WARC has replaced.
var errARC = term.Errorf("this is an ARC archive, the form before WARC, which robots does not read").Hint("convert it: warcio recompress OLD.arc.gz NEW.warc.gz")

// formOfFile returns the form of a file whose name is not that of a robots.txt: what it contains, else what its name
// says. A pipe can be read only once, so its name decides.
func formOfFile(name string) form {
	byName := formOf(name)
	file, err := regular.Open(name)
	if err != nil {
		return byName
	}
	defer file.Close()
	_, form := sniff(bufio.NewReader(file))
	return cmp.Or(form, byName)
}

// isSite reports whether the name of a file says which site's robots.txt it is: Hosts has it, or it ends in .txt, or it
// is the name of a host. Such a file is never read as an archive, because its content is from the site, which could
// forge the captures of others.
func (c Config) isSite(name string) bool {
	base := path.Base(name)
	if c.isListed(name) {
		return true
	}
	if isDocument(base) || isPartial(base) || isCopy(base) || formOf(base) != formFile {
		return false
	}
	return strings.HasSuffix(strings.ToLower(base), ".txt") || isHost(base)
}

// isHidden reports whether an entry of a tar or zip archive is hidden, as [files.Search] defines it for folders: its
// name or that of a folder around it begins with a dot. macOS adds an entry __MACOSX/._shop.example.txt for
// shop.example.txt.
func (c Config) isHidden(name string) bool {
	return !c.isListed(name) && strings.Contains(path.Clean("/"+name), "/.")
}

// isListed reports whether Hosts has a file.
func (c Config) isListed(name string) bool {
	_, byName := c.Hosts[name]
	_, byBase := c.Hosts[path.Base(name)]
	return byName || byBase
}

// isDocument reports whether a file is one of those that describe others.
func isDocument(base string) bool {
	stem, end, _ := strings.Cut(base, ".")
	return slices.Contains([]string{"readme", "license", "changelog", "manifest", "datapackage"}, strings.ToLower(stem)) &&
		slices.Contains([]string{"", "md", "txt", "rst", "html", "json", "in"}, strings.ToLower(end))
}

// isCopy reports whether a file is an editor's copy of another one, such as shop.example.txt.save, although save is a
// public suffix. www.txt.com is a host.
func isCopy(base string) bool {
	name := strings.ToLower(base)
	stem, isSaved := strings.CutSuffix(name, ".save")
	host, _, isText := strings.Cut(name, ".txt.")
	return isText && (isSaved || isHost(host)) || isSaved && isHost(stem)
}

// reserved are last labels of hosts that are not in the public suffix list. [RFC 6761, RFC 7686]
var reserved = []string{"example", "test", "invalid", "localhost", "local", "onion", "internal"}

// isHost reports whether a name is that of a host: an address, localhost, or two labels or more of which the last one
// is a public suffix or reserved. A word alone, such as info or name, can be a public suffix too.
func isHost(name string) bool {
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return true
	}
	host := withoutPort(canonicalHost(name, ""))
	at := strings.LastIndexByte(host, '.')
	last := host[at+1:]
	if at <= 0 || slices.Contains(reserved, last) {
		return at > 0 || last == "localhost"
	}
	_, isICANN := publicsuffix.PublicSuffix(last)
	return isICANN && last != ""
}

// partial are the ends of the names of downloads that have not ended.
var partial = []string{".part", ".crdownload", ".download"}

func isPartial(name string) bool { return slices.Contains(partial, strings.ToLower(path.Ext(name))) }

// Skipped counts the files that are neither sites nor archives. It is safe for concurrent use.
type Skipped struct {
	mu    sync.Mutex
	n     int
	first []string
}

// namedSkipped is the number of files that a note names.
const namedSkipped = 3

func (s *Skipped) add(name string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n++; len(s.first) < namedSkipped {
		s.first = append(s.first, term.Escape(name))
	}
}

// Note returns a sentence about the files, "" without any.
func (s *Skipped) Note() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := strings.Join(s.first, ", ")
	switch {
	case s.n == 0:
		return ""
	case s.n > len(s.first):
		names += ", …"
	}
	return fmt.Sprintf("%s skipped, neither named after a host nor an archive that is read here: %s",
		term.Count(s.n, "file was", "files were"), names)
}
