package permission_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
)

const testURL = "https://example.com/a"

// decide returns the answer for one purpose.
func decide(t *testing.T, purpose crawlers.Purpose, s *permission.Sources, tokens ...string) permission.Answer {
	t.Helper()
	q := permission.Ask(testURL, tokens...)
	q.Purposes = []crawlers.Purpose{purpose}
	return permission.Decide(q, s)[0]
}

// complete returns sources of which none is missing.
func complete(robots string) *permission.Sources {
	return &permission.Sources{
		Robots: permission.NewRobots(robotsURL, []byte(robots)), Header: map[string][]string{},
		Page: &permission.Page{}, TDMRep: &permission.TDMRep{},
	}
}

func TestStatedBy(t *testing.T) {
	const text = `Content-Signal: ai-train=yes
User-agent: *
User-agent: a
Content-Signal: search=yes, ai-train=no, ai-input=maybe
Content-Usage: /press/ train-ai=y, Search=n
Content-Usage: train-ai=n
Content-Usage: / ai-use=y
Allow: /
`
	want := []permission.Stated{
		{Line: 4, Key: "Content-Signal", Purpose: "search", Says: permission.SaysYes},
		{Line: 4, Key: "Content-Signal", Purpose: "ai-training", Says: permission.SaysNo},
		{Line: 6, Key: "Content-Usage", Purpose: "ai-training", Says: permission.SaysNo},
		{Line: 7, Key: "Content-Usage", Purpose: "ai-search", Says: permission.SaysYes},
	}
	var got []permission.Stated
	for group := range robotstxt.Parse([]byte(text)).Groups() {
		for line := range group.Extensions() {
			got = append(got, permission.StatedBy(line)...)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestPurposes: a Disallow refuses every purpose but mining to a crawler without a known purpose,
// and every answer is complete.
func TestPurposes(t *testing.T) {
	s := complete("User-agent: *\nDisallow: /a\nContent-Usage: train-ai=n\n")
	for _, p := range append(permission.Purposes(), crawlers.Purposes()...) {
		if !permission.IsPurpose(p) && p != crawlers.Unknown {
			t.Errorf("%s is no purpose", p)
		}
		a := decide(t, p, s)
		if (p == permission.Mining) != (a.Verdict == permission.Unknown) {
			t.Errorf("%s: %s", p, a.Verdict)
		}
		if a.Fetch != permission.Disallowed || a.Reasons == nil || a.Conflicts == nil || a.Missing == nil ||
			a.Findings == nil {
			t.Errorf("%s: %+v", p, a)
		}
	}
	if permission.IsPurpose("ai") || permission.IsPurpose(crawlers.Unknown) {
		t.Error("a word that is no purpose is one")
	}
	if a := decide(t, "ai-train", s); a.Verdict != permission.Unknown || len(a.Findings) == 0 {
		t.Errorf("ai-train: %+v", a)
	}
}

// TestUnreachable: of a file that is unreachable the policy decides about fetching, and uses are
// unknown.
func TestUnreachable(t *testing.T) {
	s := complete("")
	s.Robots = &permission.Robots{URL: robotsURL, Without: robotstxt.DisallowAll("the status is 503"), Unreachable: true}
	if a := decide(t, permission.Fetch, s); a.Verdict != permission.Disallowed || a.Reasons[0].Text != "the status is 503" {
		t.Errorf("%+v", a)
	}
	s.Robots.Without = robotstxt.AllowAll("a policy allows it")
	if a := decide(t, permission.Fetch, s); a.Verdict != permission.Allowed || !a.Provisional || a.Missing[0] != "robots.txt: unreachable" {
		t.Errorf("%+v", a)
	}
	s.Robots.NoVerdict = true
	s.Header = map[string][]string{"Content-Usage": {"search=y"}}
	if a := decide(t, permission.Fetch, s); a.Verdict != permission.Unknown {
		t.Errorf("%+v", a)
	}
	if a := decide(t, "search", s); a.Verdict != permission.Allowed || !a.Provisional {
		t.Errorf("%+v", a)
	}
}

// TestFormal leaves out informal signals.
func TestFormal(t *testing.T) {
	s := complete("")
	s.Header = map[string][]string{"X-Robots-Tag": {"noai"}}
	q := permission.Ask(testURL)
	q.Purposes = []crawlers.Purpose{"ai-training"}
	for formal, want := range map[bool]permission.Verdict{false: permission.Disallowed, true: permission.Unknown} {
		q.Formal = formal
		if a := permission.Decide(q, s)[0]; a.Verdict != want {
			t.Errorf("formal %v: %+v", formal, a)
		}
	}
}

// TestTime: a date without a time to compare it with is a limit, and the answer provisional.
func TestTime(t *testing.T) {
	s := complete("User-agent: *\nAllow: /\nContent-Signal: search=yes\n")
	s.Header = map[string][]string{"X-Robots-Tag": {"unavailable_after: 2026-06-01, nofollow"}}
	q := permission.Ask(testURL)
	q.Purposes = []crawlers.Purpose{"search"}
	for _, c := range []struct {
		time        string
		verdict     permission.Verdict
		provisional bool
	}{{"", permission.Allowed, true}, {"2026-05-31", permission.Allowed, false}, {"2026-06-01", permission.Disallowed, false}} {
		q.Time, _ = time.Parse(time.DateOnly, c.time)
		if a := permission.Decide(q, s)[0]; a.Verdict != c.verdict || a.Provisional != c.provisional {
			t.Errorf("%q: %+v", c.time, a)
		}
	}
}

// TestDates: the forms of RFC 822 and ISO 8601 are read, in their own zone or in UTC.
func TestDates(t *testing.T) {
	for text, utc := range map[string]string{
		"Fri, 25 Jun 10 15:00:00 GMT": "2010-06-25T15:00:00Z", "25 Jun 2010 15:00 GMT": "2010-06-25T15:00:00Z",
		"Fri, 5 Jun 2010 15:00:00 +0200": "2010-06-05T13:00:00Z", "25 Jun 2010 15:00:00 EST": "2010-06-25T20:00:00Z",
		"2010-06-25T15:00Z": "2010-06-25T15:00:00Z", "2010-06-25T15:00:00+0200": "2010-06-25T13:00:00Z",
		"20100625T150000Z": "2010-06-25T15:00:00Z", "20100625": "2010-06-25T00:00:00Z", "2010-176": "2010-06-25T00:00:00Z", "2010176": "2010-06-25T00:00:00Z",
		"2010-W25-5": "2010-06-25T00:00:00Z", "2010W255T150000Z": "2010-06-25T15:00:00Z", "2009-W53-7": "2010-01-03T00:00:00Z",
	} {
		s := complete("User-agent: *\nAllow: /\nContent-Signal: search=yes\n")
		s.Header = map[string][]string{"X-Robots-Tag": {"unavailable_after: " + text}}
		q := permission.Ask(testURL)
		q.Purposes = []crawlers.Purpose{"search"}
		at, err := time.Parse(time.RFC3339, utc)
		if err != nil {
			t.Fatal(err)
		}
		for after, want := range map[time.Duration]permission.Verdict{
			-time.Second: permission.Allowed, time.Second: permission.Disallowed,
		} {
			q.Time = at.Add(after)
			if a := permission.Decide(q, s)[0]; a.Verdict != want {
				t.Errorf("%s, %v later: %s, want %s", text, after, a.Verdict, want)
			}
		}
	}
}

// TestKeysOfTDMRep: a key in another case is another key.
func TestKeysOfTDMRep(t *testing.T) {
	s := complete("")
	s.TDMRep = permission.ReadTDMRep("https://example.com/.well-known/tdmrep.json", []byte(`[{"location":"/","tdm-reservation":1,"TDM-Reservation":0}]`))
	if a := decide(t, permission.Mining, s); a.Verdict != permission.Reserved {
		t.Errorf("%+v", a)
	}
}

// TestProvisional: each source that is missing makes an answer provisional, if it could refuse.
func TestProvisional(t *testing.T) {
	const file = "User-agent: *\nAllow: /\nContent-Usage: train-ai=y, ai-use=y, search=y\nLicense: https://example.com/l\n"
	full := func() *permission.Sources {
		s := complete(file)
		s.Header = map[string][]string{"Tdm-Reservation": {"0"}}
		s.Documents = map[string]*permission.License{"https://example.com/l": permission.ReadLicense([]byte(`<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license/></content></rsl>`))}
		return s
	}
	for _, c := range []struct {
		name   string
		remove func(*permission.Sources)
		want   string // the purposes that are provisional
	}{
		{"nothing", func(*permission.Sources) {}, ""},
		{"header", func(s *permission.Sources) { s.Header = nil }, "search ai-search ai-training"},
		{"page", func(s *permission.Sources) { s.Page = nil }, "search ai-search ai-training mining"},
		{"page cut", func(s *permission.Sources) { s.Page.Cut = true }, "search ai-search ai-training mining"},
		{"tdmrep, which the header overrides", func(s *permission.Sources) { s.TDMRep = nil }, ""},
		{"tdmrep and the header", func(s *permission.Sources) { s.TDMRep = nil; delete(s.Header, "Tdm-Reservation") }, "ai-search ai-training"},
		{"header, which the page overrides", func(s *permission.Sources) {
			s.Header = nil
			s.TDMRep = nil
			s.Page.Metas = []permission.Meta{{Name: "tdm-reservation", Content: "0"}}
		}, "search ai-search ai-training"},
		{"document", func(s *permission.Sources) { s.Documents = nil }, "search ai-search ai-training"},
		{"robots cut", func(s *permission.Sources) { s.Robots.Cut = true }, "fetch search ai-search ai-training ai-fetch"},
		{"long header", func(s *permission.Sources) { s.Header["X-Robots-Tag"] = []string{strings.Repeat("all,", 20_000)} }, "search ai-search ai-training"},
		{"long reservation", func(s *permission.Sources) {
			s.Header["Tdm-Reservation"] = []string{"0", strings.Repeat(" ", 70_000)}
		}, "search ai-search ai-training mining"},
	} {
		s := full()
		c.remove(s)
		var got []string
		for _, a := range permission.Decide(permission.Ask(testURL), s) {
			if a.Provisional {
				got = append(got, string(a.Purpose))
			}
			if a.Verdict != permission.Allowed && (a.Purpose != permission.Mining || c.name != "header" && c.name != "tdmrep and the header") {
				t.Errorf("without %s: %+v", c.name, a)
			}
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("without %s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPolicyKept: a policy of the file counts if the header has none, and none counts with 0.
func TestPolicyKept(t *testing.T) {
	s := complete("")
	s.TDMRep = permission.ReadTDMRep("https://example.com/.well-known/tdmrep.json", []byte(`[{"location":"/","tdm-reservation":1,"tdm-policy":"https://example.com/p"}]`))
	for value, want := range map[string]string{"1": "https://example.com/p", "0": ""} {
		s.Header = map[string][]string{"Tdm-Reservation": {value}}
		if a := decide(t, permission.Mining, s); a.Reasons[0].Terms != want {
			t.Errorf("%s: %+v", value, a.Reasons)
		}
	}
}

// TestPolicyAlone: a policy without a reservation counts for the reservation of another source.
func TestPolicyAlone(t *testing.T) {
	s := complete("")
	s.Header = map[string][]string{"Tdm-Policy": {"https://example.com/header"}}
	if a := decide(t, permission.Mining, s); a.Verdict != permission.Unknown {
		t.Errorf("%+v", a)
	}
	s.TDMRep = permission.ReadTDMRep("", []byte(`[{"location":"/","tdm-reservation":1,"tdm-policy":"https://example.com/file"}]`))
	if a := decide(t, permission.Mining, s); a.Reasons[0].Terms != "https://example.com/header" {
		t.Errorf("%+v", a.Reasons)
	}
	s.Page.Metas = []permission.Meta{{Name: "tdm-reservation", Content: "1"}, {Name: "TDM-Policy", Content: " https://example.com/page "}}
	if a := decide(t, permission.Mining, s); a.Reasons[0].Terms != "https://example.com/page" {
		t.Errorf("%+v", a.Reasons)
	}
	s.Page.Metas[0].Content = "0"
	if a := decide(t, permission.Mining, s); a.Reasons[0].Terms != "" || a.Verdict != permission.Allowed {
		t.Errorf("%+v", a.Reasons)
	}
}

// TestUnseen: what a response says to a crawler that may not request it is a finding, and is as
// if the response were not given. The Disallow itself refuses its use.
func TestUnseen(t *testing.T) {
	s := complete("User-agent: *\nDisallow: /\nContent-Signal: search=yes, ai-input=yes, ai-train=yes\n")
	s.TDMRep = permission.ReadTDMRep("", []byte(`[{"location":"/","tdm-reservation":0}]`))
	for _, a := range permission.Decide(permission.Ask(testURL), s) {
		if a.Provisional || len(a.Missing) > 0 {
			t.Errorf("a page without signals: %+v", a)
		}
	}
	s.Header = map[string][]string{
		"X-Robots-Tag": {"noindex"}, "Content-Usage": {"train-ai=n, search=n"}, "Tdm-Reservation": {"1"}, "Link": {`<l>; rel=license; type="application/rsl+xml"`},
	}
	s.Page = page.Read([]byte(`<meta name=robots content="noindex, nosnippet"><meta name=tdm-reservation content=1><link rel=license type=application/rsl+xml href=m>`), "")
	if urls := permission.Licenses(permission.Ask(testURL), s); len(urls) > 0 {
		t.Errorf("the documents %s are needed", urls)
	}
	fromResponse := func(r permission.Reason) bool { return r.Place.Header != "" || r.Place.Offset > 0 }
	for _, a := range permission.Decide(permission.Ask(testURL), s) {
		if a.Purpose == permission.Fetch || a.Purpose == "ai-fetch" {
			continue
		}
		want := permission.Disallowed
		if a.Purpose == permission.Mining {
			want = permission.Allowed
		}
		if a.Verdict != want || a.Provisional != (want == permission.Allowed) ||
			slices.ContainsFunc(a.Reasons, fromResponse) {
			t.Errorf("%+v", a)
		}
		for _, f := range a.Findings {
			if f.Message != "the crawler never sees it, because robots.txt disallows the URL" {
				t.Errorf("%+v", f)
			}
		}
		found := map[crawlers.Purpose]int{"search": 6, "ai-search": 5, "ai-training": 4, permission.Mining: 1}[a.Purpose]
		if len(a.Findings) != found {
			t.Errorf("%s: %d findings, want %d: %+v", a.Purpose, len(a.Findings), found, a.Findings)
		}
	}
}

// TestMisspelt: lines whose name is almost that of a signal are findings.
func TestMisspelt(t *testing.T) {
	s := complete("User-agent: *\nContent-Signals: ai-train=no\nContent-Usages: train-ai=n\nLicence: https://example.com/l\nContent: a\nAllow: /\n")
	s.Header = map[string][]string{"X-Robots-Tag": {"noindex nofollow", "googlebot noai; all", "all"}}
	var lines, headers []int
	for _, f := range decide(t, "ai-training", s).Findings {
		if f.Place.Header == "" {
			lines = append(lines, f.Place.Line)
		} else {
			headers = append(headers, f.Place.Index)
		}
	}
	if !slices.Equal(lines, []int{2, 3, 4}) || !slices.Equal(headers, []int{0, 1}) {
		t.Errorf("lines %v, headers %v", lines, headers)
	}
}

// TestWork: documents are compared with a URL once, however many crawlers are asked about.
func TestWork(t *testing.T) {
	var contents, lines, entries strings.Builder
	for i := range 4950 {
		fmt.Fprintf(&contents, `<content url="/a*%d"/><content url="/a$"><license/></content>`, i)
		fmt.Fprintf(&entries, `{"location":"/b%d","tdm-reservation":1},`, i)
	}
	for i := range 16 {
		fmt.Fprintf(&lines, "License: https://example.com/%d\n", i)
	}
	s := complete(lines.String())
	s.Documents = map[string]*permission.License{}
	for i := range 16 {
		l := permission.ReadLicense([]byte(`<rsl xmlns="https://rslstandard.org/rsl">` + contents.String() + `</rsl>`))
		if l.Problem != "" {
			t.Fatal(l.Problem)
		}
		s.Documents[fmt.Sprint("https://example.com/", i)] = l
	}
	s.TDMRep = permission.ReadTDMRep("", []byte("["+entries.String()+`{"location":"/a","tdm-reservation":1}]`))
	q := permission.Ask(testURL)
	if a := permission.Decide(q, s); a[1].Verdict != permission.Allowed || a[5].Verdict != permission.Reserved {
		t.Fatalf("%+v", a)
	}
	if n := bytesOfAnother(s); n > 200_000 {
		t.Errorf("another crawler takes %d bytes", n)
	}
	lines.Reset()
	lines.WriteString("User-agent: *\nAllow: /\n")
	for i := range 1000 {
		fmt.Fprintf(&lines, "Content-Usage: /%s%d train-ai=y\nContent-Signal: /b%d ai-train=yes\n", strings.Repeat("*a", 50), i, i)
	}
	s = complete(lines.String())
	permission.Decide(q, s)
	if n := bytesOfAnother(s); n > 600_000 {
		t.Errorf("with many lines, another crawler takes %d bytes", n)
	}
}

// bytesOfAnother returns how many bytes are allocated for the same question about another crawler.
func bytesOfAnother(s *permission.Sources) uint64 {
	const crawlers = 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range crawlers {
		permission.Decide(permission.Ask(testURL, "AnyBot"), s)
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / crawlers
}

// TestLicenses: which documents a question needs.
func TestLicenses(t *testing.T) {
	s := complete("License: https://example.com/global\nLicense: /relative\n\nUser-agent: a\nAllow: /\nLicense: https://other.example/own\n")
	s.Header = map[string][]string{"Link": {`<x>; rel="next", <l?a,b>; REL = "Other License" ; type="application/rsl+xml"; title="a\", b", <y>; type=application/rsl+xml; rel=license`, `<z`, `<q>; rel="license`}}
	s.Page = page.Read([]byte(`<link rel=license type=application/rsl+xml href="//h.example/p">`), "")
	for token, want := range map[string]string{
		"a": "https://other.example/own https://example.com/l?a,b https://example.com/y https://h.example/p",
		"b": "https://example.com/global https://example.com/l?a,b https://example.com/y https://h.example/p",
	} {
		if got := strings.Join(permission.Licenses(permission.Ask(testURL, token), s), " "); got != want {
			t.Errorf("%s: %s\nwant %s", token, got, want)
		}
	}
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "License: https://example.com/%d\n", i)
	}
	s = complete(many.String() + "User-agent: *\nContent-Usage: search=y\nAllow: /\n")
	if got := permission.Licenses(permission.Ask(testURL), s); len(got) != 16 {
		t.Errorf("%d documents", len(got))
	}
	for _, u := range permission.Licenses(permission.Ask(testURL), s) {
		if s.Documents == nil {
			s.Documents = map[string]*permission.License{}
		}
		s.Documents[u] = permission.ReadLicense([]byte(`<rsl xmlns="https://rslstandard.org/rsl"/>`))
	}
	if a := decide(t, "search", s); !a.Provisional || !slices.Contains(a.Missing, "licenses: cut") {
		t.Errorf("84 documents are not missing: %+v", a)
	}
}

// TestGivenLicense: a document is found by the URL that Licenses returns, and by the text of the reference.
func TestGivenLicense(t *testing.T) {
	const given, normal = "https://EXAMPLE.com:443/l.xml", "https://example.com/l.xml"
	for _, key := range []string{given, normal} {
		s := complete("License: " + given + "\nUser-agent: *\nAllow: /\n")
		if got := permission.Licenses(permission.Ask(testURL), s); !slices.Equal(got, []string{normal}) {
			t.Error(got)
		}
		s.Documents = map[string]*permission.License{key: permission.ReadLicense([]byte(
			`<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">search</prohibits></license></content></rsl>`))}
		if a := decide(t, "search", s); a.Verdict != permission.Disallowed || len(a.Missing) > 0 {
			t.Errorf("%s: %+v", key, a)
		}
	}
}

// TestBase: a link of the page is relative to the first base element, and a Link field is not.
func TestBase(t *testing.T) {
	s := complete("User-agent: *\nAllow: /\n")
	s.Header = map[string][]string{"Link": {`<x>; rel=license; type="application/rsl+xml"`}}
	s.Page = page.Read([]byte(`<base target=_top><base href="/deep/"><base href="/other/"><link rel=license type=application/rsl+xml href="l.xml">`), "")
	if got := strings.Join(permission.Licenses(permission.Ask(testURL), s), " "); got != "https://example.com/x https://example.com/deep/l.xml" {
		t.Error(got)
	}
}

// TestBounds: what is beyond a limit is cut or invalid, and never allowed.
func TestBounds(t *testing.T) {
	rsl := func(text string) *permission.License {
		return permission.ReadLicense([]byte(`<rsl xmlns="https://rslstandard.org/rsl">` + text + `</rsl>`))
	}
	for name, l := range map[string]*permission.License{
		"bytes":      rsl(strings.Repeat(" ", 1<<20)),
		"contents":   rsl(strings.Repeat(`<content url="/"/>`, 10_001)),
		"depth":      rsl(strings.Repeat("<a>", 33)),
		"expansion":  permission.ReadLicense([]byte(`<!DOCTYPE rsl [<!ENTITY a "aaaa">]><rsl xmlns="https://rslstandard.org/rsl">&a;</rsl>`)),
		"not closed": permission.ReadLicense([]byte(`<rsl xmlns="https://rslstandard.org/rsl">`)),
		"empty":      permission.ReadLicense(nil),
	} {
		if l.Problem == "" {
			t.Errorf("%s: the document is valid", name)
		}
	}
	if l := rsl(strings.Repeat(`<content url="/"/>`, 10_000)); l.Problem != "" {
		t.Error(l.Problem)
	}
	entries := strings.Repeat(`{"location":"/b","tdm-reservation":1},`, 10_000)
	for name, text := range map[string]string{
		"bytes": "[" + strings.Repeat(" ", 1<<20) + "]", "entries": "[" + entries + `{"location":"/a","tdm-reservation":1}]`,
	} {
		if f := permission.ReadTDMRep("", []byte(text)); !f.Cut {
			t.Errorf("%s: the file is not cut", name)
		}
	}
	if f := permission.ReadTDMRep("", []byte("["+strings.TrimSuffix(entries, ",")+"]")); f.Cut || f.Problem != "" {
		t.Errorf("%+v", f.Problem)
	}
	if f := permission.ReadTDMRep("", []byte(strings.Repeat("[", 100_000))); f.Problem == "" {
		t.Error("a deep array is read")
	}
	long := complete("User-agent: *\nAllow: /\nLicense: https://example.com/l\nContent-Usage: search=" + strings.Repeat("ä", 5000) + "\nContent-Signal: /" + strings.Repeat("*", 5000) + " search=yes\n")
	long.Documents = map[string]*permission.License{"https://example.com/l": rsl(`<content url="/"><license><permits type="usage">` + strings.Repeat("search ", 100_000) + `</permits></license></content>`)}
	for _, a := range permission.Decide(permission.Ask(testURL), long) {
		for _, r := range a.Reasons {
			if len(r.Text) > 310 || len(r.Path) > 310 {
				t.Errorf("%s: a text of %d bytes", a.Purpose, len(r.Text))
			}
		}
		for _, f := range a.Findings {
			if len(f.Text) > 310 || len(f.Message) > 310 {
				t.Errorf("%s: a finding of %d bytes", a.Purpose, len(f.Text))
			}
		}
	}
	many := "User-agent: *\nAllow: /\n" + strings.Repeat("Content-Usage: / search=y\n", 1000)
	if a := decide(t, "search", complete(many)); a.Verdict != permission.Allowed || a.Provisional {
		t.Errorf("1,000 lines: %+v", a)
	}
	if a := decide(t, "search", complete(many+"Content-Usage: /a search=n\n")); !a.Provisional || !slices.Contains(a.Missing, "Content-Usage lines: cut") {
		t.Errorf("1,001 lines: %+v", a.Missing)
	}
	unread := permission.Ask(testURL)
	unread.Crawler.Unread = true // so no License line outside all groups is known to apply
	licences := strings.Repeat("License: https://example.com/l\n", 1001) + "User-agent: x\nLicense: https://example.com/m\n"
	for _, a := range permission.Decide(unread, complete(licences)) {
		if slices.Contains(a.Missing, "License lines: cut") {
			t.Errorf("lines of another group were cut: %q", a.Missing)
		}
	}
	lines := "User-agent: *\n" + strings.Repeat("Content-Usage: / search=y\nContent-Usage: / search=n\nContent-Signal: search=no, nothing=x\n", 15_000)
	if a := decide(t, "search", complete(lines)); len(a.Reasons) > 100 || len(a.Findings) > 100 ||
		a.Verdict != permission.Disallowed {
		t.Errorf("%d reasons, %d findings, %s", len(a.Reasons), len(a.Findings), a.Verdict)
	}
}

// TestStricterWins: of all subsets of contradicting signals the strictest decides, and one more
// signal never makes a verdict less strict. TDMRep is left out, because its later sources override.
func TestStricterWins(t *testing.T) {
	signals := []func(robots *string, s *permission.Sources){
		func(robots *string, _ *permission.Sources) { *robots += "Content-Usage: train-ai=y\n" },
		func(robots *string, _ *permission.Sources) { *robots += "Content-Signal: ai-train=yes\n" },
		func(robots *string, _ *permission.Sources) { *robots += "License: https://example.com/l\n" },
		func(_ *string, s *permission.Sources) { s.Header["Content-Usage"] = []string{"train-ai=n"} },
		func(_ *string, s *permission.Sources) { s.Header["X-Robots-Tag"] = []string{"noai"} },
		func(_ *string, s *permission.Sources) {
			s.TDMRep = permission.ReadTDMRep("", []byte(`[{"location":"/","tdm-reservation":1}]`))
		},
	}
	rank := []permission.Verdict{permission.Disallowed, permission.Reserved, permission.Allowed, permission.Unknown}
	verdicts := make([]int, 1<<len(signals))
	for set := range verdicts {
		robots := "User-agent: *\nAllow: /\n"
		s := complete("")
		s.Documents = map[string]*permission.License{"https://example.com/l": {Problem: "the status is 404"}}
		for i, add := range signals {
			if set>>i&1 == 1 {
				add(&robots, s)
			}
		}
		s.Robots = permission.NewRobots(robotsURL, []byte(robots))
		verdicts[set] = slices.Index(rank, decide(t, "ai-training", s).Verdict)
		for i := range signals {
			if set>>i&1 == 1 && verdicts[set] > verdicts[set&^(1<<i)] {
				t.Errorf("signal %d makes set %b less strict", i, set)
			}
		}
	}
	if verdicts[0] != 3 || verdicts[1] != 2 || verdicts[4] != 1 || verdicts[len(verdicts)-1] != 0 {
		t.Errorf("%v", verdicts)
	}
}

// FuzzDecide: no input makes a reader fail, a reading of the same input is the same, and unknown
// never becomes allowed without a reason.
func FuzzDecide(f *testing.F) {
	cases, err := conformance.PermissionCases()
	if err != nil {
		f.Fatal(err)
	}
	for i := range cases {
		c := &cases[i]
		tag, usage, link, tdm := "", "", "", ""
		for _, line := range c.Header {
			switch strings.ToLower(line[0]) {
			case "x-robots-tag":
				tag = line[1]
			case "content-usage":
				usage = line[1]
			case "link":
				link = line[1]
			default:
				tdm = line[1]
			}
		}
		var document []string
		for _, d := range c.Documents {
			document = d
		}
		f.Add(string(c.Text(c.Robots)), c.URL, c.Crawler, tag, usage, link, tdm, string(c.Text(c.HTML)),
			string(c.Text(c.TDMRep)), string(c.Text(document)))
	}
	f.Fuzz(func(t *testing.T, robots, url, crawler, tag, usage, link, tdm, html, tdmrep, document string) {
		q := permission.Ask(url, crawler)
		q.Time = time.Unix(1_700_000_000, 0)
		read := func() (*permission.Sources, []permission.Answer) {
			s := &permission.Sources{
				Robots: permission.NewRobots(robotsURL, []byte(robots)),
				Header: map[string][]string{"X-Robots-Tag": {tag, tag}, "Content-Usage": {usage}, "Link": {link}, "Tdm-Reservation": {tdm}, "Tdm-Policy": {tdm}},
				Page:   page.Read([]byte(html), ""), TDMRep: permission.ReadTDMRep("", []byte(tdmrep)),
				Documents: map[string]*permission.License{},
			}
			for _, u := range permission.Licenses(q, s) {
				s.Documents[u] = permission.ReadLicense([]byte(document))
			}
			return s, permission.Decide(q, s)
		}
		s, answers := read()
		if _, again := read(); !reflect.DeepEqual(answers, again) {
			t.Error("the same sources have another answer")
		}
		permission.Decide(permission.Ask(url+"x"), s) // what is kept is that of another question
		if again := permission.Decide(q, s); !reflect.DeepEqual(answers, again) {
			t.Errorf("the same question has another answer: %+v\n%+v", again, answers)
		}
		check(t, answers)
		// What is missing never allows more, except where TDMRep overrides.
		s.Page = nil
		s.Header = nil
		for i, a := range permission.Decide(q, s) {
			if a.Verdict == permission.Allowed && !a.Provisional && a.Purpose != permission.Fetch && a.Purpose != "ai-fetch" {
				t.Errorf("without page and header %s is allowed for good", answers[i].Purpose)
			}
		}
	})
}

// check checks that answers are consistent with their reasons.
func check(t *testing.T, answers []permission.Answer) {
	t.Helper()
	for _, a := range answers {
		says := map[permission.Says]bool{}
		for _, r := range a.Reasons {
			if r.Source == "" || r.Strength == "" || r.Says == "" || r.HonouredBy == nil {
				t.Errorf("a reason is not complete: %+v", r)
			}
			says[r.Says] = says[r.Says] || !r.Overridden
		}
		want := permission.Unknown
		switch {
		case says[permission.SaysNo]:
			want = permission.Disallowed
		case says[permission.SaysReserved]:
			want = permission.Reserved
		case says[permission.SaysYes]:
			want = permission.Allowed
		}
		if a.Verdict != want {
			t.Errorf("%s: the verdict is %s, the reasons say %s: %+v", a.Purpose, a.Verdict, want, a.Reasons)
		}
		for _, c := range a.Conflicts {
			if a.Reasons[c.Reasons[0]].Says != permission.SaysYes ||
				a.Reasons[c.Reasons[1]].Says == permission.SaysYes {
				t.Errorf("%s: %+v is no conflict", a.Purpose, c)
			}
		}
	}
}

// A crawler that reads in a dialect in which the file is not known has no verdict.
func TestFileNotKnown(t *testing.T) {
	known := permission.NewRobots(robotsURL, []byte("User-agent: *\nContent-Usage: search=n\nDisallow: /x\n"))
	sources := permission.Sources{Header: map[string][]string{},
		Robots: &permission.Robots{URL: robotsURL, In: func(d robotstxt.Dialect) *robotstxt.Robots {
			if d != robotstxt.Google {
				return nil
			}
			return known.In(d)
		}}}
	for token, want := range map[string]permission.Verdict{"GPTBot": permission.Allowed, "MJ12bot": permission.Unknown} {
		a := permission.Decide(permission.Ask("https://example.com/a", token), &sources)[0]
		if lacks := slices.Contains(a.Missing, "robots.txt: not read in the rfc9309 dialect"); a.Verdict != want || lacks != (want == permission.Unknown) {
			t.Errorf("%s: %s, missing %q; want %s", token, a.Verdict, a.Missing, want)
		}
	}
}

// TestLicenseURLs: a reference to an RSL document leads where it leads in browsers, from a header and from a page,
// and no answer shows a user name or password of a URL.
func TestLicenseURLs(t *testing.T) {
	l, err := conformance.ReadLocations()
	if err != nil {
		t.Fatal(err)
	}
	q := permission.Ask(l.From)
	for _, c := range l.Cases {
		if c.Target == nil || strings.ContainsAny(c.Location, ">\n") {
			continue
		}
		header := http.Header{"Link": {"<" + c.Location + `>; rel="license"; type="application/rsl+xml"`}}
		of := &permission.Page{Links: []permission.Link{{Href: c.Location}}}
		based := &permission.Page{Base: l.From, Links: of.Links}
		other := permission.Ask("https://page.example/")
		for name, got := range map[string][]string{
			"header": permission.Licenses(q, &permission.Sources{Header: header}),
			"page":   permission.Licenses(q, &permission.Sources{Page: of}),
			"base":   permission.Licenses(other, &permission.Sources{Page: based}),
		} {
			if !slices.Equal(got, []string{*c.Target}) {
				t.Errorf("%s, %q: %q, want %s", name, c.Location, got, *c.Target)
			}
		}
	}
	const user = "me:secret@"
	license := func(url string) string { return "<" + url + `>; rel="license"; type="application/rsl+xml"` }
	s := &permission.Sources{
		Robots: permission.NewRobots("https://shop.example/robots.txt", []byte("License: https://"+user+"h.example/l.xml\nLicense: https:"+user+"h.example\n")),
		Header: http.Header{"Link": {license("http://" + user + "h.example/m.xml"), license("mailto:" + user + "h"), license("http://" + user + "[h")},
			"Tdm-Reservation": {"1"}, "Tdm-Policy": {"https://" + user + "h.example/p"}},
		Documents: map[string]*permission.License{
			"https://h.example/l.xml": permission.ReadLicense([]byte(`<rsl xmlns="https://rslstandard.org/rsl"><content url="https://` + user +
				`shop.example/"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>`)),
			"http://h.example/m.xml": {Problem: "it is not XML"},
		},
	}
	urls := strings.Join(permission.Licenses(permission.Ask("https://"+user+"shop.example/"), s), " ")
	answers, err := json.Marshal(permission.Decide(permission.Ask("https://shop.example/"), s))
	if err != nil || strings.Contains(string(answers)+urls, "secret") {
		t.Errorf("%v: %s of %s", err, answers, urls)
	}
	if want := "https://h.example/l.xml http://h.example/m.xml mailto:***@h"; urls != want {
		t.Errorf("%s, want %s", urls, want)
	}
}
