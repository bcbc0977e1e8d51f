package browsertest_test

import (
	"bytes"
	"image/png"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// picture is the state of the picture in the README: a shop that edits its file.
func picture() state {
	const before = `# robots.txt of shop.example, a shop for tea and pots.
Sitemap: https://shop.example/sitemap.xml

User-agent: *
Disallow: /cart
Disallow: /search
Allow: /search$
Disallow: /*?sort=      # the same teas in another order
Disallow: /account/
Dissalow: /staff/

User-agent: Googlebot
User-agent: Bingbot
Disallow: /cart
Disallow: /preview/
Allow: /preview/index.html

# No training on our texts, please.
User-agent: GPTBot
User-agent: CCBot
Disallow: /
`
	text := bytes.ReplaceAll([]byte(before), []byte("Disallow: /preview/\n"), []byte("Disallow: /preview\n"))
	text = bytes.ReplaceAll(text, []byte("User-agent: CCBot\nDisallow: /\n"), []byte("User-agent: CCBot\nDisallow: /\nAllow: /about\n"))
	old := before
	return state{
		Text: string(text), Before: &old, Name: "https://shop.example/robots.txt",
		Agents: []string{"Googlebot", "Bingbot", "GPTBot", "ClaudeBot", "*"},
		URLs:   []string{"/", "/teas?sort=price", "/search", "/search?q=oolong", "/previews/spring", "/preview/index.html", "/about", "/cart"},
	}
}

// The picture in the README is made by this test, with -update.
func TestPicture(t *testing.T) {
	with := picture()
	p := newTab(t)
	p.look(look{"picture", 1280, 860, map[string]string{"prefers-color-scheme": "light"}})
	p.do(chromedp.Navigate(serve(t).url + with.fragment(t)))
	p.wait(cell("Googlebot", "/previews/spring"))
	p.selectCell("Googlebot", "/previews/spring")
	p.waitText("#explanation .why", "Googlebot may not fetch")
	p.wait(`document.querySelector("#slot-changes table") && document.querySelector("#editor .lit-decides")`)
	p.wait(`document.querySelector("#problems .finding")`)
	image, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(image))
	if err != nil || decoded.Bounds().Dx() != 1280 {
		t.Fatalf("the picture is damaged: %v", err)
	}
	if *update {
		if err := os.WriteFile("../../../../docs/page.png", image, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
