package editor_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/lint/editor"
)

// FuzzDocument: for any body no method panics, every range is inside the body, every
// position has one offset, and the edits of a fix make what lint.Apply makes.
func FuzzDocument(f *testing.F) {
	for _, e := range lint.Catalogue() {
		if len(e.Bad) < 4096 {
			f.Add([]byte(e.Bad), false, uint8(e.Example.Profile))
		}
	}
	f.Add([]byte("\ufeffUser-agent: \U0001f916\r\n\rDisallow: \xff\xf0\x9f\n# robots-lint: ignore RX2"), true, uint8(lint.Koster1996))
	f.Add([]byte("\ufeff\ufeffDisallow /\r\n\xe2\x80"), false, uint8(0))
	f.Fuzz(func(t *testing.T, body []byte, bytes bool, profile uint8) {
		config := editor.Config{Lint: lint.Config{Profile: lint.Profile(profile), Steps: 1000}}
		if bytes {
			config.Encoding = editor.UTF8
		}
		checkDocument(t, body, config)
	})
}

func checkDocument(t *testing.T, body []byte, config editor.Config) {
	t.Helper()
	d := editor.New(body, config)
	last := editor.Position{Line: -1}
	for offset := range len(body) + 1 {
		p := d.Position(offset)
		if at := d.Offset(p); at > offset || d.Position(at) != p {
			t.Fatalf("byte %d of %q is at %v, which is byte %d", offset, body, p, at)
		}
		if p != last && (p.Line < last.Line || p.Line == last.Line && p.Character <= last.Character) {
			t.Fatalf("byte %d of %q is at %v, after %v", offset, body, p, last)
		}
		last = p
	}
	check := func(r editor.Range) {
		t.Helper()
		start, end := d.Offset(r.Start), d.Offset(r.End)
		if d.Position(start) != r.Start || d.Position(end) != r.End || end < start {
			t.Fatalf("the range %v of %q is bytes %d to %d", r, body, start, end)
		}
	}
	findings := lint.Check(body, config.Lint)
	diagnostics := d.Diagnostics()
	if len(findings) != len(diagnostics) {
		t.Fatalf("%d diagnostics of %d findings", len(diagnostics), len(findings))
	}
	for i, diagnostic := range diagnostics {
		check(diagnostic.Range)
		for _, related := range diagnostic.Related {
			check(related.Range)
		}
		if diagnostic.Fix != nil {
			want, err := lint.Apply(body, findings[i].Fix.Edits)
			if err != nil {
				t.Fatal(err)
			}
			checkEdits(t, d, body, diagnostic.Fix.Edits, string(want), config.Encoding)
		}
	}
	checkEdits(t, d, body, d.Format(), string(lint.Format(body, config.Lint.Profile, lint.KeepEnds)), config.Encoding)
	checkOutline(t, d, body, check)
	for _, lenses := range [][]editor.Lens{reach(t, d), since(t, d, body[len(body)/2:])} {
		for _, lens := range lenses {
			check(lens.Range)
			if !utf8.ValidString(lens.Title) {
				t.Fatalf("the lens says %q", lens.Title)
			}
		}
	}
	for offset := 0; offset <= len(body); offset += 1 + len(body)/64 {
		if hover, ok := d.Hover(offset); ok {
			check(hover.Range)
			if !utf8.ValidString(hover.Markdown) || hover.Markdown == "" {
				t.Fatalf("the hover text is %q", hover.Markdown)
			}
		}
		for _, c := range d.Complete(offset) {
			check(c.Edit.Range)
			break // all have the same range
		}
	}
}

func checkEdits(t *testing.T, d *editor.Document, body []byte, edits []editor.Edit,
	want string, encoding editor.Encoding) {
	t.Helper()
	if utf8.Valid(body) {
		if got := apply(t, string(body), edits, encoding); got != want {
			t.Fatalf("the edits %+v of %q make %q, want %q", edits, body, got, want)
		}
	}
	got := body // by offsets, for bodies that are not text
	for _, e := range slices.Backward(edits) {
		got = slices.Concat(got[:d.Offset(e.Range.Start)], []byte(e.New), got[d.Offset(e.Range.End):])
	}
	if string(got) != want {
		t.Fatalf("the edits %+v of %q make %q, want %q", edits, body, got, want)
	}
}

func checkOutline(t *testing.T, d *editor.Document, body []byte, check func(editor.Range)) {
	t.Helper()
	end := d.Position(len(body)).Line
	for _, fold := range d.Folds() {
		if fold.Start < 0 || fold.End <= fold.Start || fold.End > end {
			t.Fatalf("fold %+v of %q", fold, body)
		}
	}
	var walk func(symbols []editor.Symbol)
	walk = func(symbols []editor.Symbol) {
		for _, s := range symbols {
			check(s.Range)
			check(s.Selection)
			if s.Name == "" || !utf8.ValidString(s.Name) || s.Selection.Start.Line < s.Range.Start.Line ||
				s.Selection.End.Line > s.Range.End.Line {
				t.Fatalf("symbol %+v of %q", s, body)
			}
			walk(s.Children)
		}
	}
	walk(d.Symbols())
}
