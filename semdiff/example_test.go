package semdiff_test

import (
	"context"
	"fmt"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

func ExampleCompare() {
	before := robotstxt.Parse([]byte(`User-agent: *
Disallow: /drafts/
Disallow: /*.pdf$

User-agent: GPTBot
Disallow: /
`))
	after := robotstxt.Parse([]byte(`User-agent: *
Disallow: /draft
Disallow: /*.pdf

User-agent: GPTBot
Disallow: /
Allow: /*.html$
`))
	report, err := semdiff.Compare(context.Background(), before, after, semdiff.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range report.Rows {
		fmt.Println(row.Crawlers, row.Effect)
		for _, change := range row.Changes {
			fmt.Printf("  line %d → line %d: %s\n", change.OldLine, change.NewLine, change.Witness)
		}
	}
	// Output:
	// [*] closes
	//   line 0 → line 2: /draft
	//   line 0 → line 3: /.pdfx
	// [GPTBot] opens
	//   line 6 → line 7: /.html
}

func ExampleDecides() {
	rules := robotstxt.Parse([]byte(`User-agent: *
Disallow: /private/
Allow: /private/*.css$
`)).Rules("FooBot")
	decision, err := semdiff.Decides(context.Background(), rules, "/private/", semdiff.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(decision.AllDisallowed, decision.Allowed.Path, decision.Allowed.Line)
	// Output: false /private/.css 3
}

func ExampleMinimize() {
	robots := robotstxt.Parse([]byte(`User-agent: *
Disallow: /shop/cart
Disallow: /shop/
Allow: /shop/items/
Allow: /about
`))
	minimal, err := semdiff.Minimize(context.Background(), semdiff.Config{}, robots)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rule := range minimal.Removed {
		fmt.Println("line", rule.Line, "can go; covered by line", rule.By)
	}
	// Output:
	// line 5 can go; covered by line 0
	// line 2 can go; covered by line 3
}
