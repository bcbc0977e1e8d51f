package semdiff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

func accessOf(t *testing.T, rules robotstxt.Rules, config semdiff.Config) *semdiff.Access {
	t.Helper()
	access, err := semdiff.AccessOf(t.Context(), rules, config)
	if err != nil {
		t.Fatal(err)
	}
	return access
}

func checkAccess(t *testing.T, body string, rules robotstxt.Rules) {
	t.Helper()
	got := accessOf(t, rules, semdiff.Config{})
	if extent := extentOf(t, rules); extent != got.Extent {
		t.Fatalf("%v %q: %s, but ExtentOf returns %s", rules.Dialect(), body, got.Extent, extent)
	}
	found := make(map[semdiff.Exception]bool)
	for _, e := range got.Except {
		found[e] = true
	}
	if got.Extent != semdiff.ExtentPartly {
		if len(found) > 0 {
			t.Fatalf("%v %q: %+v", rules.Dialect(), body, got)
		}
		return
	}
	for rule := range rules.All() {
		if rule.Line == 0 {
			continue
		}
		whole := semdiff.Exception{Line: rule.Line, Pattern: rule.Pattern}
		part := semdiff.Exception{Line: rule.Line, Pattern: rule.Pattern, Part: true}
		if rule.Allow == got.Allowed || rule.Length == 0 {
			if found[whole] || found[part] {
				t.Fatalf("%v %q: %+v has the usual verdict", rules.Dialect(), body, rule)
			}
			continue
		}
		if rule.Pattern == "/" || rule.Pattern == "*" || rule.Pattern == "/*" || rule.Pattern == "/*$" || rule.Pattern == "*$" {
			continue // a rule for everything makes no exception, and those below it are not asked
		}
		decision, err := semdiff.Decides(t.Context(), rules, rule.Pattern, semdiff.Config{})
		if err != nil || decision.Undecided {
			t.Fatalf("%v, %+v", err, decision)
		}
		isNone, isWhole := decision.AllAllowed, decision.AllDisallowed
		if !got.Allowed {
			isNone, isWhole = isWhole, isNone
		}
		if isNone && (found[whole] || found[part]) ||
			!isNone && (found[whole] != isWhole || found[part] == isWhole) && stronger(rules, rule.Line) {
			t.Fatalf("%v %q: %+v: exceptions %+v, but Decides returns %+v", rules.Dialect(), body, rule, got.Except, decision)
		}
	}
}

// stronger reports whether a line comes before the first rule for everything.
func stronger(rules robotstxt.Rules, line int) bool {
	for rule := range rules.All() {
		switch {
		case rule.Line == line:
			return true
		case rule.Length == 0 || strings.Trim(rule.Pattern, "/*") == "" || strings.Trim(rule.Pattern, "/*$") == "" &&
			strings.Contains(rule.Pattern, "*"):
			return false
		}
	}
	return false
}

// TestAccess: the exceptions are those that Decides proves, one after another, in every dialect.
func TestAccess(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"a", "b", "/", "*", "?", "%2F", "index.html", "robots.txt", "%61", "é", ";"}
	for range size(400, 8000) {
		var body strings.Builder
		body.WriteString("User-agent: *\n")
		for range 1 + random.IntN(5) {
			body.WriteString([]string{"Allow: ", "Disallow: "}[random.IntN(2)])
			body.WriteString([]string{"/", "/", "/", "*", ""}[random.IntN(5)])
			for range random.IntN(4) {
				body.WriteString(pieces[random.IntN(len(pieces))])
			}
			body.WriteString([]string{"", "", "", "$"}[random.IntN(4)] + "\n")
		}
		for _, dialect := range robotstxt.Dialects() {
			checkAccess(t, body.String(), dialect.Parse([]byte(body.String())).Rules())
		}
	}
}

// TestAccessOfRealFiles does the same with files of the corpus that have few rules. What many sites have in common, as
// the rules that an installation begins with, is checked once.
func TestAccessOfRealFiles(t *testing.T) {
	t.Parallel()
	bodies, _ := witness.Corpora(t)
	checked := make(map[string]bool)
	for _, body := range bodies {
		if len(body) > size(1500, 8000) || strings.Count(string(body), "\n") > size(40, 200) {
			continue
		}
		for _, dialect := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
			rules := dialect.Parse(body).Rules("GPTBot")
			same := dialect.String()
			for rule := range rules.All() {
				rule.Line = min(rule.Line, 1)
				same += fmt.Sprintf("\n%+v", rule)
			}
			if !checked[same] {
				checkAccess(t, string(body), rules)
			}
			checked[same] = true
		}
	}
	t.Logf("%d files, %d that differ", len(bodies), len(checked))
}

// TestAccessKeepsItsAnswer: with fewer steps an extent is the same or undecided, and the exceptions are the same, but
// more of them can be in part.
func TestAccessKeepsItsAnswer(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	undecided := 0
	for i := 0; i < len(bodies); i += size(5, 1) {
		robots := robotstxt.Parse(bodies[i])
		for _, token := range []string{"", "GPTBot", "bingbot"} {
			rules := robots.Rules(token)
			whole := accessOf(t, rules, semdiff.Config{})
			for _, steps := range []int{1, 300, 10_000} {
				less := accessOf(t, rules, semdiff.Config{Steps: steps})
				if less.Extent == semdiff.ExtentUndecided {
					undecided++
					continue
				}
				if less.Extent != whole.Extent || less.Allowed != whole.Allowed {
					t.Errorf("%s, %q: %s with %d steps, %s with all", names[i], token, less.Extent, steps, whole.Extent)
				}
				for _, e := range less.Except {
					if !e.Part && !slices.Contains(whole.Except, e) {
						t.Errorf("%s, %q: %+v is proved with %d steps, but not with all", names[i], token, e, steps)
					}
				}
				for _, e := range whole.Except {
					same := func(o semdiff.Exception) bool { return o.Line == e.Line && o.Pattern == e.Pattern }
					if !slices.ContainsFunc(less.Except, same) {
						t.Errorf("%s, %q: %+v is no exception with %d steps", names[i], token, e, steps)
					}
				}
			}
		}
	}
	t.Logf("%d undecided", undecided)
}

// TestManyExceptions: each of many exceptions is proved within the default budget.
func TestManyExceptions(t *testing.T) {
	var body strings.Builder
	body.WriteString("User-agent: *\nAllow: /open/\n")
	for i := range 5000 {
		fmt.Fprintf(&body, "Disallow: /folder%04d/\n", i)
		if i%2 > 0 {
			fmt.Fprintf(&body, "Allow: /folder%04d/*.css\n", i)
		}
	}
	access := accessOf(t, robotstxt.Parse([]byte(body.String())).Rules(), semdiff.Config{})
	if len(access.Except) != 5000 || access.Steps == 0 || access.Steps > semdiff.DefaultSteps {
		t.Fatalf("%d exceptions in %d steps", len(access.Except), access.Steps)
	}
	for i, e := range access.Except {
		if e.Part != (i%2 > 0) {
			t.Errorf("%+v", e)
		}
	}
}

// TestAccessWithoutBudget: what is not proved is listed, in part, and no more steps are used than
// there are.
func TestAccessWithoutBudget(t *testing.T) {
	var body strings.Builder
	body.WriteString("User-agent: *\nAllow: /*a*b*c\n")
	for i := range 3000 {
		fmt.Fprintf(&body, "Disallow: /*%d*a\n", i)
	}
	rules := robotstxt.Parse([]byte(body.String())).Rules()
	for _, steps := range []int{1, 20_000, 200_000} {
		access := accessOf(t, rules, semdiff.Config{Steps: steps})
		if access.Extent != semdiff.ExtentPartly || len(access.Except) != 3000 || access.Steps > steps ||
			!access.Except[0].Part {
			t.Errorf("%d steps: %s, %d exceptions, %d steps used", steps, access.Extent, len(access.Except), access.Steps)
		}
	}
}
