package fetch

import (
	"html"
	"net/http"
	"regexp"
	"strings"
)

// notFoundPhrases are phrases of "page not found" pages, in lower case. None of
// them is usual on other pages.
var notFoundPhrases = []string{
	"page not found", "404 not found", "file not found", "error 404", "page cannot be found",
	"page can't be found", "page could not be found", "page doesn't exist", "page does not exist",
	"no such page", "seite nicht gefunden", "page introuvable", "página no encontrada",
	"página não encontrada", "pagina non trovata", "страница не найдена", "sayfa bulunamadı",
	"ไม่พบหน้าเว็บ", "页面不存在", "ページが見つかりません",
}

// invisible matches the parts of a page that a browser does not show. The last
// one may be incomplete.
var invisible = regexp.MustCompile(`(?is)<!--.*?(-->|$)|<script\b.*?(</script|$)|<style\b.*?(</style|$)|<[^>]*(>|$)`)

// LooksNotFound reports whether a 5xx response is a common "page not found" page.
// It is a function for Config.NotFoundPage. It searches the visible text of head
// for known phrases, and prefers to miss a page over a false match. It returns
// false for 503, which announces that the site will return. [Page: 5xx (server
// errors)]
func LooksNotFound(status int, head []byte) bool {
	if status < 500 || status > 599 || status == http.StatusServiceUnavailable {
		return false
	}
	text := html.UnescapeString(invisible.ReplaceAllString(string(head), " "))
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	text = strings.Join(strings.Fields(text), " ") // U+00A0 counts as white space
	for _, phrase := range notFoundPhrases {
		if strings.Contains(text, phrase) {
			return true
		}
	}
	return false
}
