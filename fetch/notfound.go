package fetch

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// NotFoundHead is the number of bytes of a page that Config.NotFoundPage receives.
const NotFoundHead = 4 << 10

// LooksNotFound reports whether a 5xx response is a common "page not found" page. It is a
// function for Config.NotFoundPage. head is the beginning of the page: LooksNotFound searches
// its title and first heading or, if it has neither, its first words. It also recognises the
// sentence "The requested URL was not found on this server" at the beginning of any paragraph.
// It returns false for a page that names a 5xx or a program's exception anywhere, because such a
// page reports another failure: a missed page is better than a false match. It returns false for
// 503, which announces that the site will return. [Page: 5xx (server errors)]
func LooksNotFound(status int, head []byte) bool {
	if !mayBeNotFound(status) {
		return false
	}
	p := readErrorPage(string(head))
	if p.namesFault() {
		return false
	}
	if len(p.labels) == 0 && len(p.blocks) > 0 && slices.ContainsFunc(notFoundPhrases, func(phrase string) bool {
		return hasWordPrefix(leadIn.ReplaceAllString(p.blocks[0], ""), phrase) || hasWordPrefix(p.blocks[0], phrase)
	}) {
		return true
	}
	return slices.ContainsFunc(p.labels, labelsNotFound) || slices.ContainsFunc(p.blocks, notFoundSentence.MatchString)
}

// mayBeNotFound reports whether the page of a status can make it a 404.
func mayBeNotFound(status int) bool {
	return 500 <= status && status <= 599 && status != http.StatusServiceUnavailable
}

// notFoundPhrases are phrases of "page not found" pages, as words returns them. None of
// them is usual in the titles of other pages.
var notFoundPhrases = []string{
	"page not found", "404 not found", "file not found", "file or directory not found", "error 404",
	"page cannot be found", "page can't be found", "page could not be found", "page doesn't exist",
	"page does not exist", "page you were looking for doesn't exist", "resource cannot be found",
	"no such page", "seite nicht gefunden", "page introuvable", "página no encontrada",
	"página não encontrada", "pagina non trovata", "страница не найдена", "sayfa bulunamadı",
	"ไม่พบหน้าเว็บ", "页面不存在", "ページが見つかりません",
}

var notFoundSentence = regexp.MustCompile(`^(?:the requested (?:url|resource)(?: \S+){0,9} was not found on th(?:is|e) server\b|cannot get (?:\S+ ){0,9}robots txt$)`)

// leadIn matches the words before the message of a text without title and
// heading.
var leadIn = regexp.MustCompile(`^(?:(?:http|error|status|404|sorry|oops|the|this|that) )+`)

func labelsNotFound(label string) bool {
	return label == "not found" || hasWord(label, "404") ||
		slices.ContainsFunc(notFoundPhrases, func(phrase string) bool { return strings.Contains(label, phrase) })
}

var faultPhrases = []string{
	"internal server error", "bad gateway", "gateway timeout", "gateway time out", "service unavailable",
	"exception", "stack trace", "traceback", "fatal error",
}

type errorPage struct {
	labels []string // the title and the first heading, where they have a text
	blocks []string // the paragraphs of the rest; the whole of a text without markup
}

func (p errorPage) namesFault() bool {
	for _, texts := range [][]string{p.labels, p.blocks} {
		for _, text := range texts {
			if slices.ContainsFunc(faultPhrases, func(phrase string) bool { return strings.Contains(text, phrase) }) ||
				slices.ContainsFunc(strings.Fields(text), isServerError) {
				return true
			}
		}
	}
	return false
}

func isServerError(word string) bool {
	return len(word) == 3 && word[0] == '5' && '0' <= word[1] && word[1] <= '9' && '0' <= word[2] && word[2] <= '9'
}

// tag matches a tag, with its name in lower or upper case, and the parts of a page that a
// browser does not show. The last one can be incomplete.
var tag = regexp.MustCompile(`(?is)<!--.*?(?:-->|$)|<script\b.*?(?:</script|$)|<style\b.*?(?:</style|$)|<(/?[a-z][a-z0-9]*)?[^>]*(?:>|$)`)

var inlineTags = []string{"a", "abbr", "b", "big", "code", "em", "font", "i", "small", "span", "strong", "tt", "u"}

func readErrorPage(page string) errorPage {
	var p errorPage
	var text strings.Builder
	within := ""                 // title, h1 … h6, or the body
	wanted := map[bool]bool{}    // whether the page had its title (true), its heading (false)
	flush := func(next string) { // ends a paragraph or label
		said := words(text.String())
		text.Reset()
		switch had := wanted[within == "title"]; {
		case said == "":
		case within != "" && !had:
			wanted[within == "title"] = true
			p.labels = append(p.labels, said)
		default:
			p.blocks = append(p.blocks, said)
		}
		within = next
	}
	end := 0
	for _, at := range tag.FindAllStringSubmatchIndex(page, -1) {
		text.WriteString(page[end:at[0]])
		text.WriteByte(' ')
		end = at[1]
		if at[2] < 0 {
			continue
		}
		name := strings.ToLower(page[at[2]:at[3]])
		switch closed, isEnd := strings.CutPrefix(name, "/"); {
		case isEnd && closed == within:
			flush("")
		case name == "title" || isHeading(name):
			flush(name)
		case within == "" && !slices.Contains(inlineTags, closed):
			flush("")
		}
	}
	text.WriteString(page[end:])
	flush("")
	return p
}

func isHeading(name string) bool {
	return len(name) == 2 && name[0] == 'h' && '1' <= name[1] && name[1] <= '6'
}

// words returns the words of an HTML text in lower case, with one space between them.
func words(text string) string {
	text = strings.ToLower(strings.ReplaceAll(html.UnescapeString(text), "’", "'"))
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r != '\'' && !unicode.In(r, unicode.L, unicode.M, unicode.N)
	}), " ")
}

func hasWord(text, word string) bool { return slices.Contains(strings.Fields(text), word) }

func hasWordPrefix(text, prefix string) bool {
	rest, ok := strings.CutPrefix(text, prefix)
	return ok && (rest == "" || rest[0] == ' ' || rest[0] >= 0x80)
}
