package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Crawlers are added by name, with suggestions and fallbacks, and by purpose, and removed.
func TestCrawlers(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), state{Text: shop, Agents: []string{"FooBot"}, URLs: shopURLs})
	p.click("#crawler-input", "")
	p.keys("gptb")
	p.wait(find("#crawler-options [role=option]", "GPTBot"))
	p.keys(kb.ArrowDown)
	p.wait(`document.querySelector('#crawler-options [aria-selected="true"]')`)
	p.keys(kb.Enter)
	p.wantGrid(shop, []string{"FooBot", "GPTBot"}, shopURLs)

	p.keys("BarBot:Googlebot")
	p.keys(kb.Escape + kb.Enter)
	p.wantGrid(shop, []string{"FooBot", "GPTBot", "BarBot:Googlebot"}, shopURLs)
	p.click("#slot-crawlers .chip", "Remove FooBot")
	p.wantGrid(shop, []string{"GPTBot", "BarBot:Googlebot"}, shopURLs)

	p.click("#slot-crawlers summary", "")
	p.click("#slot-crawlers .purposes label", "AI training")
	waitValue(p, "crawlers with the purpose", readGrid, func(got verdicts) bool {
		return len(got) > 5*len(shopURLs) && got["CCBot /"] != "" && got["ClaudeBot /"] != ""
	})
}

// URLs come from the field, a pasted list, a CSV file and a sitemap.
func TestURLs(t *testing.T) {
	t.Parallel()
	s := serve(t)
	web := site(t, map[string]string{"/sitemap.xml": `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://shop.example/cart/1</loc></url><url><loc>https://shop.example/teas</loc></url></urlset>`})
	p := open(t, s, state{Text: shop, Agents: shopAgents, URLs: []string{"/"}})
	urls := []string{"/", "/cart"}
	p.fill("#url-list", "/\n/cart\n")
	p.wantGrid(shop, shopAgents, urls)

	p.click("#slot-urls summary", "")
	p.fill("#urls-pasted", "https://shop.example/search?q=1\n/teas?sort=a\n")
	p.click("#slot-urls button", "Add URLs")
	urls = append(urls, "https://shop.example/search?q=1", "/teas?sort=a")
	p.wantGrid(shop, shopAgents, urls)

	name := writeFile(t, t.TempDir(), "crawl.csv", []byte("Address,Status\nhttps://shop.example/private/x,200\n\"https://shop.example/private/press\",200\n"))
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#urls-file"), []string{name}))
	urls = append(urls, "https://shop.example/private/x", "https://shop.example/private/press")
	p.wantGrid(shop, shopAgents, urls)

	if s.direct == "" {
		return
	}
	p.enter("#urls-sitemap", web+"/sitemap.xml")
	urls = append(urls, "https://shop.example/cart/1", "https://shop.example/teas")
	p.wantGrid(shop, shopAgents, urls)
}

// The tree has the paths by verdict; an entry leads to its reason.
func TestTree(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), shopState)
	p.unfold("#tree")
	p.wait(find("#tree .verdict.disallowed", "disallowed"))
	p.waitText("#tree", "private")
	p.waitText("#tree", "/ for Googlebot") // and not a page named Googlebot
	p.choose("#tree-crawler", "Googlebot")
	p.waitText("#tree [role=status]", "6 allowed, 1 disallowed")
	for _, summary := range evaluate[[]string](p, `[...document.querySelectorAll("#tree details:not([open]) summary")].map((e) => e.textContent)`) {
		p.click("#tree summary", summary)
	}
	p.click("#tree button.link", "line 10")
	p.wait(cell("Googlebot", "/private/press/draft/2") + `.getAttribute("aria-selected") === "true"`)
	p.waitText("#explanation .why", "Googlebot may not fetch /private/press/draft/2")
}

// The AI view says which services may fetch, by which lines, and what the file states.
func TestAI(t *testing.T) {
	t.Parallel()
	with := shopState
	with.Text = strings.Replace(shop, "\n", "\nContent-Signal: ai-train=no\n", 1)
	p := open(t, serve(t), with)
	const hint = `document.querySelector("#explanation .help").checkVisibility()`
	p.wait(hint)
	p.click("#tab-ai", "")
	p.waitText("#slot-ai .ai-blocks", "train AI models")
	p.waitText("#slot-ai .ai-blocks", "GPTBot")
	p.wait(`!` + hint) // there is no cell here
	p.waitText("#slot-ai", "refuses ai-train")
	// It follows the text.
	p.edit(2, kb.Backspace+kb.Backspace+"yes")
	p.waitText("#slot-ai", "grants ai-train")
}

// What is chosen is shown for each crawler, and written where it belongs; nothing is left to
// write then.
func TestIntentions(t *testing.T) {
	t.Parallel()
	with := shopState
	with.Agents = []string{"GPTBot", "bingbot", "Claude-User", "FooBot"}
	with.URLs = []string{"/", "/members/a", "/cart"}
	with.Text = "User-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nDisallow: /a\n"
	p := open(t, serve(t), with)
	p.showAI()
	p.unfold("[data-part=generate]")
	evaluate[bool](p, `(() => { const choice = document.querySelector(".intentions select"); choice.value = "no"; choice.dispatchEvent(new Event("input", { bubbles: true })); return true })()`)
	p.waitText(".intentions ul", "The new lines refuse ")
	p.wait(find(".intentions li", "These also serve a purpose that is not refused") + `.textContent.includes("bingbot")`)
	p.wait(find(".intentions li", "These block no crawler") + `.textContent.includes("Google-Extended")`)
	p.wait(find(".intentions ins", "+User-agent: CCBot") + ` && ` + find(".intentions del", "-Disallow: /a"))      // before they are written
	p.wait(find(".intentions pre span", "Line 2:") + ` && ` + find(".intentions pre span", " User-agent: GPTBot")) // among the lines around them
	p.fill("#intentions-no", "bingbot")
	p.wait(find(".intentions ins", "+User-agent: bingbot"))
	p.click(".intentions button", "Write into the text")
	p.waitText(".intentions [role=status]", "Written.")
	p.wait(`document.querySelector("#status .message").textContent === ""`) // it would cover the form
	p.click("#tab-grid", "")
	text := evaluate[string](p, editorText)
	if !strings.HasPrefix(text, "User-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nDisallow: /\n\n# robots generate --no ai-training,bingbot,") {
		t.Errorf("the text is %q", text)
	}
	for _, agent := range with.Agents {
		closed := agent == "GPTBot" || agent == "bingbot"
		p.wait(fmt.Sprintf(`%s.textContent.includes("disallowed") === %t`, cell(agent, "/"), closed))
	}

	// A path that is none is an error, and the button writes nothing.
	p.click("#tab-ai", "")
	p.fill("#intentions-path", "members")
	p.waitText(".intentions [role=status]", "does not begin with a slash")
	p.wait(`document.querySelector(".intentions button").hidden`)

	// Every crawler can be refused, too.
	p.fill("#intentions-path", "/staging/")
	evaluate[bool](p, `(() => { const choice = [...document.querySelectorAll(".intentions select")].at(-1); choice.value = "no"; choice.dispatchEvent(new Event("input", { bubbles: true })); return true })()`)
	p.wait(`!document.querySelector(".intentions button").hidden`)
	p.click(".intentions button", "Write into the text")
	p.waitText(".intentions [role=status]", "Written.")
	p.click("#tab-grid", "")
	if text := evaluate[string](p, editorText); !strings.Contains(text, "Disallow: /staging/") {
		t.Errorf("the text is %q", text)
	}
}

// The AI view names each path once, however many purposes it is about, the crawlers that do
// not obey where they count, and what decides about AI answers, in the operators' words.
func TestAIOneList(t *testing.T) {
	t.Parallel()
	with := shopState
	with.Text = "User-agent: *\n"
	for i := range 15 {
		with.Text += fmt.Sprintf("Disallow: /path%c/\n", 'a'+i)
	}
	with.Text += "\nUser-agent: Googlebot\nDisallow: /only-google/\n"
	p := open(t, serve(t), with)
	p.click("#tab-ai", "")
	p.wait(`document.querySelectorAll("#slot-ai .ai-blocks > li").length > 1`)
	p.wantNone("it is there twice", `((paths) => paths.filter((path, i) => /^[/]path/.test(path) && paths.indexOf(path) !== i))([...document.querySelectorAll("#slot-ai .ai-blocks button")].map((e) => e.textContent))`)
	for _, purpose := range []string{"train AI models", "use in AI answers", "fetch for a user's question", "list in web search"} {
		p.wait(find("#slot-ai .ai-blocks li", "/pathb/") + `.textContent.includes(` + quote(purpose) + `)`)
	}
	p.wantNone("a purpose is there twice", `[...document.querySelectorAll("#slot-ai .ai-blocks li")].flatMap((li) => [...li.querySelectorAll("dt")].map((e) => e.textContent).filter((text, i, all) => all.indexOf(text) !== i))`)
	p.waitText("#slot-ai .ai-blocks .disobey", "Do not obey")
	p.click("#slot-ai summary", "What decides about AI answers")
	google := find("#slot-ai li", "AI answers in Google Search")
	p.wait(google + `.textContent.includes("open except /only-google/")`)
	p.wait(google + `.querySelector("blockquote a").host === "developers.google.com"`)
	p.wait(find("#slot-ai li", "Bing's AI answers") + `.textContent.includes("/pathb/")`)
	// No name breaks within a word.
	p.look(phoneLight)
	p.wantNone("cut off", `[...document.querySelectorAll("#slot-ai :is(dt, summary, .access)")].filter((e) => getComputedStyle(e).overflowWrap === "anywhere" && e.scrollWidth > e.clientWidth).map((e) => e.textContent)`)
}

// Pasted HTML and a fetched page show which of their files are blocked.
func TestResources(t *testing.T) {
	t.Parallel()
	s := serve(t)
	const html = `<!doctype html><title>x</title><link rel="stylesheet" href="/cart/a.css"><script src="/b.js"></script><img src="/search/c.png">`
	web := site(t, map[string]string{"/robots.txt": shop, "/page": html})
	p := open(t, s, state{Text: shop, Agents: []string{"FooBot"}, URLs: []string{"/"}})
	p.click("#tab-resources", "")
	p.findResources("https://shop.example/page", html)
	p.waitText("#slot-resources", "3 resources, 2 blocked")
	for file, verdict := range map[string]string{"/cart/a.css": "disallowed", "/b.js": "allowed", "/search/c.png": "disallowed"} {
		p.wait(find("#slot-resources tbody tr", file) + `.textContent.includes(` + quote(verdict) + `)`)
	}
	p.click("#slot-resources label", "Only blocked")
	p.wait(`!document.querySelector("#slot-resources table").textContent.includes("/b.js")`)

	if s.direct == "" {
		return
	}
	p.findResources(web+"/page", "")
	p.waitText("#slot-resources", web+"/cart/a.css")
	p.waitText("#slot-resources", "3 resources, 2 blocked")
}

// showAI shows the AI view and waits until it is filled: what is loaded later moves the forms.
func (p *tab) showAI() {
	p.Helper()
	p.waitReady()
	p.click("#tab-ai", "")
	p.unfold("[data-part=access]")
	p.wait(`document.querySelector("#slot-ai .ai-blocks")?.checkVisibility()`)
}

// The engine answers about the text in the editor, without a service too. The words of its letter are
// those of the page's language.
func TestDraft(t *testing.T) {
	t.Parallel()
	s := serve(t)
	with := shopState
	with.Text = "User-agent: GPTBot\nDisallow: /\nAllow: /press/\n"
	p := visit(t, s.url+"?lang=de"+with.fragment())
	p.showAI()
	p.unfold("[data-part=letter]")
	if s.direct != "" {
		p.click(".permit label", "nichts wird abgerufen")
	}
	p.click(".permit .toolbar button", "Schreiben")
	p.wait(`document.activeElement.matches("#permit-url:invalid")`) // the browser says that it is missing
	p.enter("#permit-url", "https://shop.example/tea")
	p.waitText(".permit tbody", "KI-Modelle trainieren")
	p.enter("#permit-operator", "OpenAI")
	p.waitText(".permit thead", "entschieden durch")
	p.waitText(".permit tbody", "GPTBot, eigene Gruppe")
	p.waitText(".permit tbody", "gesperrt außer /press/")
	p.click(".permit button.link", "Zeile 2")
	p.wait(`document.querySelector(".cm-content .lit, .cm-activeLine")?.textContent.includes("Disallow")`)
}

// The service says what may be done with a URL of a site that contradicts itself.
func TestThisURL(t *testing.T) {
	t.Parallel()
	s := serve(t)
	if s.direct == "" {
		t.Skip("no service")
	}
	web := site(t, map[string]string{"/robots.txt": "User-agent: *\nContent-Signal: ai-train=yes\nContent-Usage: train-ai=n\nDisallow: /cart\n", "/tea": "<!doctype html><title>x</title>"})
	p := open(t, s, shopState)
	p.fetch(web + "/tea")
	p.showAI()
	p.unfold("[data-part=letter]")
	p.wait(`document.querySelector("#permit-url").value === ` + quote(web+"/tea")) // as it was typed
	p.enter("#permit-url", "/tea")                                                 // of the site, as in the list
	p.waitText(".permit tbody", "\"train-ai=n\" on line 3 of robots.txt (Content-Usage)")
	p.waitText(".permit .written", "contradiction")
	p.wait(`!document.querySelector(".permit .link")`) // the text in the editor can be another one

	// The text in the editor: a line shows itself. For an operator: the letter, whose words do not break.
	p.click(".permit label", "nothing is fetched")
	p.click(".permit .toolbar button", "Write")
	p.click(".permit button.link", "line 3")
	p.wait(`document.querySelector(".cm-content .lit, .cm-activeLine")?.textContent.includes("train-ai=n")`)
	p.fill("#permit-url", "https://other.example/tea") // another site's file is not known
	p.click(".permit .toolbar button", "Write")
	p.waitText(".permit tbody", "robots.txt is not known")
	p.fill("#permit-url", "/tea")
	p.look(look{"phone", 390, 740, nil})
	p.enter("#permit-operator", "OpenAI")
	p.waitText(".permit h4", "OpenAI and "+web+"/tea")
	p.waitText(".permit .written", "What OpenAI says (https://")
	p.wait(`[...document.querySelectorAll(".permit .written tbody :is(th, td)")].every((cell) => cell.scrollWidth <= cell.clientWidth + 1)`)
	p.expect("Failed to load resource")
	p.enter("#permit-url", "a b")
	p.waitText(".permit [role=status]", "There is no answer: ")
	p.wait(`!document.querySelector(".permit [role=status]").textContent.includes("url:")`) // the name of a field is for programs
	p.wait(`!document.querySelector(".permit table")`)
}
