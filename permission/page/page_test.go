package page_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

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
		{"first of two attributes", `<meta name=a name=b content=c content=d>`, []permission.Meta{{Name: "a", Content: "c"}}},
	} {
		if got := page.Read([]byte(c.html)); !reflect.DeepEqual(got.Metas, c.want) || got.Cut {
			t.Errorf("%s: got %+v, want %+v", c.name, got.Metas, c.want)
		}
	}
}

func TestReadLinks(t *testing.T) {
	const rsl = `<rsl xmlns="https://rslstandard.org/rsl"/>`
	got := page.Read([]byte(`<link rel=license href=a><link rel="x LICENSE" type="Application/RSL+xml" href=b><script type="application/rsl+xml">` + rsl + `</script><script type="application/rsl+xml"></script><script>` + rsl + `</script>`)).Links
	if len(got) != 2 || got[0].Href != "b" || got[0].Inline != nil || got[1].Inline == nil || got[1].Inline.Problem != "" || got[1].Offset != 81 {
		t.Errorf("%+v", got)
	}
}

// TestBounds: a page that is not read to its end is cut.
func TestBounds(t *testing.T) {
	for name, html := range map[string]string{
		"bytes":    strings.Repeat(" ", page.Limit) + "<meta name=a>",
		"elements": strings.Repeat("<meta name=a>", 1001),
		"links":    strings.Repeat("<link rel=license type=application/rsl+xml href=a>", 17),
		"UTF-16":   "\xff\xfe<\x00m\x00",
	} {
		if got := page.Read([]byte(html)); !got.Cut || len(got.Metas) > 1000 || len(got.Links) > 16 {
			t.Errorf("%s: %d metas, %d links, cut %v", name, len(got.Metas), len(got.Links), got.Cut)
		}
	}
	if got := page.Read([]byte(strings.Repeat("<meta name=a>", 1000))); got.Cut {
		t.Error("a page at the limit is cut")
	}
}

// FuzzRead: an offset is that of its element.
func FuzzRead(f *testing.F) {
	for _, html := range []string{"<meta name=robots content=noindex>", "<p><meta name=a><script type=application/rsl+xml><rsl/></script>", "<template><noscript><link rel=license type=application/rsl+xml>", "<!--", "<meta name=\"", "\x00<meta\x00name=a>"} {
		f.Add(html)
	}
	f.Fuzz(func(t *testing.T, html string) {
		got := page.Read([]byte(html))
		for _, m := range got.Metas {
			if at := html[m.Offset:]; len(at) < 5 || !strings.EqualFold(at[:5], "<meta") {
				t.Errorf("%q: no element at %d", html, m.Offset)
			}
		}
		for _, l := range got.Links {
			if html[l.Offset] != '<' {
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
		if len(page.Read(text).Metas) != 1 {
			b.Fatal("no element")
		}
	}
}
