package editor_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/lint/editor"
)

const shop = `# The shop.
# All crawlers.
User-agent: *
Disallow: /cart
Allow: /cart/help$

# Images are not for search.
User-agent: Googlebot-Image
User-agent: FooBot
Disallow: /*.jpg

Sitemap: https://shop.example/map.xml
`

// cursor returns a body and the offset of "|" in it, which is removed.
func cursor(text string) (body []byte, offset int) {
	before, after, _ := strings.Cut(text, "|")
	return []byte(before + after), len(before)
}

func TestDiagnostics(t *testing.T) {
	body := "User-agent: é\U0001f916Bot\nDisallow: /x\nDisallow: search/\n"
	d := editor.New([]byte(body), editor.Config{})
	all := d.Diagnostics()
	i := slices.IndexFunc(all, func(d editor.Diagnostic) bool { return d.Code == "RX202" })
	if i < 0 {
		t.Fatalf("no RX202 in %+v", all)
	}
	got := all[i]
	want := editor.Range{Start: editor.Position{Line: 2, Character: 10}, End: editor.Position{Line: 2, Character: 17}}
	if got.Range != want || got.Severity != lint.Error || !strings.Contains(got.Message, "search/") || got.Fix == nil {
		t.Fatalf("got %+v", got)
	}
	if after := apply(t, body, got.Fix.Edits, editor.UTF16); !strings.Contains(after, "Disallow: /search/\n") {
		t.Errorf("the fix makes %q", after)
	}
}

// TestDiagnosticsFor: the crawlers of a finding are a sentence of their own, unless it begins with the only one.
func TestDiagnosticsFor(t *testing.T) {
	body := "User-agent: *\nDisallow: /cart/\nDisallow: /search\n\nUser-agent: Googlebot\nDisallow: /search\n"
	for more, want := range map[string]string{
		"": "Googlebot follows only the groups that name it, so it ignores a Disallow line for *: \"/cart/\".",
		"\nUser-agent: bingbot\nDisallow: /search\n": "These 2 crawlers follow only the groups that name them, so they ignore a Disallow line for *: \"/cart/\". For: Googlebot, bingbot.",
	} {
		for _, d := range editor.New([]byte(body+more), editor.Config{}).Diagnostics() {
			if d.Code == "RX311" && d.Message != want {
				t.Errorf("%s\nwant %s", d.Message, want)
			}
		}
	}
}

// TestDiagnosticsRelated: the range of a related place is its line.
func TestDiagnosticsRelated(t *testing.T) {
	d := editor.New([]byte("User-agent: *\r\nDisallow: /é\r\nDisallow: /é\r\nDisallow: /é\r\n"), editor.Config{})
	found := 0
	for _, diagnostic := range d.Diagnostics() {
		for _, related := range diagnostic.Related {
			found++
			line := related.Range.Start.Line
			want := editor.Range{Start: editor.Position{Line: line}, End: editor.Position{Line: line, Character: 12}}
			if related.Range != want || related.Message == "" {
				t.Errorf("%s: related %+v, want the range %+v", diagnostic.Code, related, want)
			}
		}
	}
	if found == 0 {
		t.Error("no finding has a related line")
	}
}

// TestFixesAreEdits checks the bad examples of all findings, with both line ends.
func TestFixesAreEdits(t *testing.T) {
	for _, e := range lint.Catalogue() {
		checkDocument(t, []byte(e.Bad), editor.Config{Lint: e.Example})
		checkDocument(t, []byte(strings.ReplaceAll(e.Bad, "\n", "\r\n")), editor.Config{Lint: e.Example, Encoding: editor.UTF8})
	}
}

func TestHover(t *testing.T) {
	for _, tt := range []struct {
		text, part string
		want       []string
	}{
		{"User|-agent: *\n", "User-agent", []string{"**User-agent**", "Begins a group"}},
		{"dis|alow: /\n", "disalow", []string{"**Disallow**"}},
		{"User-agent: Google|bot\nDisallow: /\n", "Googlebot", []string{"**Googlebot**", "Google", "obeys the groups that name it"}},
		{"User-agent: NoSuchCrawler|\nDisallow: /\n", "NoSuchCrawler", []string{"`NoSuchCrawler` is not a known crawler"}},
		{"User-agent: |*\nDisallow: /\n", "*", []string{"crawlers that no other group is for"}},
		{"User-agent: GPTBot\nUser-agent: FooBot\nDisallow: /c|art\n", "/cart", []string{"Disallows the URLs whose path begins with `/cart` for `GPTBot, FooBot`", "length is 5"}},
		{"User-agent: *\nAllow: /a*b$|\n", "/a*b$", []string{"Allows", "path matches `/a*b$`"}},
		{"User-agent: *\nDisallow: /|$\n", "/$", []string{"the one path `/`"}},
		{"User-agent: *\nDisallow: a|\n", "a", []string{"nothing: a path begins"}},
		{"Disallow: /|\n", "/", []string{"No User-agent line precedes"}},
		{"User-agent: *\nDisallow: / # robots-lint: ignore RX3|07\n", "RX307", []string{"**RX307**"}},
		{"User-agent: *\nDisallow: / # robots-lint: ignore site|-closed\n", "site-closed", []string{"**RX307** site-closed"}},
		{"User-agent: *\nDisallow: / # RX3|07\n", "", nil},
		{"User-agent: *|", "*", []string{"crawlers that no other group is for"}},
		{"|\n", "", nil},
		{"\ufeffUser|-agent: *\n", "User-agent", []string{"**User-agent**"}},
		{"User-agent: *\r\n\ufeffDis|allow: /\r\n", "", nil}, // a mark in another line is part of its key
	} {
		body, offset := cursor(tt.text)
		d := editor.New(body, editor.Config{})
		hover, ok := d.Hover(offset)
		if ok != (tt.want != nil) {
			t.Errorf("%q: got %+v, %v", tt.text, hover, ok)
			continue
		}
		if part := string(body[d.Offset(hover.Range.Start):d.Offset(hover.Range.End)]); ok && part != tt.part {
			t.Errorf("%q: the text is about %q, want %q", tt.text, part, tt.part)
		}
		for _, want := range tt.want {
			if !strings.Contains(hover.Markdown, want) {
				t.Errorf("%q: %q does not contain %q", tt.text, hover.Markdown, want)
			}
		}
	}
}

// TestHoverIsSafe: no text of a file is formatting in a hover text.
func TestHoverIsSafe(t *testing.T) {
	body, offset := cursor("User-agent: a\nDisallow: /``[x](http://x)`|<b>\n")
	hover, _ := editor.New(body, editor.Config{}).Hover(offset)
	if want := "``` /``[x](http://x)`<b> ```"; !strings.Contains(hover.Markdown, want) {
		t.Errorf("%q does not contain %q", hover.Markdown, want)
	}
}

func TestComplete(t *testing.T) {
	for _, tt := range []struct {
		text  string
		label string // one of the completions; "" for none at all
		after string // the text with it
	}{
		{"|", "User-agent", "User-agent: "},
		{"\ufeff|", "Sitemap", "\ufeffSitemap: "},
		{"User-agent: *\n dis|", "Disallow", "User-agent: *\n Disallow: "},
		{"User-agent: *\ndis|: /a", "Disallow", "User-agent: *\nDisallow: /a"},
		{"xyz|", "", ""},
		{"user-agent: googlebot-i|", "Googlebot-Image", "user-agent: Googlebot-Image"},
		{"User-agent:|\nDisallow: /", "GPTBot", "User-agent:GPTBot\nDisallow: /"},
		{"User-agent: |", "*", "User-agent: *"},
		{"User-agent: *\nDisallow: |", "", ""},
		{"Sitemap: # |", "", ""},
		{"# robots-lint: ign|", "ignore-file", "# robots-lint: ignore-file"},
		{"# robots-lint: ignore rx30|", "RX307", "# robots-lint: ignore RX307"},
		{"# robots-lint: ignore RX301,|", "RX307", "# robots-lint: ignore RX301,RX307"},
		{"# robots-lint: ignore RX3|", "ignore", ""},
		{"# ignore R|", "", ""},
	} {
		body, offset := cursor(tt.text)
		all := editor.New(body, editor.Config{}).Complete(offset)
		i := slices.IndexFunc(all, func(c editor.Completion) bool { return c.Label == tt.label })
		switch {
		case tt.after == "" && i < 0 && (tt.label != "" || len(all) == 0):
		case tt.after == "" || i < 0:
			t.Errorf("%q: got %d completions, %q at %d", tt.text, len(all), tt.label, i)
		default:
			if got := apply(t, string(body), []editor.Edit{all[i].Edit}, editor.UTF16); got != tt.after {
				t.Errorf("%q: %q makes %q, want %q", tt.text, tt.label, got, tt.after)
			}
		}
	}
}

// TestKeys: the keys have the spelling that lint.Format writes, so that a completed key
// is one that the linter knows.
func TestKeys(t *testing.T) {
	for _, key := range editor.KeyNames() {
		want := "User-agent: *\nDisallow: /\n"
		if key != "User-agent" {
			want += key + ": /x\n"
		}
		got := string(lint.Format([]byte(strings.ToLower(want)), lint.Google, lint.KeepEnds))
		if strings.ReplaceAll(got, "\n\n", "\n") != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}

func TestFolds(t *testing.T) {
	want := []editor.Fold{
		{Kind: editor.KindComment, Start: 0, End: 1}, {Kind: editor.KindGroup, Start: 2, End: 4},
		{Kind: editor.KindGroup, Start: 7, End: 9}, {Kind: editor.KindComment, Start: 12, End: 14},
	}
	if got := editor.New([]byte(shop+"# 1\n# 2\n# 3\n\n# 4\n"), editor.Config{}).Folds(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSymbols(t *testing.T) {
	var b strings.Builder
	var print func(indent string, symbols []editor.Symbol)
	print = func(indent string, symbols []editor.Symbol) {
		for _, s := range symbols {
			fmt.Fprintf(&b, "%s%s %q %d-%d\n", indent, s.Kind, s.Name, s.Range.Start.Line, s.Range.End.Line)
			print(indent+"  ", s.Children)
		}
	}
	print("", editor.New([]byte(shop), editor.Config{}).Symbols())
	want := `group "*" 2-4
  rule "Disallow: /cart" 3-3
  rule "Allow: /cart/help$" 4-4
group "Googlebot-Image, FooBot" 7-9
  rule "Disallow: /*.jpg" 9-9
sitemap "Sitemap: https://shop.example/map.xml" 11-11
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFormat(t *testing.T) {
	for _, body := range []string{"user-agent:*\ndisallow:/é\n", shop, "", "x", "User-agent: *\r\nDisallow: /\r\n"} {
		edits := editor.New([]byte(body), editor.Config{}).Format()
		want := string(lint.Format([]byte(body), lint.Google, lint.KeepEnds))
		if got := apply(t, body, edits, editor.UTF16); got != want || (edits == nil) != (body == want) {
			t.Errorf("%q becomes %q, want %q: %+v", body, got, want, edits)
		}
	}
}
