// Package permission decides what a response may be used for. It passes the knowledge of
// a robotshttp.Transport to package github.com/kosterhq/robotstxt/permission:
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

// Of returns, for each purpose, what a crawler with these product tokens, the most specific
// first, may do with the page of a response. It reads the lines of the response, and robots.txt
// if the response is from a Transport with KeepResult. It does not read the body and fetches
// nothing, so all other sources are missing and the answers are provisional. After redirects, the
// page has the URL of the last request. If response is nil, nothing is known.
func Of(response *http.Response, tokens ...string) []permission.Answer {
	return permission.Decide(QuestionOf(response, tokens...), SourcesOf(response))
}

// QuestionOf returns the question that Of answers.
func QuestionOf(response *http.Response, tokens ...string) permission.Question {
	url := ""
	if response != nil && response.Request != nil && response.Request.URL != nil {
		url = origin.Request(response.Request.URL).Compared()
	}
	q := permission.Ask(url, tokens...)
	q.Time = time.Now()
	return q
}

// SourcesOf returns the sources that Of uses. If your program reads the page or fetches other
// sources, add them, and call Decide of package permission.
func SourcesOf(response *http.Response) *permission.Sources {
	s := &permission.Sources{Header: http.Header{}}
	if response != nil && response.Header != nil {
		s.Header = response.Header
	}
	if result := robotshttp.ResultOf(response); result != nil {
		s.Robots = robotsOf(result)
	}
	return s
}

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
		facts.Without = r.Rules()
		facts.NoVerdict = r.Outcome == fetch.OutcomeLocal
		facts.Unreachable = r.Err != nil || r.Outcome != fetch.OutcomeAllowAll
	}
	return facts
}
