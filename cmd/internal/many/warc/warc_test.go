package warc_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
)

// record returns a record in the form of the standard. [WARC 1.1 4]
func record(kind, uri, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-11-22T10:00:00Z\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, uri, len(block), block)
}

func response(host, body string) string {
	return record("response", "https://"+host+"/robots.txt", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"+body)
}

// three is an archive of three records, one text for each.
func three() []string {
	return []string{
		response("one.example", "User-agent: *\nDisallow: /1\n"),
		response("two.example", "User-agent: *\nDisallow: /2\n"),
		response("three.example", "User-agent: *\nDisallow: /3\n"),
	}
}

// compressed returns texts as gzip members.
func compressed(texts ...string) []byte {
	var out bytes.Buffer
	for _, text := range texts {
		w := gzip.NewWriter(&out)
		io.WriteString(w, text)
		w.Close()
	}
	return out.Bytes()
}

// read returns the hosts of the records of an archive, "!" for damage, and "end" at the end of
// one that ends early.
func read(t *testing.T, archive io.Reader) (found []string) {
	t.Helper()
	r := warc.NewReader(archive, warc.Config{})
	for {
		record, err := r.Next()
		var damage *warc.DamageError
		switch {
		case err == io.EOF:
			return found
		case isEarly(err):
			return append(found, "end")
		case errors.As(err, &damage):
			found = append(found, "!")
		case err != nil:
			t.Fatal(err)
		default:
			host := strings.TrimPrefix(record.URI, "https://")
			found = append(found, strings.TrimSuffix(host, ".example/robots.txt"))
		}
		if len(found) > 1000 {
			t.Fatal("the reader does not end")
		}
	}
}

// isEarly reports whether an error is that of an archive that ends early.
func isEarly(err error) bool { return errors.As(err, new(*warc.EndError)) }

func TestRecord(t *testing.T) {
	text := "WARC/1.1\r\nwarc-type: Response\r\nWARC-Target-URI: <https://a.example/robots.txt>\r\n" +
		"X-Long: a\r\n\tcontinued: here\r\nWARC-Date: 2026-11-22T10:00:00.25Z\r\nWARC-Truncated: length\r\n" +
		"Content-Type: application/http;msgtype=response\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n"
	for name, archive := range map[string][]byte{"plain": []byte(text), "gzip": compressed(text)} {
		r := warc.NewReader(bytes.NewReader(archive), warc.Config{Block: 3})
		got, err := r.Next()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		const date = "2026-11-22T10:00:00.25Z"
		if got.Type != "response" || got.URI != "https://a.example/robots.txt" || got.Date != date ||
			got.Truncated != "length" || got.ContentType != "application/http;msgtype=response" ||
			got.Length != 5 || string(got.Block) != "hel" || got.Offset != 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: %v after the last record", name, err)
		}
		if r.Offset() != int64(len(archive)) {
			t.Errorf("%s: %d bytes read, %d expected", name, r.Offset(), len(archive))
		}
	}
}

// The forms in which programs compress archives: a member for each record, as the
// standard recommends, one for all, and pieces of any size.
func TestCompression(t *testing.T) {
	all := strings.Join(three(), "")
	var pieces []string
	for rest := all; rest != ""; {
		n := min(37, len(rest))
		pieces = append(pieces, rest[:n])
		rest = rest[n:]
	}
	for name, archive := range map[string][]byte{
		"plain":                 []byte(all),
		"a member a record":     compressed(three()...),
		"one member":            compressed(all),
		"pieces":                compressed(pieces...),
		"LF only":               []byte(strings.ReplaceAll(strings.Join(three(), ""), "\r\n\r\nWARC", "\n\nWARC")),
		"no end":                []byte(strings.TrimSuffix(all, "\r\n\r\n")),
		"blank lines between":   []byte(strings.Join(three(), "\r\n\r\n")),
		"an empty member first": append(compressed(""), compressed(three()...)...),
	} {
		if got := strings.Join(read(t, bytes.NewReader(archive)), " "); got != "one two three" {
			t.Errorf("%s: %s", name, got)
		}
		if got := strings.Join(read(t, iotest.OneByteReader(bytes.NewReader(archive))), " "); got != "one two three" {
			t.Errorf("%s, byte for byte: %s", name, got)
		}
	}
}

// The reader does not notice some kinds of damage, or notices them in some forms only: what it
// finds then instead of "!". N is the name of the damaged record.
var (
	unnoticed    = map[string]string{"nothing": "", "no date": "N ", "zeros in the fields": " "}
	inOtherForms = map[string]string{"bytes between records": "! N ", "no end of record": "N "}
)

// Each damage is in the first or in the second of three records. The others are read.
func TestDamage(t *testing.T) {
	replaced := func(old, new string) func(string) string {
		return func(record string) string { return strings.Replace(record, old, new, 1) }
	}
	for name, damage := range map[string]func(string) string{
		"other version":               replaced("WARC/1.0", "WARC/9.9"),
		"no version":                  replaced("WARC/1.0\r\n", ""),
		"length is too short":         replaced("Content-Length: 7", "Content-Length: 1"),
		"length is a word":            replaced("Content-Length: 7", "Content-Length: x"),
		"length is negative":          replaced("Content-Length: ", "Content-Length: -"),
		"length has a sign":           replaced("Content-Length: ", "Content-Length: +"),
		"length is beyond 63 bits":    replaced("Content-Length: ", "Content-Length: 99999999999999999999"),
		"length is 4 GB":              replaced("Content-Length: ", "Content-Length: 42949672"),
		"two lengths":                 replaced("Content-Length: ", "Content-Length: 1\r\nContent-Length: "),
		"no length":                   replaced("Content-Length", "X-Length"),
		"no type":                     replaced("WARC-Type", "X-Type"),
		"a line without colon":        replaced("WARC-Date: 2026-11-22T10:00:00Z", "WARC-Date"),
		"a long head":                 replaced("WARC-Date:", "X: "+strings.Repeat("a", 100_000)+"\r\nWARC-Date:"),
		"bytes between records":       func(record string) string { return "rubbish\r\n" + record },
		"cut in the head":             func(record string) string { return record[:40] + "\r\n" },
		"cut in the block":            func(record string) string { return record[:len(record)-20] + "\r\n" },
		"no line ends after block":    func(record string) string { return strings.TrimSuffix(record, "\r\n\r\n") + "xx\r\n" },
		"other magic":                 func(record string) string { return "JUNK" + record[4:] },
		"an empty length":             replaced("Content-Length: ", "Content-Length: \r\nX: "),
		"no end of fields":            replaced("\r\n\r\n", "\r\n"),
		"zeros":                       func(record string) string { return strings.Repeat("\x00", len(record)) + "\r\n" },
		"zeros in the fields":         func(record string) string { return record[:20] + strings.Repeat("\x00", 40) + record[60:] },
		"nothing":                     func(string) string { return "\r\n\r\n\r\n" },
		"no end of record":            func(record string) string { return strings.TrimSuffix(record, "\r\n\r\n") },
		"no date":                     replaced("2026-11-22T10:00:00Z", "yesterday"),
		"a block in place of records": func(string) string { return strings.Repeat("\x00\xff", 5000) + "\n" },
	} {
		for at, host := range []string{"one", "two"} {
			records := three()
			records[at] = damage(records[at])
			found := func(instead string) string {
				return []string{"", "one "}[at] + strings.ReplaceAll(instead, "N", host) + []string{"two ", ""}[at] + "three"
			}
			want, ok := unnoticed[name]
			if !ok {
				want = "! "
			}
			for form, archive := range map[string][]byte{
				"plain": []byte(strings.Join(records, "")), "gzip": compressed(records...), "one member": compressed(strings.Join(records, "")),
			} {
				got := strings.Join(read(t, bytes.NewReader(archive)), " ")
				ok := got == found(want) || inOtherForms[name] != "" && got == found(inOtherForms[name]) ||
					// Bytes of the next record were decompressed as a part of the block.
					form == "one member" && (name == "length is 4 GB" || name == "cut in the block") &&
						(strings.HasPrefix(found(want), strings.TrimSuffix(got, "end")) || got == "! three")
				if !ok {
					t.Errorf("%s in %s, %s: %s", name, host, form, got)
				}
			}
		}
	}
}

// Damage of the compressed bytes.
func TestDamagedCompression(t *testing.T) {
	records := three()
	first, second, third := compressed(records[0]), compressed(records[1]), compressed(records[2])
	changed := func(at int) []byte {
		bad := bytes.Clone(second)
		bad[(at+len(bad))%len(bad)] ^= 0x55
		return bad
	}
	for name, second := range map[string][]byte{
		"checksum":          changed(-6),
		"length":            changed(-1),
		"magic":             changed(0),
		"method":            changed(2),
		"data":              changed(len(second) / 2),
		"cut":               second[:len(second)/2],
		"cut in the head":   second[:5],
		"zeros":             make([]byte, len(second)),
		"a member of noise": compressed(strings.Repeat("noise", 100)),
		"false beginnings":  bytes.Repeat([]byte{0x1f, 0x8b, 8, 0}, 100),
	} {
		archive := bytes.Join([][]byte{first, second, third}, nil)
		if got := strings.Join(read(t, bytes.NewReader(archive)), " "); got != "one ! three" {
			t.Errorf("%s: %s", name, got)
		}
	}
	cut := bytes.Join([][]byte{first, second, third[:len(third)-3]}, nil)
	if got := strings.Join(read(t, bytes.NewReader(cut)), " "); got != "one two end" {
		t.Errorf("cut at the end: %s", got)
	}
}

// A flipped bit in a gzip member leaves its record or makes it damaged, and never both, also if
// only line ends follow the record.
func TestFlippedBits(t *testing.T) {
	records := three()
	first, second, third := compressed(records[0]), compressed(records[1]+strings.Repeat("\r\n", 40)), compressed(records[2])
	damaged := 0
	for bit := 0; bit < 8*len(second); bit += 3 { // a bit of each byte at least, and all bits in turn
		bad := bytes.Clone(second)
		bad[bit/8] ^= 1 << (bit % 8)
		switch got := strings.Join(read(t, bytes.NewReader(bytes.Join([][]byte{first, bad, third}, nil))), " "); got {
		case "one ! three":
			damaged++
		case "one two three": // the head of gzip has bits without effect
		default:
			t.Errorf("bit %d: %s", bit, got)
		}
	}
	t.Logf("%d of %d flips were noticed", damaged, 8*len(second)/3)
	if damaged < 3*len(second)/2 {
		t.Errorf("only %d flips were noticed", damaged)
	}
}

// A damage error has the place of the damaged record.
func TestDamageOffset(t *testing.T) {
	records := three()
	records[1] = strings.Replace(records[1], "WARC/1.0", "WARC/9.9", 1)
	for _, archive := range [][]byte{[]byte(strings.Join(records, "")), compressed(records...)} {
		want := int64(len(records[0]))
		if archive[0] == 0x1f {
			want = int64(len(compressed(records[0])))
		}
		r := warc.NewReader(bytes.NewReader(archive), warc.Config{})
		r.Next()
		_, err := r.Next()
		var damage *warc.DamageError
		if !errors.As(err, &damage) || damage.Offset != want || !strings.Contains(err.Error(), "WARC/9.9") {
			t.Errorf("%v, offset %d expected", err, want)
		}
	}
}

func TestSourceError(t *testing.T) {
	broken := errors.New("broken disk")
	for _, archive := range [][]byte{[]byte(strings.Join(three(), "")), compressed(three()...)} {
		r := warc.NewReader(io.MultiReader(bytes.NewReader(archive), iotest.ErrReader(broken)), warc.Config{})
		for range 3 {
			if _, err := r.Next(); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if _, err := r.Next(); err != broken {
				t.Errorf("%v", err)
			}
		}
	}
}

// zeros is a source of n zero bytes.
func zeros(n int64) io.Reader { return io.LimitReader(zeroReader{}, n) }

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A record of 4 GB is skipped with the memory of a small one.
func TestHugeRecord(t *testing.T) {
	const size = 4<<30 + 5
	head := fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n", int64(size))
	archive := io.MultiReader(strings.NewReader(three()[0]+head), zeros(size), strings.NewReader("\r\n\r\n"+three()[2]))
	r := warc.NewReader(archive, warc.Config{Block: 1000})
	var kept []int
	for {
		record, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, len(record.Block))
	}
	if fmt.Sprint(kept) != "[72 1000 72]" {
		t.Error(kept)
	}
}

// Reading allocates for the first records only.
func TestReadingAllocations(t *testing.T) {
	text := response("one.example", strings.Repeat("Disallow: /a\n", 100))
	r := warc.NewReader(strings.NewReader(strings.Repeat(text, 2000)), warc.Config{})
	r.Next()
	// The three fields that are kept, and the text that the date is parsed from.
	if n := testing.AllocsPerRun(1000, func() {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}); n > 8 {
		t.Errorf("%v allocations for a record", n)
	}
}

// hostile are archives in which every few bytes look like the start of a record or of
// a member.
func hostile(size int) map[string][]byte {
	long := "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 999999999\r\n\r\n"
	return map[string][]byte{
		"long records":   bytes.Repeat([]byte(long), size/len(long)),
		"members":        append(compressed("x"), bytes.Repeat([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0}, size/10)...),
		"empty members":  bytes.Repeat(compressed(""), size/23),
		"versions":       bytes.Repeat([]byte("WARC/1.0\r\n"), size/10),
		"stored members": append(compressed("x"), bytes.Repeat(compressed("noise"), size/30)...),
	}
}

// The bytes that are read again are bounded, so that the time is linear.
func TestHostileArchivesEnd(t *testing.T) {
	for name, archive := range hostile(2 << 20) {
		counted := &counter{r: bytes.NewReader(archive)}
		r := warc.NewReader(counted, warc.Config{})
		for {
			if _, err := r.Next(); err == io.EOF || isEarly(err) {
				break
			}
		}
		if counted.n != len(archive) {
			t.Errorf("%s: %d of %d bytes read", name, counted.n, len(archive))
		}
	}
}

type counter struct {
	r io.Reader
	n int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// FuzzReader checks that every archive is read to its end, and that no record has more
// than it says.
func FuzzReader(f *testing.F) {
	f.Add([]byte(strings.Join(three(), "")))
	f.Add(compressed(three()...))
	f.Add(compressed(strings.Join(three(), "")))
	for _, archive := range hostile(500) {
		f.Add(archive)
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		r := warc.NewReader(bytes.NewReader(archive), warc.Config{Block: 100, Head: 1000})
		for calls := 0; ; calls++ {
			record, err := r.Next()
			if err == io.EOF || isEarly(err) {
				return
			}
			if err == nil {
				if want := min(record.Length, 100); int64(len(record.Block)) != want {
					t.Fatalf("%d bytes of a block of %d", len(record.Block), record.Length)
				}
				warc.ParseResponse(record.Block, 50)
			}
			if calls > len(archive)+1 {
				t.Fatal("more records than bytes")
			}
		}
	})
}

// TestStored: the range of a record has it, whatever is before and after, and one reader can read many.
func TestStored(t *testing.T) {
	all := strings.Join(three(), "")
	var pieces []string // that end within records
	for i := 0; i < len(all); i += 70 {
		pieces = append(pieces, all[i:min(i+70, len(all))])
	}
	for name, archive := range map[string][]byte{
		"plain": []byte(all), "members": compressed(three()...), "one": compressed(all), "pieces": compressed(pieces...),
		"zstd": frames(t, three()),
	} {
		r := warc.NewReader(bytes.NewReader(archive), warc.Config{})
		again := warc.NewReader(strings.NewReader(""), warc.Config{})
		records := 0
		for {
			record, err := r.Next()
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(name, err)
			}
			from, to := r.Stored()
			if length := int64(len(archive)); (name == "plain" || name == "members") && to-from > length/2 {
				t.Errorf("%s: from %d to %d of %d", name, from, to, length)
			}
			again.Reset(bytes.NewReader(archive[from:min(to, int64(len(archive)))]))
			isFound := false
			for range 3 {
				found, err := again.Next()
				isFound = isFound || err == nil && found.URI == record.URI && bytes.Equal(found.Block, record.Block)
			}
			if !isFound {
				t.Errorf("%s: %s is not between %d and %d", name, record.URI, from, to)
			}
			records++
		}
		if records != 3 {
			t.Errorf("%s: %d records", name, records)
		}
	}
}
