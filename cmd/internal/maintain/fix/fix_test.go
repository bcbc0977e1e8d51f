package fix_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/lint"
)

func mustMake(t *testing.T, body string, config fix.Config) *fix.Result {
	t.Helper()
	r, err := fix.Make(context.Background(), []byte(body), config)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRefused has the files that a plain fix once changed for other readers than
// Google's.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		name, body string
		profile    lint.Profile
		reasons    []string // of the refusals
	}{
		{
			"a more severe finding about the line",
			"User-agent: *\nDisallow: /a$\u00e9/\n", lint.Google,
			[]string{"RX206: RX205 on line 2 is more severe and about the same lines; fix that first"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := mustMake(t, test.body, fix.Config{Lint: lint.Config{Profile: test.profile, Pedantic: true}})
			for i, refusal := range r.Refused {
				got := string(refusal.Finding.Code) + ": " + refusal.Reason
				if i >= len(test.reasons) || !strings.HasPrefix(got, test.reasons[i]) {
					t.Errorf("refused %q, want %q", got, test.reasons)
				}
				if offered := fixOf(r.Findings, &refusal.Finding); offered != nil && !offered.Meaning {
					t.Errorf("%s on line %d is refused and offered as a plain fix", refusal.Finding.Code, refusal.Finding.Line)
				}
			}
			if len(r.Refused) != len(test.reasons) {
				t.Errorf("%d refusals, want %q; the file is %q", len(r.Refused), test.reasons, r.Body)
			}
		})
	}
}

// TestUntouched has the files that a plain fix once changed for other readers than
// Google's, and of which the linter offers no plain fix today.
func TestUntouched(t *testing.T) {
	const groups = "\nDisallow: /a/\n\nUser-agent: *\nDisallow: /private/\n"
	for name, body := range map[string]string{
		"home page by its index page": "User-agent: *\nAllow: /$\nAllow: /index.html\nDisallow: /\n",
		"two names with one word":     "User-agent: Bingbot web spider\nDisallow: /a/\n\nUser-agent: Bingbot News Spider\nDisallow: /a/\n",
		"name with a dot":             "User-agent: Yandex.Gazeta Bot" + groups,
		"name of a host":              "User-agent: panscient.com" + groups,
		"name with an apostrophe":     "User-agent: Xenu's" + groups,
		"name with a plus":            "User-agent: Baiduspider+" + groups,
		"longer than what is read":    "User-agent: *\nDisallow: /a*\n" + strings.Repeat("Disallow: /section/*\n", 180_000),
	} {
		for _, profile := range []lint.Profile{lint.Google, lint.Bing, lint.RFC9309} {
			if profile == lint.Bing && len(body) > 500_000 {
				continue // no limit is documented
			}
			if r := mustMake(t, body, fix.Config{Lint: lint.Config{Profile: profile}}); string(r.Body) != body ||
				len(r.Refused) > 0 {
				t.Errorf("%s, %v: %.200q, refused %v", name, profile, r.Body, r.Refused)
			}
		}
	}
}

// TestStrictReaders: no plain fix, and no layout, changes what a reader of RFC 9309 to the
// letter does, and of two findings about a line the graver one stays.
func TestStrictReaders(t *testing.T) {
	for _, body := range []string{
		"User-agent: *\nDisallowAITraining: /\n",
		"User-agent: *\ndissallow: /y\n",
		"User-agent: *\nDisallow /x\n",
		"user agent: Foo\nDisallow: /\n",
		"User-agent: Googlebot/2.1\nDisallow: /\n",
		"User-agent: *\nDisallow: /p\n\nUser-agent: GPTBot Disallow: /\n",
		"User-agent: GPTBot Disallow: /\n",
		"User-agent: *\nDisallow: /p\n\nUser-agent: GPTBot\n",
		"User-agent: *\nDisallow:\n/private/\n",
		"User-agent: *\nDisallow - /x\n",
	} {
		r := mustMake(t, body, fix.Config{Lint: lint.Config{Pedantic: true}})
		if string(r.Body) != body {
			t.Errorf("%q is fixed: %q", body, r.Body)
		}
		formatted, err := fix.Format(t.Context(), []byte(body), lint.Google, lint.KeepEnds)
		if err != nil || len(formatted.Refused) > 0 ||
			string(strictly(formatted.Body)) != string(strictly([]byte(body))) {
			t.Errorf("%q is laid out as %q, %v", body, formatted.Body, err)
		}
	}
}

// TestOneBudget: the searches and proofs of a hostile file share one budget.
func TestOneBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var body strings.Builder
	body.WriteString("User-agent: *\n")
	for range 3000 {
		kind := []string{"Allow", "Disallow"}[r.IntN(2)]
		text := make([]byte, 8)
		for i := range text {
			text[i] = "ab*"[r.IntN(3)]
		}
		fmt.Fprintf(&body, "%s: /*%s%d*%s\u00e9\n", kind, text, r.IntN(97), strings.Repeat("c", 1+r.IntN(3)))
	}
	const steps = 3_000_000
	made := mustMake(t, body.String(), fix.Config{Steps: steps, Lint: lint.Config{Pedantic: true}})
	if made.Steps > steps+steps/2 {
		t.Errorf("%d steps were taken, with a budget of %d", made.Steps, steps)
	}
	undecided := 0
	for _, refusal := range made.Refused {
		if strings.HasSuffix(refusal.Reason, "the budget of steps is used up") {
			undecided++
		}
	}
	if undecided == 0 {
		t.Errorf("%d fixes were made and %d refused, none because of the budget", made.Made, len(made.Refused))
	}
}

// fixOf returns the fix of a finding in a list.
func fixOf(findings []lint.Finding, like *lint.Finding) *lint.Fix {
	for i := range findings {
		if findings[i].Code == like.Code && findings[i].Start == like.Start {
			return findings[i].Fix
		}
	}
	return nil
}

// TestMake makes plain fixes, and with All those that mend lines.
func TestMake(t *testing.T) {
	const body = "User-agent: *\nDisallow: /b\u00e9/\nDisallow: abc\n"
	r := mustMake(t, body, fix.Config{})
	if string(r.Body) != "User-agent: *\nDisallow: /b%C3%A9/\nDisallow: abc\n" || r.Made != 1 || len(r.Changes)+len(r.Mended) > 0 {
		t.Errorf("%q after %d fixes, want only the path encoded", r.Body, r.Made)
	}
	r = mustMake(t, body, fix.Config{All: true})
	if string(r.Body) != "User-agent: *\nDisallow: /b%C3%A9/\nDisallow: /abc\n" || len(r.Changes) != len(robotstxt.Dialects()) ||
		!slices.Equal(r.Mended, []wire.Mended{{Code: "RX202", Line: 3}}) {
		t.Errorf("%q with %d changes, mended %v, want a slash in front", r.Body, len(r.Changes), r.Mended)
	}
}

// TestLinesOfTheFile: a result has lines of the file before, whatever the fixes before made of them.
func TestLinesOfTheFile(t *testing.T) {
	const body = "User-agent: *\nDisallow: /abc/ /def/\nDisallow: /abc/d/\nDisallow: /abc/e/\nDisalow /ghi/\nDisallow: /x$\u00e9/\n"
	r := mustMake(t, body, fix.Config{All: true})
	if want := []wire.Mended{{Code: "RX204", Line: 2}, {Code: "RX410", Line: 5}}; !slices.Equal(r.Mended, want) {
		t.Errorf("mended %v, want %v", r.Mended, want)
	}
	if len(r.Refused) != 1 || r.Refused[0].Line != 6 || !strings.HasPrefix(r.Refused[0].Reason, "RX205 on line 6 ") {
		t.Errorf("refused %+v of %q, want one on line 6", r.Refused, r.Body)
	}
	if want := "fixed RX204 on line 2 and RX410 on line 5; "; !strings.HasPrefix(r.Note(), want) {
		t.Errorf("note %q, want it to begin with %q", r.Note(), want)
	}
}

// TestUndecided: what the budget does not suffice for is not fixed.
func TestUndecided(t *testing.T) {
	r := mustMake(t, "User-agent: *\nDisallow: /\u00e9/\n", fix.Config{Steps: 1})
	for _, refusal := range r.Refused {
		if !strings.HasPrefix(refusal.Reason, "it is undecided whether a verdict changes in ") {
			t.Errorf("refused: %s", refusal.Reason)
		}
	}
	if r.Made > 0 || len(r.Refused) == 0 {
		t.Errorf("%d made, %d refused: want none, and some", r.Made, len(r.Refused))
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	body := []byte("user-agent: *\nDisallow: /\u00e9/\n")
	if _, err := fix.Make(ctx, body, fix.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Make: %v", err)
	}
	if _, err := fix.Format(ctx, body, lint.Google, lint.KeepEnds); !errors.Is(err, context.Canceled) {
		t.Errorf("Format: %v", err)
	}
}

// endingContext ends when it was asked some times.
type endingContext struct {
	context.Context
	left int
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestEnding: Make asks its context before each check of the whole file, so each end of it ends Make.
func TestEnding(t *testing.T) {
	body := []byte("user-agent: *\nDisalow: /\u00e9/\nDisallow: /a b\n")
	for asked := 0; ; asked++ {
		ctx := &endingContext{t.Context(), asked}
		result, err := fix.Make(ctx, body, fix.Config{All: true})
		if ctx.left >= 0 {
			if checks := 3; err != nil || asked < checks {
				t.Errorf("asked %d times, %v", asked, err)
			}
			return
		}
		if result != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("ended after %d questions: %v, %v", asked, result, err)
		}
	}
}

func TestFormat(t *testing.T) {
	r, err := fix.Format(context.Background(), []byte("user-agent:*\n\ndisallow : /a\n"), lint.Google, lint.KeepEnds)
	if err != nil || string(r.Body) != "User-agent: *\nDisallow: /a\n" || len(r.Refused) > 0 {
		t.Errorf("%q, refused %v (%v)", r.Body, r.Refused, err)
	}
	if len(r.Changes) != 1 || r.Changes[0].Dialect != robotstxt.Koster1996 {
		t.Errorf("changes %+v, want one in koster1996, where the empty line ended the group", r.Changes)
	}
	large := []byte("user-agent:*\n" + strings.Repeat("#", lint.Google.Bytes()))
	r, err = fix.Format(context.Background(), large, lint.Google, lint.KeepEnds)
	if err != nil || string(r.Body) != string(large) || len(r.Refused) != 1 ||
		!strings.HasPrefix(r.Refused[0].Reason, "the file is larger than the 512,000 bytes") {
		t.Errorf("a large file: %d bytes, refused %v (%v)", len(r.Body), r.Refused, err)
	}
}

// TestOthers: the programs in which an edit has changed verdicts of real files, counted with
// their own code, are named; others are not.
func TestOthers(t *testing.T) {
	const urllib, older = "Python's urllib", "older versions of Python's urllib"
	for _, test := range []struct {
		before string
		fixed  bool // else formatted
		want   []string
	}{
		{"User-agent: *\nDisallow: /abc\nDisallow: /abc/d\nDisallow: /abc/e\n", true, []string{urllib, "temoto"}}, // a rule less
		{"User-agent: *\nDisallow: /ä\n", true, []string{urllib, "temoto"}},                                       // an encoded path
		{"\ufeffUser-agent: *\nDisallow: /a\n", false, []string{urllib, "Protego"}},
		{"User-agent: b\nNofollow: /a\nUser-agent: *\nDisallow: /b\n", true, []string{"Protego"}},
		{"User-agent: b\nHost: a.example\nUser-agent: *\nDisallow: /b\n", true, nil},
		{"User-agent: *\n\nDisallow: /a\n", false, []string{older}},
		{"User-agent: *\n\nUser-agent: *\nDisallow: /a\n\nDisallow: /b\n", false, []string{older}}, // not in koster1996
		{"User-agent: *\nDisallow : /a\n", false, []string{"temoto"}},
		{"User-agent: *\nDisallow: /a#b\n", false, []string{"temoto"}},
		{"User-agent: *\nDisallow:", false, []string{"temoto"}},
		{"user-agent: *\nDisallow: /a\n\n\n# b\nUSER-AGENT:b\nDisallow: /b", false, nil},
	} {
		edit := fix.Format
		if test.fixed {
			edit = func(ctx context.Context, body []byte, profile lint.Profile, _ lint.LineEnds) (*fix.Result, error) {
				return fix.Make(ctx, body, fix.Config{Lint: lint.Config{Profile: profile}})
			}
		}
		r, err := edit(t.Context(), []byte(test.before), lint.Google, lint.KeepEnds)
		if err != nil || string(r.Body) == test.before || !slices.Equal(r.Others, test.want) {
			t.Errorf("%q becomes %q: others %q, %v; want %q", test.before, r.Body, r.Others, err, test.want)
		}
	}
}

// What is not read is not a change that the other programs see.
func TestOthersTruncated(t *testing.T) {
	body := "User-agent: *\nDisallow: /a#b\n" + strings.Repeat("# filling\n", 52_000) + "Disallow: /z\n"
	r, err := fix.Make(t.Context(), []byte(body), fix.Config{Lint: lint.Config{Profile: lint.Google}})
	if err != nil || string(r.Body) != body || len(r.Others) > 0 {
		t.Errorf("others %q, %v, for a body of %d bytes of %d; want none and all", r.Others, err, len(r.Body), len(body))
	}
}

// FuzzMake: plain fixes change no verdict, and no sitemap, whatever the file.
func FuzzMake(f *testing.F) {
	for _, e := range lint.Catalogue() {
		f.Add([]byte(e.Bad), uint8(e.Example.Profile))
	}
	f.Fuzz(func(t *testing.T, body []byte, profile uint8) {
		if len(body) > 2000 {
			t.Skip()
		}
		r, err := fix.Make(context.Background(), body, fix.Config{Lint: lint.Config{Profile: lint.Profile(profile)}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Made > 0 {
			checkSame(t, "the file", body, r.Body)
		}
	})
}
