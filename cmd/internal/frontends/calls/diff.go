package calls

import (
	"context"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/origin"
)

// DiffRequest is a query: what does an edit of a robots.txt change?
type DiffRequest struct {
	Before       *string `json:"before,omitempty" doc:"The robots.txt before the edit."`
	BeforeBase64 []byte  `json:"before_base64,omitempty" doc:"The same in base64, if it is not UTF-8."`
	After        *string `json:"after,omitempty" doc:"The robots.txt after the edit."`
	AfterBase64  []byte  `json:"after_base64,omitempty" doc:"The same in base64, if it is not UTF-8."`

	// Selection restricts the comparison. Default: every crawler for which the files
	// can differ.
	Selection

	// URLs are URLs whose verdicts are compared too.
	URLs []string `json:"urls,omitempty" doc:"URLs whose verdicts are compared too."`

	// Site is a URL of the site to which the files belong. URLs of other sites are then
	// counted, but not compared.
	Site string `json:"site,omitempty" doc:"A URL of the site to which the files belong. URLs of other sites are then counted, but not compared."`

	// Dialect applies to both files, BeforeDialect and AfterDialect to one each. Without
	// them, each selected crawler reads the files in its own dialect.
	Dialect       string `json:"dialect,omitempty" enum:"google,rfc9309,koster1996" doc:"How both files are read. Default: selected crawlers each in its own dialect; others in google, or in rfc9309 if google cannot name them."`
	BeforeDialect string `json:"before_dialect,omitempty" enum:"google,rfc9309,koster1996" doc:"How the file before the edit is read. Default: dialect, or google if only after_dialect is given."`
	AfterDialect  string `json:"after_dialect,omitempty" enum:"google,rfc9309,koster1996" doc:"How the file after the edit is read. Default: dialect, or google if only before_dialect is given."`

	// Lang is the language of the result's sentences. Without it there are none.
	Lang string `json:"lang,omitempty" doc:"Adds sentences about the changes in this language: en or de."`

	// Budget is the number of steps of package semdiff. Default: Limits.DiffSteps.
	Budget int `json:"budget,omitempty" doc:"The number of steps after which crawlers remain undecided; some millions take a second."`
}

// The names of the files in a comparison.
const (
	nameBefore = "before"
	nameAfter  = "after"
)

// Diff compares two files.
func Diff(ctx context.Context, r *DiffRequest, limits Limits) (*wire.Comparison, error) {
	limits = limits.Filled()
	if err := Lang(r.Lang); err != nil {
		return nil, err
	}
	steps, err := Budget("DiffSteps", r.Budget, limits.DiffSteps)
	if err != nil {
		return nil, err
	}
	if err := Exceeded("urls", "URLs", len(r.URLs), limits.URLs, "URLs"); err != nil {
		return nil, err
	}
	if err := limits.Texts("urls", r.URLs...); err != nil {
		return nil, err
	}
	q := compare.Question{Exact: r.ExactAgent, Steps: steps}
	var oldTruncated, newTruncated bool
	oldTruncated, newTruncated, err = r.files(&q, limits)
	if err != nil {
		return nil, err
	}
	if !r.Selection.isEmpty() {
		q.Crawlers, err = r.Crawlers(limits)
		if err != nil {
			return nil, err
		}
	}
	result, err := compare.Run(ctx, q)
	if err != nil {
		return nil, err
	}
	result.Old, result.New = nameBefore, nameAfter
	result.OldTruncated, result.NewTruncated = oldTruncated, newTruncated
	if r.Lang != "" {
		result.Sentences = language.Language(r.Lang).Changes(result)
	}
	if site, err := SiteOf(r.Site); err != nil {
		return nil, err
	} else if !site.IsZero() {
		result.Governed = []origin.Origin{site}
	}
	return &result.Comparison, judge(ctx, result, r.URLs, limits)
}

// Lang returns an error unless sentences can be written in a language.
func Lang(lang string) error {
	if lang != "" && !slices.Contains(language.Tags(), lang) {
		return &Error{Code: CodeInvalid, Field: "lang", Message: "there is no language " + lang,
			Hint: "give " + strings.Join(language.Tags(), " or ")}
	}
	return nil
}

// flipBytes bounds the names of crawlers in the flips, which each URL repeats, if the
// number of answers is limited.
const flipBytes = 64 << 20

func judge(ctx context.Context, result *compare.Result, urls []string, limits Limits) error {
	if err := Exceeded("urls", "Answers", len(urls)*result.Differing(), limits.Answers, "answers"); err != nil {
		return err
	}
	size, seen := 0, 0
	for _, url := range urls {
		if err := ctx.Err(); err != nil {
			return err
		}
		result.Judge(url)
		for ; seen < len(result.Flips); seen++ {
			for _, agent := range result.Flips[seen].Agents {
				size += len(agent)
			}
		}
		if limits.Answers >= 0 {
			if err := Exceeded("urls", "Answers", size, flipBytes, "bytes of crawlers"); err != nil {
				return err
			}
		}
	}
	return nil
}

// files sets the files and their dialects.
func (r *DiffRequest) files(q *compare.Question, limits Limits) (oldTruncated, newTruncated bool, err error) {
	before, err := limits.Body("before", r.Before, r.BeforeBase64)
	if err != nil {
		return false, false, err
	}
	after, err := limits.Body("after", r.After, r.AfterBase64)
	if err != nil {
		return false, false, err
	}
	oldFile, newFile := limits.File(before), limits.File(after)
	q.Old, q.New = oldFile.Text, newFile.Text
	if r.Dialect != "" || r.BeforeDialect != "" || r.AfterDialect != "" {
		q.Dialects, err = r.dialects()
	}
	return oldFile.Truncated, newFile.Truncated, err
}

// dialects returns the dialects that are requested for both files.
func (r *DiffRequest) dialects() (*[2]robotstxt.Dialect, error) {
	both, err := dialectNamed("dialect", r.Dialect)
	if err != nil {
		return nil, err
	}
	dialects := [2]robotstxt.Dialect{both, both}
	if r.BeforeDialect != "" {
		dialects[0], err = dialectNamed("before_dialect", r.BeforeDialect)
		if err != nil {
			return nil, err
		}
	}
	if r.AfterDialect != "" {
		dialects[1], err = dialectNamed("after_dialect", r.AfterDialect)
		if err != nil {
			return nil, err
		}
	}
	return &dialects, nil
}
