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
	const cut = s.overflowX !== "visible" && s.overflowX !== "auto" && e.scrollWidth > e.clientWidth + 1;
	const out = !scrolls && (at.right > innerWidth + 1 || at.left < -1);
	const burst = e.matches("button, select, summary") && e.scrollWidth > e.clientWidth + 1;
	return cut || out || burst ? [e.tagName + "." + e.className + ": " + e.textContent.slice(0, 60)] : [];
})`

// latin is a JavaScript expression: the texts of the page in Latin letters that come from
// no file, URL or crawler, and not from the engine.
const latin = `(() => {
	const own = (e) => e && !e.closest("[lang]:not(html), bdi, code, .cm-editor, textarea, .chip, .options, option[value], .name, .who, .code, #version, #intentions-no, #intentions-yes, script, style, noscript, head");
	const read = (text) => text.replace(/\u2068[^\u2069]*\u2069?|https?:\S+|[\w.*?=$/-]*[/=][\w.*?=$/-]*/g, "").match(/[A-Za-z]{2,}.*/)?.[0];
	const found = [];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		if (own(node.parentElement) && read(node.data)) found.push(node.parentElement.tagName + "." + node.parentElement.className + ": " + read(node.data).slice(0, 60));
	}
	for (const e of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
		for (const name of ["aria-label", "title", "placeholder"]) {
			const text = e.getAttribute(name) ?? "";
			if (own(e) && !e.closest(".url, .crawler") && read(text)) found.push(e.tagName + "[" + name + "]: " + text.slice(0, 60));
		}
	}
	return found;
})()`

// The page in another language, with every part filled, on a window of 360 pixels: no text
// is cut off, none makes the page wider, and none stays English except those of the engine.
func TestLanguages(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, tag := range []string{"de", "ar-XB"} {
		t.Run(tag, func(t *testing.T) {
			p := visit(t, s.url+"?lang="+tag+full().fragment())
			p.look(phoneLight)
			p.wait(`document.documentElement.lang === ` + quote(tag) + ` && document.querySelector("#grid td .word")`)
			p.wait(`document.documentElement.dir === ` + quote(map[string]string{"de": "ltr", "ar-XB": "rtl"}[tag]))
			p.wait(`document.querySelector("#slot-changes table") && document.querySelector("#problems .finding")`)
			p.wait(`document.querySelector("#crawler-input")`)
			p.click("#grid td", "")
			p.wait(`document.querySelector("#explanation .dialects li")`)
			check := func(where string) {
				t.Helper()
				p.wait(`document.documentElement.scrollWidth <= innerWidth`)
				p.wantNone(where+": cut off", cutOff)
				if tag != "de" {
					p.wantNone(where+": not in the catalogue", latin)
				}
			}
			check("grid")
			p.wait(fmt.Sprintf(`((all) => all.length > 0 && all.every((e) => (e.querySelector("[data-title]:not([lang=en] *)") !== null) === %t))(
				[...document.querySelectorAll("[data-problem]")])`, tag == "de"))
			p.waitText("#foot", map[string]string{"de": "auf Englisch"}[tag]) // what the engine writes
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
				check(fmt.Sprint(width, " pixels"))
			}
			p.look(phoneLight)
			// What the engine says about lists and files is marked as English.
			p.fill("#url-list", "/\nnonsense")
			p.waitText("#urls .remarks [lang=en]", "not a URL")
			p.click("#slot-urls summary", "")
			p.fill("#urls-pasted", "nonsense too")
			p.click("#slot-urls button[type=button]", "")
			p.waitText("#slot-urls .problems [lang=en]", "not a URL")
			check("lists")
			if s.direct != "" {
				p.expect("Failed to load resource")
				p.fetch("a b")
				p.waitText("#site .warning [lang=en]", "not allowed")
				check("fetch")
			}
			for _, view := range allViews[1:] {
				p.show(view)
				check(view)
			}
			p.do(chromedp.Focus(chromedp.CSS("#slot-share [aria-haspopup=dialog]")))
			p.keys(kb.Enter)
			p.wait(`document.querySelector("#share-text")?.value`)
			check("dialog")
		})
	}
}

// The first view begins with the first row, on a phone too.
func TestFirstView(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := visit(t, s.url)
	p.look(phoneLight)
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.url))
	p.waitReady()
	p.waitText("#explanation .why", "Bingbot may fetch /account/help")
	p.wait(`document.querySelector("#grid table.cards") && document.querySelector('#grid td[aria-selected="true"]')`)
	if at := evaluate[[]float64](p, `[scrollY, document.querySelector("#grid .frame").scrollTop, document.querySelector("#editor .cm-scroller").scrollTop]`); at[0]+at[1]+at[2] != 0 {
		t.Errorf("the page, the grid and the editor are scrolled by %v", at)
	}
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
	p.wait(`document.documentElement.lang === "de" && document.querySelector("#tab-tree").textContent === "Baum"`)
	p.wait(`document.querySelector("#grid td .word").textContent === "erlaubt"`)
	still()
	p.click("#foot .languages a", "English")
	p.wait(`document.documentElement.lang === "en" && document.querySelector("#grid td .word").textContent === "allowed"`)
}
