package lint

import (
	"bytes"
	"strings"

	"github.com/kosterhq/robotstxt/internal/typo"
)

var unknownEntries = []Entry{
	{
		Code: "RX516", Name: "unknown-directive", Severity: Info,
		Title: "A line whose key no crawler is known to read.",
		Why:   "The protocol lets anyone add lines (RFC 9309 2.2.4), and crawlers pass over what they do not know, so it does no harm. It is said once for each key.",
		Bad:   "User-agent: *\nDisallow: /search\nCrawl-speed: slow\n",
		Good:  "User-agent: *\nDisallow: /search\n",
	},
	{
		Code: "RX517", Name: "unread-misspelling", Severity: Warning,
		Title: "A key looks like one of the protocol's, but is not read.",
		Why:   "Google's parser forgives a fixed list of misspellings (G21) and longer keys that begin with the right one (G19). Any other slip makes a line that nobody reads: what it should disallow stays allowed. It is no error, because any other line may be there.",
		Bad:   "User-agent: *\nDisalllow: /private/\n",
		Good:  "User-agent: *\nDisallow: /private/\n",
	},
}

// coreKeys are the keys of the protocol, and how many typos are forgiven in
// each: in short keys two typos make another word.
var coreKeys = [...]struct {
	name  string
	typos int
}{
	{"Disallow", 2},
	{"User-agent", 2},
	{"Sitemap", 2},
	{"Allow", 1},
}

// proposals are keys that someone has proposed, and what is known of it.
var proposals = map[string]string{
	"llm-policy":         "it is one of several proposals for AI crawlers, and no crawler documents that it reads it",
	"agentmap":           "it is one of several proposals for AI agents, and no crawler documents that it reads it",
	"user-agent-purpose": "draft-illyes-rep-purpose-00 proposed it and expired in April 2025",
}

// inspectUnknown looks at a line with a key that is none of those known.
func (x *extensions) inspectUnknown(l *line, key string) {
	if len(l.key()) == 0 {
		return
	}
	if meant, core := nearestCore(key); core {
		x.misspelt(l, meant)
		return
	}
	if x.unknown[key] {
		return
	}
	if x.unknown == nil {
		x.unknown = map[string]bool{}
	}
	x.unknown[key] = true
	why, proposed := proposals[key]
	switch {
	case proposed:
		x.findKey("RX516", l, "%s is read by no one: %s", quote(l.key()), why)
	case (key == "http" || key == "https") && bytes.HasPrefix(l.value(), []byte("//")):
		x.findLine("RX516", l, "an address alone is passed over: a sitemap is Sitemap: and its address")
	default:
		if meant := nearestExtension(key); meant != "" {
			f := x.findKey("RX516", l, "no crawler reads %s: %s is meant perhaps", quote(l.key()), meant)
			f.Fix = &Fix{Title: "write " + meant, Edits: l.replaceKey(meant), Meaning: true}
			return
		}
		x.findKey("RX516", l, "no crawler is known to read %s", quote(l.key()))
	}
}

// misspelt reports a key that was meant as one of the protocol's. To have an
// unknown line is never an error, but this one is hardly meant to be one. The fix
// changes verdicts: the line begins to count.
func (x *extensions) misspelt(l *line, meant string) {
	f := x.findKey("RX517", l, "%s looks like %s but is not read as one", quote(l.key()), meant)
	f.Fix = &Fix{Title: "write " + meant, Edits: l.replaceKey(meant), Meaning: true}
}

// nearestCore returns the key of the protocol that a key most likely means. What
// stands in front of a key, a bullet for instance, is no part of it.
func nearestCore(key string) (name string, ok bool) {
	key = strings.TrimLeftFunc(key, func(r rune) bool { return r < 'a' || r > 'z' })
	for _, core := range coreKeys {
		if _, near := typo.Distance(key, core.name, core.typos); near {
			return core.name, true
		}
	}
	return "", false
}

// nearestExtension returns the key that is most likely meant by one that nobody
// reads, empty if there is none.
func nearestExtension(key string) string {
	for _, name := range [...]string{"Crawl-delay", "Request-rate", "Visit-time", "Clean-param", "Content-Signal", "Content-Usage", "License"} {
		if _, near := typo.Distance(key, name, 2); near {
			return name
		}
	}
	return ""
}
