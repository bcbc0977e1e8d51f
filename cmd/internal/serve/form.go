package serve

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/page"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// form answers the page's form, for visitors without scripts. The answer is a page.
func (s *Server) form(c *call) error {
	if mediaType(c.r) != typeForm {
		return wrongType(typeForm)
	}
	buffer := buffers.Get().(*[]byte)
	defer release(buffer)
	var err error
	if *buffer, err = s.body(c, (*buffer)[:0]); err != nil {
		return err
	}
	fields, err := url.ParseQuery(string(*buffer))
	if err != nil {
		return problem(http.StatusBadRequest, string(api.CodeMalformed), "the form cannot be read", "")
	}
	// The token is checked before anything of the form is used.
	if !s.validFormToken(fields.Get("token"), c.client, time.Now()) {
		return problem(http.StatusForbidden, "form-token", "the form is too old, or not that of this page", "open the page again")
	}
	// A line end in a form is CRLF, whatever it was in the file. Rules do not depend on it.
	form := &page.Form{
		Token: s.formToken(c.client, time.Now()), Body: strings.ReplaceAll(fields.Get("body"), "\r\n", "\n"),
		Site: strings.TrimSpace(fields.Get("site")), Agents: fields.Get("agents"), URLs: fields.Get("urls"),
	}
	status := http.StatusOK
	if form.Answers, err = s.formAnswers(c.r.Context(), c.client, form); err == nil && areLong(form.Answers) {
		form.Answers, err = nil, errLongAnswers
	}
	if err != nil {
		p, known := asProblem(err)
		if !known {
			return err
		}
		status, form.Error, form.Hint = p.Status, p.Detail, p.Hint
	}
	s.page.WriteForm(c, c.r, status, form)
	return nil
}

// formAnswers returns the answers to a form.
func (s *Server) formAnswers(ctx context.Context, client netip.Addr, form *page.Form) ([]wire.Answer, error) {
	if s.config.Token != "" && form.Body == "" {
		return nil, problem(http.StatusForbidden, "token", "this service fetches from sites only for those who have its token", "paste the robots.txt")
	}
	r := api.CheckRequest{URLs: lines(form.URLs)}
	r.Agents = lines(form.Agents)
	if form.Body != "" {
		if err := s.all.enter(ctx); err != nil {
			return nil, err
		}
		defer s.all.leave()
		r.Body = &form.Body
		answers, err := api.Check(ctx, &r, s.config.Limits)
		if err != nil {
			return nil, err
		}
		return answers.Answers, nil
	}
	at, _, err := (&URLRequest{form.Site}).site(s.config.Limits)
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, string(api.CodeInvalid), "give a robots.txt or a site", "")
	}
	q, err := r.Question(s.config.Limits)
	if err != nil {
		return nil, err
	}
	site := *q
	site.URLs = []string{at}
	rulings, err := s.rulings(ctx, client, &site)
	if err != nil {
		return nil, err
	}
	var answers []wire.Answer
	for _, url := range q.URLs {
		if strings.HasPrefix(url, "/") {
			url = rulings[0].Site.Origin + url
		}
		visit := answer.Visit{URL: url, Compared: answer.Compared(url), Ruling: rulings[0]}
		for crawler := range q.Crawlers {
			answers = append(answers, visit.Answer(crawler))
		}
	}
	return answers, nil
}

// areLong reports whether answers are too long for a page, in which a byte may take six.
func areLong(answers []wire.Answer) bool {
	size := 0
	for i := range answers {
		size += 200 + len(answers[i].Agent) + len(answers[i].URL) + len(answers[i].Rule)
	}
	return size > answersBytes
}

// lines returns the lines of a text that are not empty.
func lines(text string) (found []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			found = append(found, line)
		}
	}
	return found
}
