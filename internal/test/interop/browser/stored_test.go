package browser_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// What the tab's session has may be damaged, or be from another version of the page: there
// is an editor, what can be read is in it or listed, and what cannot be read is named and kept.
func TestDamagedSession(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, shopState)
	p.edit(2, "2")
	p.expect("favicon.ico") // of a page that is no page of ours
	// Nothing is written before the page is left, so the session has the document.
	p.wait(`(navigator.locks.query = () => new Promise(() => {}), true)`)
	p.reload()
	p.waitText("#notice", "your edits of the text in the link")
	session := func() map[string]any {
		return evaluate[map[string]any](p, `(() => {
			dispatchEvent(new Event("pagehide"));
			return JSON.parse(sessionStorage.getItem("robots:document"));
		})()`)
	}
	p.edit(2, "3")
	whole := session()
	if list, ok := whole["unsaved"].([]any); !ok || len(list) == 0 {
		t.Fatalf("the session has no document: %v", whole)
	}
	load := func(what string, value any) {
		t.Helper()
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		// Another page in between, which writes no session of its own when it is left.
		p.do(chromedp.Navigate(s.url + "icon.svg"))
		p.wait(`(sessionStorage.clear(), sessionStorage.setItem("robots:document", ` + quote(string(text)) + `), true)`)
		p.do(chromedp.Navigate(s.url))
		p.wait(`document.querySelector("#editor .cm-content") && document.querySelector("#grid table")`)
		if what == "" {
			return
		}
		if stays := evaluate[string](p, `sessionStorage.getItem("robots:unreadable") ?? ""`); stays != string(text) {
			t.Errorf("%s: the session that cannot be read is not kept: %.100s", what, stays)
		}
	}
	document := whole["unsaved"].([]any)[0].(map[string]any)
	name := document["document"].(map[string]any)["name"].(string)
	for _, field := range slices.Sorted(maps.Keys(document)) {
		for _, value := range []any{nil, 5} {
			if field == "before" || field == "source" {
				value = map[string]any{"name": value}
			}
			damaged := maps.Clone(document)
			damaged[field] = value
			load(fmt.Sprintf("%s is %v", field, value), map[string]any{"id": "a", "address": "", "unsaved": []any{damaged}})
			if field != "document" {
				p.waitText("#notice", "“"+name+"” cannot be read")
			}
		}
	}
	// A later version of the page can have more fields. They do not come into this one's state.
	further := maps.Clone(document)
	maps.Copy(further, map[string]any{"answers": 5, "keeping": false, "selected": map[string]any{}, "notice": 5, "merging": true})
	load("", map[string]any{"id": "a", "address": "", "unsaved": []any{further}})
	p.wait(`!document.querySelector("#editor").hidden`)
	load("no document", map[string]any{"id": "a", "address": "", "unsaved": []any{nil}})
	load("no session", 5)
	p.waitText("#notice", "cannot be read")
	// A second one does not take the place of the first.
	p.do(chromedp.Navigate(s.url + "icon.svg"))
	p.wait(`(sessionStorage.setItem("robots:document", "[6]"), true)`)
	p.do(chromedp.Navigate(s.url))
	p.waitText("#notice", "cannot be read")
	same(t, "unreadable sessions", evaluate[string](p, `sessionStorage.getItem("robots:unreadable")`), "5\n[6]")
	load("", nil)
}

// A row of the list of documents, or a document, may be damaged: the others are listed, a
// row is made again from its document, and what cannot be read is named and stays.
func TestDamagedDocuments(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t), shopState)
	p.edit(2, "2")
	p.wantDocuments("From a link")
	p.click("dialog[open] button", "Close")
	const rows = `async (change) => {
		const database = await new Promise((done) => { const r = indexedDB.open("robotstxt", 1); r.onsuccess = () => done(r.result); });
		const transaction = database.transaction(["entries", "documents"], "readwrite");
		const [entries, documents] = ["entries", "documents"].map((name) => transaction.objectStore(name));
		const all = (store) => new Promise((done) => { const r = store.getAll(); r.onsuccess = () => done(r.result); });
		const result = change(entries, documents, await all(entries), await all(documents));
		await new Promise((done) => (transaction.oncomplete = done));
		database.close();
		return result;
	}`
	// Each field of a row and of a document is removed, a number, null: once beside a
	// document that is whole, once beside a row that is whole.
	count := evaluate[int](p, `(`+rows+`)((entries, documents, [entry], [kept]) => {
		let n = 0;
		const forms = (object) => Object.keys(object).flatMap((field) => [undefined, 5, null].map((value) => {
			const damaged = { ...object, [field]: value };
			if (value === undefined) delete damaged[field];
			return damaged;
		}));
		for (const damaged of forms(entry).filter((row) => row.id === entry.id)) {
			const id = "row" + n++;
			entries.put({ ...damaged, id });
			documents.put({ ...kept, document: { ...kept.document, id, name: id } });
		}
		for (const damaged of forms(kept).filter((row) => row.document?.id)) {
			const id = "document" + n++;
			entries.put({ ...entry, id, name: id });
			documents.put({ ...damaged, document: { ...kept.document, id, name: id } });
		}
		entries.put({ id: "alone", name: 5 });
		documents.put({ document: { id: "orphan", name: "orphan" } });
		return n;
	})`)
	if count < 40 {
		t.Fatalf("only %d rows", count)
	}
	p.reload()
	p.documents()
	p.wait(`document.querySelectorAll("dialog[open] ul.documents li").length >= ` + fmt.Sprint(count+2))
	names := evaluate[[]string](p, `[...document.querySelectorAll("dialog[open] ul.documents li")].map((row) => row.textContent)`)
	same(t, "rows", len(names), count+3) // and the one that was there
	unreadable := slices.DeleteFunc(slices.Clone(names), func(row string) bool { return !strings.Contains(row, "cannot be read") })
	same(t, "rows that cannot be read", len(unreadable), 2)
	if !slices.ContainsFunc(unreadable, func(row string) bool { return strings.HasPrefix(row, "orphan") }) {
		t.Errorf("no row is named orphan: %q", unreadable)
	}

	// A damaged document is said to be so, and stays; a whole one opens, and so does the page.
	p.click("ul.documents button.link", "row0")
	p.wait(`document.querySelector("dialog[open] ul.documents") === null && ` + editorText + `.includes("/cart2")`)
	p.documents()
	p.wait(`[...document.querySelectorAll("ul.documents button.link")].some((e) => /^document/.test(e.textContent) && (e.click(), true))`)
	p.waitText("dialog[open]", "cannot be read, or is no longer kept")
	left := evaluate[int](p, `(`+rows+`)((entries, documents, all, kept) => kept.length)`)
	same(t, "documents that are left", left, count+2)
}

// A link that is opened in a tab with the page is one entry of its history, and Back leads
// to the text before, and Forward to the text of the link.
func TestLinkHistory(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := open(t, s, shopState)
	other := state{Text: "User-agent: *\nDisallow: /other\n", Agents: shopAgents, URLs: shopURLs}.fragment()
	shows := func(part string) {
		t.Helper()
		p.wait(editorText + `.includes(` + quote(part) + `)`)
	}
	length := evaluate[int](p, `history.length`)
	p.wait(`(location.hash = ` + quote(other) + `, true)`)
	shows("/other")
	same(t, "entries", evaluate[int](p, `history.length`), length+1)
	for range 2 {
		p.do(chromedp.NavigateBack())
		shows("/cart")
		p.do(chromedp.NavigateForward())
		shows("/other")
	}
	same(t, "entries after Back and Forward", evaluate[int](p, `history.length`), length+1)
}
