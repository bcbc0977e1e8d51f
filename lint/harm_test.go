package lint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// TestHarmIsNotHidden has files of which a finding said less than it knew, or whose fix did
// harm.
func TestHarmIsNotHidden(t *testing.T) {
	const all, sitemap = "User-agent: *\n", "Sitemap: https://shop.example/sitemap.xml\n"
	checkRooms(t, "RX", []room{
		{
			name: "rules for all by accident", body: all + sitemap + "\nUser-agent: SemrushBot\nDisallow: /\n",
			want: "4:13 RX301, 5:1 RX307", says: `These rules are for all crawlers that follow the group for *, not only for "SemrushBot"`,
		},
		{name: "a path in both forms", body: all + "Disallow: /caf%C3%A9/\nDisallow: /caf\u00e9/\n", want: "3:1 RX208", fixed: all + "Disallow: /caf%C3%A9/\n"},
		{
			name: "a closed site with exceptions", body: all + "Disallow: /\nAllow: /login\n",
			want: "2:1 RX307", says: `closes the site to all crawlers that follow the group for *, except "/login".`,
		},
		{
			name: "a lost Disallow with a dash", body: all + "Disallow - /x/\n",
			want: "2:1 RX417", says: "has no colon", fixed: all + "Disallow: /x/\n", meaning: true,
		},
		{
			name: "a sentence with a dash", body: all + "Disallow: /p/\nDisallow - what we do not want\n",
			want: "3:1 RX413", says: "Crawlers ignore this text", fixed: all + "Disallow: /p/\n# Disallow - what we do not want\n",
		},
		{
			name: "an agent line in a comment", body: "# User-agent: BadBot\nDisallow: /\n",
			want: "2:1 RX304", says: "The User-agent line above is a comment",
		},
		{
			name: "a rule that would close the site", body: "Disallow: /\n",
			want: "1:1 RX304", says: "No User-agent line is above",
		},
		{name: "no path that can be meant", body: all + "Disallow: None\n", want: "2:11 RX202", says: `"None" matches no URL`},
		{name: "quotes", body: all + "Disallow: \u201c/x/\u201d\n", want: "2:11 RX202", says: "matches no URL", fixed: all + "Disallow: /x/\n", meaning: true},
		{name: "a colon", body: all + "Disallow: : /x/\n", want: "2:11 RX202", says: "matches no URL", fixed: all + "Disallow: /x/\n", meaning: true},
		{name: "a no-break space", body: all + "Disallow: \u00a0/x/\n", want: "2:11 RX202", says: "matches no URL", fixed: all + "Disallow: /x/\n", meaning: true},
		{name: "a rule in a list with numbers", body: all + "Disallow: /p/\n1. - Disallow: /x/\n", want: "3:1 RX517", says: "Did you mean Disallow?", fixed: all + "Disallow: /p/\nDisallow: /x/\n", meaning: true},
		{
			name: "a lost User-agent line below markup", body: "<pre>\n" + all + "Disallow: /a/\nDisallow: /a/b\nDisallow: /a/c\nUser agent FooBot\nDisallow: /d/\n</pre>\n",
			want: "1:1 RX401, 6:1 RX417", says: "This line is markup",
		},
		{name: "a path of Windows", body: all + "Disallow: x\\y\n", want: "2:11 RX202"},
		{
			name: "front matter", body: "---\nlayout: null\npermalink: /robots.txt\n---\n" + all + "Disallow: /p/\n",
			want: "1:1 RX413", says: "front matter of a site generator, up to line 4",
		},
		{
			name: "a stylesheet", body: "body {\n  color: red;\n  margin: 0;\n}\n",
			want: "1:1 RX401", says: "This file is a stylesheet or a script, not a robots.txt.",
		},
		{name: "a list in JSON", body: "[\n  {\"a\": 1}\n]\n", want: "1:1 RX401", says: "This file is JSON"},
		{
			name: "a forgotten closed site", body: all + "Disallow: /\n" + sitemap,
			want: "2:1 RX307", says: "closes the site to all crawlers that follow the group for *.",
		},
	})
}

// TestFixesWait: no fix, or only one with Meaning, where a line of the group is lost or the
// fix would close the site.
func TestFixesWait(t *testing.T) {
	for _, body := range []string{
		"User-agent: *\nDisallow: /search\nUser agent GPTBot\nDisallow: /\n",
		"User-agent: GPTBot\n\nDeny: /\n",
		"User-agent: GPTBot\n\n/private/\n",
	} {
		for _, f := range lint.Check([]byte(body), lint.Config{Pedantic: true}) {
			if f.Fix != nil && !f.Fix.Meaning && f.Code != "RX208" {
				t.Errorf("%q: %s is plain: %v", body, f.Code, f.Fix)
			}
		}
	}
	const all = "User-agent: *\n"
	for _, body := range []string{
		all + "Disallow: /a?/b\nAllow: /a?*b*\n",                   // in rfc9309 the Disallow is longer
		all + "Disallow: /*x%2Fc$\nDisallow: /*x\nAllow: /*x/c$\n", // there the Allow matches /?x%2Fc
	} {
		for _, f := range lint.Check([]byte(body), lint.Config{Pedantic: true}) {
			if f.Code == "RX208" && f.Fix != nil && !f.Fix.Meaning {
				t.Errorf("%q: %v is plain", body, f)
			}
		}
	}
	for body, silent := range map[string]bool{
		"User-agent: a\nDisallow: /x^\n\nUser-agent: b\nDisallow: /news/\nDisallow: /news/b/c\nDisallow: /news/b/d\n\nUser-agent: a\nAllow: /news/b\n":                  true, // without /x^, a joins the next group
		"User-agent: a\nDisallow: /x^\nDisallow: /old/\n\nUser-agent: b\nDisallow: /news/\nDisallow: /news/b/c\nDisallow: /news/b/d\n\nUser-agent: a\nAllow: /news/b\n": false,
	} {
		if slices.Contains(codesIn(body, lint.Config{}), "RX208") == silent {
			t.Errorf("%q: RX208 is found: %v", body, !silent)
		}
	}
	for _, body := range []string{
		all + "Disallow: / /b/\n", all + "Disallow: \"/\"\n", all + "Disallow: <path>\n", all + "Disallow: .\n", all + "Disallow: n/a\n",
		all + "Disallow: 0\n", all + "Disallow: Keine\n", all + "Disallow: nothing here\n", all + "Disallow: -\n",
	} {
		for _, f := range lint.Check([]byte(body), lint.Config{}) {
			if f.Fix != nil {
				t.Errorf("%q: %s has a fix: %v", body, f.Code, f.Fix)
			}
		}
	}
	for body, want := range map[string]string{
		all + "Disallow: \"/x/\"\n":  all + "Disallow: /x/\n",
		all + "Disallow: /a/, /b/\n": all + "Disallow: /a/\nDisallow: /b/\n",
	} {
		findings := lint.Check([]byte(body), lint.Config{})
		if len(findings) != 1 || findings[0].Fix == nil {
			t.Errorf("%q: %v", body, findings)
			continue
		}
		if fixed, err := lint.Apply([]byte(body), findings[0].Fix.Edits); err != nil || string(fixed) != want {
			t.Errorf("%q becomes %q, %v", body, fixed, err)
		}
	}
}

// TestSilence has files in which some of these checks once found what is not so.
func TestSilence(t *testing.T) {
	const all = "User-agent: *\n"
	for body, code := range map[string]lint.Code{
		"User-agent: Googlebot\nDisallow: /\n\nUser-agent: Google-Bot\nDisallow: /\n":                            "RX109",
		all + "Disallow: /p/\nSitemap: https://dev.to/sitemap.xml\n":                                             "RX523",
		all + "Disallow: /p/\nSitemap: https://a.example/map.html?view=xml\n":                                    "RX523",
		all + "Disallow: /p/\nSitemap: https://a.example/google/RSS.html\n":                                      "RX523",
		all + "Disallow: /p/\nSitemap: https://site.de/sitemap.xml\n":                                            "RX523",
		"User-agent: Open*\nDisallow:\n\n" + all + "Disallow: /\n":                                               "RX104",
		all + "Disallow: /v1\nDisallow: /80\n":                                                                   "RX211",
		all + "Disallow: /us\nDisallow: /uk\nDisallow: /m\n":                                                     "RX211",
		all + "Disallow: /a\nDisallow: /b/\n\nUser-agent: Googlebot-Image\nDisallow: /b/\n":                      "RX311",
		all + "Disallow: /*?ref=\nDisallow: /b/\n\nUser-agent: Yandex\nDisallow: /b/\nClean-param: a&ref\n":      "RX311",
		all + "Disallow: /*?\nDisallow: /a?b\nDisallow: /c?d\n":                                                  "RX208",
		"Crawl-delay: 120\n" + all + "Disallow: /p/\n":                                                           "RX506",
		all + "Disallow: /*?\nAllow: /static/\n":                                                                 "RX223",
		all + "Disallow: /*?\nAllow: /*.css?ver=\n":                                                              "RX223",
		all + "Disallow: /?\nDisallow: /x?*\n":                                                                   "RX223",
		all + "Disallow: /one,two/\nDisallow: /one,/\n":                                                          "RX204",
		all + "Allow: /$\n\n" + all + "Disallow: /*/\n":                                                          "RX211",
		all + "\nContent-Signal: ai-train=no\nUser-agent: GPTBot\nDisallow: /\n":                                 "RX524",
		all + "\nContent-Signal: ai-train=no\nUser-agent: AhrefsBot\nDisallow: /x/\n":                            "RX524",
		all + "Content-Signal: search=yes, ai-train=no\n\nUser-agent: ClaudeBot\nContent-Signal: ai-train=yes\n": "RX524",
		all + "Content-Usage: search=y, train-ai=y\nContent-Usage: /a/ train-ai=n\n":                             "RX525",
		all + "Content-Signal: search=yes, ai-train=no\n":                                                        "RX525",
		"[User-agent: *]\nDisallow: /admin/\nSitemap: https://a.example/s.xml\n[\"end\"]\n":                      "RX401",
		"Disallow: /a{\nDisallow: /b;\nDisallow: /c;\nDisallow: /d;\n":                                           "RX401",
		"---\nSitemap: https://a.example/s.xml\nCrawl-delay: 5\n---\nUser-agent: *\nDisallow: /p/\n":             "RX413 front",
	} {
		name, _, _ := strings.Cut(string(code), " ")
		for _, f := range lint.Check([]byte(body), lint.Config{}) {
			if string(f.Code) == name && (name == string(code) || strings.Contains(f.Message, "front matter")) {
				t.Errorf("%q: %s %s", body, f.Code, f.Message)
			}
		}
	}
	for _, f := range lint.Check([]byte(all+"Disallow: /\nSitemap: https://staging.a.example/s.xml\n"), lint.Config{}) {
		if f.Code == "RX307" && f.Severity != lint.Info {
			t.Errorf("a closed site with a sitemap of a host for tests: %v", f.Severity)
		}
	}
	checkRooms(t, "RX522", []room{{body: "User-agent: FooBot\nCrawl-delay: 5\nUser-agent: BarBot\nDisallow: /\n"}, {body: "User-agent: bingbot\nAllow: /a\n\nUser-agent: bingbot\nDisallow: /\nCrawl-delay: 3\n"}})
	after := lint.Format([]byte("User-agent: Foo\nDisallow: /x/\nuser agent: Bar\nDisallow: /w/\n"), lint.Google, lint.KeepEnds)
	if strings.Contains(string(after), "\n\n") {
		t.Errorf("an empty line ends a group where a key is misspelt: %q", after)
	}
}

// TestSilentFiles has files in which nothing was found although their owners wanted to know.
func TestSilentFiles(t *testing.T) {
	const all = "User-agent: *\nDisallow: /p/\n"
	checkRooms(t, "RX", []room{
		{name: "Deny", body: all + "Deny: /x/\n", want: "3:1 RX517", says: "Did you mean Disallow?", fixed: all + "Disallow: /x/\n", meaning: true},
		{name: "a list of paths", body: all + "Alow: /a, /b # and more\n", want: "3:1 RX517", says: "Did you mean Allow?", fixed: all + "Allow: /a # and more\nAllow: /b\n", meaning: true},
		{name: "a list of names", body: "Usr-agent: GPTBot, Gogglebot # and more\nDisallow: /a\n", want: "1:1 RX517", says: "Did you mean User-agent?", fixed: "User-agent: GPTBot # and more\nUser-agent: Googlebot\nDisallow: /a\n", meaning: true},
		{name: "a misspelt name above exceptions", body: "Usr-agent: Gogglebot\nAllow: /a/b\n\n" + all, want: "1:1 RX517", says: "Did you mean User-agent?", fixed: "User-agent: Gogglebot\nAllow: /a/b\n\n" + all, meaning: true},
		{name: "no name", body: all + "Usr-agent:\nDisallow: /a/\n", want: "3:1 RX517", says: "Did you mean User-agent?"},
		{name: "Block", body: all + "block: /x/\n", want: "3:1 RX517", says: "Did you mean Disallow?", fixed: all + "Disallow: /x/\n", meaning: true},
		{name: "a blank in a name", body: all + "\nUser-agent: GPT Bot\nDisallow: /\n", want: "4:13 RX109", says: "Did you mean GPTBot?", fixed: all + "\nUser-agent: GPTBot\nDisallow: /\n", meaning: true},
		{name: "a hyphen in a name", body: all + "\nUser-agent: GPT-Bot\nDisallow: /\n", want: "4:13 RX109", says: "Did you mean GPTBot?", fixed: all + "\nUser-agent: GPTBot\nDisallow: /\n", meaning: true},
		{name: "Google Bot", body: all + "\nUser-agent: Google Bot\nDisallow: /x/\n", want: "4:13 RX109", says: "Did you mean Googlebot?", fixed: all + "\nUser-agent: Googlebot\nDisallow: /x/\n", meaning: true},
		{name: "the operator's name", body: all + "\nUser-agent: OpenAIBot\nDisallow: /\n", want: "4:13 RX109", says: "a line for each crawler that you mean: GPTBot, OAI-SearchBot.", fixed: all + "\nUser-agent: GPTBot\nUser-agent: OAI-SearchBot\nUser-agent: ChatGPT-User\nDisallow: /\n", meaning: true},
		{name: "another of these", body: all + "\nUser-agent: ClaudeAI\nDisallow: /\n", want: "4:13 RX109", says: "ClaudeBot, Claude-SearchBot, Claude-User", fixed: all + "\nUser-agent: ClaudeBot\nUser-agent: Claude-SearchBot\nUser-agent: Claude-User\nDisallow: /\n", meaning: true},
		{name: "a delay for nothing", body: all + "\nUser-agent: FooBot\nCrawl-delay: 10\nDisallow: /\n", want: "4:13 RX108, 5:1 RX522", says: "not in our list"},
		{name: "an invisible character", body: "User-agent: *\nDisallow: /z\u200b/\n", want: "2:11 RX204", says: "an invisible character", fixed: "User-agent: *\nDisallow: /z/\n", meaning: true},
		{name: "a sitemap on the own machine", body: all + "Sitemap: http://localhost:8080/sitemap.xml\n", want: "3:10 RX523", says: "Crawlers cannot fetch this sitemap"},
		{name: "a sitemap on the own machine, by its IPv6 address", body: all + "Sitemap: http://[::1]/sitemap.xml\n", want: "3:10 RX523", says: "\"::1\" is not your host"},
		{name: "a placeholder", body: all + "Sitemap: https://www.yourdomain.com/sitemap.xml\n", want: "3:10 RX523", says: "is not your host on the internet"},
		{name: "a placeholder of another country", body: all + "Sitemap: https://your-site.ru/sitemap.xml\n", want: "3:10 RX523", says: "is not your host on the internet"},
		{name: "a placeholder of an organisation", body: all + "Sitemap: http://www.domain.org/sitemap.xml\n", want: "3:10 RX523", says: "is not your host on the internet"},
		{name: "a page on a host of feeds", body: all + "Sitemap: https://rss.example/sitemap.html\n", want: "3:10 RX523", says: "a page for people"},
		{name: "a host for tests", body: all + "Sitemap: https://staging.shop.example/sitemap.xml\n", want: "3:10 RX523", says: "a host for tests"},
		{name: "a page as a sitemap", body: all + "Sitemap: https://shop.example/sitemap.html\n", want: "3:10 RX523", says: "a page for people"},
		{name: "files with a version", body: "User-agent: *\nDisallow: /*?\n", want: "2:11 RX223", says: "style.css?ver=1"},
		{name: "files with a version beside an Allow of pages", body: "User-agent: *\nDisallow: /*?\nAllow: /forum/*?\n", want: "2:11 RX223", says: "style.css?ver=1"},
		{name: "two paths with a comma", body: "User-agent: *\nDisallow: /one,/two\n", want: "2:11 RX204", says: "A rule takes one path", fixed: "User-agent: *\nDisallow: /one\nDisallow: /two\n", meaning: true},
		{name: "all folders", body: "User-agent: *\nDisallow: /*/\n", want: "2:11 RX211", says: "every page that is in a folder"},
		{name: "a name with blanks", body: all + "\nUser-agent: Google Extended\nDisallow: /\n", want: "4:13 RX109", says: "Did you mean Google-Extended?", fixed: all + "\nUser-agent: Google-Extended\nDisallow: /\n", meaning: true},
		{name: "a path that is not ASCII", body: "User-agent: *\nDisallow: /caf\u00e9/\n", want: "2:15 RX206", says: "as Google recommends", fixed: "User-agent: *\nDisallow: /caf%C3%A9/\n"},
		{name: "a path saved twice as UTF-8", body: "User-agent: *\nDisallow: /a\u00c3\u00b1o/\n", want: "2:11 RX206", says: "twice", fixed: "User-agent: *\nDisallow: /a%C3%B1o/\n", meaning: true},
		{name: "a soft hyphen that is a byte", body: "User-agent: *\nDisallow: *q=*\u00e8\u00b0\u00b7\u00e6\u00ad\u008c*\n", want: "2:11 RX206", says: "twice", fixed: "User-agent: *\nDisallow: *q=*%E8%B0%B7%E6%AD%8C*\n", meaning: true},
		{name: "a no-break space that is a byte", body: "User-agent: *\nDisallow: /voil\u00c3\u00a0/\n", want: "2:11 RX206", says: "twice", fixed: "User-agent: *\nDisallow: /voil%C3%A0/\n", meaning: true},
		{name: "a soft hyphen", body: "User-agent: *\nDisallow: /a\u00adb/\n", want: "2:11 RX204", says: "an invisible character", fixed: "User-agent: *\nDisallow: /ab/\n", meaning: true},
		{
			name: "a preference that Googlebot does not read", body: "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: Googlebot\nUser-agent: FooBot\nDisallow: /q/\n",
			want: "2:17 RX524, 6:13 RX108", says: "does not apply to Googlebot,",
		},
		{name: "search beside AI", body: "User-agent: *\nContent-Usage: train-ai=n, ai-use=n, search=y\nAllow: /\n", want: "2:38 RX525", says: `"search=y" decides, not "train-ai=n"`},
		{
			name: "two groups of the same crawler", body: "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: *\nContent-Usage: train-ai=y\nDisallow: /q/\n",
			want: "5:13 RX302, 6:16 RX514", says: "already has a group",
		},
	})
}

// TestForgottenClosedSite: a closed site with a sitemap is a warning unless the file lets a
// search engine in, or is for staging.
func TestForgottenClosedSite(t *testing.T) {
	const closed = "User-agent: *\nDisallow: /\n"
	for _, c := range []struct {
		name, body, url string
		profile         lint.Profile
		want            lint.Severity
	}{
		{"without a sitemap", closed, "", lint.Google, lint.Info},
		{"with a sitemap", closed + "Sitemap: https://shop.example/s.xml\n", "", lint.Google, lint.Warning},
		{"with one of its host", closed + "Sitemap: https://shop.example/s.xml\n", "https://shop.example/robots.txt", lint.Google, lint.Warning},
		{"with one of another host", closed + "Sitemap: https://shop.example/s.xml\n", "https://staging.example/robots.txt", lint.Google, lint.Info},
		{"that lets a search engine in", closed + "User-agent: DuckDuckBot\nAllow: /\nSitemap: https://shop.example/s.xml\n", "", lint.Google, lint.Info},
		{"for staging", closed + "Sitemap: https://shop.example/s.xml\n", "", lint.Staging, lint.Off},
	} {
		got := lint.Off
		for _, f := range lint.Check([]byte(c.body), lint.Config{Profile: c.profile, URL: c.url}) {
			if f.Code == "RX307" {
				got = f.Severity
			}
		}
		if got != c.want {
			t.Errorf("a closed site %s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestOnceByDefault: of infos that generators write many times one is returned, and the
// others are counted.
func TestOnceByDefault(t *testing.T) {
	body := []byte("User-agent: *\nDisallow: /a/\nDisallow: /a/1\nDisallow: /b/\nDisallow: /b/1\n")
	report := lint.Inspect(body, lint.Config{})
	if len(report.Findings) != 1 || len(report.Counts) != 1 || report.Counts[0].Found != 2 ||
		report.Counts[0].Omitted != 1 {
		t.Errorf("%+v", report)
	}
	for _, config := range []lint.Config{{Pedantic: true}, {MaxPerCode: 5}, {MaxPerCode: -1}} {
		if found := lint.Check(body, config); len(found) != 2 {
			t.Errorf("%+v: %d findings", config, len(found))
		}
	}
}

// TestLostLineBreaks: a \n in a value, as two characters, ended a line before the file was copied.
// No fix puts the lines together again.
func TestLostLineBreaks(t *testing.T) {
	const all, lost = "User-agent: *\n", "The line breaks of this file were lost. Write a line for each directive."
	checkRooms(t, "RX1", []room{
		{name: "a whole file", body: `User-agent: *\nDisallow: /a/\nAllow: /b/`, want: "1:13 RX104", says: lost},
		{name: "a line end", body: `User-agent: GPTBot\n` + "\nDisallow: /\n", want: "1:13 RX104", says: lost},
		{name: "with a carriage return", body: `User-agent: *\r\nDisallow: /a/\r\n`, want: "1:13 RX104", says: lost},
	})
	checkRooms(t, "RX", []room{
		{name: "rules", body: all + `Disallow: /a/\nDisallow: /b/` + "\n", want: "2:11 RX204", says: lost},
		{name: "an Allow", body: all + `Allow: /a/\nSitemap: https://shop.example/s.xml` + "\n", want: "2:8 RX204", says: lost},
		{name: "a line end of a rule", body: all + `Disallow: /a/\n` + "\n", want: "2:11 RX204", says: lost},
		{name: "another key", body: all + `Disallow: /a/\nCrawl-delay: 5` + "\n", want: "2:11 RX204", says: lost},
		{name: "without a slash", body: all + `Disallow: a/\nAllow: b/` + "\n", want: "2:11 RX204", says: lost},
		{name: "after a misspelt key", body: all + `Disalow: /a/\nAllow: /b/` + "\n", want: "2:1 RX411, 2:10 RX204"},
		{name: "after a missing colon", body: all + `Disallow /a/\nAllow:/b/` + "\n", want: "2:1 RX416"},
		{name: "a path of Windows", body: all + `Disallow: /files\news\` + "\n", want: "2:17 RX220", says: "Browsers request / instead of"},
	})
}

// TestOneDirectiveALine: a line that would have two directives after its fix has none, wherever the second one begins.
func TestOneDirectiveALine(t *testing.T) {
	const all = "User-agent: *\n"
	for _, body := range []string{
		"Alow:AAllow:\n", all + "Disalow: /aallow: /b\n", all + "Disalow: /a Allow : /b\n", all + "Disallow=/a,disallow:/b\n",
		all + "Disallow: a/Allow:b\n", all + "Disallow: AAllow:\n", all + "\ufeffDisallow: /a Disallow: /b\n", all + "Disallow: \"/aAllow:/b\"\n", all + "Disallow: /a&amp;user-agent: b\n",
		"User-agent:\nGPTBot Allow: /a Disallow: /\n", "User-agent: GPTBot Allow: /a\x00Disallow: /b\n", all + "Disallow:\n/a,disallow:/b\n", all + "Disallow: /a\x00Disallow: /b\n", all + "Disallow: https://shop.example/aDisallow:/b\n",
	} {
		found := lint.Check([]byte(body), lint.Config{Pedantic: true, URL: "https://shop.example/robots.txt"})
		for _, f := range found {
			if f.Fix != nil && f.Fix.Meaning {
				t.Errorf("%q: %s has a fix: %v", body, f.Code, f.Fix)
			}
		}
		if len(found) == 0 {
			t.Errorf("%q: nothing is found", body)
		}
	}
}
