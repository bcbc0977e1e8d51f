package page

import (
	"bytes"
	"net/http"

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
	var text bytes.Buffer
	if err := p.answered.Execute(&text, indexData{Build: p.build, Version: p.config.Version, Form: form}); err != nil {
		http.Error(w, "the page is damaged", http.StatusInternalServerError)
		return
	}
	securityHeaders(w.Header(), "")
	writeHTML(w, r, status, text.Bytes())
}
