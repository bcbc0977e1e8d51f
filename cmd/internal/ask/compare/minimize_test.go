package compare_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

var both = []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309}

// together has a rule, the last, that two others make needless together.
const together = "User-agent: *\nDisallow: /*c\nAllow: /*ab*c\nAllow: /*c*ab\nAllow: /*ab\n"

// TestCovers: if the whole smaller file cannot be proved, the rules stay away of which a single
// other rule decides all paths.
func TestCovers(t *testing.T) {
	var body strings.Builder
	body.WriteString("User-agent: *\n")
	for i := range 300 {
		fmt.Fprintf(&body, "Disallow: /*a*b%d*c\n", i)
	}
	r, err := compare.Minimize(t.Context(), []byte(body.String()), []robotstxt.Dialect{robotstxt.Google}, 400_000)
	if err != nil || len(r.Removed) < 200 || len(r.Removed)+len(r.Undecided) != 300 || r.Tried == "" {
		t.Fatalf("%d removed, %d undecided (%s), %v", len(r.Removed), len(r.Undecided), r.Tried, err)
	}
	for _, removal := range r.Removed {
		if removal.By == 0 {
			t.Errorf("line %d is removed without a rule that covers it", removal.Line)
		}
	}
}

func TestMinimize(t *testing.T) {
	tests := []struct {
		name, body, want string
		removed          string
	}{
		{"comments and line ends stay",
			"# shop\r\nUser-agent: *\r\nDisallow: /cart # the cart\r\nDisallow: /cart/42 # an old one\r\n\r\n# end",
			"# shop\r\nUser-agent: *\r\nDisallow: /cart # the cart\r\n# an old one\r\n\r\n# end", "[{4 3 false}]"},
		{"the last line has no end", "User-agent: *\nDisallow: /a\nDisallow: /ab", "User-agent: *\nDisallow: /a\n", "[{3 2 false}]"},
		{"several rules together", together, strings.TrimSuffix(together, "Allow: /*ab\n"), "[{5 0 false}]"},
		{"what goes lets others go", "User-agent: *\nDisallow: /a # old\nAllow: /a\nDisallow: /b\n", "User-agent: *\n# old\nDisallow: /b\n", "[{2 3 false} {3 0 true}]"},
		{"a group keeps a rule", "User-agent: A\nAllow: /\nUser-agent: B\nDisallow: /b\n", "User-agent: A\nAllow: /\nUser-agent: B\nDisallow: /b\n", "[]"},
		{"what only google reads stays", "User-agent: *\nDisallow: /a/\nAllow: /a/index.html\nAllow: /a/$\n", "User-agent: *\nDisallow: /a/\nAllow: /a/index.html\nAllow: /a/$\n", "[]"},
		{"nothing to remove", "Sitemap: https://shop.example/s.xml\n", "Sitemap: https://shop.example/s.xml\n", "[]"},
		{"empty", "", "", "[]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := compare.Minimize(t.Context(), []byte(test.body), both, 0)
			if err != nil || string(r.Body) != test.want || fmt.Sprint(r.Removed) != test.removed ||
				r.Undecided != nil {
				t.Errorf("got %q, %+v, %v, want %q", r.Body, r, err, test.want)
			}
		})
	}
}

// Without a budget all rules stay.
func TestMinimizeUndecided(t *testing.T) {
	const body = together
	r, err := compare.Minimize(t.Context(), []byte(body), both, 1)
	if err != nil || string(r.Body) != body || len(r.Undecided) == 0 || r.Tried == "" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestMinimizeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := compare.Minimize(ctx, []byte("User-agent: *\nDisallow: /\nDisallow: /a\n"), both, 0); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// TestMinimizeCorpus: of real files, the smaller one gives the same verdicts, and is not
// made smaller again by more than the comparison of the whole allows.
func TestMinimizeCorpus(t *testing.T) {
	bodies, names := witness.Corpus(t)
	smaller, removed := 0, 0
	for i := 0; i < len(names); i += 8 {
		body := bodies[i]
		r, err := compare.Minimize(t.Context(), body, both, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Removed) > 0 {
			smaller, removed = smaller+1, removed+len(r.Removed)
		}
		for _, d := range both {
			report, err := semdiff.Compare(t.Context(), d.Parse(body), d.Parse(r.Body), semdiff.Config{})
			if err != nil || !report.Equal() {
				t.Errorf("%s: in %s the smaller file differs", names[i], d)
			}
		}
	}
	t.Logf("%d files made smaller, by %d rules", smaller, removed)
}
