package lint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

var widthEntries = []Entry{
	{
		Code:     "RX211",
		Name:     "pattern-wider-than-it-looks",
		Severity: Info,
		Title:    "A short pattern without a slash at the end also matches all that begins with it.",
		Why:      "A pattern matches every path that begins with it (G42; RFC 9309 2.2.2): /in also matches /index.html. Reported for paths of one or two letters, and where the file's own sitemap is hit.",
		Bad:      "User-agent: *\nDisallow: /s\n",
		Good:     "User-agent: *\nDisallow: /s/\n",
	},
}

// inspectWidth looks for patterns that block more than they seem to. Nearly
// every file has a Disallow without a slash at the end, and most mean it, so only
// those are reported that speak for themselves.
func inspectWidth(d *document) {
	if !d.wants("RX211") {
		return
	}
	sitemaps := d.sitemapPaths()
	for i := range d.lines {
		l := &d.lines[i]
		if l.kind != robotstxt.KindDisallow || l.group < 0 {
			continue
		}
		short := len(l.value()) <= len("/ab")
		if !short && len(sitemaps) == 0 || !openEnded(l.value()) {
			continue
		}
		if hit := firstWith(sitemaps, l.value()); hit != "" {
			f := d.findValue("RX211", l, "%s matches all that begins with it, this file's sitemap %s too", quote(l.value()), quote(hit))
			f.Fix = onlyFolder(l)
		} else if short {
			f := d.findValue("RX211", l, "%s matches all that begins with it, not only the folder %s", quote(l.value()), quote(string(l.value())+"/"))
			f.Fix = onlyFolder(l)
		}
	}
}

func onlyFolder(l *line) *Fix {
	end := l.valueAt() + len(l.value())
	return &Fix{Title: "match the folder alone", Edits: []Edit{{end, end, "/"}}, Meaning: true}
}

// openEnded reports whether a value is a path that ends in letters or digits and
// has nothing in it that shows where it was meant to end.
func openEnded(value []byte) bool {
	if len(value) < 2 || value[0] != '/' || !isWord(value[len(value)-1]) {
		return false
	}
	for i := len(value) - 1; value[i] != '/'; i-- {
		if value[i] == '.' {
			return false // the extension of a file
		}
	}
	return bytes.IndexByte(value, '*') < 0 && bytes.IndexByte(value, '?') < 0
}

// sitemapPaths returns the paths of the file's sitemaps, sorted. Those on another
// host than the file, if that is known, are none of its patterns' business.
func (d *document) sitemapPaths() []string {
	var paths []string
	ours := hostOf(d.config.URL)
	for s := range d.robots.Sitemaps() {
		if ours != "" && hostOf(s.URL) != ours {
			continue
		}
		if _, rest, ok := strings.Cut(s.URL, "://"); ok {
			_, path := cutHost(rest)
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// firstWith returns the first of the sorted paths that begins with a word and
// goes on within it, "" if there is none or one is named as such.
func firstWith(paths []string, beginning []byte) string {
	i, found := slices.BinarySearchFunc(paths, beginning, func(path string, b []byte) int {
		switch {
		case path < string(b):
			return -1
		case path == string(b):
			return 0
		default:
			return 1
		}
	})
	if found || i == len(paths) || len(paths[i]) <= len(beginning) || paths[i][:len(beginning)] != string(beginning) {
		return ""
	}
	if c := paths[i][len(beginning)]; !isWord(c) && c != '.' {
		return ""
	}
	return paths[i]
}
