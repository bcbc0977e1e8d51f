package watch

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/effecttext"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// Pages shows the sites of a store and their changes, as plain HTML without scripts and
// styles. The pages only read the store, and each has a bounded number of rows.
type Pages struct {
	Folder string // the folder of the store, which might not exist yet
}

// The number of sites on a page, and of events of a site.
const (
	sitesShown  = 200
	eventsShown = 100
)

// pagesPolicy permits the search form. The service's own policy permits no form.
const pagesPolicy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// ServeHTTP answers with a list of sites, or, if the field "site" is set, with the
// timeline of that site. The list has the sites after the one in the field "after" whose
// names contain the text in the field "q".
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	store, err := ReadStore(r.Context(), p.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		p.write(w, r, http.StatusOK, "Watched sites", "<p>No site is watched yet: <code>robots watch --history</code> writes into the folder.</p>\n")
		return
	}
	var title string
	var body markup.HTML
	if err == nil {
		defer store.Close()
		title, body, err = store.page(r.Context(), r.URL.Query())
	}
	switch {
	case err != nil: // it can contain paths
		p.write(w, r, http.StatusServiceUnavailable, "Watched sites", "<p>The history cannot be read at the moment. If an earlier version of robots wrote it, the next run of <code>robots watch</code> upgrades it.</p>\n")
	case body == "":
		p.write(w, r, http.StatusNotFound, "Watched sites", "<p>This site is not watched. <a href=\"?\">All sites</a></p>\n")
	default:
		p.write(w, r, http.StatusOK, title, body)
	}
}

func (p *Pages) write(w http.ResponseWriter, r *http.Request, status int, title string, body markup.HTML) {
	var page markup.Writer
	page.Print("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<h1>%[1]s</h1>\n", title)
	page.Add(body + "</html>\n")
	text := page.String()
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", pagesPolicy)
	if status != http.StatusOK {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text) // an error means that the client is gone
		return
	}
	header.Set("Cache-Control", "private, no-cache")
	header.Set("ETag", `"`+uuid(text)+`"`)
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
}

func (s *Store) page(ctx context.Context, query url.Values) (title string, body markup.HTML, err error) {
	if site := query.Get("site"); site != "" {
		body, err = s.timeline(ctx, site)
		return site, body, err
	}
	body, err = s.list(ctx, query.Get("q"), query.Get("after"))
	return "Watched sites", body, err
}

const sqlList = `SELECT id, version, origin, state, body, size, expected, parts, sum, due, (SELECT max(at) FROM events WHERE events.site = sites.id) FROM sites
	WHERE origin > ? AND instr(origin, ?) > 0 ORDER BY origin LIMIT ?`

const sqlTimeline = "SELECT id, event, sum FROM events WHERE site = ? ORDER BY at DESC, id DESC LIMIT ?"

func (s *Store) list(ctx context.Context, text, after string) (markup.HTML, error) {
	var b, table markup.Writer
	b.Print("<form><label>Name <input name=\"q\" value=\"%s\"></label> <button>Search</button></form>\n", text)
	b.Print("<table border=\"1\">\n<tr><th>Site</th><th>Now</th><th>Last change</th><th>Last fetch</th><th>Next fetch</th></tr>\n")
	last := ""
	shown := 0
	err := s.db.Read(ctx, func(c *sqlitefile.Conn) error {
		table = markup.Writer{}
		shown = 0
		return c.Query(sqlList, []driver.Value{after, strings.ToLower(text), int64(sitesShown)},
			func(row []driver.Value) error {
				f := s.scan(row)
				due, _ := row[9].(int64)
				at := time.Time{}
				if changed, ok := row[10].(int64); ok {
					at = time.UnixMilli(changed)
				}
				last = f.origin
				table.Print("<tr><td><a href=\"?site=%s\">%s</a></td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
					url.QueryEscape(last), last, f.state.text(), timeText(at), timeText(f.state[RulesPart].Checked),
					timeText(time.UnixMilli(due)))
				shown++
				return nil
			})
	})
	if err != nil {
		return "", err
	}
	b.Add(table.HTML() + "</table>\n")
	if shown == 0 {
		b.Print("<p>No site.</p>\n")
	} else if shown == sitesShown {
		b.Print("<p><a href=\"?q=%s&amp;after=%s\">Next sites</a></p>\n", url.QueryEscape(text), url.QueryEscape(last))
	}
	return b.HTML(), nil
}

func (s *States) text() string {
	text := "not fetched yet"
	switch reported := s[RulesPart].Reported; {
	case reported == nil:
	case reported.Fault != "":
		text = "down: " + faultText(reported)
	case reported.File:
		text = "a file"
	default:
		text = fmt.Sprintf("no file (status %d)", reported.Status)
	}
	if s.isPending() {
		text += ", a change is pending"
	}
	return text
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// timeline returns the latest events of a site, the newest first; "" if it is not watched.
func (s *Store) timeline(ctx context.Context, site string) (markup.HTML, error) {
	var id int64
	var list []storedEvent
	err := s.db.Read(ctx, func(c *sqlitefile.Conn) (err error) {
		id, err = c.Number("SELECT id FROM sites WHERE origin = ?", site)
		if err != nil || id == 0 {
			return err
		}
		list, _, err = s.readEvents(c, sqlTimeline, id, int64(eventsShown))
		return err
	})
	if err != nil || id == 0 {
		return "", err
	}
	var b markup.Writer
	b.Print("<p><a href=\"?\">All sites</a></p>\n")
	if len(list) == 0 {
		b.Print("<p>Nothing has changed.</p>\n")
	}
	var said []string
	for i := range list {
		e := &list[i].WatchEvent
		b.Print("<h2>%s UTC: %s</h2>\n<ul>\n", timeText(e.At), string(e.Gravity))
		for j := range e.Changes {
			said = append(said, e.Changes[j].Text)
			b.Print("<li>%s", e.Changes[j].Text)
			printPaths(&b, e.Changes[j].Paths)
			b.Print("\n")
		}
		if e.Omitted > 0 {
			b.Print("<li>%s\n", moreChanges(e))
		}
		b.Print("</ul>\n")
	}
	if explanation := effecttext.Explain(true, said...); explanation != "" {
		b.Print("<p>%s</p>\n", explanation)
	}
	return b.HTML(), nil
}

func printPaths(b *markup.Writer, paths []wire.PathChange) {
	if len(paths) == 0 {
		return
	}
	b.Print("\n<ul>\n")
	for _, p := range paths {
		b.Print("<li><code>%s</code> %s\n", term.Escape(p.Witness), linesText(p))
	}
	b.Print("</ul>")
}
