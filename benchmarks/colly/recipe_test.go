package colly_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/robotshttp"
	responses "github.com/kosterhq/robotstxt/robotshttp/permission"
)

// newCollector returns a collector whose requests obey robots.txt.
func newCollector(robots *fetch.Client) *colly.Collector {
	c := colly.NewCollector(colly.UserAgent("FooBot/1.0 (+https://foobot.example/about)"))
	c.IgnoreRobotsTxt = true // the transport checks robots.txt instead
	c.WithTransport(&robotshttp.Transport{
		Client:       robots,
		DefaultDelay: 10 * time.Millisecond, // use a second or more; the test of this page is in a hurry
		MaxPerHost:   2,
	})
	c.SetRequestTimeout(10 * time.Minute) // includes the waits; colly's default is 10 seconds
	return c
}

// refusal returns why the transport refused a request, and "" for any other error.
func refusal(err error) string {
	if d := (*robotshttp.DisallowedError)(nil); errors.As(err, &d) {
		return fmt.Sprintf("%s by line %d", d.Decision.Path, d.Decision.Line)
	}
	if d := (*robotshttp.DelayError)(nil); errors.As(err, &d) {
		return fmt.Sprintf("the site wants a request every %v only", d.Delay)
	}
	return ""
}

// permitted is a transport for pages that reports what each may be used for.
type permitted struct {
	http.RoundTripper
	report func([]permission.Answer)
}

// RoundTrip reports what the response says, with the robots.txt that allowed the request.
func (p permitted) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := p.RoundTripper.RoundTrip(request)
	if err == nil {
		p.report(responses.Of(response, "FooBot"))
	}
	return response, err
}

// TestRecipe checks that docs/colly.md contains the functions of this file, which
// TestCollector runs.
func TestRecipe(t *testing.T) {
	page, err := os.ReadFile("../../docs/colly.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("recipe_test.go")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, block := range strings.Split(string(page), "```go\n")[1:] {
		code, _, _ := strings.Cut(block, "```")
		if !strings.Contains(code, "\nfunc ") {
			continue
		}
		if checked++; !strings.Contains(string(source), "\n"+code) {
			t.Errorf("docs/colly.md differs from recipe_test.go:\n%s", code)
		}
	}
	if checked != 3 {
		t.Errorf("docs/colly.md has %d functions, want 3", checked)
	}
}
