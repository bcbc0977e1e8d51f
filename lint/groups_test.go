package lint_test

import (
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/lint"
)

// TestRuns: what is between the lines of groups.
func TestRuns(t *testing.T) {
	const all = "User-agent: *\nDisallow: /p\n"
	checkRooms(t, "RX3", []room{
		{name: "two groups", body: "User-agent: a\nDisallow: /\n\n" + all},
		{name: "a run", body: "User-agent: a\nUser-agent: b\nDisallow: /\n" + all},
		{
			name: "Crawl-delay between",
			body: "User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /\n" + all,
			want: "3:13 RX301", says: `"b" shares its rules with "a" on line 1, so the site is closed to a too, because no Allow or Disallow is between the User-agent lines, only "Crawl-delay"`,
		},
		{
			name: "several lines between, CRLF",
			body: "User-agent: *\r\nSitemap: /s\r\nfoo\r\n\r\nUser-agent: b\r\nDisallow: /x\r\n",
			want: "5:13 RX301", says: `only "Sitemap"`,
		},
		{
			name: "misspelt Disallow between",
			body: "User-agent: a\nDisalllow: /\nUser-agent: b\nDisallow: /\n" + all,
			want: "3:13 RX301", says: `only "Disalllow"`,
		},
		{name: "between lines for the same", body: "User-agent: *\nCrawl-delay: 5\nuser-agent: *\nDisallow: /p\n", want: "3:13 RX302"},
		{name: "nothing is shared", body: "User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow:\n" + all},
		{
			name: "blank line between",
			body: "User-agent: a\n\n# b\nUser-agent: b\nDisallow: /\n" + all,
			want: "4:13 RX301", says: `"b" shares its rules with "a" on line 1, so the site is closed to a too, because a blank line does not separate groups`,
		},
		{name: "comment between", body: "User-agent: a\n# b\nUser-agent: b\nDisallow: /\n" + all},
		{name: "blank line within a group", body: "User-agent: *\n\nDisallow: /a\n\nDisallow: /b\n"},
		{
			name: "blank lines within a group, Yandex", profile: lint.Yandex,
			body: "User-agent: *\n\nDisallow: /a\n \nDisallow: /b\n\nUser-agent: a\nDisallow: /\n",
			want: "2:1 RX309", says: `this blank line ends the group of "*", so they ignore line 3`,
			fixed: "User-agent: *\nDisallow: /a\nDisallow: /b\n\nUser-agent: a\nDisallow: /\n", meaning: true,
		},
		{
			name: "blank lines within a group, 1996", profile: lint.Koster1996,
			body: "User-agent: *\nDisallow: /a\n\nDisallow: /b\n",
			want: "3:1 RX309", fixed: "User-agent: *\nDisallow: /a\nDisallow: /b\n", meaning: true,
		},
		{
			name: "blank line between user-agent lines, Yandex", profile: lint.Yandex,
			body: "User-agent: a\n\nUser-agent: *\nDisallow: /b\n",
			want: "2:1 RX309", fixed: "User-agent: a\nUser-agent: *\nDisallow: /b\n", meaning: true,
		},
		{name: "blank line before a Sitemap, Yandex", profile: lint.Yandex, body: all + "\nSitemap: https://x.example/s\n"},
		{
			name: "orphans",
			body: "Disallow: /a\nAllow: /b\n" + all + "Disallow: /c\n",
			want: "1:1 RX304", says: "above these 2 rules",
			fixed: "User-agent: *\nDisallow: /a\nAllow: /b\n" + all + "Disallow: /c\n", meaning: true,
		},
		{name: "orphans of a lost user-agent line", body: "\n\uFEFFUser-agent: *\nDisallow: /a\n"},
		{
			name: "an orphan after a lost one",
			body: "Allow = /a/b\nDisallow: /a\n" + all,
			want: "2:1 RX304", says: "above these 2 rules", fixed: "User-agent: *\nAllow = /a/b\nDisallow: /a\n" + all, meaning: true,
		},
		{name: "an orphan after a lost one that closes the site", body: "Disalllow = /\nDisallow: /a\n" + all, want: "2:1 RX304"},
		{name: "orphans of a user-agent line in a comment", body: "# ; User-agent: Googlebot\nDisallow: /a\n", want: "2:1 RX304", says: "is a comment"},
		{
			name: "orphans behind other things",
			body: "some text\nDisallow: /a\n" + all,
			want: "2:1 RX304", fixed: "some text\nUser-agent: *\nDisallow: /a\n" + all, meaning: true,
		},
	})
}

// TestGroups: groups that are repeated, empty, or too much.
func TestGroups(t *testing.T) {
	const all = "User-agent: *\nDisallow: /p\n"
	checkRooms(t, "RX3", []room{
		{
			name: "the same agent twice",
			body: all + "User-agent: Foo\nDisallow: /\nUser-agent: *\nDisallow: /q\n",
			want: "5:13 RX302", says: `"*" already has a group on line 1; most crawlers follow both`,
		},
		{
			name: "the same agent twice, 1996", profile: lint.Koster1996,
			body: all + "User-agent: Foo\nDisallow: /\nUser-agent: *\nDisallow: /q\n",
			want: "5:13 RX302", says: "only the first counts",
		},
		{
			name: "thrice, in other letters",
			body: "User-agent: foo\nDisallow: /\nUser-agent: FOO\nDisallow: /q\n" + all + "User-agent: Foo\nDisallow: /z\n",
			want: "3:13 RX302",
		},
		{name: "twice in one group", body: "User-agent: foo\nUser-agent: foo\nDisallow: /\n" + all},
		{name: "equal only where they are cut", body: "User-agent: foo 1\nDisallow: /\nUser-agent: foo 2\nDisallow: /\n" + all},
		{name: "no tokens at all", body: "User-agent: 11\nDisallow: /\nUser-agent: 11\nDisallow: /\n" + all},
		{
			name: "Crawl-delay alone",
			body: all + "User-agent: Foo\nCrawl-delay: 5\n",
			want: "3:1 RX303", says: `Foo follows only its own group, which closes nothing, and ignores a Disallow line for *: "/p".`,
		},
		{
			name: "Crawl-delay alone, with nothing to lift",
			body: "User-agent: *\nDisallow:\nUser-agent: Foo\nCrawl-delay: 5\n",
		},
		{
			name: "Allow for a part",
			body: all + "User-agent: Foo\nAllow: /images/\n",
			want: "3:1 RX303", says: "Foo follows only its own group",
		},
		{name: "Allow for all", body: all + "User-agent: Foo\nAllow: /\n", want: "3:1 RX303"},
		{name: "Allow and Disallow", body: all + "User-agent: Foo\nAllow: /images/\nDisallow: /q\n", want: "3:1 RX311"},
		{name: "an empty Disallow", body: all + "User-agent: Foo\nAllow: /images/\nDisallow:\n"},
		{name: "Allow for a part, with nothing to lift", body: "User-agent: *\nDisallow:\nUser-agent: Foo\nAllow: /images/\n"},
		{name: "Allow for a part, obeys no group for all", body: all + "User-agent: AdsBot-Google\nAllow: /images/\n"},
		{
			name: "Allow for a part, beside another group",
			body: all + "User-agent: Foo\nAllow: /images/\nUser-agent: foo\nDisallow: /\n",
			want: "5:13 RX302",
		},
		{
			name: "no rules",
			body: all + "User-agent: Foo",
			want: "3:1 RX303",
		},
		{
			name: "no rules, beside another group",
			body: all + "User-agent: Foo\nDisallow: /q\nUser-agent: Bar\nUser-agent: foo\n",
			want: "3:1 RX311, 5:1 RX303, 6:13 RX302", says: "Foo follows only the groups that name it",
		},
		{name: "no rules for all", body: "User-agent: *\n\nSitemap: https://x.example/s\n"},
		{name: "no rules, 1996", profile: lint.Koster1996, body: "User-agent: Foo\n\nUser-agent: *\nDisallow:\n"},
		{
			name: "rules behind a blank line, 1996", profile: lint.Koster1996,
			body: "User-agent: *\n\nDisallow: /a\n",
			want: "2:1 RX309", fixed: "User-agent: *\nDisallow: /a\n", meaning: true,
		},
		{name: "an empty rule, 1996", profile: lint.Koster1996, body: "User-agent: Foo\nDisallow:\n\n" + all},
		{name: "no group for all", body: "User-agent: Foo\nDisallow: /\n", want: "1:1 RX306"},
		{name: "no group at all", body: "Sitemap: https://x.example/s\n"},
		{name: "nothing", body: ""},
	})
}

// TestOpenness: sites that are closed, and sites that should be.
func TestOpenness(t *testing.T) {
	const closed = "User-agent: *\nDisallow: /\n"
	checkRooms(t, "RX3", []room{
		{name: "closed", body: closed, want: "2:1 RX307", says: "closes the site to all crawlers"},
		{name: "closed by a star", body: "User-agent: *\nDisallow: *\n", want: "2:1 RX307"},
		{name: "closed but for a part", body: closed + "Allow: /blog/\n", want: "2:1 RX307"},
		{name: "closed but for the home page", body: closed + "Allow: /$\n"},
		{name: "closed but for Googlebot", body: closed + "User-agent: Googlebot\nDisallow: /p\n", want: "2:1 RX307", says: "bingbot and the other crawlers that follow the group for *"},
		{name: "closed but for Googlebot and bingbot", body: closed + "User-agent: Googlebot\nUser-agent: bingbot\nDisallow: /p\n"},
		{name: "the home page alone", body: "User-agent: *\nDisallow: /$\n", want: "2:1 RX312"},
		{name: "all paths, anchored", body: "User-agent: *\nDisallow: /*$\n", want: "2:1 RX307"},
		{name: "closed but for Googlebot, Bing", profile: lint.Bing, body: closed + "User-agent: Googlebot\nDisallow: /p\n", want: "2:1 RX307"},
		{name: "closed to Googlebot", body: "User-agent: *\nDisallow:\nUser-agent: Googlebot\nDisallow: /\n", want: "4:1 RX307", says: `closes the site to Googlebot`},
		{name: "closed to a list", body: "User-agent: AI2Bot\nUser-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n", want: "3:1 RX307", says: "closes the site to Googlebot"},
		{name: "closed to others", body: "User-agent: *\nDisallow:\nUser-agent: Foo\nDisallow: /\n"},
		{name: "closed for Yandex by its family", profile: lint.Yandex, body: "User-agent: *\nDisallow:\nUser-agent: Yandex\nDisallow: /\n", want: "4:1 RX307"},

		{name: "staging, closed", profile: lint.Staging, body: closed},
		{name: "staging, closed but for its robots.txt", profile: lint.Staging, body: closed + "Allow: /robots.txt\n"},
		{
			name: "staging, nothing", profile: lint.Staging, body: "",
			want: "1:1 RX308",
		},
		{
			name: "staging, no group for all, with a byte order mark", profile: lint.Staging,
			body: "\uFEFFUser-agent: Foo\r\nDisallow: /\r\n",
			want: "1:1 RX308",
		},
		{
			name: "staging, open to all", profile: lint.Staging, body: "User-agent: *\nUser-agent: Foo\nDisallow: /p\n",
			want: "1:1 RX308, 2:1 RX308", says: `open to "*"`,
		},
		{
			name: "staging, open to one", profile: lint.Staging, body: closed + "User-agent: Foo\nDisallow: /p\n",
			want: "3:1 RX308", says: `open to "Foo"`,
		},
		{
			name: "staging, open to one in part", profile: lint.Staging, body: closed + "User-agent: Foo\nDisallow: /\nAllow: /p\n",
			want: "5:1 RX308", says: `opens a part of the site to "Foo"`,
		},
		{
			name: "staging, closed by another group", profile: lint.Staging,
			body: closed + "User-agent: Foo\nDisallow: /p\nUser-agent: foo\nDisallow: /\n",
			want: "5:13 RX302",
		},
	})
}

// TestProductionSeverity: what is a warning elsewhere is an error for a site that
// wants to be found.
func TestProductionSeverity(t *testing.T) {
	for profile, want := range map[lint.Profile]lint.Severity{
		lint.Google: lint.Info, lint.Production: lint.Error, lint.Staging: lint.Off,
	} {
		got := lint.Off
		for _, f := range lint.Check([]byte("User-agent: *\nDisallow: /\n"), lint.Config{Profile: profile}) {
			if f.Code == "RX307" {
				got = f.Severity
			}
		}
		if got != want {
			t.Errorf("%v: severity %v, want %v", profile, got, want)
		}
	}
}

// TestClosedSpellings: all rules that match every path close the site, whichever finding
// is about that, and no others do.
func TestClosedSpellings(t *testing.T) {
	found := func(profile lint.Profile, pattern string, code lint.Code) bool {
		body := "User-agent: *\nDisallow: " + pattern + "\n"
		return slices.ContainsFunc(lint.Check([]byte(body), lint.Config{Profile: profile}),
			func(f lint.Finding) bool { return f.Code == code })
	}
	for _, pattern := range []string{"/", "*", "/*", "*/", "**", "/**", "*/*", "**/", "/*$", "*$", "/**$", "*/*$", "**$"} {
		if !found(lint.Google, pattern, "RX307") || found(lint.Staging, pattern, "RX308") {
			t.Errorf("%q does not close the site", pattern)
		}
	}
	for _, pattern := range []string{"/$", "/*/", "*/$", "//", "/a", "/*?", "$"} {
		if found(lint.Google, pattern, "RX307") || !found(lint.Staging, pattern, "RX308") {
			t.Errorf("%q closes the site", pattern)
		}
	}
}

// TestLargeTraining: the tokens of the lists decide about training themselves, so that what lint says of a
// closed one is what package permission says.
func TestLargeTraining(t *testing.T) {
	for _, token := range lint.LargeTraining() {
		c, found := crawlers.Find(token)
		if !found || c.Token != token || !slices.Contains(c.Purposes, "ai-training") || c.Status == crawlers.Retired {
			t.Errorf("%s is no crawler that collects training data: %+v", token, c)
		}
	}
}
