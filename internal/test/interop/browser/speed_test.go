package browser_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The right verdicts follow every keystroke in a file of 100 KB. The time until they are
// in the document is logged, and not tested.
func TestKeystrokes(t *testing.T) {
	const strokes = 29
	var text strings.Builder
	for i := 0; text.Len() < 100<<10; i++ {
		fmt.Fprintf(&text, "User-agent: Bot%c%c\nDisallow: /shop/%d/*?sort=\nAllow: /shop/%d/help$\nDisallow: /catalogue/%d/print\n\n", 'a'+i%26, 'a'+i/26%26, i, i, i)
	}
	text.WriteString("User-agent: FooBot\nDisallow: /")
	agents := []string{"FooBot", "Botaa", "Googlebot", "GPTBot", "Botbb"}
	var urls []string
	for i := range strokes + 1 { // each keystroke changes a verdict
		urls = append(urls, "/"+strings.Repeat("a", i))
	}
	p := openReady(t, serve(t), state{Text: text.String(), Agents: agents, URLs: urls})
	p.click("#editor .cm-content", "")
	p.keys(kb.End, chromedp.ModifierCtrl)
	evaluate[bool](p, `(performance.clearMeasures(), true)`)
	now := text.String()
	measured := func(how string, n int) {
		var times []float64
		p.until("the measures", func() (bool, string) {
			times = evaluate[[]float64](p, `performance.getEntriesByName("robots:verdicts").map((m) => m.duration)`)
			return len(times) == n, fmt.Sprint(len(times))
		})
		evaluate[bool](p, `(performance.clearMeasures(), true)`)
		report(t, fmt.Sprintf("from a keystroke to its verdicts, %s, file of %d bytes, %d crawlers × %d URLs", how, len(now), len(agents), len(urls)), times)
	}
	for range strokes {
		p.keys("a")
		now += "a"
		p.wantGrid(now, agents, urls)
	}
	measured("each after the verdicts of the one before", strokes)
	// Without waiting for the verdicts, nothing is lost either: each keystroke is measured,
	// and the last verdicts are those of the whole text.
	const more = 25
	p.keys(strings.Repeat("b", more))
	now += strings.Repeat("b", more)
	p.wantGrid(now, agents, urls)
	measured("all at once", more)
}

// report logs the median and the 95th percentile of times in milliseconds.
func report(t *testing.T, what string, times []float64) {
	t.Helper()
	slices.Sort(times)
	t.Logf("%s: median %.1f ms, 95th percentile %.1f ms, maximum %.1f ms (n = %d)", what,
		times[len(times)/2], times[(len(times)*95+99)/100-1], times[len(times)-1], len(times))
}

// The first verdicts come from the service. The time from the start of the navigation is
// logged, and not tested.
func TestFirstVerdict(t *testing.T) {
	s := serve(t)
	p := newTab(t)
	call(p, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	call(p, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
			new MutationObserver((_, observer) => {
				if (document.querySelector("#grid td .word")) {
					window.firstVerdict = performance.now();
					observer.disconnect();
				}
			}).observe(document, { childList: true, subtree: true });`})
	var times []float64
	loads := 5
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		loads = 40
	}
	for range loads {
		p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.direct))
		p.wait(`window.firstVerdict`)
		times = append(times, evaluate[float64](p, `window.firstVerdict`))
	}
	report(t, "from the start of the navigation to the first verdicts, without caches", times)
}
