package editor_test

import (
	"fmt"

	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/lint/editor"
)

func Example() {
	body := []byte("User-agent: Googlebot\nDisallow: search/\n")
	d := editor.New(body, editor.Config{})
	for _, diagnostic := range d.Diagnostics() {
		if diagnostic.Severity < lint.Error {
			continue
		}
		start := diagnostic.Range.Start
		fmt.Printf("%d:%d %s\n", start.Line, start.Character, diagnostic.Code)
		for _, edit := range diagnostic.Fix.Edits {
			fmt.Printf("insert %q at %d:%d\n", edit.New, edit.Range.Start.Line, edit.Range.Start.Character)
		}
	}
	for _, symbol := range d.Symbols() {
		fmt.Println(symbol.Kind, symbol.Name)
	}
	// Output:
	// 1:10 RX202
	// insert "/" at 1:10
	// group Googlebot
}

func ExampleDocument_Hover() {
	d := editor.New([]byte("User-agent: GPTBot\nDisallow: /cart\n"), editor.Config{})
	hover, ok := d.Hover(d.Offset(editor.Position{Line: 1, Character: 12}))
	fmt.Println(ok)
	fmt.Println(hover.Markdown)
	// Output:
	// true
	// Disallows the URLs whose path begins with `/cart` for `GPTBot`.
	//
	// Its length is 5; of all rules that match a URL, the longest one decides.
}

func ExampleDocument_Complete() {
	d := editor.New([]byte("User-agent: googlebot-v"), editor.Config{})
	for _, completion := range d.Complete(23) {
		fmt.Println(completion.Label)
	}
	// Output:
	// Googlebot-Video
}
