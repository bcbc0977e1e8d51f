package auditreport

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// counted returns a sentence about the things that are counted.
func (r *reporter) counted() string {
	text := r.many(r.Sites) + " from " + term.Count(r.Captures, "capture", "captures")
	if len(r.config.Crawls) > 1 {
		text = "Crawl " + term.Escape(r.Label) + ": " + text
	}
	return text + ". " + r.By.Rule(r.Schemes)
}

// whatWasRead shows the kinds of files in the audit.
func (r *reporter) whatWasRead() figure {
	f := figure{
		ID: "read", Title: "What was read and what was not", Keys: []key{{"name", "read"}, {"star", "decided by the policy"}, {"unknown", "not known"}}, Label: string(r.By),
		Heads: []string{string(r.By) + "s"}, Of: "Of all " + r.many(r.Sites) + inCrawl(r.Summary) + ".",
		Text: "A site whose rules are unknown is never counted as open.",
	}
	add := func(class, label string, n int) {
		if n > 0 {
			f.Rows = append(f.Rows, row{Label: label,
				Bars:  bar(r.Sites, partOf(class, label, n, r.Sites)),
				Cells: []string{shareOf(n, r.Sites)}})
		}
	}
	for _, kind := range []robotstxt.Body{robotstxt.BodyText, robotstxt.BodyEmpty} {
		add("name", bodyWords[kind], r.Bodies[kind])
	}
	policy := policyOf(r.Summary)
	add("star", "no file was served, and the "+policy+" opens the site: "+statusList(r.Missing), r.OpenByStatus)
	add("star", "no file was served, and the "+policy+" closes the site: "+statusList(r.Faults), r.ClosedByStatus)
	for _, kind := range []robotstxt.Body{robotstxt.BodyHTML, robotstxt.BodyBinary} {
		add("unknown", bodyWords[kind], r.Bodies[kind])
	}
	for _, problem := range audit.MostFirst(r.Problems) {
		add("unknown", problemWords(r.By, problem), r.Problems[problem])
	}
	if lost := audit.Sum(r.Lost); lost > 0 {
		var why []string
		for _, problem := range audit.MostFirst(r.Lost) {
			why = append(why, problemWords(r.By, problem))
		}
		f.Text += fmt.Sprintf(" In addition, %s no known site (%s).", term.Count(lost, "record has", "records have"), strings.Join(why, ", "))
	}
	return f
}

var bodyWords = map[robotstxt.Body]string{
	robotstxt.BodyText: "text", robotstxt.BodyEmpty: "empty file", robotstxt.BodyHTML: "a web page instead of robots.txt", robotstxt.BodyBinary: "binary data instead of robots.txt",
}

func problemWords(by audit.By, problem string) string {
	isFollowed := by != audit.ByCapture
	switch audit.Problem(problem) {
	case audit.Damaged:
		return "damaged record or line"
	case audit.Truncated:
		return "only the beginning was archived"
	case audit.Revisit:
		if isFollowed {
			return "the file is in another record, which was not found (revisit)"
		}
		return "the file is in another record (revisit), for which --each does not search"
	case audit.Redirect:
		if isFollowed {
			return "redirected to a URL that is not known, or not in the crawl"
		}
		return "redirected, which --each does not follow"
	case audit.Undecodable:
		return "compression that cannot be undone"
	case audit.NoAnswer:
		return "the site did not answer"
	case audit.Internal:
		return "not judged, because of an internal error"
	}
	return term.Escape(problem)
}
