package lint

import "strings"

var retiredEntries = []Entry{
	{
		Code: "RX501", Name: "retired-directive", Severity: Warning,
		Title: "A line that no crawler reads any more, or none ever did.",
		Why:   "Noindex does the most harm: Google took it without ever documenting it, and stopped on 1 September 2019, so that pages listed there are in the index. The others, Host and Nofollow for instance, are information.",
		Bad:   "User-agent: *\nDisallow: /search\nNoindex: /drafts/\n",
		Good:  "User-agent: *\nDisallow: /search\n",
	},
}

// retired says about a key why it is dead and what to write instead.
type retired struct{ why, instead string }

var retiredKeys = map[string]retired{
	"noindex": {
		"Google stopped reading it on 1 September 2019 and no other crawler documents it",
		"send X-Robots-Tag: noindex with those pages, or write it into their robots meta tag, and do not disallow them",
	},
	"nofollow": {
		"Google stopped reading it on 1 September 2019 and no other crawler documents it",
		"send X-Robots-Tag: nofollow with those pages, or mark links with rel=nofollow",
	},
	"noarchive": {
		"Google stopped reading it on 1 September 2019 and no other crawler documents it",
		"send X-Robots-Tag: noarchive with those pages",
	},
	"host": {
		"Yandex, which alone read it, stopped in 2018",
		"redirect the other hosts to the main one",
	},
	"revisit-after": {"no search engine reads it", "let the lastmod of a sitemap say what has changed"},
	"domain":        {"no crawler reads it", "a robots.txt is for the host that it is fetched from"},
	"robot-version": {"it was proposed in 1996 and no crawler reads it", "take it out"},
	"comment":       {"it was proposed in 1996 and no crawler reads it", "write a comment behind a #"},
	"cache-delay":   {"no crawler documents it", "Cache-Control headers say how long copies are fresh"},
}

// inspectRetired reports whether the key is a dead one. Noindex alone is a warning:
// who relies on it has pages in the index. The others do no harm.
func (x *extensions) inspectRetired(l *line, key string) bool {
	dead, ok := retiredKeys[key]
	if strings.HasPrefix(key, "acap-") {
		dead, ok = retired{"ACAP was proposed in 2007 and no search engine has read it", "take it out"}, true
	}
	if !ok {
		return false
	}
	f := x.findKey("RX501", l, "%s has no effect: %s; instead, %s", quote(l.key()), dead.why, dead.instead)
	if key != "noindex" {
		x.soften(f, Info)
	}
	if edits := x.removal(l); edits != nil {
		f.Fix = &Fix{Title: "take the line out", Edits: edits}
	}
	return true
}
