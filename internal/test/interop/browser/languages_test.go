package browser_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// cutOff is a JavaScript expression: the texts that are cut off, or stick out of the
// window. A table may scroll, and names in the grid end with an ellipsis.
const cutOff = `[...document.querySelectorAll("body *")].flatMap((e) => {
	if (!e.checkVisibility({ visibilityProperty: true }) || e.clientWidth === 1 || e.closest(".hidden, .cm-editor, .url, .crawler, textarea, input, option, dialog:not([open])")) return [];
	if (![...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")) return [];
	const at = e.getBoundingClientRect(), s = getComputedStyle(e);
	let scrolls = false;
	for (let p = e; p; p = p.parentElement) scrolls ||= /auto|scroll/.test(getComputedStyle(p).overflowX);
	const cut = s.overflowX !== "visible" && s.overflowX !== "auto" && e.scrollWidth > e.clientWidth + 1 || s.overflowY === "hidden" && e.scrollHeight > e.clientHeight + 1;
	const out = !scrolls && (at.right > innerWidth + 1 || at.left < -1);
	const burst = e.matches("button, select, summary") && e.scrollWidth > e.clientWidth + 1;
	return cut || out || burst ? [e.tagName + "." + e.className + ": " + e.textContent.slice(0, 60)] : [];
})`

// english are the texts with an English word that are not marked as English: those that a translation forgot. What is
// quoted from files, and the names in them, are in elements of their own.
const english = `[...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && !e.closest("[lang=en], bdi, code, textarea, .rules, .cm-editor, script")).flatMap((e) =>
	[...[...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.data), e.title, e.getAttribute("aria-label"), e.getAttribute("placeholder")]
		.filter((text) => /\b(the|of|and|is|are|not|may|for|with|by|to|more|from|this|that|your|each|only|show|fetch|open|save|line|copy|all|add)\b/i.test(text ?? "")))`

// The page in another language, with every part filled, on a window of 360 pixels: no text
// is cut off, and none makes the page wider.
func TestGerman(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := visit(t, s.url+"?lang=de"+full().fragment())
	p.look(phoneLight)
	p.wait(`document.documentElement.lang === "de" && document.querySelector("#grid td .word")`)
	p.wait(`document.querySelector("#slot-changes [data-change]") && document.querySelector("#problems .finding")`)
	p.wait(`document.querySelector("#crawler-input")`)
	p.click("#grid td", "")
	p.wait(`document.querySelector("#explanation .dialects li")`)
	p.unfold("#explanation details")
	check := func(where string) {
		t.Helper()
		p.wait(`document.documentElement.scrollWidth <= innerWidth`)
		p.wantNone(where+": cut off", cutOff)
		p.wantNone(where+": not translated", english)
	}
	check("grid")
	p.wait(`((all) => all.length > 0 && all.every((e) => e.querySelector("[data-title]:not([lang=en] *)")))([...document.querySelectorAll("[data-problem]")])`)
	p.waitText("#foot", "auf Englisch") // what the engine writes
	p.click("#tools .together button", "")
	p.wait(`document.querySelector("dialog[open] .documents li")`)
	if lines := evaluate[int](p, `((facts) => Math.round(facts.offsetHeight / parseFloat(getComputedStyle(facts).lineHeight)))(document.querySelector(".documents .help"))`); lines > 2 {
		t.Errorf("the date of a document is squeezed into %d lines", lines)
	}
	p.keys(kb.Escape)
	p.wait(`!document.querySelector("dialog[open]")`)
	for _, width := range []int64{360, 1280} {
		p.look(look{"tools", width, 740, nil})
		p.wait(`new Set([...document.querySelectorAll("#tools .together button")].map((e) => e.offsetTop)).size === 1`)
		p.wantNone("the button for all fixes covers", `[...document.querySelectorAll("#problems summary, #problems summary *")].filter((e) => {
			const fix = document.querySelector("#problems .fix-all").getBoundingClientRect();
			return e.nodeName !== "SUMMARY" && [...e.getClientRects()].some((at) => at.right > fix.left && at.left < fix.right && at.bottom > fix.top && at.top < fix.bottom);
		}).map((e) => e.textContent)`)
		check(fmt.Sprint(width, " pixels"))
	}
	p.look(phoneLight)
	p.fill("#url-list", "/\nnonsense")
	p.waitText("#urls .remarks", "keine URL: eine URL beginnt mit")
	// What the engine says about other lists and files is marked as English.
	p.click("#slot-urls summary", "")
	p.fill("#urls-pasted", "nonsense too")
	p.click("#slot-urls button[type=button]", "")
	p.waitText("#slot-urls .problems [lang=en]", "not a URL")
	check("lists")
	if s.direct != "" {
		p.expect("Failed to load resource")
		p.fetch("a b")
		p.waitText("#about .warning [lang=en]", "not allowed")
		check("fetch")
	}
	for _, view := range allViews[1:] {
		p.show(view)
		check(view)
	}
	p.showAI()
	p.unfold("[data-part=generate]")
	evaluate[bool](p, `(() => { const choice = document.querySelector(".intentions select"); choice.value = "no"; choice.dispatchEvent(new Event("input", { bubbles: true })); return true })()`)
	p.waitText(".intentions li", "Die neuen Zeilen sperren")
	check("plan")
	p.do(chromedp.Focus(chromedp.CSS("#slot-share [aria-haspopup=dialog]")))
	p.keys(kb.Enter)
	p.wait(`document.querySelector("#share-text")?.value`)
	check("dialog")
}

// The first view begins with the first row, on a phone too, and where everything is twice as large.
// On a phone the answer stays in view, and the editor is one click away. The example's URLs go with
// its text.
func TestFirstView(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := visit(t, s.url)
	p.look(look{"200 % zoom", 640, 450, nil})
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.url))
	p.wait(`document.querySelector("#grid td .word") && document.querySelector("#grid td").getBoundingClientRect().bottom < innerHeight`)
	p.look(phoneLight)
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.url))
	p.waitReady()
	p.waitText("#explanation .why", "Bingbot may fetch /account/help")
	p.wait(`document.querySelector("#grid table.cards") && document.querySelector('#grid td[aria-selected="true"]')`)
	if at := evaluate[[]float64](p, `[scrollY, document.querySelector("#grid .frame").scrollTop, document.querySelector("#editor .cm-scroller").scrollTop]`); at[0]+at[1]+at[2] != 0 {
		t.Errorf("the page, the grid and the editor are scrolled by %v", at)
	}
	last := cell("GPTBot", "/search/about")
	p.selectCell("GPTBot", "/search/about")
	p.waitText("#explanation .why", "GPTBot may not fetch /search/about")
	inView := func(element string) string {
		return `((at) => at.top >= 0 && at.bottom <= innerHeight && at.height > 0)(` + element + `.getBoundingClientRect())`
	}
	p.wait(`scrollY > 100 && ` + inView(last) + ` && ` + inView(`document.querySelector("#explanation .why")`))
	p.reload()
	p.wait(last + `?.getAttribute("aria-selected") === "true"`) // although nothing was edited
	evaluate[bool](p, `(scrollTo(0, 0), true)`)
	p.wait(inView(`document.querySelector(".bar .jump")`))
	p.click(".bar .jump", "Paste")
	p.wait(`document.activeElement.matches("#editor .cm-content") && ` + inView(find("#tools button", "Open…")))
	p.keys("a", chromedp.ModifierCtrl)
	p.keys(kb.Delete)
	p.insert(shop)
	example := []string{"Googlebot", "Bingbot", "GPTBot", "*"}
	p.wantVerdicts(renamed(want(shop, example, []string{"/"})))
	p.waitText("#explanation .why", "fetch /.") // the only URL has its name
	p.unfold("#question")
	p.enter("#crawler-input", "FooBot")
	p.wantVerdicts(renamed(want(shop, append(example, "FooBot"), []string{"/"})))
}

// The page takes the language of the browser, says which others there are, and stays
// English where no language fits.
func TestLanguageOfBrowser(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := visit(t, s.url)
	still := func() { // what is loaded later moves the foot
		t.Helper()
		p.wait(complete + ` && document.querySelector("#explanation .dialects li") && document.querySelector("#offline-state").textContent !== ""`)
	}
	p.wait(`document.querySelector("#foot .languages a") && document.documentElement.lang === "en"`)
	still()
	p.click("#foot .languages a", "Deutsch")
	p.wait(`document.documentElement.lang === "de" && document.querySelector("#tab-changes").textContent.startsWith("Änderungen")`)
	p.wait(`document.querySelector("#grid td .word").textContent === "erlaubt" && ` + editorText + `.startsWith("# Ein Beispiel: ")`)
	still()
	p.click("#foot .languages a", "English")
	p.wait(`document.documentElement.lang === "en" && document.querySelector("#grid td .word").textContent === "allowed"`)
}
