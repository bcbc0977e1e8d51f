package editing

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/permit"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/permission"
)

// PermitRequest asks what crawlers may do with a URL, and contains the known facts about its
// site. Answers list facts that the request lacks as missing.
type PermitRequest struct {
	Body

	Site     string   `json:"site,omitempty" doc:"A URL of the site whose robots.txt the body is. The body does not apply to URLs of other sites."`
	URL      string   `json:"url" doc:"An absolute URL; a host, with or without a path, means its site over https."`
	Crawlers []string `json:"crawlers,omitempty" doc:"Crawlers, in the notation of robots check --agent. Default: any crawler that follows the group for *, and known crawlers with a different verdict."`
	Operator string   `json:"operator,omitempty" doc:"An operator, such as OpenAI: ask about its crawlers in use, each for its known purposes, instead of crawlers. With purposes, only for these."`
	Purposes []string `json:"purposes,omitempty" doc:"fetch, search, ai-search, ai-training, ai-fetch, mining, or other purposes of crawlers. Default: these six."`

	Header    []HeaderLine      `json:"header,omitempty" doc:"Lines of the response; an empty list means that it has none."`
	Page      *permission.Page  `json:"page,omitempty" doc:"The signals in the page; an empty object means that it has none."`
	TDMRep    *string           `json:"tdmrep,omitempty" doc:"The file tdmrep.json; [] means that the site has none."`
	Documents map[string]string `json:"documents,omitempty" doc:"RSL documents by their URLs, as the references to them have them or normalized."`

	Formal   bool   `json:"formal,omitempty" doc:"Omit signals that no specification defines: noai and noimageai."`
	Markdown bool   `json:"markdown,omitempty" doc:"Also return the answer in Markdown, as robots permit --format markdown prints it; with operator, it is a letter."`
	Lang     string `json:"lang,omitempty" doc:"The language of the Markdown: en or de. Default: en."`
}

// HeaderLine is a line of a response.
type HeaderLine struct {
	Name  string `json:"name" doc:"The name of the field."`
	Value string `json:"value" doc:"Its value in this line."`
}

// The limits of a request: lines of the response, and RSL documents.
const (
	maxHeaderLines = 200
	maxDocuments   = 16
)

// Config returns the questions of a valid request, without its facts about the site.
func (r *PermitRequest) Config(limits calls.Limits) (*permit.Config, error) {
	limits = limits.Filled()
	config := &permit.Config{Time: time.Now(), Formal: r.Formal}
	if err := limits.Texts("url", r.URL, r.Operator); err != nil {
		return nil, err
	}
	var err error
	if r.Operator != "" {
		config.Operator, err = permit.Operator(r.Operator)
		if err != nil {
			return nil, calls.Invalid("operator", err)
		}
	}
	if len(r.Crawlers) > 0 {
		selection := calls.Selection{Agents: r.Crawlers}
		config.Crawlers, err = selection.Crawlers(limits)
		if err != nil {
			if e, ok := errors.AsType[*calls.Error](err); ok {
				e.Field = "crawlers"
			}
			return nil, err
		}
	}
	r.URL = answer.TypedURL(strings.TrimSpace(r.URL))
	if _, err := origin.Of(r.URL); err != nil {
		return nil, calls.Invalid("url", err)
	}
	wrong := ""
	config.Purposes, wrong = permit.Purposes(r.Purposes)
	if wrong != "" {
		return nil, &calls.Error{Code: calls.CodeInvalid, Field: "purposes", Message: "there is no purpose " + wrong, Hint: "give fetch, search, ai-search, ai-training, ai-fetch or mining"}
	}
	if config.Operator != "" && len(r.Purposes) == 0 {
		config.Purposes = nil // those of each crawler
	}
	if err := config.Validate(); err != nil {
		return nil, calls.Invalid("purposes", err)
	}
	if err := calls.Lang(r.Lang); err != nil {
		return nil, err
	}
	if err := calls.Exceeded("header", "", len(r.Header), maxHeaderLines, "lines"); err != nil {
		return nil, err
	}
	if r.TDMRep != nil {
		if err := calls.Exceeded("tdmrep", "HTMLBytes", len(*r.TDMRep), limits.HTMLBytes, "bytes"); err != nil {
			return nil, err
		}
	}
	return config, calls.Exceeded("documents", "", len(r.Documents), maxDocuments, "documents")
}

// Given returns the facts of a valid request about the site, apart from robots.txt.
func (r *PermitRequest) Given() (s permission.Sources) {
	s.Page = r.Page
	if r.Header != nil {
		s.Header = map[string][]string{}
	}
	for _, line := range r.Header {
		name := canonical(line.Name)
		s.Header[name] = append(s.Header[name], line.Value)
	}
	if r.TDMRep != nil {
		s.TDMRep = permission.ReadTDMRep("tdmrep.json", []byte(*r.TDMRep))
	}
	s.Documents = make(map[string]*permission.License, len(r.Documents))
	for url, text := range r.Documents {
		s.Documents[url] = permission.ReadLicense([]byte(text))
	}
	return s
}

// canonical returns the name of a response field as net/http writes it, which a web page does not link.
func canonical(name string) string {
	words := strings.Split(ascii.ToLower(name), "-")
	for i, word := range words {
		if word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "-")
}

// Permit returns what crawlers may do with a URL, from the body and the other facts in the
// request.
func Permit(ctx context.Context, r *PermitRequest, limits calls.Limits) (*wire.Permit, error) {
	body, err := r.bytes(limits)
	if err != nil {
		return nil, err
	}
	config, err := r.Config(limits)
	if err != nil {
		return nil, err
	}
	site, err := calls.SiteOf(r.Site)
	if err != nil {
		return nil, err
	}
	config.Given = r.Given()
	visit := answer.VisitText(r.URL, answer.RuleFile(limits.File(body), nil, config.Crawlers).Of(site))
	found, err := config.Begin(&visit, nil).Answer(ctx)
	if err != nil {
		return nil, err
	}
	return found, r.Write(found)
}

// Write adds the answer in Markdown, if the request asks for it.
func (r *PermitRequest) Write(found *wire.Permit) (err error) {
	if r.Markdown {
		found.Markdown, err = prose.PermitMarkdown(found, language.Language(r.Lang))
	}
	return err
}
