package crawlers_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/surfaces"
)

func TestSender(t *testing.T) {
	for header, want := range surfaces.Headers() {
		if token, ok := crawlers.Sender(header); token != want || ok != (token != "") {
			t.Errorf("Sender(%q) = %q, %v; want %q", header, token, ok, want)
		}
	}
}

// TestSenderOfKnownCrawlers: every name of the data is found in each form of header.
func TestSenderOfKnownCrawlers(t *testing.T) {
	const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
	for c := range crawlers.All() {
		for _, name := range append([]string{c.Token}, c.Aliases...) {
			for _, form := range []string{
				"%", "%/1.0", "%/1.0 (+https://x.example)", "Mozilla/5.0 (compatible; %/1.0; +https://x.example)",
				browser + " %/1.0", "(compatible; %; like Googlebot)", "%/1.0 curl/8",
				"Mozilla/5.0+(compatible;+%/1.0;++https://x.example)",
			} {
				header := strings.ReplaceAll(form, "%", name)
				if strings.Contains(header, ";+") {
					header = strings.ReplaceAll(header, " ", "+")
				}
				for _, header := range []string{header, strings.ToUpper(header)} {
					if token, _ := crawlers.Sender(header); token != c.Token {
						t.Errorf("Sender(%q) = %q, want %q", header, token, c.Token)
					}
				}
			}
		}
	}
}

func TestDeclared(t *testing.T) {
	for text, want := range surfaces.Declared() {
		if token, ok := crawlers.Declared(text); token != want || ok != (token != "") {
			t.Errorf("Declared(%q) = %q, %v; want %q", text, token, ok, want)
		}
	}
	for _, text := range []string{"-", "5.0", "test/1.0, bot/2.0"} { // as tokens that are typed, the first two are names
		if token, ok := crawlers.Declared(text); ok {
			t.Errorf("Declared(%q) = %q", text, token)
		}
	}
}

// TestSenderOfNames: in a log, a product whose name is a browser's or a word names no crawler.
func TestSenderOfNames(t *testing.T) {
	cases, err := conformance.NameCases()
	if err != nil || len(cases) < 10 {
		t.Fatal(len(cases), err)
	}
	for _, c := range cases {
		for _, text := range c.Texts {
			token, ok := crawlers.Sender(text.Text)
			if ok != (text.Sender != nil) || ok && token != *text.Sender {
				t.Errorf("Sender(%q) = %q, %v", text.Text, token, ok)
			}
		}
	}
}

// TestSenderReadsParts: what no case of headers.tsv shows about words, comments and addresses.
func TestSenderReadsParts(t *testing.T) {
	for header, want := range map[string]string{
		"Mozilla/5.0 (compatible; +https://foo.example/a,b+c; FigTree/1.0)":  "FigTree",
		"Mozilla/5.0 (compatible; +http://[fe80::1]/; FigTree/1.0)":          "FigTree",
		"Mozilla/5.0 (X11 (compatible; FigTree; a) b)":                       "FigTree",
		"Mozilla/5.0 (compatible;) FigTree/1.0":                              "FigTree", // after its comment
		"Mozilla/5.0 (compatible;) (FigTree)":                                "",        // in another
		"Mozilla/5.0 (see www.foo.example) (bot@foo.example; FigTree/1.0)":   "FigTree",
		"Mozilla/5.0 (Linux; FigTree; +https://foo.example)":                 "FigTree",
		"Mozilla/5.0 (Linux; FigTree; x)":                                    "",
		"Mozilla/5.0 (Linux; FigTree/1.0; FooBot/1.0; +https://foo.example)": "FigTree", // the first
		"Mozilla/5.0 (Linux; FigTree/1.0) (+https://foo.example)":            "",
		"Mozilla/5.0 (FooBot)":                                               "FooBot",
		"Mozilla/5.0 (Linux FooBot)":                                         "", // within a part
		"Mozilla/5.0 (not FooBot) FigTree":                                   "FigTree",
		"Mozilla/5.0 (KHTML, like Gecko) FigTree":                            "FigTree",
		") FooBot/1.0":            "FooBot",
		"Föö/1.0":                 "Föö",
		`"FooBot/1.0"`:            "FooBot",
		"Foo\x00Bot/1.0":          "Foo",
		"+foo.example/bot FooBot": "FooBot",
		"Mozilla/5.0+(compatible;+archive.org_bot;++http://x.example)": "archive.org_bot",
		"Mozilla/5.0+(https://foo.example,+FooBot)":                    "FooBot", // a comma before a blank of a log
		"Sogou+web+spider/4.0":                                         "Sogou web spider",
		"Sogou web spiders/4.0":                                        "Sogou",
		"-":                                                            "", "5.0": "", "compatible": "", "like FooBot": "",
		strings.Repeat("Mozilla/5.0 ", 47) + "FooBot":           "FooBot",
		strings.Repeat("Mozilla/5.0 ", 48) + "FooBot":           "", // too many words
		"Mozilla/5.0 " + strings.Repeat("(", 900) + "FooBot":    "FooBot",
		"Mozilla/5.0 " + strings.Repeat("(", 1007) + "FooBot/1": "", // it ends after 1 KiB
		"Mozilla/5.0+" + strings.Repeat("(", 1007) + "FooBot/1": "",
		"FooBot/" + strings.Repeat("1", 1024):                   "",
		"FooBot/1.0 " + strings.Repeat("x", 1<<16):              "FooBot",
	} {
		if token, ok := crawlers.Sender(header); token != want || ok != (want != "") {
			t.Errorf("Sender(%.90q) = %q, %v; want %q", header, token, ok, want)
		}
	}
}

func TestSenderAllocatesNothing(t *testing.T) {
	for header := range surfaces.Declared() {
		if n := testing.AllocsPerRun(10, func() { crawlers.Declared(header) }); n != 0 {
			t.Errorf("Declared(%q) allocates %v times", header, n)
		}
	}
}

// FuzzSender: the token is a part of the header or the token of a known crawler, Sender of the
// token is the token, and a header without plus signs and blanks in a log's notation has the
// same.
func FuzzSender(f *testing.F) {
	for header := range surfaces.Headers() {
		f.Add(header)
	}
	for _, part := range []string{"(", ")", "compatible; ", "(compatible;", "://", "+,", "(+www.a;a/", "like (", "Sogou+web "} {
		f.Add("Mozilla/5.0 " + strings.Repeat(part, 60))
	}
	f.Fuzz(func(t *testing.T, header string) {
		token, ok := crawlers.Sender(header)
		if ok != (token != "") {
			t.Fatalf("Sender(%q) = %q, %v", header, token, ok)
		}
		if !ok {
			return
		}
		if declared, ok := crawlers.Declared(header); declared != token || !ok {
			t.Errorf("Declared(%q) = %q, but Sender of it is %q", header, declared, token)
		}
		if again, _ := crawlers.Sender(token); again != token {
			t.Errorf("Sender(%q) = %q, but Sender of that is %q", header, token, again)
		}
		if known, isKnown := crawlers.Find(token); isKnown && known.Token != token {
			t.Errorf("Sender(%q) = %q, not in the data's spelling, %q", header, token, known.Token)
		} else if !isKnown && (!strings.Contains(header, token) || strings.ContainsAny(token, " \t()[]{}<>\"';,|/+@\x00\r\n\x7f")) {
			t.Errorf("Sender(%q) = %q, which is no word of it", header, token)
		}
	})
}

func BenchmarkSender(b *testing.B) {
	var all []string
	for header := range surfaces.Headers() {
		all = append(all, header)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, header := range all {
			crawlers.Sender(header)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/header")
}
