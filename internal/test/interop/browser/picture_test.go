package browser_test

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tea is the live file in the picture.
const tea = `# robots.txt of shop.example, a shop for tea and pots.
Sitemap: https://shop.example/sitemap.xml

User-agent: *
Disallow: /cart
Disallow: /search
Allow: /search$
Disallow: /*?sort=      # the same teas in another order
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

// The picture in the README is made by this test, with -update: an edit of a shop's live
// file, which closes more than it should.
func TestPicture(t *testing.T) {
	t.Parallel()
	// The service reaches shop.example through this proxy.
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.String() != "http://shop.example/robots.txt" {
			http.Error(w, "no such site", http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, tea)
	}))
	defer proxy.Close()
	agents := []string{"Googlebot", "Bingbot", "GPTBot", "ClaudeBot"}
	urls := []string{"/", "/teas?sort=price", "/search", "/search?q=oolong", "/previews/spring", "/preview/index.html", "/about", "/cart"}
	p := visit(t, serve(t, "--proxy", proxy.URL).url+state{Text: "\n", Agents: agents, URLs: urls}.fragment())
	p.wait(`document.querySelector("#grid table")`)
	p.look(look{"picture", 1400, 925, map[string]string{"prefers-color-scheme": "light"}})
	p.fetch("http://shop.example")
	p.wantGrid(tea, agents, urls)
	p.waitText("#site .status", "200")

	p.edit(14, kb.Backspace)
	p.edit(18, "") // draws the last lines
	p.keys(kb.End, chromedp.ModifierCtrl)
	p.keys("Allow: /about")
	edited := strings.Replace(tea, "/preview/\n", "/preview\n", 1) + "Allow: /about"
	p.wantGrid(edited, agents, urls)
	p.selectCell("Googlebot", "/previews/spring")
	p.waitText("#explanation .why", "Googlebot may not fetch")
	p.wait(`document.querySelectorAll("#slot-changes [data-change]").length === 2 && document.querySelector("#editor .cm-line.lit-decides")`)
	p.waitText("#problems", "Dissalow")
	p.wait(`(document.querySelector("#status .message").textContent = "", scrollTo(0, 0), scrollY === 0)`)
	shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	small := smaller(t, shot)
	if len(small) > 200<<10 {
		t.Errorf("the picture has %d bytes", len(small))
	}
	if *update {
		if err := os.WriteFile("../../../../docs/page.png", small, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// smaller returns a PNG image with 256 colours: the most frequent ones, and those that are
// least like any other. The rest become the nearest of them.
func smaller(t *testing.T, shot []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	bounds := full.Bounds()
	count := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(full.At(x, y)).(color.RGBA) }
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(value(a), value(b)))
	})
	nearest := map[color.RGBA]int{} // the distance to the palette
	for _, c := range colours {
		nearest[c] = 1 << 20
	}
	var palette color.Palette
	for len(palette) < min(256, len(colours)) {
		next := colours[min(len(palette), len(colours)-1)]
		if len(palette) >= 128 {
			next = slices.MaxFunc(colours, func(a, b color.RGBA) int { return nearest[a] - nearest[b] })
		}
		palette = append(palette, next)
		for _, c := range colours {
			nearest[c] = min(nearest[c], distance(c, next))
		}
	}
	index := map[color.RGBA]uint8{}
	for _, c := range colours {
		index[c] = uint8(palette.Index(c))
	}
	reduced := image.NewPaletted(bounds, palette)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			reduced.SetColorIndex(x, y, index[at(x, y)])
		}
	}
	var small bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&small, reduced); err != nil {
		t.Fatal(err)
	}
	return small.Bytes()
}

func value(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }

// distance returns the square of the distance of two colours.
func distance(a, b color.RGBA) int {
	r, g, blue := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + blue*blue
}
