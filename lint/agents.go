package lint

// inspectAgents looks at what user-agent lines name: agentvalue.go at those of
// which a product token is only a part, knowncrawlers.go at the others.
func inspectAgents(d *document) {
	known := knownCrawlers{d: d}
	for i := range d.groups {
		g := &d.groups[i]
		for _, a := range g.agents {
			l := d.line(a.Line)
			switch n := len(l.value()); {
			case n == 1 && l.value()[0] == '*':
			case n > 0 && tokenLen(l.value()) == n:
				known.inspect(l, a.Token, g)
			default:
				d.inspectAgentValue(l, a.Token)
			}
		}
	}
	known.findUnknown()
}

var agentEntries = []Entry{
	{
		Code: "RX101", Name: "agent-not-a-token", Severity: Warning,
		Title: "The value of a user-agent line continues after the product token.",
		Why:   "A product token consists of letters, - and _ (RFC 9309 2.2.1). Google's parser takes the longest prefix of the value that is a token, and ignores the rest (G26); other parsers compare more of it.",
		Bad:   "User-agent: sitecheck.example.com\nDisallow: /private/\n",
		Good:  "User-agent: sitecheck\nDisallow: /private/\n",
	},
	{
		Code: "RX102", Name: "agent-with-blank", Severity: Warning,
		Title: "The value of a user-agent line holds a blank.",
		Why:   "Google's parser reads only the word before the blank (G26), and RFC 9309 2.2.1 allows no blank in a token. So the line may match another crawler than was meant.",
		Bad:   "User-agent: Foo Bar\nDisallow: /private/\n",
		Good:  "User-agent: Foo\nDisallow: /private/\n",
	},
	{
		Code: "RX103", Name: "agent-with-version", Severity: Warning,
		Title: "A version or slash follows the product token.",
		Why:   "Crawlers are named without their version (RFC 9309 2.2.1). Google's parser ignores it (G26), so the group applies to all versions. For a parser that compares the whole value, the line matches no crawler.",
		Bad:   "User-agent: FooBot/1.0\nDisallow: /private/\n",
		Good:  "User-agent: FooBot\nDisallow: /private/\n",
	},
	{
		Code: "RX104", Name: "agent-begins-oddly", Severity: Error,
		Title: "The value of a user-agent line begins with what no product token has.",
		Why:   "Google's parser finds an empty token in it, which matches no crawler (G29).",
		Bad:   "User-agent: \"FooBot\"\nDisallow: /private/\n",
		Good:  "User-agent: FooBot\nDisallow: /private/\n",
	},
	{
		Code: "RX105", Name: "agent-begins-with-star", Severity: Error,
		Title: "A star begins the value of a user-agent line, but it is not all of it.",
		Why:   "A star alone matches every crawler. There are no wildcards in user-agent lines: if anything but white space follows the star, the line matches no crawler (G25, G29).",
		Bad:   "User-agent: *bot\nDisallow: /private/\n",
		Good:  "User-agent: *\nDisallow: /private/\n",
	},
	{
		Code: "RX106", Name: "agent-beyond-alphabet", Severity: Info,
		Title: "The name of a crawler holds digits, or other bytes that no product token may have.",
		Why:   "RFC 9309 2.2.1 allows letters, - and _ only. Google's parser ends the token before a digit (G28), so it reads MJ12bot as MJ and 360Spider as an empty token. A crawler with such a name compares the whole name, so nothing needs a fix.",
		Bad:   "User-agent: MJ12bot\nDisallow: /private/\n",
		Good:  "User-agent: AhrefsBot\nDisallow: /private/\n",
	},
	{
		Code: "RX107", Name: "agent-is-header", Severity: Error,
		Title: "The value of a user-agent line is a User-Agent header as browsers send it.",
		Why:   "Google's parser reads the token Mozilla, which matches no crawler (G26). The product token is the crawler's name in the header, without its version (RFC 9309 2.2.1).",
		Bad:   "User-agent: Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)\nDisallow: /private/\n",
		Good:  "User-agent: bingbot\nDisallow: /private/\n",
	},
	{
		Code: "RX108", Name: "unknown-agent", Severity: Info,
		Title: "A product token is not that of a known crawler.",
		Why:   "It may still be correct. But lists of crawlers are copied from site to site, and many of these crawlers no longer exist. All unknown tokens are in one finding.",
		Bad:   "User-agent: Quuxfrobnicator\nDisallow: /private/\n",
		Good:  "User-agent: AhrefsBot\nDisallow: /private/\n",
	},
	{
		Code: "RX109", Name: "misspelt-agent", Severity: Warning,
		Title: "A product token is unknown, but nearly a known one.",
		Why:   "A token must equal the crawler's product token, apart from the case of letters (RFC 9309 2.2.1, G26).",
		Bad:   "User-agent: Gogglebot\nDisallow: /private/\n",
		Good:  "User-agent: Googlebot\nDisallow: /private/\n",
	},
	{
		Code: "RX110", Name: "retired-agent", Severity: Info,
		Title: "A product token is not in use any more.",
		Why:   "The operator of the crawler no longer uses it, or uses another one. A group for it may apply to no crawler.",
		Bad:   "User-agent: anthropic-ai\nDisallow: /private/\n",
		Good:  "User-agent: ClaudeBot\nDisallow: /private/\n",
	},
	{
		Code: "RX111", Name: "empty-agent", Severity: Error,
		Title: "The value of a user-agent line is empty.",
		Why:   "An empty value is no wildcard: it matches no crawler, and still opens a group or joins one (G29).",
		Bad:   "User-agent:\nDisallow: /private/\n",
		Good:  "User-agent: *\nDisallow: /private/\n",
	},
	{
		Code: "RX112", Name: "agent-need-not-obey", Severity: Info,
		Title: "A group has rules for a crawler that need not obey robots.txt.",
		Why:   "Its operator says that it ignores robots.txt, or may do so, because it fetches what a user requests or protects users. Other means are needed to keep it out.",
		Bad:   "User-agent: Google-Read-Aloud\nDisallow: /private/\n",
		Good:  "User-agent: Googlebot\nDisallow: /private/\n",
	},
	{
		Code: "RX113", Name: "directive-in-agent", Severity: Error,
		Title: "A user-agent line goes on with another directive.",
		Why:   "A line is one directive (G14). The second one is a part of the value, and lost (G16).",
		Bad:   "User-agent: FooBot Disallow: /private/\n",
		Good:  "User-agent: FooBot\nDisallow: /private/\n",
	},
	{
		Code: "RX114", Name: "agent-with-star", Severity: Warning,
		Title: "A star follows a product token.",
		Why:   "There are no wildcards in user-agent lines. Google ignores the star (G26), so Googlebot* matches Googlebot, but not Googlebot-News. Older parsers read it as a part of the name.",
		Bad:   "User-agent: FooBot*\nDisallow: /private/\n",
		Good:  "User-agent: FooBot\nDisallow: /private/\n",
	},
	{
		Code: "RX115", Name: "agent-list", Severity: Error,
		Title: "A user-agent line lists several product tokens.",
		Why:   "A line names one crawler. Google's parser reads the first token (G24, G26), others none. Each needs a line of its own.",
		Bad:   "User-agent: FooBot, BarBot\nDisallow: /private/\n",
		Good:  "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /private/\n",
	},
}
