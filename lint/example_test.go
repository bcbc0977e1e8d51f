package lint_test

import (
	"fmt"
	"net/http"

	"github.com/kosterhq/robotstxt/lint"
)

var shop = []byte(`User-agent: *
Disalow: /cart
Disallow: /search*
Disallow: /search/results
Disallow: /search/help
Sitemap: /sitemap.xml
`)

// Check returns the findings in the order of the file.
func Example() {
	for _, f := range lint.Check(shop, lint.Config{URL: "https://shop.example/robots.txt"}) {
		fmt.Printf("%d:%d %s %s\n", f.Line, f.Column, f.Severity, f.Code)
	}
	// Output:
	// 2:1 warning RX411
	// 6:10 warning RX502
}

// A fix without Meaning changes no verdict, so a program can apply it without review.
func ExampleApply() {
	body := []byte("User-agent: *\nDisallow: /cart\nDisallow: /cart/42\nDisallow: /cart/43\nDisallow: /search*\n")
	for changed := true; changed; {
		changed = false
		for _, f := range lint.Check(body, lint.Config{}) {
			if f.Fix == nil || f.Fix.Meaning {
				continue
			}
			// After the edits the positions of other findings may be wrong, so the
			// loop checks the result again.
			fixed, err := lint.Apply(body, f.Fix.Edits)
			if err != nil {
				fmt.Println(err)
				return
			}
			body, changed = fixed, true
			break
		}
	}
	fmt.Print(string(body))
	// Output:
	// User-agent: *
	// Disallow: /cart
	// Disallow: /search*
}

// Format changes the layout of a file and no verdict.
func ExampleFormat() {
	body := []byte("user-agent:*\r\nDISALLOW:/cart   # no carts\r\nUser-Agent: GPTBot\r\n\r\nDisallow: /\r\n")
	fmt.Print(string(lint.Format(body, lint.Google, lint.LF)))
	// Output:
	// User-agent: *
	// Disallow: /cart # no carts
	//
	// User-agent: GPTBot
	// Disallow: /
}

// Severities overrides the severity of a code. Served adds findings about the response.
func ExampleConfig() {
	config := lint.Config{
		Severities: map[lint.Code]lint.Severity{"RX208": lint.Off, "RX411": lint.Error},
		URL:        "https://shop.example/robots.txt",
		Served: &lint.Served{
			Status:      http.StatusOK,
			ContentType: "text/html",
		},
	}
	for _, f := range lint.Check(shop, config) {
		fmt.Println(f.Line, f.Severity, f.Code)
	}
	// Output:
	// 1 warning RX602
	// 2 error RX411
	// 6 warning RX502
}

// About returns the entry of the catalogue for a code: a title, a reason and examples.
func ExampleAbout() {
	entry, ok := lint.About("RX208")
	fmt.Println(ok, entry.Code, entry.Name)
	// Output:
	// true RX208 redundant-rule
}
