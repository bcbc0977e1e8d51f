package enginetest

import (
	"slices"
	"strings"
	"testing"
)

// TestReference compares the oracle with answers that were derived by hand from the
// texts and their examples.
func TestReference(t *testing.T) {
	t.Run("answers", refTestAnswers)
	t.Run("named", refTestNamed)
	t.Run("paths", refTestPaths)
	t.Run("koster table", refTestKosterTable)
	t.Run("rfc9309 tables", refTestRFCTables)
	t.Run("agent values", refTestAgentValues)
	t.Run("keys", refTestKeys)
	t.Run("lines", refTestLines)
	t.Run("long lines", refTestLongLines)
}

func refTestAnswers(t *testing.T) {
	const (
		google = "google"
		rfc    = "rfc9309"
		koster = "koster1996"
		all    = "google rfc9309 koster1996"
		both   = "google rfc9309"
	)
	// The RFC's 5.1, as its first draft has it.
	const simple = "User-Agent : foobot\n" + // 1
		"Disallow : /example/page.html\n" + // 2
		"Disallow : /example/disallowed.gif\n" + // 3
		"\n" + // 4
		"User-Agent : barbot\n" + // 5
		"User-Agent : bazbot\n" + // 6
		"Allow : /example/page.html\n" + // 7
		"Disallow : /example/disallowed.gif\n" + // 8
		"\n" + // 9
		"User-Agent: quxbot\n" + // 10
		"\n" + // 11
		"/eof\n" // 12
	// The RFC's 5.2.
	const longest = "User-Agent : foobot\nAllow : /example/page/\nDisallow : /example/page/disallowed.gif\n"

	for _, c := range []struct {
		why      string
		dialects string
		body     string
		agents   string // separated by "|"; "-" is the empty list
		url      string
		allowed  bool
		line     int
	}{
		{"no file", all, "", "x", "/", true, 0},
		{"5.1", all, simple, "foobot", "/example/page.html", false, 2},
		{"5.1", all, simple, "FOOBOT", "http://h/example/disallowed.gif", false, 3},
		{"5.1", all, simple, "barbot", "/example/page.html", true, 7},
		{"5.1", all, simple, "bazbot", "/example/disallowed.gif", false, 8},
		{"5.1 no rules", all, simple, "quxbot", "/example/page.html", true, 0},
		{"5.1 no group", all, simple, "other", "/example/page.html", true, 0},
		{"5.2", both, longest, "foobot", "/example/page/disallowed.gif", false, 3},
		{"5.2 first match", koster, longest, "foobot", "/example/page/disallowed.gif", true, 2},
		{"5.2 its URI as printed", all, longest, "foobot", "/example/page/disallow.gif", true, 2},
		{"Koster 3.2", all, "User-agent: webcrawler\nUser-agent: infoseek\nAllow: /tmp/ok.html\nDisallow: /tmp\nDisallow: /user/foo\n", "infoseek", "/tmp/x", false, 4},
		{"Koster 3.2", all, "User-agent: webcrawler\nUser-agent: infoseek\nAllow: /tmp/ok.html\nDisallow: /tmp\nDisallow: /user/foo\n", "webcrawler", "/tmp/ok.html", true, 3},

		{"G4 mojibake", all, "\xC3\xAF\xC2\xBB\xC2\xBFUser-agent: *\nDisallow: /\n", "x", "/", true, 0},
		{"G3", all, "\xEF\xBBUser-agent: *\nDisallow: /\n", "x", "/", false, 2},
		{"G3", all, "\xEF\x11\xBFUser-agent: *\nDisallow: /\n", "x", "/", true, 0},
		{"G10 NUL", all, "User-agent: *\nDisallow: /a\x00b\n", "x", "/ac", false, 2},
		{"G10 NUL", all, "User-agent: *\n\x00Disallow: /\n", "x", "/", true, 0},
		{"G15", all, "User-agent *\nDisallow / # x\n", "x", "/", false, 2},
		{"G15 three words", all, "User-agent: *\nDisallow /a /b\n", "x", "/a", true, 0},
		{"G16", all, "User-agent: *\nDisallow /a:/b\n", "x", "/b", false, 2},
		{"G16", all, "User-agent: x Disallow: /\nDisallow: /q\n", "x", "/q", false, 2},
		{"G16", all, "User-agent * Disallow: /\nDisallow: /q\n", "x", "/q", true, 0},

		{"G22, G48", google, "User-agent: *\nDisallow: /%c3%a9\n", "x", "/%c3%a9", true, 0},
		{"G22, G48", google, "User-agent: *\nDisallow: /%c3%a9\n", "x", "/\xC3\xA9", true, 0},
		{"G22, G48", google, "User-agent: *\nDisallow: /\xC3\xA9\n", "x", "/%C3%A9", false, 2},
		{"both sides", "rfc9309 koster1996", "User-agent: *\nDisallow: /\xC3\xA9\n", "x", "/%c3%a9", false, 2},
		{"G23", google, "User-agent: *\nDisallow: /%62%61%7A\n", "x", "/baz", true, 0},
		{"G23 stray", google, "User-agent: *\nDisallow: /%%c3\n", "x", "/%%C3", false, 2},
		{"G27", google, "User-agent: FooBot/1.0\nDisallow: /\n", "FooBot/1.0", "/", true, 0},

		{"G34", both, "User-agent: a\nCrawl-delay: 5\n\nUser-agent: b\nDisallow: /\n", "a", "/", false, 5},
		{"Koster ends it", koster, "User-agent: a\nCrawl-delay: 5\n\nUser-agent: b\nDisallow: /\n", "a", "/", true, 0},
		{"other lines end nothing", koster, "User-agent: a\nCrawl-delay: 5\n# x\nUser-agent: b\nDisallow: /\n", "a", "/", false, 5},
		{"only blanks", koster, "User-agent: a\n \t\nDisallow: /\n", "a", "/", true, 0},
		{"G34 empty ends the run", both, "User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /\n", "a", "/", true, 2},
		{"empty ends the agent lines", koster, "User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /\n", "a", "/", true, 0},
		{"empty ends the agent lines", koster, "User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /\n", "b", "/", false, 4},
		{"empty is no rule", koster, "User-agent: a\nDisallow:\nDisallow: /\n", "a", "/", false, 3},
		{"a rule ends the run", koster, "User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /\n", "a", "/", true, 0},
		{"G37", all, "Disallow: /\nUser-agent: *\nAllow: /x\n", "x", "/", true, 0},
		{"G38 merged", both, "User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /\n\nUser-agent: a\nDisallow: /y\n", "a", "/y", false, 8},
		{"Koster first record", koster, "User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /\n\nUser-agent: a\nDisallow: /y\n", "a", "/y", true, 0},
		{"G39", all, "User-agent: *\nUser-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n", "a", "/y", true, 0},
		{"G40", all, "User-agent: *\nDisallow: /\n\nUser-agent: a\n", "a", "/", true, 0},
		{"G41", all, "User-agent: *\nDisallow: /\n\nUser-agent: a\nDisallow: /x\n", "a", "/y", true, 0},

		{"list: first that is named", all, "User-agent: b\nDisallow: /b\n\nUser-agent: c\nDisallow: /c\n", "a|b|c", "/b", false, 2},
		{"list: no pooling", all, "User-agent: b\nDisallow: /b\n\nUser-agent: c\nDisallow: /c\n", "a|b|c", "/c", true, 0},
		{"list: order of the list", all, "User-agent: b\nDisallow: /b\n\nUser-agent: c\nDisallow: /c\n", "c|b", "/c", false, 5},
		{"list: empty", all, "User-agent: *\nDisallow: /\n", "-", "/", false, 2},
		{"list: explicit star", all, "User-agent: *\nDisallow: /\n\nUser-agent: a\nDisallow: /x\n", "*|a", "/y", false, 2},
		{"list: explicit star, no global line", all, "User-agent: a\nDisallow: /x\n", "*|a", "/x", false, 2},

		{"G43, G44", both, "User-agent: *\nDisallow: /*.gif$\n", "x", "/a/b.gif", false, 2},
		{"G43, G44", both, "User-agent: *\nDisallow: /*.gif$\n", "x", "/a/b.gif?c", true, 0},
		{"literals", koster, "User-agent: *\nDisallow: /*.gif$\n", "x", "/a/b.gif", true, 0},
		{"literals", koster, "User-agent: *\nDisallow: /*.gif$\n", "x", "/*.gif$x", false, 2},
		{"G44 inner $", both, "User-agent: *\nDisallow: /a$b\n", "x", "/a$bc", false, 2},
		{"G44 $$", both, "User-agent: *\nDisallow: /a$$\n", "x", "/a$", false, 2},
		{"G44 *$", both, "User-agent: *\nDisallow: *$\n", "x", "/a", false, 2},
		{"G44 /$", both, "User-agent: *\nDisallow: /$\n", "x", "/a", true, 0},
		{"G44 /$", both, "User-agent: *\nDisallow: /$\n", "x", "http://h", false, 2},
		{"G44 $", both, "User-agent: *\nDisallow: $\n", "x", "/", true, 0},
		{"G46", all, "User-agent: *\nDisallow: foo\n", "x", "/foo", true, 0},

		{"G49 é is 6: 7 against 6", both, "User-agent: *\nAllow: /*****\nDisallow: /\xC3\xA9\n", "x", "/%C3%A9", false, 3},
		{"G49 é is 6: 7 against 7", both, "User-agent: *\nAllow: /******\nDisallow: /\xC3\xA9\n", "x", "/%C3%A9", true, 2},
		{"canonical length: a tie", rfc, "User-agent: *\nDisallow: /%62ar\nAllow: /bar\n", "x", "/bar", true, 3},
		{"G50 a tie", both, "User-agent: *\nDisallow: /a\nAllow: /a\n", "x", "/a", true, 3},
		{"first match", koster, "User-agent: *\nDisallow: /a\nAllow: /a\n", "x", "/a", false, 2},
		{"the star counts", both, "User-agent: *\nAllow: /fish\nDisallow: /fish*\n", "x", "/fish", false, 3},
		{"G51, G54 empty is reported", both, "User-agent: *\nAllow:\nDisallow:\n", "x", "/", true, 2},
		{"G51, G54 empty is reported", both, "User-agent: *\nDisallow:\n", "x", "/", true, 2},
		{"Koster has none", koster, "User-agent: *\nDisallow:\n", "x", "/", true, 0},
		{"G54 the first of equals", both, "User-agent: *\nDisallow: /*\nDisallow: /a\n", "x", "/a", false, 2},
		{"G53", google, "User-agent: *\nAllow: /a/index.html\nDisallow: /a/*\n", "x", "/a/", true, 2},
		{"G53", google, "User-agent: *\nAllow: /a/index.html\nDisallow: /a/**\n", "x", "/a/", false, 3},
		{"G53 no slash", google, "User-agent: *\nAllow: index.html\nDisallow: /\n", "x", "/", false, 3},
		{"G53 case", google, "User-agent: *\nAllow: /a/Index.html\nDisallow: /a/*\n", "x", "/a/", false, 3},
		{"G53 not here", rfc, "User-agent: *\nAllow: /a/index.html\nDisallow: /a/*\n", "x", "/a/", false, 3},
		{"G53 not here", koster, "User-agent: *\nAllow: /a/index.html\nDisallow: /a/\n", "x", "/a/", false, 3},
		{"G56", "google koster1996", "User-agent: *\nDisallow: /\n", "x", "/robots.txt", false, 2},
		{"RFC 2.2.2", rfc, "User-agent: *\nDisallow: /\n", "x", "http://h/robots%2Etxt#f", true, 0},
		{"RFC 2.2.2 no query", rfc, "User-agent: *\nDisallow: /\n", "x", "/robots.txt?", false, 2},
	} {
		agents := strings.Split(c.agents, "|")
		if c.agents == "-" {
			agents = nil
		}
		for _, dialect := range strings.Fields(c.dialects) {
			got := reference(dialect, []byte(c.body), agents, c.url)
			if got.allowed != c.allowed || got.line != c.line {
				t.Errorf("%s: %s: %q for %s on %q: got allowed %v, line %d, want %v, %d",
					c.why, dialect, c.body, c.agents, c.url, got.allowed, got.line, c.allowed, c.line)
			}
		}
	}
}

// G55.
func refTestNamed(t *testing.T) {
	body := []byte("User-agent: *\nDisallow: /\n\nUser-agent: a\nDisallow: /x\n")
	for _, c := range []struct {
		agents  []string
		url     string
		allowed bool
		line    int
	}{
		{[]string{"a"}, "/x", false, 5},
		{[]string{"a"}, "/y", true, 0},
		{[]string{"b"}, "/x", true, 0},
		{[]string{"b", "a"}, "/x", false, 5},
		{[]string{"*"}, "/x", true, 0},
		{[]string{"*", "a"}, "/x", false, 5},
		{nil, "/x", true, 0},
	} {
		for _, dialect := range []string{"google", "rfc9309", "koster1996"} {
			got := referenceNamed(dialect, body, c.agents, c.url)
			if got.allowed != c.allowed || got.line != c.line {
				t.Errorf("%s: %q on %q: got %+v, want allowed %v, line %d", dialect, c.agents, c.url, got, c.allowed, c.line)
			}
		}
	}
}

// G58 to G62, and the forms in which the other dialects compare.
func refTestPaths(t *testing.T) {
	for _, c := range []struct{ dialect, url, path string }{
		{"google", "", "/"},
		{"google", "a/b", "/b"},
		{"google", "//a/b/c", "/b/c"},
		{"google", "///x", "/x"},
		{"google", "http:/x", "/x"},
		{"google", "://a/b", "/b"},
		{"google", "/a?u=http://x/b", "/a?u=http://x/b"},
		{"google", "//x://y/z", "/z"},
		{"google", `http:\\h\a`, "/"},
		{"google", "mailto:x", "/"},
		{"google", "h?a", "/?a"},
		{"google", "http://a;b/c", "/;b/c"},
		{"google", "http://h#/x", "/"},
		{"google", "a#b://c/d", "/"},
		{"google", "u:p/w@h/x", "/w@h/x"},
		{"google", "http://h/a#b", "/a"},
		{"google", "http://h/a\x00b", "/a"},
		{"google", "http://h/%c3/../é?", "/%c3/../é?"},
		{"rfc9309", "/a*b$c$", "/a%2Ab%24c%24"},
		{"rfc9309", "/%2a%24", "/%2A%24"},
		{"rfc9309", "/a%2fb/c?c%2fd/e?f/g", "/a%2Fb/c?c%2Fd%2Fe?f%2Fg"},
		{"rfc9309", "/a%3fb%2fc/d", "/a%3Fb%2Fc/d"},
		{"rfc9309", "/a?b=c&d:e", "/a?b=c&d%3Ae"},
		{"rfc9309", "/:?[]@!&'()+,;=", "/%3A?%5B%5D%40%21&%27%28%29%2B%2C%3B="},
		{"rfc9309", "/%3a%23%5B%5d%40%21%27%28%29%2b%2c%3b", "/%3A%23%5B%5D%40%21%27%28%29%2B%2C%3B"},
		{"rfc9309", "/ \"<>\\^`{|}\x7f", "/%20%22%3C%3E%5C%5E%60%7B%7C%7D%7F"},
		{"rfc9309", "/%20%22%3c%3e%5c%5e%60%7b%7c%7d%7f%0a", "/%20%22%3C%3E%5C%5E%60%7B%7C%7D%7F%0A"},
		{"rfc9309", "/aZ09-._~%61%5A%30%39%2D%2e%5F%7e", "/aZ09-._~aZ09-._~"},
		{"rfc9309", "/%25%26%3d%", "/%25%26%3D%25"},
		{"rfc9309", "/%%41%7e\xE9%e9", "/%25A~%E9%E9"},
		{"koster1996", "/%7ejoe%2fa/%", "/~joe%2Fa/%"},
		{"koster1996", "/a;b%3fc?d?e", "/a;b?c"},
		{"koster1996", "http://h?a", "/"},
	} {
		if got := reference(c.dialect, nil, nil, c.url).path; got != c.path {
			t.Errorf("%s: %q: got %q, want %q", c.dialect, c.url, got, c.path)
		}
	}
	if got, want := string(refCanonical([]byte("/a$b*%2a%24$"), true)), "/a%24b*%2A%24$"; got != want {
		t.Errorf("rule: got %q, want %q", got, want)
	}
}

// The table of Koster 3.2.2, row by row, and a few that it implies.
func refTestKosterTable(t *testing.T) {
	for _, c := range []struct {
		record, path string
		matches      bool
	}{
		{"/tmp", "/tmp", true},
		{"/tmp", "/tmp.html", true},
		{"/tmp", "/tmp/a.html", true},
		{"/tmp/", "/tmp", false},
		{"/tmp/", "/tmp/", true},
		{"/tmp/", "/tmp/a.html", true},
		{"/a%3cd.html", "/a%3cd.html", true},
		{"/a%3Cd.html", "/a%3cd.html", true},
		{"/a%3cd.html", "/a%3Cd.html", true},
		{"/a%2fb.html", "/a%2fb.html", true},
		{"/a%2fb.html", "/a%2Fb.html", true},
		{"/a%2fb.html", "/a/b.html", false},
		{"/%7ejoe/index.html", "/~joe/index.html", true},
		{"/~joe/index.html", "/%7Ejoe/index.html", true},
		{"/a/b.html", "/a%2fb.html", false},
		{"/a%252f", "/a%2f", false}, // each %hh once
		{"/a%25", "/a%", true},      // a stray % is itself
	} {
		got := reference("koster1996", []byte("User-agent: *\nDisallow: "+c.record), []string{"x"}, c.path)
		if got.allowed == c.matches {
			t.Errorf("%s against %s: matches is %v, want %v", c.record, c.path, !got.allowed, c.matches)
		}
	}
}

// The tables of RFC 2.2.2 and 2.2.3: each spelling in the rule against each
// spelling in the URL.
func refTestRFCTables(t *testing.T) {
	for _, row := range []struct{ rules, urls []string }{
		{[]string{"/foo/bar?baz=quz"}, []string{"/foo/bar?baz=quz"}},
		{
			[]string{"/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar"},
			[]string{"/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar", "/foo/bar?baz=http%3a%2f%2ffoo.bar"},
		},
		{
			[]string{"/foo/bar/\xE3\x83\x84", "/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"},
			[]string{"/foo/bar/\xE3\x83\x84", "/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"},
		},
		{[]string{"/foo/bar/%62%61%7A", "/foo/bar/baz"}, []string{"/foo/bar/%62%61%7A", "/foo/bar/baz"}},
		{
			[]string{"/path/file-with-a-%2A.html", "/path/file-with-a-%2a.html"},
			[]string{"https://www.example.com/path/file-with-a-*.html", "https://www.example.com/path/file-with-a-%2A.html"},
		},
		{[]string{"/path/foo-%24"}, []string{"https://www.example.com/path/foo-$", "https://www.example.com/path/foo-%24"}},
	} {
		for _, rule := range row.rules {
			for _, url := range row.urls {
				got := reference("rfc9309", []byte("User-agent: *\nDisallow: "+rule+"\n"), []string{"x"}, url)
				if got.allowed || got.line != 2 {
					t.Errorf("%s on %s: got %+v, want a match", rule, url, got)
				}
			}
		}
	}
	for _, c := range []struct{ rule, url string }{
		{"/path/file-with-a-%2A.html", "/path/file-with-a-b.html"}, // no wildcard
		{"/path/foo-%24", "/path/foo-"},                            // no anchor
		{"/a%3Fb", "/a?b"},
		{"/a?b%26c", "/a?b&c"},
		{"/a?b%3Dc", "/a?b=c"},
	} {
		got := reference("rfc9309", []byte("User-agent: *\nDisallow: "+c.rule+"\n"), []string{"x"}, c.url)
		if !got.allowed || got.line != 0 {
			t.Errorf("%s on %s: got %+v, want no match", c.rule, c.url, got)
		}
	}
}

// G25 to G29 and the table's row "agent value in the file".
func refTestAgentValues(t *testing.T) {
	for _, c := range []struct {
		value, agent string
		names        string // the dialects in which the line names the agent
	}{
		{"*", "*", "google rfc9309 koster1996"},
		{"* foo", "*", "google rfc9309 koster1996"},
		{"*\tx", "*", "google rfc9309 koster1996"},
		{"*\vx", "*", "google rfc9309 koster1996"},
		{"*foo", "*", ""},
		{"**", "*", ""},
		{"**", "**", ""},
		{"**", "", "google"}, // G29: google's token is empty
		{"*/1.0", "*", ""},
		{"*/1.0", "", "google rfc9309"},
		{"*;", "*", ""},
		{"*\u00A0", "*", ""},
		{"*", "", ""},
		{"FooBot/2.1", "foobot", "google rfc9309 koster1996"},
		{"FooBot/2.1", "FooBot/2.1", ""}, // G27
		{"Foo Bar", "foo", "google rfc9309 koster1996"},
		{"Foo*", "foo", "google rfc9309"},
		{"Foo*", "foo*", "koster1996"}, // "*" is no tspecial
		{"Foo;x", "foo", "google koster1996"},
		{"Foo;x", "foo;x", "rfc9309"},
		{"Mozilla/5.0 (compatible; FooBot)", "Mozilla", "google rfc9309 koster1996"},
		{"Mozilla/5.0 (compatible; FooBot)", "FooBot", ""},
		{"Foo\u00E9", "foo", "google koster1996"}, // no CHAR
		{"Foo\vx", "foo", "google koster1996"},    // \v is a CTL, but no blank
		{"MJ12bot", "MJ", "google"},
		{"MJ12bot", "mj12bot", "rfc9309 koster1996"},
		{"360Spider", "", "google"},
		{"360Spider", "360spider", "rfc9309 koster1996"},
		{"", "", "google rfc9309 koster1996"},
		{`"x"`, "", "google koster1996"},
		{"Googlebot", "Googlebot-News", ""}, // G30
		{"Googlebot-News", "googlebot-news", "google rfc9309 koster1996"},
		{"figtree", "FigTree", "google rfc9309 koster1996"}, // Koster 3.2.1
	} {
		for _, dialect := range []string{"google", "rfc9309", "koster1996"} {
			want := slices.Contains(strings.Fields(c.names), dialect)
			// A line that names the agent denies it; one that does not leaves it
			// to no group at all.
			body := "User-agent: " + c.value + "\nDisallow: /\n"
			got := reference(dialect, []byte(body), []string{c.agent}, "/")
			if refIsGlobal([]byte(c.value)) && c.agent != "*" {
				got = referenceNamed(dialect, []byte(body), []string{c.agent}, "/")
			}
			if got.allowed == want {
				t.Errorf("%s: %q names %q: got %v, want %v", dialect, c.value, c.agent, !got.allowed, want)
			}
		}
	}
}

// G18 to G21 and G65.
func refTestKeys(t *testing.T) {
	for _, c := range []struct {
		keys string
		kind string
		typo bool
	}{
		{"User-agent|USER-AGENT|User-agents|user-agent x", "user-agent", false},
		{"useragent|User Agent|useragents", "user-agent", true},
		{"Allow|Allowed|Allow-all|ALLOW", "allow", false},
		{"Disallow|disallowed|Disallow all|disallow*|Disallow\u00A0", "disallow", false},
		{"dissallow|dissalow|disalow|diasllow|disallaw|dissallowed", "disallow", true},
		{"Sitemap|Sitemaps", "sitemap", false},
		{"site-map|Site-Map", "sitemap", true},
		{"disallo|dis-allow|dsallow|dissalaw|desallow|alow|alllow|user_agent|user--agent|user  agent|- Disallow|\"Disallow\"|<br>Disallow|\u00A0Disallow|di\u017Fallow", "unknown", false},
		{"Crawl-delay|HOST|noindex|clean-param|Content-Signal|content-usage|domain|noarchive|nofollow|request-rate|revisit-after|visit-time", "unused", false},
		{"Crawl-delays|hosts|noindex x", "unknown", false},
	} {
		for _, key := range strings.Split(c.keys, "|") {
			got := referenceLines([]byte(key + ": v"))[0]
			if got.kind != c.kind || got.typo != c.typo || string(got.key) != key || string(got.value) != "v" {
				t.Errorf("%q: got %s, typo %v, %q: %q, want %s, typo %v", key, got.kind, got.typo, got.key, got.value, c.kind, c.typo)
			}
		}
	}
}

// G3 to G17 and G64.
func refTestLines(t *testing.T) {
	type row struct {
		start, end          int
		kind                string
		key, value, comment string
		flags               string // t(ypo), c(olon missing), n(ul)
	}
	for _, c := range []struct {
		body string
		want []row
	}{
		{"", []row{{0, 0, "empty", "", "", "", ""}}},
		{"\xEF\xBB\xBF", []row{{0, 3, "empty", "", "", "", ""}}},
		{"\xEF\xBB\xBFallow:/\r\nx:y\n", []row{
			{0, 12, "allow", "allow", "/", "", ""},
			{12, 16, "unknown", "x", "y", "", ""},
			{16, 16, "empty", "", "", "", ""},
		}},
		{"\xEF\xEF\xBB\xBFa:b", []row{{0, 7, "unknown", "\xEF\xBB\xBFa", "b", "", ""}}},
		{"\xEF\xBB\xBF\xEF\xBB\xBFallow:", []row{{0, 12, "unknown", "\xEF\xBB\xBFallow", "", "", ""}}},
		{"\r\n\n", []row{{0, 2, "empty", "", "", "", ""}, {2, 3, "empty", "", "", "", ""}, {3, 3, "empty", "", "", "", ""}}},
		{"\r\r\n", []row{{0, 1, "empty", "", "", "", ""}, {1, 3, "empty", "", "", "", ""}, {3, 3, "empty", "", "", "", ""}}},
		{"\n\r", []row{{0, 1, "empty", "", "", "", ""}, {1, 2, "empty", "", "", "", ""}, {2, 2, "empty", "", "", "", ""}}},
		{"\rx\n", []row{{0, 1, "empty", "", "", "", ""}, {1, 3, "no-directive", "", "", "", ""}, {3, 3, "empty", "", "", "", ""}}},
		{" # c \vd", []row{{0, 7, "comment", "", "", " c \vd", ""}}},
		{" a : b #c#d", []row{{0, 11, "unknown", "a", "b", "c#d", ""}}},
		{"\v\f\t ", []row{{0, 4, "empty", "", "", "", ""}}},
		{"\x00# x", []row{{0, 4, "empty", "", "", "", "n"}}},
		{"disalow /a\x00b", []row{{0, 12, "disallow", "disalow", "/a", "", "tcn"}}},
		{"disallow \v/a", []row{{0, 12, "disallow", "disallow", "/a", "", "c"}}},
		{"disallow\v/a", []row{{0, 11, "no-directive", "", "", "", ""}}},
		{"a b c", []row{{0, 5, "no-directive", "", "", "", ""}}},
		{"host \t h", []row{{0, 8, "unused", "host", "h", "", "c"}}},
		{": /x", []row{{0, 4, "no-directive", "", "", "", ""}}},
		{"::", []row{{0, 2, "no-directive", "", "", "", ""}}},
		// G16: the key is "Sitemap http", which is still a sitemap (G19).
		{"Sitemap http://h/s", []row{{0, 18, "sitemap", "Sitemap http", "//h/s", "", ""}}},
		{"a: b\u00A0 ", []row{{0, 7, "unknown", "a", "b\u00A0", "", ""}}},
	} {
		got := referenceLines([]byte(c.body))
		if len(got) != len(c.want) {
			t.Errorf("%q: got %d lines, want %d", c.body, len(got), len(c.want))
			continue
		}
		joined := ""
		for i, line := range got {
			joined += c.body[line.start:line.end]
			flags := ""
			if line.typo {
				flags += "t"
			}
			if line.missingColon {
				flags += "c"
			}
			if line.nulCut {
				flags += "n"
			}
			have := row{line.start, line.end, line.kind, string(line.key), string(line.value), string(line.comment),
				flags}
			if have != c.want[i] || line.number != i+1 || line.tooLong {
				t.Errorf("%q: line %d: got %+v, want %+v", c.body, line.number, have, c.want[i])
			}
		}
		if joined != c.body {
			t.Errorf("%q: the raw lines joined are %q", c.body, joined)
		}
	}
}

// G9.
func refTestLongLines(t *testing.T) {
	key := "Disallow: /"                          // 11 bytes
	exact := key + strings.Repeat("a", 16663-11)  // 16,663 bytes
	late := strings.Repeat(" ", 16663) + key      // the key is pushed out
	hash := exact + "#" + strings.Repeat("b", 10) // the "#" is past the cap
	for _, c := range []struct {
		body    string
		tooLong bool
		kind    string
		value   int
	}{
		{exact, false, "disallow", 16653},
		{exact + "\n", false, "disallow", 16653},
		{exact + "a", true, "disallow", 16653},
		{"\xEF\xBB\xBF" + exact, false, "disallow", 16653},
		{"#" + exact, true, "comment", 0},
		{late, true, "empty", 0},
		{hash, true, "disallow", 16653},
		{exact + "\x00", true, "disallow", 16653},
	} {
		got := referenceLines([]byte(c.body))[0]
		if got.tooLong != c.tooLong || got.kind != c.kind || len(got.value) != c.value || got.nulCut {
			t.Errorf("%d bytes: got too long %v, %s, value of %d bytes, NUL %v, want %v, %s, %d",
				len(c.body), got.tooLong, got.kind, len(got.value), got.nulCut, c.tooLong, c.kind, c.value)
		}
		if c.body == hash && got.comment != nil {
			t.Errorf("a # past the cap was seen")
		}
	}
	// The line that follows is unaffected.
	if got := referenceLines([]byte(hash + "\nallow: /")); len(got) != 2 || got[1].kind != "allow" || got[1].tooLong {
		t.Errorf("after a long line: got %+v", got[len(got)-1])
	}
}
