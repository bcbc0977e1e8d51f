package page

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// Form is the form for visitors without scripts: what it contains, and the answers to
// what was sent with it. It is sent with POST to form, relative to the page, with the
// fields token, body, site, agents and urls.
type Form struct {
	Token   string        // that the form's handler requires
	Body    string        // the robots.txt
	Site    string        // the site whose file is fetched if Body is empty
	Agents  string        // crawlers, one a line
	URLs    string        // URLs and paths, one a line
	Answers []wire.Answer // to the form that was sent
	Error   string        // why there are none; empty if nothing failed
	Hint    string        // what to do about it
}

// WriteForm sends the form with its answers, as a page without scripts.
func (p *Page) WriteForm(w http.ResponseWriter, r *http.Request, status int, form *Form) {
	securityHeaders(w.Header(), "")
	writeHTML(w, r, status, fill(p.answered, map[string]string{
		"Build": html.EscapeString(p.build), "Version": html.EscapeString(p.config.Version),
		"Answers": form.answers(), "Form": p.formText(form),
	}))
}

// formText returns the form.
func (p *Page) formText(f *Form) string {
	return string(fill(p.form, map[string]string{
		"Token": html.EscapeString(f.Token), "Body": html.EscapeString(f.Body), "Site": html.EscapeString(f.Site),
		"Agents": html.EscapeString(f.Agents), "URLs": html.EscapeString(f.URLs),
	}))
}

// answers returns the table of answers, or why there is none.
func (f *Form) answers() string {
	var b strings.Builder
	if f.Error != "" {
		fmt.Fprintf(&b, "<p class=\"error\" role=\"alert\">%s %s</p>\n", html.EscapeString(f.Error), html.EscapeString(f.Hint))
	}
	if len(f.Answers) == 0 {
		return b.String()
	}
	b.WriteString(`<table class="answers">
  <caption>Answers</caption>
  <thead><tr><th scope="col">Crawler</th><th scope="col">URL</th><th scope="col">Verdict</th><th scope="col">Line</th><th scope="col">Rule</th></tr></thead>
  <tbody>
`)
	for _, a := range f.Answers {
		line := "–"
		if a.Line > 0 {
			line = strconv.Itoa(a.Line)
		}
		fmt.Fprintf(&b, `    <tr><th scope="row"><bdi>%s</bdi></th><td><bdi>%s</bdi></td><td class="verdict %[3]s">%[3]s</td><td>%s</td><td><code><bdi>%s</bdi></code></td></tr>`+"\n",
			html.EscapeString(a.Agent), html.EscapeString(a.URL), html.EscapeString(string(a.Verdict)), line, html.EscapeString(a.Rule))
	}
	b.WriteString("  </tbody>\n</table>")
	return b.String()
}
