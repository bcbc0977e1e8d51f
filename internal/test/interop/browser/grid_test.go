package browser_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/kosterhq/robotstxt"
)

// The cells show the engine's verdicts by colour, shape and word.
func TestGrid(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), shopState)
	type look struct{ Word, Colour, Shape string }
	looks := map[string]look{}
	for _, at := range [][2]string{{"Googlebot", "/"}, {"GPTBot", "/"}} {
		l := evaluate[look](p, `((cell) => ({
			Word: cell.querySelector(".word").textContent,
			Colour: getComputedStyle(cell).backgroundColor + " " + getComputedStyle(cell).color,
			Shape: getComputedStyle(cell.querySelector(".word"), "::before").content + getComputedStyle(cell, "::before").content,
		}))(`+cell(at[0], at[1])+`)`)
		looks[l.Word] = l
	}
	a, d := looks["allowed"], looks["disallowed"]
	if a.Word == "" || d.Word == "" || a.Colour == d.Colour || a.Shape == d.Shape {
		t.Errorf("the verdicts look like %+v and %+v", a, d)
	}
	for _, shape := range []string{a.Shape, d.Shape} {
		if strings.Trim(strings.ReplaceAll(strings.ReplaceAll(shape, "none", ""), "normal", ""), `"`) == "" {
			t.Errorf("a verdict has no shape: %+v", looks)
		}
	}
}

// lit returns the lines of the editor with a class, counted from 1.
func (p *tab) lit(class string) []int {
	p.Helper()
	return evaluate[[]int](p, fmt.Sprintf(`[...document.querySelectorAll("#editor .cm-line")].flatMap((line, i) => line.classList.contains(%s) ? [i + 1] : [])`, quote(class)))
}

// A cell lights the line that decides and dims those that lose, says why in a sentence,
// and what the other dialects say. The expected lines are the engine's.
func TestExplanation(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), shopState)
	robots := robotstxt.Parse([]byte(shop))
	p.selectCell(shopAgents[0], shopURLs[0])
	p.unfold("#explanation details")
	for _, at := range [][2]string{
		{"Googlebot", "/private/press/1"}, {"Googlebot", "/private/press/draft/2"}, {"FooBot", "/search"}, {"GPTBot", "/cart"}, {"Googlebot", "/cart"},
	} {
		want := robots.Rules(at[0]).Explain(at[1])
		p.selectCell(at[0], at[1])
		sentence := map[bool]string{true: at[0] + " may fetch " + at[1], false: at[0] + " may not fetch " + at[1]}[want.Allowed]
		p.waitText("#explanation .why", sentence)
		if got := p.text("#explanation .why"); want.Line > 0 && !strings.Contains(got, fmt.Sprintf("line %d", want.Line)) {
			t.Errorf("%v: the sentence is %q, want line %d", at, got, want.Line)
		}
		decides, loses := []int{}, []int{}
		if want.Line > 0 {
			decides = append(decides, want.Line)
		}
		for _, rule := range want.Others {
			loses = append(loses, rule.Line)
		}
		p.until("the lit lines", func() (bool, string) {
			gotDecides, gotLoses := p.lit("lit-decides"), p.lit("lit-loses")
			return slices.Equal(gotDecides, decides) && slices.Equal(gotLoses, loses),
				fmt.Sprintf("%v: lit %v, want %v; dim %v, want %v", at, gotDecides, decides, gotLoses, loses)
		})
		for name, dialect := range map[string]robotstxt.Dialect{"RFC 9309": robotstxt.RFC9309, "Koster 1996": robotstxt.Koster1996} {
			other := dialect.Parse([]byte(shop)).Rules(at[0]).Explain(at[1])
			word := map[bool]string{true: "allowed", false: "disallowed"}[other.Allowed]
			p.wait(find("#explanation .dialects li", name) + fmt.Sprintf(`.querySelector(".verdict").textContent === %s`, quote(word)))
		}
	}
	// The lit line differs from the others by more than colour in forced colours too; here
	// it must be visible at all.
	p.selectCell("FooBot", "/cart")
	p.wait(`(() => { const e = document.querySelector("#editor .lit-decides"); return e && getComputedStyle(e).backgroundColor !== getComputedStyle(document.querySelector("#editor .cm-line:not(.lit-decides)")).backgroundColor; })()`)
}

// The other dialects answer in the grid too.
func TestDialect(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), shopState)
	want := verdicts{}
	robots := robotstxt.Koster1996.Parse([]byte(shop))
	for _, agent := range shopAgents {
		for _, url := range shopURLs {
			allowed, line := robots.Rules(agent).Verdict(url)
			want[agent+" "+url] = map[bool]string{true: "allowed", false: "disallowed"}[allowed]
			if line > 0 {
				want[agent+" "+url] += fmt.Sprintf(" %d", line)
			}
		}
	}
	p.choose("#dialect", "koster1996")
	p.wantVerdicts(want)
}

// choose selects an option of a list, as a user does.
func (p *tab) choose(selector, value string) {
	p.Helper()
	p.do(chromedp.Focus(chromedp.CSS(selector)))
	p.wait(fmt.Sprintf(`((list) => { list.value = %s; list.dispatchEvent(new Event("input", { bubbles: true })); list.dispatchEvent(new Event("change", { bubbles: true })); return list.value === %[1]s; })(document.querySelector(%s))`,
		quote(value), quote(selector)))
}

// long is a list of so many URLs, and a file for it.
func long(n int) (text string, agents, urls []string) {
	text = "User-agent: *\nDisallow: /*7$\nAllow: /shop/\n\nUser-agent: Googlebot\nDisallow: /*77\n\nUser-agent: GPTBot\nDisallow: /\n"
	for i := range n {
		urls = append(urls, fmt.Sprintf("https://dotexe.example/department/%d/article-with-a-long-name/%d", i%9, i))
	}
	return text, []string{"Googlebot", "Bingbot", "GPTBot", "ClaudeBot", "FooBot"}, urls
}

// gridRows is a JavaScript expression: the paths of the rows that can be seen, in their order.
const gridRows = `(() => {
	const frame = document.querySelector("#grid .frame"), box = frame.getBoundingClientRect(), head = frame.querySelector("thead").getBoundingClientRect().bottom;
	return [...frame.querySelectorAll("tbody tr")].filter((row) => { const r = row.getBoundingClientRect(); return r.bottom > head + 1 && r.top < box.bottom - 1; }).map((row) => row.querySelector(".url").title);
})()`

// A long list has few rows in the document, wherever it is scrolled; the origin stands
// once; filters, counts and orders find the URLs that the engine says.
func TestLongGrid(t *testing.T) {
	text, agents, urls := long(10_000)
	p := visit(t, serve(t).url+state{Text: text, Agents: agents, URLs: urls}.fragment())
	p.waitReady()
	p.wantVerdicts(want(text, agents, urls))
	same(t, "the origin", p.text("#grid .origin"), "https://dotexe.example")
	if got := p.text("#grid tbody .url"); !strings.HasPrefix(got, "/department/0") || !strings.HasSuffix(got, "name/0") {
		t.Errorf("the first row is %q", got) // the end is there, because URLs differ at the end
	}

	evaluate[bool](p, `(performance.clearMeasures("robots:scroll"), true)`)
	rows := evaluate[[]int](p, `(async () => {
		const frame = document.querySelector("#grid .frame"), most = [0, 0];
		const end = frame.scrollHeight - frame.clientHeight;
		for (let i = 0; i <= 60; i++) {
			frame.scrollTop = i < 40 ? i * 130 : end * (i - 40) / 20; // steps of a wheel, then jumps
			await new Promise(requestAnimationFrame);
			const visible = `+gridRows+`.length;
			most[0] = Math.max(most[0], frame.querySelectorAll("tbody tr").length);
			most[1] = Math.max(most[1], visible);
		}
		return most;
	})()`)
	if rows[0] > 2*rows[1]+4 || rows[1] < 8 {
		t.Errorf("%d rows are in the document while %d can be seen", rows[0], rows[1])
	}
	report(t, "script of a scroll event, 10,000 URLs × 5 crawlers", evaluate[[]float64](p, `performance.getEntriesByName("robots:scroll").map((m) => m.duration)`))
	p.wait(gridRows + `.at(-1) === ` + quote(urls[len(urls)-1]))

	expected := want(text, agents, urls)
	count := func(holds func(words []string) bool) (n int, first string) {
		for _, url := range urls {
			var words []string
			for _, agent := range agents {
				words = append(words, expected[agent+" "+url])
			}
			if holds(words) {
				n++
				if first == "" {
					first = url
				}
			}
		}
		return n, first
	}
	choose := func(text string, holds func([]string) bool) {
		t.Helper()
		n, first := count(holds)
		p.click(".filter button", text)
		p.wait(fmt.Sprintf(`document.querySelector("#grid table").getAttribute("aria-rowcount") === "%d" && %s[0] === %s`, n+1, gridRows, quote(first)))
		p.wait(fmt.Sprintf(`%s.querySelector(".number").textContent.replace(/,/g, "") === "%d"`, find(".filter button", text), n))
		p.click(".filter button", text) // once more: all are shown
		p.wait(fmt.Sprintf(`document.querySelector("#grid table").getAttribute("aria-rowcount") === "%d"`, len(urls)+1))
	}
	choose("line 6", func(words []string) bool { return slices.Contains(words, "disallowed 6") })
	choose("line 2", func(words []string) bool { return slices.Contains(words, "disallowed 2") })
	choose("Crawlers differ", func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool {
			return strings.Fields(word)[0] != strings.Fields(words[0])[0]
		})
	})
	p.fill("#grid-text", "NAME/9876")
	p.wait(gridRows + `.join() === ` + quote(urls[9876]))
	p.fill("#grid-text", "")
	p.choose("#grid-order", "disallowed")
	_, first := count(func(words []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.HasPrefix(word, "disallowed") })
	})
	p.wait(gridRows + `[0] === ` + quote(first))

	// The keyboard reaches rows that are not in the document; the focus stays when the
	// row is scrolled away.
	p.choose("#grid-order", "given")
	p.click("#grid td", "")
	p.keys(kb.End, chromedp.ModifierCtrl)
	p.wait(`document.activeElement.closest("tr")?.querySelector(".url").title === ` + quote(urls[len(urls)-1]))
	evaluate[bool](p, `(document.querySelector("#grid .frame").scrollTop = 0, true)`)
	p.wait(gridRows + `[0] === ` + quote(urls[0]))
	p.keys(kb.ArrowUp)
	p.wait(`document.activeElement.closest("tr")?.querySelector(".url").title === ` + quote(urls[len(urls)-2]))
}

// Rows are URLs, however many there are; with thirty crawlers the columns are narrow. On a
// phone a URL is a card, in full.
func TestGridForms(t *testing.T) {
	t.Parallel()
	text, agents, urls := long(5)
	for i := range 25 {
		agents = append(agents, fmt.Sprintf("Bot%c", 'a'+i))
	}
	p := open(t, serve(t), state{Text: text, Agents: agents, URLs: urls})
	p.wait(`document.querySelector("#grid table.steep tbody").rows.length === 5`)
	if n := evaluate[int](p, `(() => { const box = document.querySelector("#grid .frame").getBoundingClientRect(); return [...document.querySelectorAll("#grid thead th")].filter((th) => th.getBoundingClientRect().right <= box.right + 1).length - 1; })()`); n < 6 {
		t.Errorf("%d crawlers can be seen", n)
	}
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(serve(t).url+
		state{Text: text, Agents: agents[:5], URLs: urls}.fragment()))
	p.wait(`((frame) => frame && frame.querySelectorAll("thead th").length === 6 && frame.scrollWidth === frame.clientWidth && [...frame.querySelector("tbody tr").cells].every((cell, i) => cell.offsetLeft === frame.querySelector("thead tr").cells[i].offsetLeft))(document.querySelector("#grid .frame"))`)
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(serve(t).url+
		state{Text: text, Agents: agents[:4], URLs: urls}.fragment()))
	p.look(phoneLight)
	p.wait(`document.querySelector("#grid table.cards tbody")?.rows.length >= 2`)
	p.wantNone("cut off", `[...document.querySelectorAll("#grid .cards :is(.url, td)")].filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1).map((e) => e.textContent)`)
	p.wantVerdicts(want(text, agents[:4], urls))
}

// A path in the field for the site is checked; the URLs of the example go when one's own come, and
// a crawler is added to those that are there.
func TestOwnPaths(t *testing.T) {
	t.Parallel()
	web := site(t, map[string]string{"/robots.txt": shop})
	p := visit(t, serve(t).url)
	p.waitReady()
	p.wantNone("cut off", `[...document.querySelectorAll("#grid thead .crawler")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)`)
	p.fetch(web + "/search?q=tea")
	agents := []string{"Googlebot", "Bingbot", "GPTBot", "*"}
	wants := func(paths ...string) {
		t.Helper()
		for i := range paths {
			paths[i] = web + paths[i]
		}
		p.wantVerdicts(renamed(want(shop, agents, paths)))
	}
	wants("/search?q=tea")
	p.waitText("#explanation .why", "Googlebot may fetch")
	p.wait(`!document.querySelector("#grid table.steep")`) // there is room for the names
	p.enter("#crawler-input", "FooBot")
	agents = append(agents, "FooBot")
	wants("/search?q=tea")
	p.fetch(web + "/cart")
	wants("/cart", "/search?q=tea")
	for range 2 { // the text, crawlers and URLs remain, and so do the verdicts
		p.fetch(web)
		p.wait(`!document.querySelector("form[role=search]").hasAttribute("aria-busy")`)
		wants("/cart", "/search?q=tea")
	}
}

// renamed returns verdicts with the name of the page for "*".
func renamed(v verdicts) verdicts {
	named := verdicts{}
	for key, word := range v {
		named[strings.Replace(key, "* ", "any crawler that follows the group for * ", 1)] = word
	}
	return named
}

// A file of 100,000 URLs is read, checked and shown; an edit, a filter and a reload follow.
func TestManyURLs(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("ROBOTSTXT_LONG is not set")
	}
	text, agents, urls := long(100_000)
	name := writeFile(t, t.TempDir(), "urls.txt", []byte(strings.Join(urls, "\n")+"\nhttps://dotexe.example/too-many\n"))
	p := openReady(t, serve(t), state{Text: text, Agents: agents, URLs: urls[:1]})
	last := urls[len(urls)-1]
	wantLast := func(text string) {
		t.Helper()
		p.wait(fmt.Sprintf(`%s === %d`, gridSize, len(urls)*len(agents)))
		evaluate[bool](p, `((frame) => (frame.scrollTop = frame.scrollHeight, true))(document.querySelector("#grid .frame"))`)
		p.wait(gridRows + `.at(-1) === ` + quote(last))
		expected := want(text, agents, []string{last})
		p.until("the verdicts of the last URL", func() (bool, string) {
			got, err := try[verdicts](p, readGrid)
			for key, verdict := range expected {
				if err == nil && got[key] != verdict {
					return false, fmt.Sprintf("%s: got %q, want %q", key, got[key], verdict)
				}
			}
			return err == nil, fmt.Sprint(err)
		})
	}
	timed := func(what string, do func()) {
		t.Helper()
		evaluate[bool](p, `(window.tasks = [], new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration))).observe({ entryTypes: ["longtask"] }), true)`)
		start := time.Now()
		do()
		t.Logf("%s: %.1f s, the longest task takes %.0f ms", what, time.Since(start).Seconds(), evaluate[float64](p, `Math.max(0, ...(window.tasks ?? []))`))
	}
	p.click("#slot-urls summary", "")
	timed("from the file to all verdicts", func() {
		p.do(chromedp.SetUploadFiles(chromedp.CSS("#urls-file"), []string{name}))
		p.waitText("#slot-urls [role=status]", "99,999 URLs added. 1 were in the list already. 1 were left out")
		wantLast(text)
	})
	timed("from a keystroke to all verdicts", func() {
		p.edit(2, kb.Backspace+kb.Backspace+"9$") // of the last URL too
		text = strings.Replace(text, "/*7$", "/*9$", 1)
		wantLast(text)
	})
	timed("a filter", func() {
		p.fill("#grid-text", "/98765")
		p.wait(gridRows + `.join() === ` + quote(urls[98_765]))
	})
	timed("a reload", func() {
		p.reload()
		wantLast(text)
	})
}
