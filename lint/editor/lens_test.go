package editor_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/lint/editor"
)

func reach(t *testing.T, d *editor.Document) []editor.Lens {
	lenses, err := d.Reach(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return lenses
}

func since(t *testing.T, d *editor.Document, before []byte) []editor.Lens {
	lenses, err := d.Since(t.Context(), before)
	if err != nil {
		t.Fatal(err)
	}
	return lenses
}

func titles(lenses []editor.Lens) (all []string) {
	for _, lens := range lenses {
		all = append(all, fmt.Sprintf("%d %s", lens.Range.Start.Line, lens.Title))
	}
	return all
}

// TestReach: a group closes what is proved, for those that obey it.
func TestReach(t *testing.T) {
	obeying := 0
	for c := range crawlers.All() {
		if r, ok := crawlers.ReadingOf(c.Token); ok && !r.NamedOnly && c.Obeys != crawlers.ObeysNone {
			obeying++
		}
	}
	for _, test := range []struct {
		body string
		want []string
	}{
		{"", nil},
		{"Disallow: /\n", nil},
		{"User-agent: *\nDisallow: /a\nDisallow: /b\nDisallow: /b/c\n", []string{fmt.Sprintf("0 closes /a, /b and /b/c for %d known crawlers and any other that follows the group for *", obeying)}},
		{"User-agent: FooBot\nDisallow: /\nAllow: /a\n", []string{"0 closes all but /a for FooBot"}},
		{"User-agent: FooBot\nUser-agent: foobot\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n", []string{"0 closes the whole site for 3 crawlers"}},
		{"User-agent: FooBot\nDisallow: /a\nAllow: /a\n", []string{"0 closes nothing for FooBot"}},
		{"User-agent: FooBot\nDisallow: /a\n\nUser-agent: BarBot\nUser-agent: FooBot\nDisallow: /b\n", []string{
			"0 closes /a and /b for FooBot, together with line 4", "3 closes /a and /b for FooBot, together with line 1", "3 closes /b for BarBot"}},
	} {
		if got := titles(reach(t, editor.New([]byte(test.body), editor.Config{}))); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.body, got, test.want)
		}
	}
}

// TestReachOfManyGroups: the sentence about each of thousands of groups of one crawler names a few others.
func TestReachOfManyGroups(t *testing.T) {
	var body strings.Builder
	const groups = 5000
	for i := range groups {
		fmt.Fprintf(&body, "User-agent: FooBot\nDisallow: /%d\n", i)
	}
	lenses := reach(t, editor.New([]byte(body.String()), editor.Config{}))
	longest := 0
	for _, lens := range lenses {
		longest = max(longest, len(lens.Title))
	}
	if want := " and 4991 more"; len(lenses) != groups || longest > 500 || !strings.HasSuffix(lenses[0].Title, want) {
		t.Errorf("%d lenses, the longest has %d bytes: %.500q", len(lenses), longest, lenses[0].Title)
	}
}

func eachLetter(before string) string {
	var b strings.Builder
	for c := 'a'; c <= 'z'; c++ {
		fmt.Fprintf(&b, "%s%c\n", before, c)
	}
	return b.String()
}

func numbered(before string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d\n", before, i)
	}
	return b.String()
}

// TestSince: the changes are at the group that crawlers obey now.
func TestSince(t *testing.T) {
	const group = "User-agent: GPTBot\nDisallow: /a\n\n"
	for _, test := range []struct {
		before, after string
		want          []string
	}{
		{group, "# x\n" + group + "\n", nil},
		{group, strings.Replace(group, "/a", "/ab", 1), []string{"0 opens /a (except /ab)"}},
		{group, group + "User-agent: *\nDisallow: /\n", []string{"3 closes the whole site"}},
		{group + "User-agent: *\nDisallow: /b\n", "User-agent: *\nDisallow: /b\n", []string{"0 opens /a; closes /b for GPTBot"}},
		{"User-agent: a\nUser-agent: B\nDisallow: /x\n", "User-agent: A\nUser-agent: b\nAllow: /y", []string{"0 opens /x"}},
		{group, "", []string{"0 opens /a for GPTBot"}},
		{group, "User-agent: GPTBot\nDisallow: /\nAllow: /b\nDisallow: /b/c\n", []string{"0 closes all but /b (except /b/c)"}},
		{"User-agent: GPTBot\nDisallow: /\n", "User-agent: GPTBot\nDisallow: /\nAllow: /*-\n", []string{"0 opens /*-"}},
		{group, "User-agent: GPTBot\n" + eachLetter("Disallow: /"), []string{"0 closes nearly the whole site, by /a, /b and 24 more"}},
		{group, "User-agent: GPTBot\nDisallow: /a\n" + strings.Repeat("#\n", 9) + numbered("Disallow: /b", 300), []string{"0 closes /b10, /b11 and at least 254 more that begin with /b"}},
		{group + "Disallow: /x", group + "Disallow: /b\nDisallow: /c\nDisallow: /d\nDisallow: /e\n", []string{"0 opens /x; closes /b, /c and 2 more"}},
	} {
		after := editor.New([]byte(test.after), editor.Config{})
		if got := titles(since(t, after, []byte(test.before))); !slices.Equal(got, test.want) {
			t.Errorf("%q after %q: %q, want %q", test.after, test.before, got, test.want)
		}
	}
}

func BenchmarkReach(b *testing.B) {
	var body strings.Builder
	for i := 0; body.Len() < 100_000; i++ {
		if i%20 == 0 {
			fmt.Fprintf(&body, "\nUser-agent: bot%c%c\n", 'a'+i/20%26, 'a'+i/520%26)
		}
		fmt.Fprintf(&body, "Disallow: /dir%d/page*.html\n", i)
	}
	for b.Loop() {
		if _, err := editor.New([]byte(body.String()), editor.Config{}).Reach(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
