package markup_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func document(t testing.TB, parts ...string) (head, body string) {
	t.Helper()
	var out strings.Builder
	d := markup.NewDocument(&out, "de")
	for _, part := range parts {
		if err := d.Add(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.End(); err != nil {
		t.Fatal(err)
	}
	head, body, _ = strings.Cut(out.String(), "<main>\n")
	return head, body
}

func TestDocument(t *testing.T) {
	head, body := document(t, "# A \\& `B`\n\nText \\*of\\* a `` ` `` line.\n\n- one\n- two\n", "## Next\n\n| a | n |\n| --- | ---: |\n| x\\|<b> | 1 |\n| `c\\|d` |  |\n")
	if !strings.Contains(head, "<html lang=\"de\">") || !strings.Contains(head, "<title>A &amp; B</title>") {
		t.Errorf("head: %s", head[:300])
	}
	const want = `<h1><bdi>A &amp; <code>B</code></bdi></h1>
<p><bdi>Text *of* a <code>` + "`" + `</code> line.</bdi></p>
<ul>
<li><bdi>one</bdi></li>
<li><bdi>two</bdi></li>
</ul>
<h2><bdi>Next</bdi></h2>
<table>
<thead><tr><th><bdi>a</bdi></th><th class="n"><bdi>n</bdi></th></tr>
</thead>
<tbody>
<tr><td><bdi>x|&lt;b&gt;</bdi></td><td class="n"><bdi>1</bdi></td></tr>
<tr><td><bdi><code>c|d</code></bdi></td><td class="n"><bdi></bdi></td></tr>
</tbody>
</table>
</main>
</body>
</html>
`
	if body != want {
		t.Errorf("got\n%s\nwant\n%s", body, want)
	}
	if head, body := document(t); head+body != "" {
		t.Errorf("an empty document has %q", head+body)
	}
}

var written = regexp.MustCompile(`</?(?:h[123]|p|ul|li|table|thead|tbody|tr|th|td|code|bdi|main|body|html)>|<t[hd] class="n">`)

// FuzzDocument: a document has no tag that the converter did not write, whatever its Markdown is, and a cell, an
// entry, a paragraph and a heading show the text that was escaped for them.
func FuzzDocument(f *testing.F) {
	for _, seed := range []string{
		"# a\n\nb", "| a |\n| --- |\n| <script>alert(1)</script> |", "- `<b>`", "`a", "``a`b``", "\\", "\\`<i>", "| `|` |", "<!--", "]]>", "&lt;", "#", "|", "| ",
		"---", "+ a", "\"><img src=x onerror=y>", "\u202e", "`` ` ``", "\\\\`a`",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, body := document(t, "# title", text)
		if rest := written.ReplaceAllString(body, ""); strings.ContainsAny(rest, "<>") {
			t.Fatalf("%q gives the tags of %q", text, rest)
		}
		line := strings.Join(strings.Fields(text), " ")
		if line == "" {
			return
		}
		var cell strings.Builder
		columns := []table.Column{{Name: "n", Code: true}, {Name: "m"}}
		w := table.New(&cell, table.Config{Format: table.Markdown, Columns: columns})
		if err := w.Row(line, line); err != nil {
			t.Fatal(err)
		}
		escaped := table.EscapeMarkdown(line)
		_, body = document(t, "# "+escaped+"\n\n"+escaped+"\n\n- "+escaped+"\n\n"+cell.String())
		shown := strings.Fields(html.UnescapeString(written.ReplaceAllString(strings.ReplaceAll(body, "</", "\n</"), "")))
		want := strings.Fields(strings.Repeat(line+" ", 3) + "n m " + strings.Repeat(term.Escape(line)+" ", 2))
		if got := strings.Join(shown, " "); got != strings.Join(want, " ") {
			t.Errorf("%q is shown as %q, want %q", line, got, strings.Join(want, " "))
		}
	})
}
