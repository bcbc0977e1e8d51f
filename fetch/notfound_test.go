package fetch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
)

// errorPages returns the pages of testdata/errorpages: what programs answer for a file that
// does not exist and for their own faults. A file begins with lines that say which program
// made it, whether it was run or is quoted, and what LooksNotFound takes it for: missing,
// fault, or a missing page that it misses, with the reason.
func errorPages(t *testing.T) (pages []errorPageCase) {
	t.Helper()
	files, err := filepath.Glob("testdata/errorpages/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	run := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, body, found := strings.Cut(string(data), "\n\n")
		lines := strings.Split(head, "\n")
		if !found || len(lines) != 3 || !strings.HasPrefix(lines[0], "program: ") || !strings.HasPrefix(lines[1], "from: ") ||
			!strings.HasPrefix(lines[2], "want: ") {
			t.Fatalf("%s: its head is not program, from, want", file)
		}
		if lines[1] == "from: run" {
			run++
		}
		page := errorPageCase{name: filepath.Base(file), body: body}
		switch want := strings.TrimPrefix(lines[2], "want: "); {
		case want == "missing":
			page.missing, page.seen = true, true
		case strings.HasPrefix(want, "missed: "):
			page.missing = true
		case want != "fault":
			t.Fatalf("%s: want %q", file, want)
		}
		pages = append(pages, page)
	}
	if len(pages) < 20 || run < 8 {
		t.Fatalf("%d pages, %d of programs that were run: too few", len(pages), run)
	}
	return pages
}

type errorPageCase struct {
	name, body    string
	missing, seen bool // whether the page is about a missing file, and is seen to be
}

// TestErrorPages asks LooksNotFound about the pages of real programs, with each status. With the
// name of a 5xx anywhere in it, or beside the page of a fault, none is about a missing file.
func TestErrorPages(t *testing.T) {
	pages := errorPages(t)
	names := []string{"500", "599", "Internal Server Error", "Bad Gateway", "Gateway Time-out", "Service Unavailable", "uncaught exception"}
	for _, page := range pages {
		for status := range 1000 {
			want := page.seen && status >= 500 && status <= 599 && status != 503
			if got := fetch.LooksNotFound(status, []byte(page.body)); got != want {
				t.Errorf("%s, %d: %v, want %v", page.name, status, got, want)
			}
		}
		for _, name := range names {
			for _, with := range []string{name + " " + page.body, "<title>" + name + "</title>" + page.body, page.body + " " + name,
				page.body + "<p>HTTP " + name + "</p>"} {
				if fetch.LooksNotFound(500, []byte(with)) {
					t.Errorf("%s with %q is taken for a missing page:\n%s", page.name, name, with)
				}
			}
		}
		if page.missing {
			continue
		}
		for _, other := range pages {
			if fetch.LooksNotFound(500, []byte(page.body+other.body)) ||
				fetch.LooksNotFound(500, []byte(other.body+page.body)) {
				t.Errorf("%s beside %s is taken for a missing page", page.name, other.name)
			}
		}
	}
}

func TestLooksNotFound(t *testing.T) {
	for text, want := range map[string]bool{
		"<html><title>Page Not Found</title>":                                     true,
		"<h1>404 <b>Not</b> Found</h1>":                                           true,
		"<H3 class=x>404</H3>":                                                    true,
		"<title>Shop</title><h1>Page not found</h1>":                              true,
		"<title>Page not found - Shop</title><h1>Shop</h1>":                       true,
		"<title></title><h1> </h1><h2>Page not found</h2>":                        true,
		"<title>Not found":                                                        true,
		"<p>The requested URL was not found on this server.":                      true,
		"<div>Shop</div>The requested URL <i>/a</i> was not found on this server": true,
		"Page\n\tnot&nbsp;found":                                                  true,
		"Sorry, the page can’t be found":                                          true,
		"the page can&rsquo;t be found":                                           true,
		"Seite nicht gefunden":                                                    true,
		"Sayfa bulunamadı":                                                        true,
		"СТРАНИЦА НЕ НАЙДЕНА":                                                     true,
		"ไม่พบหน้าเว็บ":                                                           true,
		"页面不存在。":                                                                  true,
		"":                                                                        false,
		"Internal Server Error":                                                   false,
		"502 Bad Gateway":                                                         false,
		"upstream error 404":                                                      false,
		"Not found":                                                               false, // may be about a database, not the page
		"<title>Shop</title><p>Page not found":                                    false, // neither title nor heading
		"<h1>Shop</h1><h1>Page not found</h1>":                                    false, // not the first heading
		"<title>Shop</title><p>It says: The requested URL was not found on this server": false,
		"<title>Page not found</title><p>Fatal error: x":                                false,
		"<title>Page not found</title><p>Error (500)":                                   false,
		"<title>User not found</title>":                                                 false,
		"<!-- page not found --> Internal error":                                        false,
		"<script>var m='page not found'</script>Error":                                  false,
		"<style>/* 404 not found */</style>Error":                                       false,
		"<a title='page not found'>Error</a>":                                           false,
		"Error <!-- page not found, cut off":                                            false,
		"Error <script>alert('error 404'), cut off":                                     false,
		"\xFF\xFE\x00\x01":                                                              false,
		"a page notfound":                                                               false,
		"page not foundation":                                                           false,
		strings.Repeat("<", 4096) + " page not found":                                   false,
		strings.Repeat("<!--", 1024) + "page not found":                                 false,
	} {
		if got := fetch.LooksNotFound(500, []byte(text)); got != want {
			t.Errorf("%.80q: %v, want %v", text, got, want)
		}
	}
}

// TestNotFoundPage checks that NotFoundPage makes a 5xx count as 404, but never a 503,
// and that it receives 4 KiB.
func TestNotFoundPage(t *testing.T) {
	page := "Page not found" + strings.Repeat(" ", 10_000)
	for status := 500; status <= 599; status++ {
		calls := 0
		client := fetch.NewTestClient(t,
			fetch.Config{Network: fetch.Network{Transport: fetch.Answering(status, page)},
				NotFoundPage: func(code int, head []byte) bool {
					calls++
					if code != status || len(head) != 4096 {
						t.Errorf("called for %d with %d bytes", code, len(head))
					}
					return fetch.LooksNotFound(code, head)
				}})
		r := fetch.Expect(t, client, "https://foo.example/")
		want, times := fetch.OutcomeAllowAll, 1
		if status == 503 {
			want, times = fetch.OutcomeDisallowAll, 0
		}
		if r.Outcome != want || calls != times || r.Status != status || want == fetch.OutcomeAllowAll &&
			!strings.Contains(r.Detail, "not found") {
			t.Errorf("%d: called %d times, %+v", status, calls, r)
		}
	}
}
