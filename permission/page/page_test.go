package page_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, html string
		want       []permission.Meta
	}{
		{"head", `<!doctype html><html><head> <title>a <meta name=robots content=x></title><META NAME=" Robots " CONTENT="no&#105;ndex"/>`,
			[]permission.Meta{{Name: "Robots", Content: "noindex", Offset: 73}}},
		{"after the head", `<head></head> <meta name=a content=b>`, []permission.Meta{{Name: "a", Content: "b", Offset: 14}}},
		{"after text", `x<meta name=a content=b>`, []permission.Meta{{Name: "a", Content: "b", Offset: 1, OutsideHead: true}}},
		{"in the body", `<body><meta name=a content=b>`, []permission.Meta{{Name: "a", Content: "b", Offset: 6, OutsideHead: true}}},
		{"after another element", `<p><meta name=a>`, []permission.Meta{{Name: "a", Offset: 3, OutsideHead: true}}},
		{"in noscript", `<noscript><meta name=a></noscript><meta name=b>`, []permission.Meta{{Name: "a", Offset: 10, OutsideHead: true}, {Name: "b", Offset: 34}}},
		{"in nested templates", `<template><template></template><meta name=a></template><meta name=b>`, []permission.Meta{{Name: "b", Offset: 55}}},
		{"not elements", `<!-- <meta name=a> --><style><meta name=a></style><script><meta name=a></script><meta content=b><metadata name=c>`, nil},
		{"many attributes", "<meta" + strings.Repeat(" a=b c=d", 100) + " name=a>", []permission.Meta{{Name: "a"}}},
		{"on another line", "<title>\n\n</title>\n<p>\n<meta name=a><meta name=b>", []permission.Meta{{Name: "a", Offset: 22, Line: 5, OutsideHead: true}, {Name: "b", Offset: 35, Line: 5, OutsideHead: true}}},
		{"in SVG, where style hides nothing", `<svg><style><meta name=a></style>`, []permission.Meta{{Name: "a", Offset: 12, OutsideHead: true}}},
		{"in SVG, where template hides nothing", `<svg><template><meta name=a>`, []permission.Meta{{Name: "a", Offset: 15, OutsideHead: true}}},
		{"in SVG, with HTML in it", `<svg><desc><style><meta name=a></style></desc><script><meta name=b></script></svg>`, []permission.Meta{{Name: "b", Offset: 54, OutsideHead: true}}},
		{"after SVG", `<svg><path><g/></svg><style><meta name=a></style><div><svg><path></div><script><meta name=b></script>`, nil},
		{"in CDATA of SVG", `<svg><![CDATA[<meta name=a>]]></svg><math><![CDATA[<meta name=b>]]></math><meta name=c>`, []permission.Meta{{Name: "c", Offset: 74, OutsideHead: true}}},
		{"first of two attributes", `<meta name=a name=b content=c content=d>`, []permission.Meta{{Name: "a", Content: "c"}}},
	} {
		for i := range c.want {
			c.want[i].Line = max(c.want[i].Line, 1)
		}
		if got := page.Read([]byte(c.html), ""); !reflect.DeepEqual(got.Metas, c.want) || got.Cut {
			t.Errorf("%s: got %+v, want %+v", c.name, got.Metas, c.want)
		}
	}
}

func TestReadLinks(t *testing.T) {
	const rsl = `<rsl xmlns="https://rslstandard.org/rsl"/>`
	got := page.Read([]byte(`<link rel=license href=a><link rel="x LICENSE" type="Application/RSL+xml" href=b><script type="application/rsl+xml">`+rsl+`</script><script type="application/rsl+xml"></script><script>`+rsl+`</script>`), "").Links
	if len(got) != 2 || got[0].Href != "b" || got[0].Inline != nil || got[1].Inline == nil ||
		got[1].Inline.Problem != "" || got[1].Offset != 81 {
		t.Errorf("%+v", got)
	}
}

// TestBounds: a page that is not read to its end is cut.
func TestBounds(t *testing.T) {
	for name, html := range map[string]string{
		"bytes":    strings.Repeat(" ", page.Limit) + "<meta name=a>",
		"elements": strings.Repeat("<meta name=a>", 1001),
		"links":    strings.Repeat("<link rel=license type=application/rsl+xml href=a>", 17),
	} {
		if got := page.Read([]byte(html), ""); !got.Cut || len(got.Metas) > 1000 || len(got.Links) > 16 {
			t.Errorf("%s: %d metas, %d links, cut %v", name, len(got.Metas), len(got.Links), got.Cut)
		}
	}
	if got := page.Read([]byte(strings.Repeat("<meta name=a>", 1000)), ""); got.Cut {
		t.Error("a page at the limit is cut")
	}
}

// encode returns a text in UTF-16.
func encode(order binary.AppendByteOrder, text string) (encoded []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		encoded = order.AppendUint16(encoded, unit)
	}
	return encoded
}

// TestEncodings: a page is read in its encoding, with offsets of its own bytes.
func TestEncodings(t *testing.T) {
	const html = "<title>𝄞 é</title>\n<meta name=robots content=noindex>"
	for _, c := range []struct {
		name, contentType string
		text              []byte
		offset            int
	}{
		{"mark, little endian", "", encode(binary.LittleEndian, "\ufeff"+html), 42},
		{"mark, big endian", "text/html; charset=utf-8", encode(binary.BigEndian, "\ufeff"+html), 42},
		{"of the response", "text/html; charset=UTF-16", encode(binary.LittleEndian, html), 40},
		{"of the response, big endian", `text/html; charset="utf-16be"`, encode(binary.BigEndian, html), 40},
		{"XML, little endian", "", encode(binary.LittleEndian, "<?xml version='1.0'?>"+html), 82},
		{"XML, big endian", "", encode(binary.BigEndian, "<?xml version='1.0'?>"+html), 82},
		{"windows-1252", "text/html; charset=windows-1252", []byte("<title>\xe9</title>\n<meta name=robots content=noindex>"), 17},
		{"Shift_JIS", "text/html; charset=Shift_JIS", []byte("<title>\x83\x5c\x95\x5c</title>\n<meta name=robots content=noindex>"), 20},
		{"the response against an element", "text/html; charset=utf-8", []byte("<meta charset=iso-2022-jp>\n<meta name=robots content=noindex>"), 27},
	} {
		want := []permission.Meta{{Name: "robots", Content: "noindex", Offset: c.offset, Line: 2}}
		if got := page.Read(c.text, c.contentType); !reflect.DeepEqual(got.Metas, want) || got.Cut {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
	for _, c := range [][2]string{
		{"<meta name=a>", "text/html; charset=ISO-2022-JP"}, {"<meta name=a><meta charset=' hz-gb-2312'>", ""},
		{"<meta http-equiv=Content-Type content='text/html; charset=iso-2022-kr'><meta name=a>", "text/html"},
	} {
		if got := page.Read([]byte(c[0]), c[1]); !got.Cut || got.Problem == "" || got.Metas != nil {
			t.Errorf("%q, %s: %+v", c[0], c[1], got)
		}
	}
}

// TestLinear: elements that were never closed cost no more than others.
func TestLinear(t *testing.T) {
	for _, tag := range []string{"<svg>", "<svg><desc>", "<math><mi>", "<svg></p>", "<meta name=a>", "<template>"} {
		count := func(n int) float64 {
			text := []byte(strings.Repeat(tag, n))
			return testing.AllocsPerRun(1, func() { page.Read(text, "") })
		}
		if short, long := count(2000), count(20_000); long > 12*short+1000 {
			t.Errorf("%s: %v allocations, and %v of ten times as many", tag, short, long)
		}
	}
}

// FuzzRead: an offset is that of its element.
func FuzzRead(f *testing.F) {
	for _, html := range []string{"<meta name=robots content=noindex>", "<p><meta name=a><script type=application/rsl+xml><rsl/></script>", "<template><noscript><link rel=license type=application/rsl+xml>", "<!--", "<meta name=\"", "\x00<meta\x00name=a>"} {
		f.Add(html, "")
	}
	f.Add("\xff\xfe<\x00m\x00e\x00t\x00a\x00 \x00n\x00a\x00m\x00e\x00=\x00a\x00>\x00", "")
	f.Add("<svg><title><style></style></title><meta name=a>", "text/html; charset=utf-16be")
	f.Fuzz(func(t *testing.T, html, contentType string) {
		got := page.Read([]byte(html), contentType)
		for _, m := range got.Metas {
			at := strings.ReplaceAll(html[m.Offset:], "\x00", "") // UTF-16
			if len(at) < 5 || !strings.EqualFold(at[:5], "<meta") {
				t.Errorf("%q: no element at %d", html, m.Offset)
			}
			if m.Line < 1 || m.Line > 1+strings.Count(html[:m.Offset+1], "\n") {
				t.Errorf("%q: line %d", html, m.Line)
			}
		}
		for _, l := range got.Links {
			if html[l.Offset] != '<' && html[l.Offset:l.Offset+2] != "\x00<" {
				t.Errorf("%q: no element at %d", html, l.Offset)
			}
		}
	})
}

// BenchmarkRead reads 100 KB of HTML.
func BenchmarkRead(b *testing.B) {
	var html strings.Builder
	html.WriteString(`<!doctype html><head><meta name="robots" content="noindex"><link rel="license" type="application/rsl+xml" href="/l"></head><body>`)
	for i := 0; html.Len() < 100_000; i++ {
		fmt.Fprintf(&html, `<div class="c%d"><a href="/p/%d">A paragraph of text with a link.</a></div>`, i, i)
	}
	text := []byte(html.String())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if len(page.Read(text, "").Metas) != 1 {
			b.Fatal("no element")
		}
	}
}
