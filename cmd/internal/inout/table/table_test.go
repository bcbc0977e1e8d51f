package table_test

import (
	"encoding/csv"
	"io"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

var columns = []table.Column{
	{Name: "url", Code: true, Least: 12},
	{Name: "count", Right: true},
	{Name: "remark", Least: 8},
}

type row struct {
	url    string
	count  int
	remark string
}

var rows = []row{
	{"https://shop.example/teas?sort=price&page=2", 7, "plain"},
	{"/a,\"b\"|c`d", 12345, "=HYPERLINK(\"https://evil.example\")"},
	{"/日本語", -3, "a\tb\x1b[31m\u202e"},
	{"", 0, " @x"},
}

func write(t *testing.T, config table.Config, rows []row) string {
	t.Helper()
	var out strings.Builder
	config.Columns = columns
	w := table.New(&out, config)
	for _, r := range rows {
		w.Cell(r.url)
		w.Number(r.count)
		w.Styled(term.Red, r.remark)
		if err := w.End(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFormats(t *testing.T) {
	for _, test := range []struct {
		config table.Config
		want   string
	}{
		{table.Config{Format: table.Text}, "" +
			"url                                          count  remark\n" +
			"https://shop.example/teas?sort=price&page=2      7  plain\n" +
			"/a,\"b\"|c`d                                   12345  =HYPERLINK(\"https://evil.example\")\n" +
			"/日本語                                         -3  a\\tb\\x1b[31m\\u202e\n" +
			"                                                 0   @x\n"},
		{table.Config{Format: table.Text, NoHeader: true, Screen: 40}, "" +
			"https://s…age=2      7  plain\n" +
			"/a,\"b\"|c`d       12345  =HYPERLINK(\"htt…\n" +
			"/日本語             -3  a\\tb\\x1b[31m\\u2…\n" +
			"                     0   @x\n"},
		{table.Config{Format: table.CSV}, "" +
			"url,count,remark\n" +
			"https://shop.example/teas?sort=price&page=2,7,plain\n" +
			"\"/a,\"\"b\"\"|c`d\",12345,\"'=HYPERLINK(\"\"https://evil.example\"\")\"\n" +
			"/日本語,-3,a\\tb\\x1b[31m\\u202e\n" +
			",0,\" @x\"\n"},
		{table.Config{Format: table.TSV, Excel: true}, "\ufeff" +
			"url\tcount\tremark\r\n" +
			"https://shop.example/teas?sort=price&page=2\t7\tplain\r\n" +
			"\"/a,\"\"b\"\"|c`d\"\t12345\t\"'=HYPERLINK(\"\"https://evil.example\"\")\"\r\n" +
			"/日本語\t-3\ta\\tb\\x1b[31m\\u202e\r\n" +
			"\t0\t\" @x\"\r\n"},
		{table.Config{Format: table.Markdown}, "" +
			"| url | count | remark |\n" +
			"| --- | ---: | --- |\n" +
			"| `https://shop.example/teas?sort=price&page=2` | 7 | plain |\n" +
			"| `` /a,\"b\"\\|c`d `` | 12345 | =HYPERLINK(\"https://evil.example\") |\n" +
			"| `/日本語` | -3 | a\\\\tb\\\\x1b\\[31m\\\\u202e |\n" +
			"|  | 0 |  \\@x |\n"},
	} {
		if got := write(t, test.config, rows); got != test.want {
			t.Errorf("%+v:\n%s\nwant\n%s", test.config, got, test.want)
		}
	}
}

// TestNoRows: a program that reads CSV finds the header in any case.
func TestNoRows(t *testing.T) {
	for format, want := range map[table.Format]string{
		table.Text: "", table.CSV: "url,count,remark\n", table.TSV: "url\tcount\tremark\n",
		table.Markdown: "| url | count | remark |\n| --- | ---: | --- |\n",
	} {
		if got := write(t, table.Config{Format: format}, nil); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}

func TestRepeat(t *testing.T) {
	got := write(t, table.Config{Format: table.Text, Repeat: 2}, append(rows, rows[0]))
	if n := strings.Count(got, "url "); n != 3 || strings.Count(got, "\n") != len(rows)+1+n {
		t.Errorf("%d headers in\n%s", n, got)
	}
}

// TestKnownWidths: text is written at once if the widths are known, so that a pipe
// need not wait.
func TestKnownWidths(t *testing.T) {
	var out strings.Builder
	w := table.New(&out, table.Config{Format: table.Text, Columns: []table.Column{{Name: "a", Width: 4}, {Name: "b"}}})
	if err := w.Row("x", "y"); err != nil || out.String() != "a     b\nx     y\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

// FuzzSeparated: CSV is read as it was written, except that formulas are defused, and
// no cell of TSV has a tab or a line end.
func FuzzSeparated(f *testing.F) {
	for _, seed := range []string{"a", "a,b", `"`, "=1+1", "＝1", "-", "@x", "\t=1", "\r", "\n", "\xff", "a\u2028b", "::error::", " x "} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, excel := range []bool{false, true} {
			var out strings.Builder
			w := table.New(&out, table.Config{Format: table.CSV, Excel: excel,
				Columns: []table.Column{{Name: "a"}, {Name: "b"}}})
			if err := w.Row(a, b); err != nil {
				t.Fatal(err)
			}
			records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(out.String(), "\ufeff"))).ReadAll()
			if err != nil || len(records) != 2 || len(records[1]) != 2 {
				t.Fatalf("%q is read as %q, %v", out.String(), records, err)
			}
			for i, cell := range []string{a, b} {
				got, want := records[1][i], term.Escape(cell)
				if want != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(want)[0]) {
					want = "'" + want
				}
				if got != want {
					t.Errorf("%q is read as %q, want %q", cell, got, want)
				}
			}
		}
		var out strings.Builder
		w := table.New(&out, table.Config{Format: table.TSV, Columns: []table.Column{{Name: "a"}, {Name: "b"}}})
		if err := w.Row(a, b); err != nil || strings.Count(out.String(), "\t") != 2 || strings.Count(out.String(), "\n") != 2 {
			t.Errorf("%q, %v", out.String(), err)
		}
	})
}

// FuzzFits: no line is wider than the screen if the columns can be narrowed.
func FuzzFits(f *testing.F) {
	f.Add("https://shop.example/a/long/path/of/a/page", "日本語日本語日本語", 30)
	f.Add("\u0301\u0301", "👩‍👩‍👧", 24)
	f.Fuzz(func(t *testing.T, url, remark string, screen int) {
		screen = 32 + int(uint(screen)%200)
		for line := range strings.Lines(write(t, table.Config{Format: table.Text, Screen: screen},
			[]row{{url, 1, remark}})) {
			if width := term.Width(strings.TrimSuffix(line, "\n")); width > screen {
				t.Errorf("%q has %d columns, more than %d", line, width, screen)
			}
		}
	})
}

func TestNoAllocations(t *testing.T) {
	for _, format := range []table.Format{table.Text, table.CSV, table.TSV} {
		w := table.New(io.Discard, table.Config{Format: format,
			Columns: []table.Column{{Name: "url", Width: 40}, {Name: "n", Width: 3, Right: true}, {Name: "r"}}})
		write := func() {
			w.Cell("https://shop.example/teas?sort=price,up")
			w.Number(42)
			w.Styled(term.Red, "Disallow: /*?sort=")
			if err := w.End(); err != nil {
				t.Fatal(err)
			}
		}
		write()
		if n := testing.AllocsPerRun(100, write); n > 0 {
			t.Errorf("%s: %v allocations for a row", format, n)
		}
	}
}
