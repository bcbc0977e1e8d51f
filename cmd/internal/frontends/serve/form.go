package serve

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/page"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

func (s *Server) form(c *call) error {
	text, err := s.received(c, typeForm)
	if err != nil {
		return err
	}
	cost := formCost*int64(len(text)) + itemCost*int64(bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("%0")))
	if err := c.memory.take(cost); err != nil {
		return err
	}
	fields, err := url.ParseQuery(string(text))
	if err != nil || bytes.Count(text, []byte("&")) > 16 {
		return problem(http.StatusBadRequest, string(calls.CodeMalformed), "the form cannot be read", "")
	}
	// The token is checked before anything of the form is used.
	if !s.validFormToken(fields.Get("token"), c.client, time.Now()) {
		return problem(http.StatusForbidden, "form-token", "the form has expired, or is not from this page", "open the page again")
	}
	// In a form, each line ends with CRLF, whatever the file had. Rules do not depend on line
	// ends.
	form := &page.Form{
		Token: s.formToken(c.client, time.Now()), Body: strings.ReplaceAll(fields.Get("body"), "\r\n", "\n"),
		Site: origin.Text(strings.TrimSpace(fields.Get("site"))).Given(), Agents: fields.Get("agents"), URLs: fields.Get("urls"),
	}
	status := http.StatusOK
	form.Answers, err = s.formAnswers(c.r.Context(), c, form)
	form.URLs = withoutPasswords(form.URLs)
	if err != nil {
		form.Answers = nil
		p, known := asProblem(err)
		if !known {
			return err
		}
		c.code = p.Code
		status = p.Status
		form.Error = p.Detail
		form.Hint = p.Hint
	}
	s.page.WriteForm(c, c.r, status, form)
	return nil
}

func (s *Server) formAnswers(ctx context.Context, c *call, form *page.Form) (list []wire.Answer, err error) {
	if s.config.Token != "" && form.Body == "" {
		return nil, problem(http.StatusForbidden, "token", "this service fetches from sites only for clients with its token", "paste the robots.txt")
	}
	r := calls.CheckRequest{URLs: lines(form.URLs)}
	r.Agents = lines(form.Agents)
	switch {
	case form.Body != "":
		r.Body = &form.Body
	case form.Site == "":
		return nil, problem(http.StatusUnprocessableEntity, string(calls.CodeInvalid), "give a robots.txt or a site", "")
	default:
		_, site, err := (&URLRequest{form.Site}).site(s.config.Limits)
		if err != nil {
			return nil, err
		}
		for i, url := range r.URLs {
			if strings.HasPrefix(url, "/") {
				r.URLs[i] = site.String() + url
			}
		}
	}
	q, err := r.Question(s.config.Limits)
	if err != nil {
		return nil, err
	}
	rulings, err := s.rule(ctx, c, &r, q, bodyBytes(&r))
	if err != nil {
		return nil, err
	}
	// Each answer is in the list and in the page.
	if err := c.memory.take(1 << 10 * int64(len(q.URLs)) * int64(len(q.Crawlers))); err != nil {
		return nil, err
	}
	long := 0
	for a := range q.Answers(rulings) {
		if err := cmp.Or(ctx.Err(), c.turn.pass(ctx)); err != nil {
			return nil, err
		}
		size := len(a.Agent) + len(a.URL) + len(a.Rule)
		long += size
		if long > formBytes {
			return nil, errLongPage
		}
		if err := c.memory.take(2 * escapeBytes * int64(size)); err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// formCost is the memory for each byte of a form: decoding and splitting into lines make copies,
// and the page repeats the texts, in four copies while it is made.
const formCost = 4 + 4*escapeBytes

// formBytes bounds the texts of the answers on a page. In HTML a byte can take six.
const formBytes = 8 << 20

var errLongPage = &calls.Error{Code: calls.CodeLimit, Field: "urls", Message: "the answers are longer than 8 MiB", Hint: "give fewer URLs or crawlers"}

// withoutPasswords returns the lines of a list of URLs with *** in place of user names and passwords.
func withoutPasswords(urls string) string {
	if !strings.Contains(urls, "@") {
		return urls
	}
	var list strings.Builder
	for line := range strings.Lines(urls) {
		list.WriteString(origin.Text(strings.TrimRight(line, "\r\n")).Given() + "\n")
	}
	return list.String()
}

func lines(text string) (found []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" {
			found = append(found, line)
		}
	}
	return found
}
