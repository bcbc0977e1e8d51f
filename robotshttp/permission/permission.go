// Package permission says what a response may be used for. It is beside the transport of
// package robotshttp, and gives what that knows to package
// github.com/kosterhq/robotstxt/permission:
//
//	client := &http.Client{Transport: &robotshttp.Transport{Client: robots, KeepResult: true}}
//	response, err := client.Get("https://example.com/page")
//	// …
//	for _, answer := range permission.Of(response, "FooBot") {
//		fmt.Println(answer.Purpose, answer.Verdict)
//	}
//
// Nothing is evaluated unless a program calls Of or SourcesOf.
package permission

import (
	"net/http"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// Of returns what a crawler with these product tokens, the most specific first, may do with the
// page of a response, for each purpose: by the lines of the response, and by robots.txt if it is
// from a Transport with KeepResult. It does not read the body and fetches nothing, so what other
// sources say is missing, and the answers are provisional. A page that was redirected has the URL
// of its last request.
func Of(response *http.Response, tokens ...string) []permission.Answer {
	return permission.Decide(QuestionOf(response, tokens...), SourcesOf(response))
}

// QuestionOf returns the question that Of answers.
func QuestionOf(response *http.Response, tokens ...string) permission.Question {
	url := ""
	if response.Request != nil && response.Request.URL != nil {
		url = origin.Request(response.Request.URL).Compared()
	}
	q := permission.Ask(url, tokens...)
	q.Time = time.Now()
	return q
}

// SourcesOf returns what Of knows. A program that reads the page or fetches other sources adds
// them, and calls Decide of package permission.
func SourcesOf(response *http.Response) *permission.Sources {
	s := &permission.Sources{Header: response.Header}
	if s.Header == nil {
		s.Header = http.Header{}
	}
	if result := robotshttp.ResultOf(response); result != nil {
		s.Robots = robotsOf(result)
	}
	return s
}

// robotsOf returns the facts about a robots.txt.
func robotsOf(r *fetch.Result) *permission.Robots {
	facts := &permission.Robots{URL: r.Origin.RobotsURL(), Cut: r.Truncated}
	switch r.Outcome {
	case fetch.OutcomeRules:
		others := permission.NewRobots(facts.URL, r.Body())
		facts.In = func(d robotstxt.Dialect) *robotstxt.Robots {
			if parsed := r.Robots(); parsed != nil && parsed.Dialect() == d {
				return parsed
			}
			if r.Body() == nil {
				return nil
			}
			return others.In(d)
		}
	default:
		facts.Without, facts.NoVerdict = r.Rules(), r.Outcome == fetch.OutcomeLocal
		facts.Unreachable = r.Err != nil || r.Outcome != fetch.OutcomeAllowAll
	}
	return facts
}
