package page_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
)

// trainingBy returns the verdict about training by an RSL document.
func trainingBy(license *permission.License) permission.Verdict {
	const url = "https://example.com/l"
	q := permission.Ask("https://example.com/%C3%A9t%C3%A9/x")
	q.Purposes = []crawlers.Purpose{"ai-training"}
	return permission.Decide(q, &permission.Sources{
		Robots:    permission.NewRobots("https://example.com/robots.txt", []byte("License: "+url+"\nUser-agent: *\nAllow: /\n")),
		Documents: map[string]*permission.License{url: license},
	})[0].Verdict
}

// TestLicenses: RSL documents are read in their encoding, and one in no known encoding has a problem in
// words.
func TestLicenses(t *testing.T) {
	const document = `<rsl xmlns="https://rslstandard.org/rsl"><content url="/été/"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>`
	latin1 := func(label string) []byte {
		return []byte(strings.ReplaceAll(`<?xml version="1.0" encoding=`+label+`?>`+document, "é", "\xe9"))
	}
	declared := func(label string) string { return `<?xml version="1.0" encoding="` + label + `"?>` + document }
	for _, c := range []struct {
		name, mediaType string
		text            []byte
		problem         string
	}{
		{"UTF-8", "", []byte(document), ""},
		{"UTF-8 with a mark", "application/rsl+xml", []byte("\ufeff" + declared("UTF-8")), ""},
		{"little endian", "", encode(binary.LittleEndian, "\ufeff"+document), ""},
		{"big endian, declared", "text/xml; charset=utf-8", encode(binary.BigEndian, "\ufeff"+declared("UTF-16")), ""},
		{"little endian without a mark", "", encode(binary.LittleEndian, document), ""},
		{"big endian without a mark, declared", "", encode(binary.BigEndian, declared("utf-16")), ""},
		{"big endian of the response", "text/xml; charset=utf-16be", encode(binary.BigEndian, " "+document), ""},
		{"Latin-1", "", latin1(`"ISO-8859-1"`), ""},
		{"windows-1252", "", latin1("'windows-1252'"), ""},
		{"Latin-1 of the response", "text/xml; charset=iso-8859-1", latin1(`"utf-8"`), ""},
		{"the mark against the response", "text/xml; charset=iso-8859-1", []byte("\ufeff" + document), ""},
		{"UTF-8 that declares UTF-16", "", []byte(declared("utf-16")), ""},
		{"unknown", "", latin1(`"x-none"`), "its encoding is unknown: x-none"},
		{"Latin-1 that declares nothing", "", latin1(`"utf-8"`), "invalid UTF-8"},
	} {
		got := page.ReadLicense(c.text, c.mediaType)
		want := permission.Disallowed
		if c.problem != "" {
			want = permission.Reserved // there is a license, with unknown terms
		}
		if verdict := trainingBy(got); verdict != want ||
			got.Problem != c.problem && !(c.problem != "" && strings.Contains(got.Problem, c.problem)) {
			t.Errorf("%s: %s, problem %q; want %s, %q", c.name, verdict, got.Problem, want, c.problem)
		}
	}
	html := `<script type="application/rsl+xml">` + strings.ReplaceAll(document, "é", "\xe9") + `</script>`
	if links := page.Read([]byte(html), "").Links; len(links) != 1 || links[0].Inline.Problem != "" {
		t.Errorf("in a page in windows-1252: %+v", links)
	}
}
