package browser_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/chromedp/chromedp/kb"
)

// openFile opens bytes as a file of this device, dropped on the page.
func (p *tab) openFile(name string, content []byte) {
	p.Helper()
	evaluate[bool](p, `(() => {
		const transfer = new DataTransfer(), bytes = Uint8Array.from(atob(`+quote(base64.StdEncoding.EncodeToString(content))+`), (c) => c.charCodeAt(0));
		transfer.items.add(new File([bytes], `+quote(name)+`, { type: "text/plain" }));
		return document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
	})()`)
	p.waitText("#status .message", name+" is open")
}

// shownCodes is a JavaScript expression: the codes of the findings that the page shows, in
// their order.
const shownCodes = `[...document.querySelectorAll("#problems .finding .code")].map((e) => e.textContent)`

var findingCode = regexp.MustCompile(`\bRX\d{3}\b`)

// lintCodes returns the codes that the tool finds in a file.
func lintCodes(t *testing.T, body []byte) (codes []string) {
	t.Helper()
	output, _ := runTool(t, "", "lint", "--format", "github", writeFile(t, t.TempDir(), "robots.txt", body))
	for line := range strings.Lines(output) {
		if code := findingCode.FindString(line); code != "" {
			codes = append(codes, code)
		}
	}
	return codes
}

func utf16LE(text string) []byte {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return out
}

// The page judges, lints and saves the bytes of a file, whatever their encoding and line
// ends, and says what they are.
func TestBytes(t *testing.T) {
	t.Parallel()
	s := serve(t)
	urls := []string{"/m%FCller/x", "/m%C3%BCller/x", "/a", "/b"}
	p := openReady(t, s, state{Text: shop, Agents: shopAgents, URLs: urls})
	for name, test := range map[string]struct {
		body        []byte
		shown, said string
	}{
		"Latin-1":      {[]byte("User-agent: *\nDisallow: /m\xFCller/\n"), "Disallow: /müller/", "Latin-1 (windows-1252)"},
		"wrong byte":   {[]byte("User-agent: *\nDisallow: /m\xFCller/\n# \xC3\xBC\n"), `Disallow: /m\xFCller/`, "UTF-8, except 1 byte"},
		"UTF-16":       {utf16LE("User-agent: *\r\nDisallow: /m\u00FCller/\r\n"), "Disallow: /müller/", "UTF-16, little-endian with a byte order mark"},
		"mark":         {[]byte("\xEF\xBB\xBFUser-agent: *\nDisallow: /m\xC3\xBCller/\n"), "Disallow: /müller/", "UTF-8 with a byte order mark"},
		"lone CR":      {[]byte("User-agent: *\rDisallow: /a\r"), "Disallow: /a", "CR"},
		"several ends": {[]byte("User-agent: *\r\nDisallow: /a\r\nDisallow: /b\rAllow: /c\n"), "Disallow: /b", "mostly CRLF"},
	} {
		p.openFile(name, test.body)
		p.wantGrid(string(test.body), shopAgents, urls)
		p.waitText("#status", test.said)
		p.wait(editorText + ".includes(" + quote(test.shown) + ")")
		want := lintCodes(t, test.body)
		waitValue(p, name+": the findings of the tool, "+strings.Join(want, " "), shownCodes, func(got []string) bool { return slices.Equal(got, want) })
		p.wantDownload(string(test.body))
		if name != "Latin-1" && name != "several ends" {
			continue
		}
		// A link has the bytes too.
		link := p.copyOf("link", "#s1.")
		p.click("dialog button", "Close")
		other := visit(t, link)
		other.wantGrid(string(test.body), shopAgents, urls)
		other.wantDownload(string(test.body))
	}
}

// An edit keeps the encoding of the file, or asks.
func TestEditedBytes(t *testing.T) {
	t.Parallel()
	s := serve(t)
	urls := []string{"/m%FCller/x", "/m%C3%BCller/x", "/%F6"}
	const latin1 = "User-agent: *\nDisallow: /m\xFCller/\n"
	p := openReady(t, s, state{Text: shop, Agents: shopAgents, URLs: urls})
	p.openFile("robots.txt", []byte(latin1))
	p.edit(3, "Disallow: /")
	p.insert("ö")
	p.wantGrid(latin1+"Disallow: /\xF6", shopAgents, urls)

	// What the encoding lacks is not inserted, and typing goes on, also with the keys that
	// press buttons. Neither a reload nor a download has another encoding.
	p.insert("日")
	p.waitText("#status .question", "“日” was not inserted: it does not exist in Latin-1")
	p.keys("x ")
	p.insert("本")
	p.waitText("#status .question", "“本” was not inserted")
	p.keys(kb.Enter + "#")
	const typed = latin1 + "Disallow: /\xF6x \n#"
	p.wantGrid(typed, shopAgents, urls)
	p.waitText("#status .encoding", "Latin-1")
	p.wantDownload(typed)
	p.click("#status .question button", "Convert to UTF-8")
	p.wantGrid("User-agent: *\nDisallow: /müller/\nDisallow: /ö日x 本\n#", shopAgents, urls)
	p.waitText(".diff-summary", "Opens ")
	p.waitText("#status .encoding", "UTF-8")
	p.click("#notice button", "Undo")
	p.wantGrid(typed, shopAgents, urls)
	p.waitText("#status .encoding", "Latin-1")
	p.wait(`document.querySelector("#status .question").hidden`)
	p.edit(4, "")
	p.insert("語")
	p.waitText("#status .question", "“語” was not inserted")
	p.reload()
	p.wantGrid(typed, shopAgents, urls)
	p.waitText("#status .encoding", "Latin-1")
	p.edit(4, "")
	p.insert("語")
	p.click("#status .question button", "Omit it")
	p.wait(`document.querySelector("#status .question").hidden`)

	// Undoing all edits restores the bytes.
	p.inChanges("Undo all edits")
	p.wantGrid(latin1, shopAgents, urls)
	p.waitText("#status .encoding", "Latin-1")

	// Formatting and fixing keep the encoding too.
	p.openFile("untidy.txt", []byte("user-agent:*\n disallow :/m\xFCller/\nDissalow: /\xF6\n"))
	p.click("#problems button.fix", "Disallow")
	p.click("#tools button", "Format")
	p.waitText("#status .message", "Formatted")
	p.wantDownload("User-agent: *\nDisallow: /m\xFCller/\nDisallow: /\xF6\n")

	// UTF-16 is converted by the fix of its finding.
	p.openFile("utf-16.txt", utf16LE("User-agent: *\r\nDisallow: /\xF6\r\n"))
	p.click("#problems button.fix", "UTF-8")
	p.wantGrid("User-agent: *\r\nDisallow: /ö\r\n", shopAgents, urls)
}

// A fetched file has the bytes that the site sent.
func TestFetchedBytes(t *testing.T) {
	t.Parallel()
	const latin1 = "User-agent: *\r\nDisallow: /m\xFCller/\r\n"
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=iso-8859-1")
		_, _ = io.Copy(w, bytes.NewReader([]byte(latin1)))
	}))
	defer live.Close()
	urls := []string{"/m%FCller/x", "/m%C3%BCller/x"}
	p := openReady(t, serve(t), state{Text: shop, Agents: shopAgents, URLs: urls})
	p.fetch(live.URL)
	p.wantGrid(latin1, shopAgents, urls)
	p.waitText("#status .encoding", "Latin-1")
	p.wantDownload(latin1)
}
