package page

import (
	"net/http"
	"strconv"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// Form is the form for visitors without scripts: its content, and the answers to the
// previous content. It is sent with POST to form, relative to the page, with the
// fields token, body, site, agents and urls.
type Form struct {
	Token   string        // the token that the form's handler requires
	Body    string        // the robots.txt
	Site    string        // the site whose file is fetched if Body is empty
	Agents  string        // crawlers, one a line
	URLs    string        // URLs and paths, one a line
	Answers []wire.Answer // the answers to the form that was sent
	Error   string        // the reason why there are no answers; empty if nothing failed
	Hint    string        // what to do about it
}

// WriteForm sends the form with its answers, as a page without scripts.
func (p *Page) WriteForm(w http.ResponseWriter, r *http.Request, status int, form *Form) {
	securityHeaders(w.Header(), "")
	writeHTML(w, r, status, fill(p.answered, map[string]markup.HTML{
		"Build": markup.Text(p.build), "Version": markup.Text(p.config.Version),
		"Answers": form.answers(), "Form": p.formText(form),
	}))
}

func (p *Page) formText(f *Form) markup.HTML {
	return markup.HTML(fill(p.form, map[string]markup.HTML{
		"Token": markup.Text(f.Token), "Body": markup.Text(f.Body), "Site": markup.Text(f.Site),
		"Agents": markup.Text(f.Agents), "URLs": markup.Text(f.URLs),
	}))
}

func (f *Form) answers() markup.HTML {
	var w markup.Writer
	if f.Error != "" {
		w.Print("<p class=\"error\" role=\"alert\">%s %s</p>\n", f.Error, f.Hint)
	}
	if len(f.Answers) == 0 {
		return w.HTML()
	}
	w.Print(`<table class="answers">
  <caption>Answers</caption>
  <thead><tr><th scope="col">Crawler</th><th scope="col">URL</th><th scope="col">Verdict</th><th scope="col">Line</th><th scope="col">Rule</th></tr></thead>
  <tbody>
`)
	for _, a := range f.Answers {
		line := "–"
		if a.Line > 0 {
			line = strconv.Itoa(a.Line)
		}
		w.Print(`    <tr><th scope="row"><bdi>%s</bdi></th><td><bdi>%s</bdi></td><td class="verdict %[3]s">%[3]s</td><td>%s</td><td><code><bdi>%s</bdi></code>`,
			a.Agent, a.URL, string(a.Verdict), line, a.Rule)
		if a.Provenance != nil && a.Reason.String() == "no-file" {
			w.Print("<br>%s", a.FetchReason)
		}
		if a.JoinedLine > 0 {
			w.Print("<br>%s", wire.JoinedGroup(a.JoinedLine, a.Agent))
		}
		if a.FetchedAnyway {
			w.Print("<br>%s", wire.FetchedAnyway)
		}
		w.Add("</td></tr>\n")
	}
	w.Print("  </tbody>\n</table>")
	return w.HTML()
}
