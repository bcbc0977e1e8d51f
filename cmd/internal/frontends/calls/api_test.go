package calls_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

const shop = `User-agent: *
Disallow: /cart

User-agent: Googlebot
User-agent: GPTBot
Disallow: /private/
Allow: /private/press
`

func call(t *testing.T, name, request string, limits calls.Limits) (string, error) {
	t.Helper()
	result, err := calls.Calls()[name](t.Context(), []byte(request), limits)
	return string(result), err
}

func request(t *testing.T, fields map[string]any) string {
	t.Helper()
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The answers are by URL and then by crawler, and crawlers have their documented
// fallbacks.
func TestCheck(t *testing.T) {
	text, err := call(t, "check", request(t, map[string]any{
		"body": shop, "agents": []string{"Googlebot-Image,Foo", "GPTBot"}, "urls": []string{"/cart?a=1&b=2", "https://shop.example/private/press"},
	}), calls.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got wire.Answers
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, a := range got.Answers {
		lines = append(lines, a.Agent+" "+a.URL+" "+string(a.Verdict)+" "+a.Rule)
	}
	want := []string{
		"Googlebot-Image /cart?a=1&b=2 allowed ", "Foo /cart?a=1&b=2 disallowed Disallow: /cart", "GPTBot /cart?a=1&b=2 allowed ",
		"Googlebot-Image https://shop.example/private/press allowed Allow: /private/press", "Foo https://shop.example/private/press allowed ",
		"GPTBot https://shop.example/private/press allowed Allow: /private/press",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got %q\nwant %q", lines, want)
	}
	if strings.Contains(text, `\u0026`) {
		t.Error("'&' is escaped")
	}
}

// A User-Agent header is read for its token, as the tool does; purposes add known
// crawlers.
func TestSelection(t *testing.T) {
	s := calls.Selection{Agents: []string{"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"}, Purposes: []string{"AI-training"}, Operators: []string{"openai"}}
	selected, err := s.Crawlers(calls.Limits{})
	if err != nil || len(selected) == 0 || selected[0].Name != "GPTBot" {
		t.Fatalf("got %+v, %v", selected, err)
	}
	names := make(map[string]bool)
	for _, c := range selected {
		if names[c.Name] {
			t.Errorf("%s is selected twice", c.Name)
		}
		names[c.Name] = true
	}
	exact := calls.Selection{Agents: []string{"Googlebot-Image"}, ExactAgent: true}
	if selected, _ := exact.Crawlers(calls.Limits{}); len(selected) != 1 || len(selected[0].Tokens) != 1 {
		t.Errorf("exact: got %+v", selected)
	}
	if selected, _ := new(calls.Selection).Crawlers(calls.Limits{}); len(selected) != 1 || selected[0].Name != "*" {
		t.Errorf("none: got %+v", selected)
	}
}

func TestExplain(t *testing.T) {
	text, err := call(t, "explain", request(t, map[string]any{"body": shop, "agents": []string{"Googlebot"}, "urls": []string{"/private/press"}}), calls.Limits{})
	var got wire.Explanation
	if err != nil || json.Unmarshal([]byte(text), &got) != nil || got.Decision.Line != 7 || len(got.Others) != 2 {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestDiff(t *testing.T) {
	text, err := call(t, "diff", request(t, map[string]any{
		"before": shop, "after": strings.Replace(shop, "/private/press", "/private/p", 1), "urls": []string{"/private/pdf", "/cart"},
	}), calls.Limits{})
	var got wire.Comparison
	if err != nil || json.Unmarshal([]byte(text), &got) != nil {
		t.Fatalf("got %s, %v", text, err)
	}
	if got.Equal || len(got.Changes) != 1 || got.Changes[0].Effect != wire.Opens || len(got.Flips) != 1 ||
		got.URLs != 2 || got.Old != "before" {
		t.Errorf("got %+v", got)
	}
}

// Each crawler is compared as it reads files; one that no line can name has no result.
// TestDiffSizes: the sizes are those of the comparison that the tool prints.
func TestDiffSizes(t *testing.T) {
	const cart = "User-agent: *\nDisallow: /cart\n"
	for i, after := range []string{
		"", "User-agent: *\nDisallow: /\n", cart + "Disallow: /*/\n", "User-agent: *\nAllow: /about\nDisallow: /\n",
		"User-agent: *\nDisallow: /\nAllow: /*/$\n\nUser-agent: AI2Bot\nDisallow: /shop\nAllow: /shop/help\n",
	} {
		text, err := call(t, "diff", request(t, map[string]any{"before": cart, "after": after}), calls.Limits{})
		var got wire.Comparison
		if err != nil || json.Unmarshal([]byte(text), &got) != nil {
			t.Fatalf("got %s, %v", text, err)
		}
		want, err := compare.Run(t.Context(), compare.Question{Old: []byte(cart), New: []byte(after)})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Sizes) == 0 || !reflect.DeepEqual(got.Sizes, want.Sizes) ||
			!reflect.DeepEqual(got.Sites, want.Sites) {
			t.Errorf("%d: %+v, %+v, want %+v, %+v", i, got.Sizes, got.Sites, want.Sizes, want.Sites)
		}
	}
}

func TestDiffReadings(t *testing.T) {
	const before, after = "User-agent: *\nAllow: /", "User-agent: MJ12bot\nDisallow: /\nUser-agent: *\nAllow: /"
	for _, test := range []struct {
		fields map[string]any
		want   string // of the result
	}{
		{map[string]any{"agents": []string{"MJ12bot"}}, `"dialects":["rfc9309","rfc9309"],"agents":["MJ12bot"],"equal":false`},
		{map[string]any{"agents": []string{"MJ12bot"}}, `"flips":[{"url":"/a","agents":["MJ12bot"],"effect":"closes"}]`},
		{map[string]any{"agents": []string{"MJ12bot"}, "dialect": "google"}, `"agents":["MJ12bot"],"equal":true`},
		{map[string]any{"agents": []string{"MJ12bot"}, "before_dialect": "google"}, `"agents":["MJ12bot"],"equal":true`},
		{map[string]any{}, `"flips":[{"url":"/a","agents":["MJ12bot"],"effect":"closes"}]`},
		{map[string]any{"agents": []string{"Foo", "Sogou web spider"}},
			`"unread_agents":["Sogou web spider"],"agents":["Foo"],"equal":false,"undecided":true,"undecided_agents":["Sogou web spider"]`},
		{map[string]any{"operators": []string{"Sogou"}}, `"undecided":false`},
	} {
		test.fields["before"], test.fields["after"], test.fields["urls"] = before, after, []string{"/a"}
		if text, err := call(t, "diff", request(t, test.fields), calls.Limits{}); err != nil ||
			!strings.Contains(text, test.want) {
			t.Errorf("%v: got %s, %v, want %s", test.fields, text, err, test.want)
		}
	}
}

// A file that is longer than crawlers read is cut after a whole line, which is no error.
func TestTruncated(t *testing.T) {
	limits := calls.Limits{ReadBytes: len(shop) - 3}
	text, err := call(t, "check", request(t, map[string]any{"body": shop, "agents": []string{"GPTBot"}, "urls": []string{"/private/press"}}), limits)
	if err != nil || !strings.Contains(text, `"truncated":true`) || !strings.Contains(text, `"verdict":"disallowed"`) {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestOutline(t *testing.T) {
	text, err := call(t, "outline", request(t, map[string]any{"body": shop + "Sitemap: /s.xml\nHost: shop.example"}), calls.Limits{})
	var got wire.FileOutline
	if err != nil || json.Unmarshal([]byte(text), &got) != nil || got.Groups != 2 || len(got.Sitemaps) != 1 ||
		len(got.Extensions) != 1 || got.Body != robotstxt.BodyText {
		t.Errorf("got %s, %v", text, err)
	}
}

// Each mistake is an error with a code and the field.
func TestErrors(t *testing.T) {
	small := calls.Limits{BodyBytes: 10, Agents: 2, URLs: 2, TextBytes: 8, Answers: 3, DiffSteps: 100}
	for _, test := range []struct {
		name, request string
		limits        calls.Limits
		want          calls.Error // without message and hint
	}{
		{"check", `{`, calls.Limits{}, calls.Error{Code: calls.CodeMalformed}},
		{"check", `{} x`, calls.Limits{}, calls.Error{Code: calls.CodeMalformed}},
		{"check", `{"agent":"x"}`, calls.Limits{}, calls.Error{Code: calls.CodeMalformed}},
		{"check", `{"urls":"x"}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "urls"}},
		{"check", `{"body":"","urls":[]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "urls"}},
		{"check", `{"urls":["/"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "body"}},
		{"check", `{"body":"","body_base64":"","urls":["/"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "body"}},
		{"check", `{"body":"","urls":["/"],"dialect":"bing"}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "dialect"}},
		{"check", `{"body":"","urls":["/"],"agents":["a:"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "agents"}},
		{"check", `{"body":"","urls":["/"],"purposes":["ai-trainin"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "purposes/0"}},
		{"check", `{"body":"","urls":["/"],"operators":["Nobody"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "operators/0"}},
		{"explain", `{"body":"","urls":["/","/a"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "urls"}},
		{"explain", `{"body":"","urls":["/"],"agents":["a,b"]}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "agents"}},
		{"diff", `{"before":""}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "after"}},
		{"diff", `{"before":"","after":"","budget":-1}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "budget"}},
		{"diff", `{"before":"","after":"","after_dialect":"x"}`, calls.Limits{}, calls.Error{Code: calls.CodeInvalid, Field: "after_dialect"}},

		{"check", `{"body":"12345678901","urls":["/"]}`, small, calls.Error{Code: calls.CodeLimit, Field: "body", Limit: "BodyBytes"}},
		{"check", `{"body":"","urls":["/","/","/"]}`, small, calls.Error{Code: calls.CodeLimit, Field: "urls", Limit: "URLs"}},
		{"check", `{"body":"","urls":["/","/34567890"]}`, small, calls.Error{Code: calls.CodeLimit, Field: "urls/1", Limit: "TextBytes"}},
		{"check", `{"body":"","urls":["/"],"agents":["a,b,c"]}`, small, calls.Error{Code: calls.CodeLimit, Field: "agents", Limit: "Agents"}},
		{"check", `{"body":"","urls":["/","/"],"agents":["a,b"]}`, small, calls.Error{Code: calls.CodeLimit, Field: "urls", Limit: "Answers"}},
		{"diff", `{"before":"","after":"","budget":101}`, small, calls.Error{Code: calls.CodeLimit, Field: "budget", Limit: "DiffSteps"}},
		{"diff", `{"before":"","after":"User-agent: *\nDisallow: /","agents":["a,b"],"urls":["/","/"]}`, calls.Limits{Answers: 3}, calls.Error{Code: calls.CodeLimit, Field: "urls", Limit: "Answers"}},
		{"diff", `{"before":"","after":"User-agent: *\nDisallow: /","agents":["` + strings.Repeat("a", 10_000) + `"],"urls":["/` + strings.Repeat(`","/`, 7_000) + `"]}`, calls.Limits{}, calls.Error{Code: calls.CodeLimit, Field: "urls", Limit: "Answers"}},
	} {
		_, err := call(t, test.name, test.request, test.limits)
		got, ok := errors.AsType[*calls.Error](err)
		if !ok || got.Code != test.want.Code || got.Field != test.want.Field || got.Limit != test.want.Limit ||
			got.Message == "" {
			t.Errorf("%s %s: got %#v, want %+v", test.name, test.request, err, test.want)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, text := range map[string]string{"check": `{"body":"","urls":["/"]}`, "diff": `{"before":"","after":"User-agent: *\nDisallow: /"}`} {
		if _, err := calls.Calls()[name](ctx, []byte(text), calls.Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestDependencies: the engine of the WebAssembly module links this package, but no
// linter.
func TestDependencies(t *testing.T) {
	output, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(output))
	for _, unwanted := range []string{"net", "net/http", "os/exec", "text/template", "github.com/kosterhq/robotstxt/lint"} {
		if slices.Contains(deps, unwanted) {
			t.Errorf("the package depends on %s", unwanted)
		}
	}
}

// FuzzCalls: no request panics, and each result is a JSON object with a schema.
func FuzzCalls(f *testing.F) {
	names := slices.Sorted(maps.Keys(calls.Calls()))
	for i := range names {
		f.Add(i, `{"body":"User-agent: *\nDisallow: /a","urls":["/a"],"agents":["GPTBot"]}`)
		f.Add(i, `{"before":"User-agent: *\nDisallow: /a","after":"","urls":["/a"]}`)
		f.Add(i, `{"body_base64":"/////w==","urls":["\ud800"],"dialect":"koster1996"}`)
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		name := names[uint(i)%uint(len(names))]
		limits := calls.Limits{DiffSteps: 10_000, Answers: 1_000}
		result, err := calls.Calls()[name](t.Context(), []byte(text), limits)
		if err != nil {
			if _, ok := errors.AsType[*calls.Error](err); !ok {
				t.Errorf("%s: %v is no *calls.Error", text, err)
			}
			return
		}
		var object struct{ Schema int }
		if err := json.Unmarshal(result, &object); err != nil || object.Schema != wire.Schema {
			t.Errorf("%s: %s, %v", text, result, err)
		}
	})
}

// TestManyAgents: a text with too many crawlers is refused while it is read.
func TestManyAgents(t *testing.T) {
	long := strings.Repeat("a,", 500_000) + "a"
	limits := calls.Limits{TextBytes: -1}
	s := calls.Selection{Agents: []string{long}}
	_, err := s.Crawlers(limits)
	if limit := (*calls.Error)(nil); !errors.As(err, &limit) || limit.Limit != "Agents" {
		t.Fatalf("the error is %v", err)
	}
	allocations := testing.AllocsPerRun(1, func() { _, _ = s.Crawlers(limits) })
	if most := float64(20 * limits.Filled().Agents); allocations > most {
		t.Errorf("%.0f allocations, want at most %.0f", allocations, most)
	}
}

// TestAsSent: a URL as typed is compared with hex digits in upper case, one as sent as it is.
func TestAsSent(t *testing.T) {
	for _, name := range []string{"check", "explain"} {
		for asSent, want := range map[bool]string{false: `"verdict":"disallowed"`, true: `"verdict":"allowed"`} {
			text, err := call(t, name, request(t, map[string]any{
				"body": "User-agent: *\nDisallow: /c/*%2B*\n", "urls": []string{"/c/a%2bb"}, "as_sent": asSent,
			}), calls.Limits{})
			if err != nil || !strings.Contains(text, want) || strings.Contains(text, "compared_url") == asSent {
				t.Errorf("%s, as sent is %v: %s, %v", name, asSent, text, err)
			}
		}
	}
}
