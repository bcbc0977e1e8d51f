package fetch

import (
	"html"
	"net/http"
	"regexp"
	"strings"
)

// notFoundPhrases are what sites say on their "page not found" pages, in lower
// case. Each is said of pages that are missing, and of nothing else.
var notFoundPhrases = []string{
	"page not found", "404 not found", "file not found", "error 404", "page cannot be found",
	"page can't be found", "page could not be found", "page doesn't exist", "page does not exist",
	"no such page", "seite nicht gefunden", "page introuvable", "página no encontrada",
	"página não encontrada", "pagina non trovata", "страница не найдена", "sayfa bulunamadı",
	"ไม่พบหน้าเว็บ", "页面不存在", "ページが見つかりません",
}

// invisible is what a browser does not show of a page, the last of it perhaps
// cut off.
var invisible = regexp.MustCompile(`(?is)<!--.*?(-->|$)|<script\b.*?(</script|$)|<style\b.*?(</style|$)|<[^>]*(>|$)`)

// LooksNotFound recognises common "page not found" pages, for
// Config.NotFoundPage: a 5xx with such a text is as a 404 (Page: 5xx (server
// errors)). It looks for whole phrases in the visible text of the page's start,
// and errs on the side of not finding them. It never finds them in a 503, which
// says that the site will be back.
func LooksNotFound(status int, head []byte) bool {
	if status < 500 || status > 599 || status == http.StatusServiceUnavailable {
		return false
	}
	text := html.UnescapeString(invisible.ReplaceAllString(string(head), " "))
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	text = strings.Join(strings.Fields(text), " ") // U+00A0 counts as a blank
	for _, phrase := range notFoundPhrases {
		if strings.Contains(text, phrase) {
			return true
		}
	}
	return false
}
