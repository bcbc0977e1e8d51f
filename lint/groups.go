package lint

// inspectGroups looks at how lines make groups: what is joined, repeated, empty or
// left out. runs.go, repeats.go and openness.go have the checks.
func inspectGroups(d *document) {
	d.inspectRuns()
	d.inspectRepeats()
	d.inspectBareGroups()
	d.inspectEveryone()
	d.inspectSiteClosed()
	d.inspectSiteOpen()
}

var groupEntries = []Entry{
	{
		Code: "RX301", Name: "joined-groups", Severity: Error,
		Title: "Two groups are one, because there is no rule between their user-agent lines.",
		Why:   "Only Allow and Disallow end a run of user-agent lines. A Crawl-delay, a Sitemap or any other line does not, so that the crawlers above share the rules below (G34, RFC 9309 2.2.4). Until 2021 Google's parser read it otherwise, and others still do.",
		Bad:   "User-agent: SlowBot\nCrawl-delay: 5\n\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
		Good:  "User-agent: SlowBot\nCrawl-delay: 5\nDisallow:\n\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
	},
	{
		Code: "RX302", Name: "repeated-agent", Severity: Info,
		Title: "Several groups name the same crawler.",
		Why:   "Google and RFC 9309 2.2.1 take the rules of all of them together (G38). Older readers take the first group only, and Yandex wants a single one for *.",
		Bad:   "User-agent: *\nDisallow: /a/\n\nUser-agent: FooBot\nDisallow: /b/\n\nUser-agent: *\nDisallow: /c/\n",
		Good:  "User-agent: *\nDisallow: /a/\nDisallow: /c/\n\nUser-agent: FooBot\nDisallow: /b/\n",
	},
	{
		Code: "RX303", Name: "drops-rules-for-all", Severity: Warning,
		Title: "A group forbids nothing, and so lifts the rules for * from the crawlers that it names.",
		Why:   "A crawler obeys the group that names it instead of the one for *, not beside it (G40, G41, RFC 9309 2.2.1). A group of nothing but a Crawl-delay, or of Allow lines for a part of the site, was most likely meant to add to the rules for *; alone it allows the whole site. A group that is meant to says so with an empty Disallow.",
		Bad:   "User-agent: *\nDisallow: /private/\n\nUser-agent: ImageBot\nAllow: /images/\n",
		Good:  "User-agent: *\nDisallow: /private/\n\nUser-agent: ImageBot\nAllow: /images/\nDisallow: /private/\n",
	},
	{
		Code: "RX304", Name: "rule-outside-group", Severity: Error,
		Title: "A rule is before the first user-agent line.",
		Why:   "It belongs to no group, so that no crawler obeys it (G37, RFC 9309 2.2.1).",
		Bad:   "Disallow: /private/\n",
		Good:  "User-agent: *\nDisallow: /private/\n",
	},
	{
		Code: "RX305", Name: "group-without-rules", Severity: Warning,
		Title: "A group has no rules.",
		Why:   "It allows everything to the crawlers that it names, and hides the rules for * from them (G40). Other parsers may join it with what follows. An empty Disallow says the same without doubt.",
		Bad:   "User-agent: *\nDisallow: /private/\n\nUser-agent: FooBot\n",
		Good:  "User-agent: *\nDisallow: /private/\n\nUser-agent: FooBot\nDisallow:\n",
	},
	{
		Code: "RX306", Name: "no-group-for-all", Severity: Info,
		Title: "There is no group for *.",
		Why:   "Crawlers that no group names may fetch everything (RFC 9309 2.2.1).",
		Bad:   "User-agent: FooBot\nDisallow: /private/\n",
		Good:  "User-agent: FooBot\nDisallow: /private/\n\nUser-agent: *\nDisallow: /private/\n",
	},
	{
		Code: "RX307", Name: "site-closed", Severity: Warning,
		Title: "The site is closed: a rule disallows everything, the home page included.",
		Why:   "Search engines then show at most bare addresses of the site. It is a rule for a site in the making, and easily left in when that goes live. A site that lets the profile's main crawler in by name is not reported.",
		Bad:   "User-agent: *\nDisallow: /\n",
		Good:  "User-agent: *\nDisallow: /private/\n",
	},
	{
		Code: "RX308", Name: "site-open", Severity: Off,
		Title:   "The site is not closed to all crawlers.",
		Why:     "A site that nobody should find needs Disallow: / for *, and no group that lets a crawler in: a group that names one replaces the rules for * (G40). A robots.txt is a request; what must stay hidden needs a password.",
		Bad:     "User-agent: *\nDisallow: /private/\n",
		Good:    "User-agent: *\nDisallow: /\n",
		Example: Config{Profile: Staging},
	},
	{
		Code: "RX309", Name: "blank-line-in-group", Severity: Off,
		Title:   "A group contains a blank line.",
		Why:     "Where blank lines end records, the rules below it belong to no one: so in the texts of 1994 and 1996 (Koster 3.2), and at Yandex, which reports rules without a user-agent line then. RFC 9309 and Google pass over blank lines (G34).",
		Bad:     "User-agent: *\nDisallow: /a/\n\nDisallow: /b/\n",
		Good:    "User-agent: *\nDisallow: /a/\nDisallow: /b/\n",
		Example: Config{Profile: Yandex},
	},
	{
		Code: "RX310", Name: "joined-across-blank-line", Severity: Info,
		Title: "A blank line is between user-agent lines that share the rules after them.",
		Why:   "It looks as if there were two groups, but a blank line parts nothing (G34, RFC 9309 2.2). Readers of the old texts end the first record there, and allow everything to its crawlers.",
		Bad:   "User-agent: FooBot\n\nUser-agent: BarBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
		Good:  "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
	},
}
