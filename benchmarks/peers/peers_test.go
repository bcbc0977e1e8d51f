package peers_test

import (
	"errors"
	"testing"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// TestAdapters: every peer gives the same verdicts for undisputed rules, through
// all three functions of its adapter.
func TestAdapters(t *testing.T) {
	body := corpus.NewBody([]byte("User-agent: FooBot\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n"))
	for _, p := range peers.All() {
		file, err := p.Parse(body)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		for _, q := range []struct {
			agent, path string
			allowed     bool
		}{
			{"FooBot", "/private/x", false},
			{"FooBot", "/public?x=1", true},
			{"BarBot", "/public", false},
		} {
			n, err := file.For(q.agent).Count([]string{q.path})
			once, onceErr := p.Allowed(body, q.agent, q.path)
			judged, judgeErr := p.Judge(body, q.agent, "https://example.com"+q.path)
			if err := errors.Join(err, onceErr, judgeErr); err != nil || (n == 1) != q.allowed || once != q.allowed ||
				judged != q.allowed {
				t.Errorf("%s, %v: %d, %v, %v, %v", p.Name, q, n, once, judged, err)
			}
		}
	}
}

func TestPanicsAreErrors(t *testing.T) {
	p := peers.Named("benjaminestes")
	if _, err := p.Parse(corpus.NewBody(nil)); !errors.Is(err, peers.ErrPanic) {
		t.Errorf("an empty file: %v, want a panic", err)
	}
	if _, err := p.Judge(corpus.NewBody(nil), "FooBot", "/"); !errors.Is(err, peers.ErrPanic) {
		t.Errorf("an empty file: %v, want a panic", err)
	}
	matcher := peers.Matcher(func(string) bool { panic("no") })
	if _, err := matcher.Count([]string{"/"}); !errors.Is(err, peers.ErrPanic) {
		t.Errorf("a matcher that panics: %v", err)
	}
}

func TestInexpressible(t *testing.T) {
	if _, err := peers.Named("temoto").Judge(corpus.NewBody(nil), "FooBot", "no URL"); !errors.Is(err, peers.ErrInexpressible) {
		t.Errorf("got %v", err)
	}
}
