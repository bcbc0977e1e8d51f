package urllist_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
)

// urls returns the URLs of a list, its errors in the form "! text", and its notes in the
// form "# text".
func urls(r io.Reader, c urllist.Config) (got []string) {
	if c.Name == "" {
		c.Name = "list"
	}
	c.Note = func(text string) { got = append(got, "# "+text) }
	for url, err := range urllist.New(r, c).All {
		if err != nil {
			url = "! " + err.Error()
		}
		got = append(got, url)
	}
	return got
}

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func utf16Of(text string, order binary.ByteOrder, mark bool) string {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var b bytes.Buffer
	binary.Write(&b, order, units)
	return b.String()
}

const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>https://shop.example/a?b=1&amp;c=2</loc><lastmod>2026-01-01</lastmod>
    <image:image><image:loc>https://shop.example/a.png</image:loc></image:image></url>
  <url><loc>
    <![CDATA[https://shop.example/c]]> </loc></url>
  <url><loc>/relative</loc></url>
</urlset>
`

var sitemapURLs = []string{"# list is read as a sitemap", "https://shop.example/a?b=1&c=2", "https://shop.example/c", `! list:7: "/relative": a path without a host`}

func TestList(t *testing.T) {
	files, site := urllist.Config{Paths: true}, urllist.Config{Site: "https://shop.example"}
	for _, test := range []struct {
		name   string
		config urllist.Config
		text   string
		want   []string
	}{
		{"plain", files, "\ufeff/a\r\n\n# comment\n  https://shop.example/b c \n/d\n", []string{"/a", "https://shop.example/b c", "/d"}},
		{"plain, with other lines", files, "/a\nmenu.pdf\nmailto:x@shop.example\nhttps://\n\x01\n/b",
			[]string{"/a", `! list:2: "menu.pdf": not a URL`, `! list:3: "mailto:***@shop.example": not a URL`, `! list:4: "https://": not a valid URL`, `! list:5: "\x01": not a URL`, "/b"}},
		{"plain, with commas", files, "https://shop.example/a,b;c\n/a,b\n", []string{"https://shop.example/a,b;c", "/a,b"}},
		{"paths of a site", site, "/a\n//cdn.example/b\n", []string{"https://shop.example/a", "https://cdn.example/b"}},
		{"paths without a host", urllist.Config{}, "/a\nhttps://shop.example/\n//shop.example/\n", []string{`! list:1: "/a": a path without a host`, "https://shop.example/", `! list:3: "//shop.example/": a host without a scheme`}},
		{"quoted CSV without a header", files, "\"https://shop.example/menu.pdf\",\"200\",\"OK\"\n\"https://shop.example/\"\"x\"\"\",\"200\",\"OK\"\n",
			[]string{"# list is read as CSV, URLs from column 1", "https://shop.example/menu.pdf", `https://shop.example/"x"`}},
		{"CSV without quotes", files, "https://shop.example/a,200\nhttps://shop.example/b,404\n",
			[]string{"# list is read as CSV, URLs from column 1", "https://shop.example/a", "https://shop.example/b"}},
		{"CSV by content", files, "id;seite;x\n1;https://shop.example/a;\"y\n;z\"\n\n2;;\n3\n4;https://shop.example/b\n",
			[]string{"# list is read as CSV, URLs from column 2", "https://shop.example/a", "! list:5: column 2 has no URL", "! list:6: column 2 has no URL", "https://shop.example/b"}},
		{"separator line", files, "sep=;\nURL;Klicks\nhttps://shop.example/a,b;1\n", []string{"# list is read as CSV, URLs from column 1 (\"url\")", "https://shop.example/a,b"}},
		{"column by name", urllist.Config{Column: "Target"}, "Source,Target\nhttps://a.example/,https://b.example/\n", []string{"# list is read as CSV, URLs from column 2 (\"target\")", "https://b.example/"}},
		{"column by number", urllist.Config{Column: "2"}, "Source,Target\nhttps://a.example/,https://b.example/\n", []string{"# list is read as CSV, URLs from column 2", "https://b.example/"}},
		{"no such column", urllist.Config{Column: "page"}, "Source,Target\nx\n", []string{`! list has no column "page"`}},
		{"no column of URLs", files, "a,b\nc,d\n", []string{"! list has no column of URLs"}},
		{"TSV", files, "name\turl\nx\thttps://shop.example/a\n", []string{"# list is read as TSV, URLs from column 2 (\"url\")", "https://shop.example/a"}},
		{"UTF-16 of a spreadsheet", files, utf16Of("URL\tx\r\nhttps://shop.example/é\ty\r\n", binary.LittleEndian, true),
			[]string{"# list is read as TSV, URLs from column 1 (\"url\")", "https://shop.example/é"}},
		{"UTF-16 without a mark", files, utf16Of("/a\n/é\n", binary.BigEndian, false), []string{"/a", "/é"}},
		{"format of the name", urllist.Config{Name: "x.CSV.gz"}, zipped("https://shop.example/a,b\n"), []string{"# x.CSV.gz is read as CSV, URLs from column 1", "https://shop.example/a"}},
		{"format that is given", urllist.Config{Format: urllist.Plain}, "https://shop.example/a,200\n", []string{"https://shop.example/a,200"}},
		{"gzip", files, zipped("/a\n/b"), []string{"/a", "/b"}},
		{"broken gzip", files, zipped("/a\n/b")[:24], []string{"/a", "! cannot read list: it ends too early"}},
		{"spreadsheet", files, "PK\x03\x04xl", []string{"! list is a spreadsheet or a ZIP archive"}},
		{"sitemap", urllist.Config{}, sitemap, sitemapURLs},
		{"sitemap with gzip", urllist.Config{}, zipped(sitemap), sitemapURLs},
		{"sitemap in UTF-16", urllist.Config{}, utf16Of(strings.Replace(sitemap, "UTF-8", "UTF-16", 1), binary.BigEndian, true), sitemapURLs},
		{"sitemap in ISO-8859-1", urllist.Config{}, strings.Replace(strings.Replace(sitemap, "UTF-8", "ISO-8859-1", 1), "/c]]", "/\xe9]]", 1),
			[]string{sitemapURLs[0], sitemapURLs[1], "https://shop.example/é", sitemapURLs[3]}},
		{"sitemap with an unknown encoding", urllist.Config{}, strings.Replace(sitemap, "UTF-8", "KOI8", 1),
			[]string{`! list:1: the sitemap cannot be read: its encoding is "KOI8": use UTF-8`}},
		{"sitemap that ends too early", urllist.Config{}, sitemap[:strings.Index(sitemap, "<lastmod>")], []string{sitemapURLs[0], sitemapURLs[1], "! list:3: the sitemap cannot be read: it ends within an element"}},
		{"web page", urllist.Config{}, "\n<!doctype html>\n<html><body>https://shop.example/", []string{"! list is not a sitemap: it begins with <html>"}},
		{"index without a fetcher", urllist.Config{}, "<sitemapindex><sitemap><loc>https://shop.example/1.xml</loc></sitemap></sitemapindex>",
			[]string{"# list is read as a sitemap index", "! list is a sitemap index, whose sitemaps cannot be fetched here"}},
		{"common log", site, `192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET /a?b=c HTTP/1.1" 200 2326
2001:db8::1 - John Smith [10/Oct/2026:13:55:36 -0700] "POST /b\x22\"c HTTP/2.0" 200 -

192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "\x16\x03\x01" 400 226
192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "-" 408 -
192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "CONNECT shop.example:443 HTTP/1.1" 405 -
192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET http://other.example/p HTTP/1.1" 404 -
what is this
192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET //x" 200 1
`, []string{"# list is read as an access log", "https://shop.example/a?b=c", `https://shop.example/b""c`, "http://other.example/p",
			`! list:8: "what is this": not a line of an access log`, "https://shop.example//x", "# list: ignored 3 requests without a path"}},
		{"combined log with virtual hosts", urllist.Config{}, `shop.example:443 192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET /a HTTP/1.1" 200 2326 "https://shop.example/" "Mozilla/5.0 (compatible; GPTBot/1.2)"
shop.example:80 192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET /b HTTP/1.1" 200 1 "-" "-"
shop.example 192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET /c HTTP/1.1" 200 1 "-" "-"
`, []string{"# list is read as an access log", "https://shop.example/a", "http://shop.example/b", "https://shop.example/c"}},
		{"log without hosts", urllist.Config{}, `192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET /a HTTP/1.1" 200 2326`,
			[]string{"# list is read as an access log", "! list:1: the requests of the log have no host"}},
		{"log without hosts for a file", files, `192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] "GET /a HTTP/1.1" 200 2326`,
			[]string{"# list is read as an access log", "/a"}},
		{"empty", files, " \n\n", nil},
		{"comments only", files, "# a\n# b", nil},
	} {
		for _, reader := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.DataErrReader} {
			if got := urls(reader(strings.NewReader(test.text)), test.config); !slices.Equal(got, test.want) {
				t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
				break
			}
		}
	}
}

// TestIndex: the sitemaps of an index are read in their order; what is wrong with one is
// an error of its own, and circles end.
func TestIndex(t *testing.T) {
	index := func(urls ...string) string {
		return "<sitemapindex>\n<sitemap><loc>" + strings.Join(urls, "</loc></sitemap>\n<sitemap><loc>") + "</loc></sitemap>\n</sitemapindex>"
	}
	pages := map[string]string{
		"https://shop.example/1.xml":     strings.ReplaceAll(sitemap, "/relative", "https://shop.example/r"),
		"https://shop.example/2.xml.gz":  zipped("https://shop.example/text\nno URL\n"),
		"https://shop.example/page":      "<html>",
		"https://shop.example/circle":    index("https://shop.example/circle", "https://shop.example/1.xml", "https://shop.example/deep"),
		"https://shop.example/deep":      index("https://shop.example/deeper"),
		"https://shop.example/broken.gz": zipped("/a")[:12],
	}
	open, closed := 0, 0
	fetch := func(url string) (io.ReadCloser, error) {
		text, ok := pages[url]
		if !ok {
			return nil, errors.New("HTTP status 404")
		}
		open++
		return struct {
			io.Reader
			io.Closer
		}{strings.NewReader(text), closer(func() { closed++ })}, nil
	}
	got := urls(strings.NewReader(index("https://shop.example/1.xml", "https://shop.example/2.xml.gz", "https://shop.example/lost.xml", "/x",
		"https://shop.example/page", "https://shop.example/circle", "https://shop.example/broken.gz")), urllist.Config{Fetch: fetch})
	want := []string{
		"# list is read as a sitemap index", `! list:5: "/x": not a valid URL`,
		"https://shop.example/a?b=1&c=2", "https://shop.example/c", "https://shop.example/r",
		"https://shop.example/text", `! https://shop.example/2.xml.gz:2: "no URL": not a URL`,
		"! list:4: https://shop.example/lost.xml: HTTP status 404",
		"! list:6: https://shop.example/page: https://shop.example/page is not a sitemap: it begins with <html>",
		"! https://shop.example/deep:2: the sitemap index is nested too deeply",
		"! list:8: https://shop.example/broken.gz: it ends too early",
	}
	if !slices.Equal(got, want) || open != closed {
		t.Errorf("%d opened, %d closed:\n%s\nwant\n%s", open, closed, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

type closer func()

func (c closer) Close() error { c(); return nil }

// TestHostile: no input needs more than a few MB of memory, and what can be read of it
// is.
func TestHostile(t *testing.T) {
	const size = 1 << 30
	repeated := func(before, text string, n int64, after string) io.Reader {
		return io.MultiReader(strings.NewReader(before), io.LimitReader(&repeater{text: text}, n),
			strings.NewReader(after))
	}
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	io.Copy(w, repeated("/a\n", "x", 64<<20, "\n/b\n"))
	w.Close()
	for _, test := range []struct {
		name string
		r    io.Reader
		want []string
	}{
		{"a long line", repeated("/a\n", "x", 50<<20, "\n/b\n"), []string{"/a", "! list:2: the line is over 1 MiB long", "/b"}},
		{"a line of 1 GB", repeated("/a\n", "x", size, "\n/b\n"), []string{"/a", "! cannot read list: a line is over 64 MiB long: it is not a list of URLs"}},
		{"a line without an end", &repeater{text: "\x00"}, []string{"! cannot read list: a line is over 64 MiB long: it is not a list of URLs"}},
		{"white space without an end", &repeater{text: " \t"}, []string{"! cannot read list: it begins with over 64 MiB of white space: it is not a list of URLs"}},
		{"empty lines without an end", &repeater{text: "\n"}, []string{"! cannot read list: it begins with over 64 MiB of white space: it is not a list of URLs"}},
		{"a quotation without an end", repeated("url,x\n/a,\"", "y\n", 8<<20, "z\",\n/b,c\n"),
			[]string{"# list is read as CSV, URLs from column 1 (\"url\")", "! list:2: the record up to line 524290 is over 1 MiB long"}},
		{"a gzip bomb", &bomb, []string{"/a", "! list:2: the line is over 1 MiB long", "/b"}},
		{"a long text", repeated("<urlset><url><loc>https://shop.example/</loc></url><url><loc>", "x", size, "</loc></url></urlset>"),
			[]string{"# list is read as a sitemap", "https://shop.example/", "! list:1: the sitemap cannot be read: an element or a text in it is over 1 MiB long"}},
		{"many elements", repeated("<urlset>", "<url>", size, ""), []string{"# list is read as a sitemap", "! list:1: the sitemap cannot be read: its elements are nested too deeply"}},
		{"entities", repeated("", `<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><urlset><url><loc>https://shop.example/&b;</loc></url></urlset>`, 144, ""),
			[]string{"# list is read as a sitemap", "! list:1: the sitemap is not valid XML: invalid character entity &b;"}},
	} {
		got, most := []string(nil), uint64(0)
		list := urllist.New(&watched{r: test.r, most: &most},
			urllist.Config{Name: "list", Paths: true, Note: func(text string) {
				got = append(got, "# "+text)
			}})
		for url, err := range list.All {
			if err != nil {
				url = "! " + err.Error()
			}
			got = append(got, url)
			if len(got) == len(test.want) && test.name == "a quotation without an end" {
				break // the lines after it are read again
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%.2000s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
		if most > 64<<20 {
			t.Errorf("%s: %d MB in use", test.name, most>>20)
		}
	}
}

// repeater yields a text again and again.
type repeater struct {
	text string
	rest string // of a block of texts
}

func (r *repeater) Read(p []byte) (int, error) {
	if len(r.text) < 1<<15 {
		r.text = strings.Repeat(r.text, 1<<16/len(r.text))
	}
	if r.rest == "" {
		r.rest = r.text
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// watched measures the memory in use from time to time.
type watched struct {
	r     io.Reader
	reads int
	most  *uint64
}

func (w *watched) Read(p []byte) (int, error) {
	if w.reads++; w.reads%4096 == 1 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		*w.most = max(*w.most, stats.HeapInuse)
	}
	return w.r.Read(p)
}

// TestSitemapLimits: a sitemap is read up to the limits of the protocol, and what of it is
// missing is an error. The bytes count after they are decompressed.
func TestSitemapLimits(t *testing.T) {
	entry := func(i int) string { return fmt.Sprintf("<url><loc>https://shop.example/%d</loc></url>", i) }
	var many strings.Builder
	for i := range urllist.SitemapURLs + 1 {
		many.WriteString(entry(i))
	}
	long := func(element string, n int) string {
		return strings.Repeat(element+strings.Repeat(" ", 1<<20-len(element)-1)+"\n", n)
	}
	small := urllist.Config{Limit: 1 << 20, MaxURLs: urllist.SitemapURLs}
	all := urllist.Config{Limit: urllist.SitemapBytes, MaxURLs: urllist.SitemapURLs}
	index := urllist.Config{} // whose sitemaps have the limits of the protocol
	for _, test := range []struct {
		name, text string
		config     urllist.Config
		urls       int
		last       string
	}{
		{"small", "<urlset>" + entry(0) + "</urlset>", small, 1, "https://shop.example/0"},
		{"compressed, with a line break", zipped("<urlset>"+entry(0)+"</urlset>") + "\n", small, 1, "https://shop.example/0"},
		{"many URLs", "<urlset>" + many.String() + "</urlset>", all, urllist.SitemapURLs, "! list:1: the sitemap cannot be read: it has over 50000 URLs"},
		{"many URLs as text", strings.Repeat("https://shop.example/\n", urllist.SitemapURLs+1), all, urllist.SitemapURLs, "! cannot read list: it has over 50000 URLs"},
		{"a bomb", zipped("<urlset>" + entry(0) + long("<x/>", 1) + entry(1) + "</urlset>"), small, 1, "! list:1: the sitemap cannot be read: it is over 1 MiB long"},
		{"many elements", "<urlset>" + entry(0) + strings.Repeat("<x/>", 500) + entry(1) + "</urlset>", urllist.Config{MaxURLs: 10}, 1,
			"! list:1: the sitemap cannot be read: it has too many elements for its URLs"},
		{"empty members", strings.Repeat(zipped(""), 100_000), small, 0, "! cannot read list: it is over 2 MiB long"},
		{"many URLs in an index", "<urlset>" + many.String() + "</urlset>", index, urllist.SitemapURLs, "! https://shop.example/list:1: the sitemap cannot be read: it has over 50000 URLs"},
		{"just small enough in an index", zipped("https://shop.example/0\n" + long("#", 49) + "https://shop.example/1\n"), index, 2, "https://shop.example/1"},
		{"a bomb in an index", zipped("https://shop.example/0\n" + long("#", 50) + "https://shop.example/1\n"), index, 1, "! list:1: https://shop.example/list: it is over 50 MiB long"},
	} {
		var list io.Reader = strings.NewReader(test.text)
		if test.config.MaxURLs == 0 {
			list = strings.NewReader("<sitemapindex><sitemap><loc>https://shop.example/list</loc></sitemap></sitemapindex>")
			test.config.Fetch = func(string) (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(test.text)), nil
			}
		}
		got := slices.DeleteFunc(urls(list, test.config), func(text string) bool { return strings.HasPrefix(text, "# ") })
		found := slices.DeleteFunc(slices.Clone(got), func(text string) bool { return strings.HasPrefix(text, "! ") })
		if len(found) != test.urls || len(got) == 0 || got[len(got)-1] != test.last {
			t.Errorf("%s: %d URLs, the last is %q, want %d and %q", test.name, len(found), got[max(len(got)-1, 0):], test.urls, test.last)
		}
	}
}

// TestStop: Stop ends a list between two of its URLs, and a long text without any.
func TestStop(t *testing.T) {
	reads := 0
	got := urls(strings.NewReader(zipped("<urlset>"+strings.Repeat("<x/>", 1<<20)+"</urlset>")), urllist.Config{Stop: func() error {
		if reads++; reads == 3 {
			return errors.New("stopped")
		}
		return nil
	}})
	if reads != 3 || len(got) != 2 || got[1] != "! list:1: the sitemap cannot be read: stopped" {
		t.Errorf("%d reads: %q", reads, got)
	}
}

// TestErrors: the error of a read is the last, with the name.
func TestErrors(t *testing.T) {
	got := urls(io.MultiReader(strings.NewReader("/a\n"), iotest.ErrReader(errors.New("broken"))), urllist.Config{Paths: true})
	if want := []string{"/a", "! cannot read list: broken"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, format := range append(urllist.Formats(), urllist.Auto) {
		for range urllist.New(strings.NewReader("/a\n/b\n"), urllist.Config{Paths: true, Format: format}).All {
			break
		}
	}
}

// FuzzList: no input ends the program. A plain list has a URL or an error for each line
// that is neither empty nor a comment; other lists have no more URLs and errors than
// lines, except sitemaps. URLs are valid.
func FuzzList(f *testing.F) {
	for _, text := range []string{"/a\r\n\n/b\n#top", "\"https://a.example/\",200\n\"x", "id;url\n1;/a\n", sitemap, zipped(sitemap),
		`a:80 192.0.2.1 - - [x] "GET /\x22 HTTP/1.1" 200 1`, utf16Of("/a\n", binary.LittleEndian, true), "sep=\t\nurl\n/", "<sitemapindex><sitemap><loc>https://a.example/x"} {
		f.Add(text, "", true)
	}
	f.Add("a,b\n/x,/y\n", "2", false)
	f.Fuzz(func(t *testing.T, text, column string, paths bool) {
		for _, format := range append(urllist.Formats(), urllist.Auto) {
			c := urllist.Config{Name: "list", Format: format, Column: column, Paths: paths}
			fetched := 0
			c.Fetch = func(string) (io.ReadCloser, error) {
				if fetched++; fetched > 3 {
					return nil, errors.New("enough")
				}
				return io.NopCloser(strings.NewReader(text)), nil
			}
			n := 0
			for url, err := range urllist.New(iotest.HalfReader(strings.NewReader(text)), c).All {
				n++
				if err != nil {
					if url != "" || !errors.As(err, new(*urllist.LineError)) && !errors.As(err, new(*term.Error)) {
						t.Errorf("%s: %q and %v", format, url, err)
					}
					continue
				}
				if !strings.Contains(url, "://") && (!paths || !strings.HasPrefix(url, "/")) || strings.TrimSpace(url) != url && format != urllist.Log {
					t.Errorf("%s: %q", format, url)
				}
			}
			if most := 2 + strings.Count(text, "\n"); format == urllist.Plain && n > most && !strings.HasPrefix(text, "\x1f\x8b") &&
				!strings.Contains(text[:min(len(text), 2)], "\x00") && !strings.HasPrefix(text, "\xff") &&
				!strings.HasPrefix(text, "\xfe") {
				t.Errorf("%s: %d URLs and errors of %d lines", format, n, most)
			}
		}
	})
}
