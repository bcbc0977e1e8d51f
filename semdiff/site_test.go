package semdiff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

func TestSiteChange(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"Disallow: /cart", "Disallow: /", "closes all but [] by [], was partly [/cart], otherwise true"},
		{"", "Disallow: /*$", "closes all but [] by [], was open [], otherwise true"},
		{"Disallow: /\nAllow: /a", "Disallow: /", "closes all but [] by [], was partly [/a], otherwise false"},
		{"Disallow: /", "", "opens all but [] by [], was closed [], otherwise false"},
		{"Disallow: /", "Disallow: /cart", "opens most but [/cart] by [], was closed [], otherwise false"},
		{"Disallow: /cart", "Disallow: /\nAllow: /help/", "closes most but [/help/] by [], was partly [/cart], otherwise true"},
		{"", "Disallow: /\nAllow: /a\nAllow: /b\nAllow: /c", "closes most but [/a /b /c] by [], was open [], otherwise true"},
		{"Disallow: /1\nDisallow: /2\nDisallow: /3\nDisallow: /4", "Disallow: /", "closes all but [] by [], was partly [/1 /2 /3 /4], otherwise true"},
		{"", "Disallow: /\nAllow: /a\nDisallow: /a/b", "closes most but [/a in part] by [], was open [], otherwise true"},
		{"Disallow: /cart", "Disallow: /\nAllow: /cart", "closes most but [/cart] by [], was partly [/cart], otherwise true"},
		{"Disallow: /\nAllow: /a", "Disallow: /a", "opens most but [/a] by [], was partly [/a], otherwise false"},
		{"", "Allow: /a\nAllow: /a\nDisallow: /", "closes most but [/a] by [], was open [], otherwise true"},
		{"", eachLetter("Disallow: /"), "closes most but [] by [/a /b /c /d /e /f /g /h /i /j /k /l /m /n /o /p /q /r /s /t /u /v /w /x /y /z], was open [], otherwise true"},
		{"Disallow: /", "Disallow: /\n" + eachLetter("Allow: /"), "opens most but [] by [/a /b /c /d /e /f /g /h /i /j /k /l /m /n /o /p /q /r /s /t /u /v /w /x /y /z], was closed [], otherwise false"},

		{"Disallow: /\nAllow: /a\nAllow: /b", "Disallow: /\nAllow: /a", "-"}, // most was closed
		{"Disallow: /cart", "Disallow: /car", "-"},
		{"Disallow: /", "Disallow: /*", "-"},
		{"Disallow: /cart", "", "-"},
		{"Disallow: /*/", "Disallow: /cart", "-"}, // /W was open before
		{"Disallow: /\nAllow: /*-\nAllow: /a", "Disallow: /\nAllow: /a", "-"},
		{"Disallow: /", "Disallow: /\nAllow: /*-", "-"},
	} {
		for _, dialect := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
			row := &differences(t, forAll(dialect, c.old), forAll(dialect, c.new), semdiff.Config{}).Rows[0]
			if got := siteText(row); got != c.want {
				t.Errorf("%s, %q to %q: %s, want %s", dialect, c.old, c.new, got, c.want)
			}
		}
	}
}

func forAll(dialect robotstxt.Dialect, lines string) *robotstxt.Robots {
	return dialect.Parse([]byte("User-agent: *\n" + lines + "\n"))
}

func eachLetter(before string) string {
	var b strings.Builder
	for c := 'a'; c <= 'z'; c++ {
		fmt.Fprintf(&b, "%s%c\n", before, c)
	}
	return b.String()
}

func siteText(row *semdiff.Row) string {
	s := row.Site
	if s == nil {
		return "-"
	}
	effect, size := semdiff.Closes, row.Closes
	if s.Opens {
		effect, size = semdiff.Opens, row.Opens
	}
	if size != s.Size {
		return fmt.Sprintf("the site %s %s, the row %s", effect, s.Size, size)
	}
	return fmt.Sprintf("%s %s but %v by %v, was %s %v, otherwise %v", effect, s.Size, pathTexts(s.But), exceptionTexts(s.By),
		s.Before.Extent, exceptionTexts(s.Before.Except), s.Before.Allowed)
}

func exceptionTexts(exceptions []semdiff.Exception) (patterns []string) {
	for _, e := range exceptions {
		pattern := e.Pattern
		if e.Part {
			pattern += " in part"
		}
		patterns = append(patterns, pattern)
	}
	return patterns
}

// TestWithout: the rules that take a part of the paths back are named, so that two files differ.
func TestWithout(t *testing.T) {
	const cart = "User-agent: *\nDisallow: /cart\n"
	for _, c := range []struct{ old, new, closes, but string }{
		{cart, cart + "Disallow: /shop\nAllow: /shop/help\n", "[{/shop true [/shop/help] []}]", ""},
		{cart, cart + "Disallow: /shop\nAllow: /shop/a\nAllow: /shop/b\nAllow: /shop/c\nAllow: /shop/d\n", "[{/shop true [] []}]", ""},
		{cart, "User-agent: *\nDisallow: /\nAllow: /blog\nDisallow: /blog/drafts/\n", "", "[{/blog true [/blog/drafts/] []}]"},
		{cart, "User-agent: *\nDisallow: /\nAllow: /blog\n", "", "[{/blog false [] []}]"},
		{cart, "User-agent: *\nDisallow: /\nAllow: /*/$\nAllow: /$\n", "[{/ true [/*/$ /$] [{/*/$ false [] []} {/$ false [] []}]}]", ""},
	} {
		row := &differences(t, robotstxt.Parse([]byte(c.old)), robotstxt.Parse([]byte(c.new)), semdiff.Config{}).Rows[0]
		but := ""
		if row.Site != nil {
			but = fmt.Sprint(row.Site.But)
		}
		if closes := fmt.Sprint(row.Paths(false)); but != c.but || c.closes != "" && closes != c.closes {
			t.Errorf("%q: closes %s but %s, want %s but %s", c.new, closes, but, c.closes, c.but)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct{ old, new, closes, opens string }{
		{"Disallow: /cart", "Disallow: /cart\nDisallow: /search", "some", ""},
		{"Disallow: /cart", "Disallow: /cart\nDisallow: /q", "some", ""},
		{"Disallow: /cart", "Disallow: /cart\nDisallow: /zz", "some", ""},
		{"Disallow: /cart", "Disallow: /cart\nDisallow: /*?", "some", ""},
		{"Disallow: /cart", "Disallow: /cart\nDisallow: /*/", "many", ""},
		{"Disallow: /cart", "Disallow: /cart\nDisallow: /*-", "many", ""},
		{"Disallow: /*/", "Disallow: /cart", "some", "many"},
		{"Disallow: /cart", "", "", "some"},
		{"Disallow: /", "Disallow: /\nAllow: /$", "", "some"},
		{"Disallow: /\nAllow: /a", "Disallow: /\nAllow: /b", "some", "some"},
		{"Disallow: /\nAllow: /a", "Disallow: /", "all", ""},
		{"Disallow: /cart\nDisallow: /*?sort=", "Allow: /about\nDisallow: /", "most", "some"},
		{"Disallow: /cart", "Allow: /\nDisallow: /\nDisallow: /cart", "", ""},
	} {
		for _, dialect := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
			row := &differences(t, forAll(dialect, c.old), forAll(dialect, c.new), semdiff.Config{}).Rows[0]
			if string(row.Closes) != c.closes || string(row.Opens) != c.opens {
				t.Errorf("%s, %q to %q: closes %q, opens %q, want %q, %q", dialect, c.old, c.new, row.Closes, row.Opens, c.closes, c.opens)
			}
		}
	}
}

// TestSizesUndecided compares files whose comparison exceeds any budget.
func TestSizesUndecided(t *testing.T) {
	hard := func(allow string) string {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, "%s: /*%cq*%cw*%d\n", allow, 'a'+i%26, 'a'+i*7%26, i)
		}
		return b.String()
	}
	for _, c := range []struct{ old, new, closes, opens, but string }{
		{hard("Disallow"), hard("Allow") + "Disallow: /", "most", "", "in part"},
		{hard("Allow") + "Disallow: /", hard("Disallow"), "", "most", "in part"},
		{hard("Disallow"), hard("Disallow") + "Disallow: /*/", "many", "", ""},
	} {
		for _, steps := range []int{1, 3000} {
			old, new := forAll(robotstxt.Google, c.old), forAll(robotstxt.Google, c.new)
			row := &differences(t, old, new, semdiff.Config{Steps: steps}).Rows[0]
			if steps == 1 && row.Effect != semdiff.Undecided {
				t.Fatalf("%s", row.Effect)
			}
			if steps == 1 && (string(row.Closes) != c.closes || string(row.Opens) != c.opens) {
				t.Errorf("%d steps: closes %q, opens %q, want %q, %q", steps, row.Closes, row.Opens, c.closes, c.opens)
			}
			if got := siteText(row); !strings.Contains(got, c.but) || (c.but == "") != (got == "-") {
				t.Errorf("%d steps: %s", steps, got)
			}
		}
	}
}

func TestRest(t *testing.T) {
	for _, c := range []struct {
		lines string
		open  bool
	}{
		{"", true}, {"Disallow: /", false}, {"Disallow: /cart", true}, {"Disallow: /\nAllow: /a", false},
		{eachLetter("Disallow: /"), false}, {"Disallow: /\n" + eachLetter("Allow: /"), true},
		{"Disallow: /*/", true}, {"Disallow: /*/\nDisallow: /*z", true}, {"Disallow: /z*y\nDisallow: /zz", true},
		{"Disallow: /*.html\nDisallow: /*/\nDisallow: /*-\n", true},
		{"Disallow: /\nAllow: /*-", false}, {"Disallow: /\nAllow: /*/", true}, {"Disallow: /\nAllow: /*/$", true},
		{eachLetter("Disallow: /*a"), true}, {eachLetter("Disallow: /*"), false}, {doubled(26), true},
		{"Disallow: /\n" + eachLetter("Allow: /*"), true},
	} {
		rules := forAll(robotstxt.Google, c.lines).Rules()
		if got := semdiff.Rest(rules); got != c.open {
			t.Errorf("%q: open %t", c.lines, got)
		}
	}
	for _, c := range []struct {
		rules robotstxt.Rules
		open  bool
	}{{robotstxt.AllowAll("no file"), true}, {robotstxt.DisallowAll("status 503"), false}, {robotstxt.Rules{}, true}} {
		if got := semdiff.Rest(c.rules); got != c.open {
			t.Errorf("%v: open %t", c.rules, got)
		}
	}
}

// doubled returns rules for the first letters, each written twice.
func doubled(n int) string {
	var b strings.Builder
	for c := 'a'; c < 'a'+rune(n); c++ {
		fmt.Fprintf(&b, "Disallow: /%c%c\n", c, c)
	}
	return b.String()
}

// TestRestOfUsedLetters adds one rule to groups whose patterns have all letters: it closes nearly the whole site
// only if its pattern has no name, or if it is the last of the rules that close each first letter.
func TestRestOfUsedLetters(t *testing.T) {
	t.Parallel()
	const alphabet = "Disallow: /zebra/quick-fox\nDisallow: /jumps\nDisallow: /over-lazy-dogs\nDisallow: /bmwvcpkt"
	lastLetter := strings.ReplaceAll(eachLetter("Disallow: /"), "/z\n", "/0\n")
	groups := []string{alphabet, alphabet + "\nDisallow: /0123456789/", alphabet + "\nDisallow: /zzz-yyy/xx", doubled(25),
		strings.ReplaceAll(doubled(25), "/", "/*"), lastLetter,
		alphabet + "\n" + eachLetter("Disallow: /x/")}
	patterns := []string{"/0", "/1*", "/zz", "/*zz", "/-z", "/z-z", "/z/z", "/z/*z", "/z$", "/*z$", "/z/", "/*/z", "/*/z/", "/*z-", "/yz", "/zy", "/*zy", "/y*z", "/*.z"}
	for c := 'a'; c <= 'z'; c++ {
		for _, form := range []string{"/%c", "/*%c", "/%c*", "/*%c*", "/%c$", "/%[1]c%[1]c", "/*%[1]c*%[1]c", "/%c/*", "/*/%c", "/%c-"} {
			patterns = append(patterns, fmt.Sprintf(form, c))
		}
	}
	for i, group := range groups {
		for _, pattern := range patterns {
			if group == lastLetter && strings.Contains(pattern, "z") {
				continue
			}
			for _, dialect := range robotstxt.Dialects() {
				if !dialect.Traits().Wildcards && strings.ContainsAny(pattern, "*$") {
					continue
				}
				old, new := forAll(dialect, group), forAll(dialect, group+"\nDisallow: "+pattern)
				row := &differences(t, old, new, semdiff.Config{}).Rows[0]
				if row.Closes.IsSite() || row.Closes == semdiff.SizeMany || !semdiff.Rest(new.Rules()) {
					t.Errorf("%s, group %d: %s closes %s", dialect, i, pattern, row.Closes)
				}
			}
		}
	}
}

// TestPaths: what a sentence names opens or closes as a whole, unless it is in part.
func TestPaths(t *testing.T) {
	for _, c := range []struct{ old, new, closes, opens string }{
		{"Disallow: /cart", "Disallow: /cart\nDisallow: /search", "[/search]", "[]"},
		{"Disallow: /cart", "Disallow: /cart\nDisallow: /search\nAllow: /search/about", "[/search in part]", "[]"},
		{"Allow: /search/about", "Allow: /search/about\nDisallow: /search", "[/search in part]", "[]"},
		{"Disallow: /shop/cart", "Disallow: /shop/cart\nDisallow: /shop", "[/shop]", "[]"},
		{"Disallow: /*?\nAllow: /blog", "Disallow: /*?", "[/blog*?]", "[]"},
		{"Disallow: /*?\nAllow: /blog", "Disallow: /*?\nAllow: /blog/post?", "[/blog*? in part]", "[]"},
		{"Disallow: /*?\nAllow: /blog", "Disallow: /*?\nAllow: /blog/*?page=", "[/blog*? in part]", "[]"},
		{"Disallow: /*.pdf$\nAllow: /papers/", "Disallow: /*.pdf$", "[/papers/*.pdf$]", "[]"},
		{"Disallow: /*.pdf$\nAllow: /paper.pdf", "Disallow: /*.pdf$", "[/paper.pdf in part]", "[]"}, // /paper.pdf itself matches both
		{"Disallow: /*.pdf$\nAllow: /papers.p", "Disallow: /*.pdf$", "[/papers.p in part]", "[]"},
		{"Disallow: /*/a*/b\nAllow: /*cc*/dd", "Disallow: /*/a*/b", "[/*cc*/dd in part]", "[]"},
		{"Disallow: /*?\nAllow: /blog", "Disallow: /*?\nDisallow: /blog", "[/blog]", "[]"}, // with a query too
		{"Disallow: /blog\nAllow: /*?p=1", "Disallow: /blog", "[/blog*?p=1]", "[]"},
		{"Disallow: /\nAllow: /index.html\nAllow: /a", "Disallow: /\nAllow: /a", "[/index.html]", "[]"},
		{"Disallow: *", "Disallow:", "[]", "[*]"},
		{"Disallow: /tmp/*", "", "[]", "[/tmp/*]"},
		{"Disallow: /*-", "Disallow: /a\nDisallow: /*-b", "[/a]", "[/*- in part]"},
	} {
		for _, dialect := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
			old, new := forAll(dialect, c.old), forAll(dialect, c.new)
			row := &differences(t, old, new, semdiff.Config{}).Rows[0]
			checkPaths(t, c.new, row, old, new)
			wanted := c.closes
			if dialect == robotstxt.Google { // only it opens the folder of an index page
				wanted = strings.Replace(wanted, "/index.html", "/index.html /$", 1)
			}
			closes, opens := pathTexts(row.Paths(false)), pathTexts(row.Paths(true))
			if closes != wanted || opens != c.opens {
				t.Errorf("%s, %q to %q: closes %s, opens %s, want %s, %s", dialect, c.old, c.new, closes, opens, wanted, c.opens)
			}
		}
	}
}

func pathTexts(paths []semdiff.Paths) string {
	var texts []string
	for _, p := range paths {
		if p.Part {
			p.Pattern += " in part"
		}
		texts = append(texts, p.Pattern)
	}
	return fmt.Sprint(texts)
}
