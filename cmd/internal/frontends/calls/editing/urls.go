package editing

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// URLsRequest is a query for the URLs of a list: a URL on each line, CSV, TSV, a sitemap
// or an access log, which can be compressed with gzip.
type URLsRequest struct {
	Text       *string `json:"text,omitempty" doc:"The list."`
	TextBase64 []byte  `json:"text_base64,omitempty" doc:"The list in base64, if it is not UTF-8."`

	// Name is the name of the list. Its suffix .csv or .tsv decides if the content does
	// not. Default: empty.
	Name string `json:"name,omitempty" doc:"The name of the list. Its suffix .csv or .tsv decides if the content does not."`

	// Format is a format of package urllist. Default: robots detects it from the content.
	Format string `json:"format,omitempty" enum:"plain,csv,tsv,sitemap,log" doc:"The format of the list. Default: detected from its content."`

	// Column selects the column of CSV and TSV, by its name or its number from 1.
	// Default: the column whose name is one for URLs, or that contains URLs.
	Column string `json:"column,omitempty" doc:"The column of CSV and TSV, a name or a number from 1."`

	// Site is the origin with which paths are joined. It replaces the hosts of access
	// logs. Default: paths remain paths.
	Site string `json:"site,omitempty" doc:"The origin with which paths are joined, such as https://shop.example."`
}

const maxListProblems = 100

// URLs returns the URLs of a list, up to Limits.URLs. Lines without a URL are problems of
// the result; an error means that the list cannot be read at all. A sitemap index is an
// error, because nothing is fetched.
func URLs(ctx context.Context, r *URLsRequest, limits calls.Limits) (*wire.URLs, error) {
	limits = limits.Filled()
	text, err := limits.List("text", r.Text, r.TextBase64)
	if err != nil {
		return nil, err
	}
	site, err := calls.SiteOf(r.Site)
	if err != nil {
		return nil, err
	}
	format := urllist.Format(r.Format)
	if format != urllist.Auto && !slices.Contains(urllist.Formats(), format) {
		return nil, &calls.Error{Code: calls.CodeInvalid, Field: "format", Message: "there is no such format", Hint: "the formats are plain, csv, tsv, sitemap and log"}
	}
	result := &wire.URLs{URLs: []string{}}
	name := r.Name
	if name == "" {
		name = "the list"
	}
	config := urllist.Config{
		Name: name, Format: format, Column: r.Column, Site: site.String(), Paths: true,
		Limit: int64(limits.ListBytes),
		Note:  func(text string) { result.ReadAs = strings.TrimPrefix(text, name+" is read as ") },
	}
	for url, err := range urllist.New(bytes.NewReader(text), config).All {
		switch line, isLine := errors.AsType[*urllist.LineError](err); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case isLine && len(result.Problems) == maxListProblems:
			result.Omitted++
		case isLine:
			result.Problems = append(result.Problems,
				wire.ListProblem{Line: line.Line, Problem: line.Problem, Hint: withoutDashes(line.Hint)})
		case err != nil:
			invalid := calls.Invalid("text", err)
			invalid.Hint = withoutDashes(invalid.Hint)
			return nil, invalid
		case limits.URLs >= 0 && len(result.URLs) == limits.URLs:
			result.Truncated = true
			return result, nil
		default:
			result.URLs = append(result.URLs, origin.Text(url).Given()) // without a password
		}
	}
	return result, nil
}

// withoutDashes turns a hint of package urllist, which names the tool's flags, into one
// for a request, whose fields have the same names without dashes.
func withoutDashes(hint string) string { return strings.ReplaceAll(hint, "--", "") }
