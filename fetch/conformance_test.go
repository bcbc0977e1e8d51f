package fetch

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/test/golden"
	"github.com/kosterhq/robotstxt/origin"
)

// The types of conformance/timelines.json; its README describes the fields.
type (
	timelineFile struct {
		Format    int            `json:"format"`
		UserAgent string         `json:"user_agent"`
		Start     int64          `json:"start"`
		Cases     []timelineCase `json:"cases"`
	}
	timelineCase struct {
		Name     string         `json:"name"`
		Note     string         `json:"note"`
		Policies []Policy       `json:"policies"`
		Steps    []timelineStep `json:"steps"`
	}
	timelineStep struct {
		At      int64           `json:"at"`
		URL     string          `json:"url,omitempty"`     // as before
		Answers timelineAnswers `json:"answers,omitempty"` // as before
		Want    timelineWant    `json:"want"`
	}
	timelineAnswers map[string]timelineAnswer
	timelineAnswer  struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers,omitempty"`
		Body    string            `json:"body,omitempty"`
		Base64  []byte            `json:"base64,omitempty"`
		Pad     int               `json:"pad,omitempty"`
		Cut     bool              `json:"cut,omitempty"`
	}
	timelineWant struct {
		Asked   []string `json:"asked"`
		Outcome Outcome  `json:"outcome"`
		Status  int      `json:"status"`
		Allowed bool     `json:"allowed"`
		Hops    int      `json:"hops,omitempty"`
		Stale   bool     `json:"stale,omitempty"`
		Fresh   int64    `json:"fresh,omitempty"`
		Wait    []int64  `json:"wait,omitempty"`
	}
)

const (
	shop       = "https://shop.example"
	shopRobots = shop + "/robots.txt"
	shopPage   = shop + "/private"
	closedFile = "User-agent: *\nDisallow: /private\n"
	openFile   = "User-agent: *\nDisallow: /other\n"
)

// TestConformanceTimelines checks that conformance/timelines.json says what this client requests
// and answers. "go generate ./fetch" writes it. The waits have a jitter, so they are ranges, and
// no step is where the jitter decides whether the client requests something.
func TestConformanceTimelines(t *testing.T) {
	began := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	file := timelineFile{Format: 1, UserAgent: me, Start: began.Unix()}
	for _, c := range timelineCases() {
		var kinds []timelineCase
		for _, p := range Policies() {
			steps := playSteps(t, c, p, began)
			row := jsonLine(t, steps)
			i := slices.IndexFunc(kinds, func(k timelineCase) bool { return jsonLine(t, k.Steps) == row })
			if i < 0 {
				i = len(kinds)
				kinds = append(kinds, timelineCase{Name: c.Name, Note: c.Note, Steps: steps})
			}
			kinds[i].Policies = append(kinds[i].Policies, p)
		}
		file.Cases = append(file.Cases, kinds...)
	}
	var rows []string
	for _, c := range file.Cases {
		rows = append(rows, jsonLine(t, c))
	}
	head := fmt.Sprintf("{\"format\": %d, \"user_agent\": %q, \"start\": %d, \"cases\": [\n", file.Format, file.UserAgent, file.Start)
	golden.Check(t, *update, "../conformance/timelines.json", []byte(head+strings.Join(rows, ",\n")+"\n]}\n"), "go generate ./fetch")
	t.Logf("%d timelines in %d cases", len(timelineCases())*len(Policies()), len(file.Cases))
}

func jsonLine(t *testing.T, value any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// playSteps returns the steps of a case with what a client under a policy requests and answers.
func playSteps(t *testing.T, c timelineCase, p Policy, began time.Time) (steps []timelineStep) {
	now := began
	var answers timelineAnswers
	var asked []string
	var url string
	client := newTestClient(t, Config{Policy: p, Freshness: Freshness{Clock: func() time.Time { return now }},
		Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.URL.String())
			a, ok := answers[r.URL.String()]
			if !ok {
				a = answers["*"]
			}
			return a.respond(r)
		})}})
	defer client.Close()
	bounds := map[origin.Origin][2]time.Time{} // of the next try
	for i, step := range c.Steps {
		now = began.Add(time.Duration(step.At) * time.Second)
		if step.Answers != nil {
			answers = step.Answers
		}
		url = cmp.Or(step.URL, url)
		o, err := origin.Of(url)
		if err != nil {
			t.Fatal(err)
		}
		if now.After(bounds[o][0]) && now.Before(bounds[o][1]) {
			t.Fatalf("%s, %v, step %d: the jitter decides", c.Name, p, i)
		}
		asked = []string{}
		r := Expect(t, client, url)
		if !r.FreshUntil.IsZero() && r.FreshUntil.Sub(now) <= r.FreshUntil.Sub(r.FetchedAt)/10 {
			t.Fatalf("%s, %v, step %d: the client refreshes in the background", c.Name, p, i)
		}
		step.Want = timelineWant{Asked: asked, Outcome: r.Outcome, Status: r.Status, Hops: len(r.Hops)}
		step.Want.Stale = r.Source == SourceStale
		step.Want.Allowed, err = client.Allowed(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		if !r.FreshUntil.IsZero() {
			step.Want.Fresh = int64(r.FreshUntil.Sub(now).Seconds())
		}
		if len(asked) > 0 {
			bounds[o] = waitBounds(t, client, o, now)
		}
		if !r.NextTry.IsZero() {
			for _, bound := range bounds[o] {
				step.Want.Wait = append(step.Want.Wait, int64(bound.Sub(now).Seconds()))
			}
		}
		steps = append(steps, step)
	}
	return steps
}

// waitBounds returns the earliest and the latest time of the next try after a fault: those of
// the back-off, or what a longer Retry-After requests. They are zero after an answer.
func waitBounds(t *testing.T, client *Client, o origin.Origin, now time.Time) (bounds [2]time.Time) {
	fault := client.inMemory(o).fault
	if fault == nil {
		return bounds
	}
	shortest, longest := wordsOnBackOff(fault.Tries, fault.Status, 0)
	wait := fault.NextTry.Sub(now)
	if wait > longest {
		return [2]time.Time{fault.NextTry, fault.NextTry}
	}
	if wait < shortest {
		t.Fatalf("%s: a wait of %v after %d tries", o, wait, fault.Tries)
	}
	return [2]time.Time{now.Add(shortest), now.Add(longest)}
}

func (a timelineAnswer) respond(r *http.Request) (*http.Response, error) {
	if a.Status == 0 {
		return nil, errors.New("connection reset by a test")
	}
	body := a.Body + string(a.Base64) + strings.Repeat("# filler\n", a.Pad)
	response := respond(r, a.Status, body)
	for name, value := range a.Headers {
		response.Header.Set(name, value)
	}
	if a.Cut {
		response.ContentLength += 5000
		response.Body = io.NopCloser(io.MultiReader(strings.NewReader(body), failingReader{}))
	}
	return response, nil
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// always is the answer to each request.
func always(status int, body string, headers ...string) timelineAnswers {
	a := timelineAnswer{Status: status, Body: body}
	for i := 0; i < len(headers); i += 2 {
		if a.Headers == nil {
			a.Headers = map[string]string{}
		}
		a.Headers[headers[i]] = headers[i+1]
	}
	return timelineAnswers{"*": a}
}

// onPage returns steps about one page.
func onPage(steps ...timelineStep) []timelineStep {
	steps[0].URL = shopPage
	return steps
}

func timelineCases() []timelineCase {
	return slices.Concat(statusCases(), outageCases(), redirectCases(), locationCases(), freshnessCases(),
		retryAfterCases(), bodyCases(), siteCases(), clockCases())
}

func statusCases() (cases []timelineCase) {
	for _, r := range statuses {
		for _, status := range slices.Compact([]int{r.first, r.last}) {
			cases = append(cases, timelineCase{Name: fmt.Sprintf("status %d", status),
				Note: "without a copy, and after one has expired",
				Steps: onPage(timelineStep{At: 0, Answers: always(status, openFile)},
					timelineStep{At: 700_000, Answers: always(200, closedFile)},
					timelineStep{At: 1_400_000, Answers: always(status, openFile)})})
		}
	}
	return cases
}

func outageCases() (cases []timelineCase) {
	const begin, visit = 700_000, 47 * 3600
	for _, status := range []int{0, 503} {
		for _, before := range []int{200, 404, 0} {
			down := always(status, "")
			steps := []timelineStep{{Answers: always(before, openFile)}, {At: begin, Answers: down}, {At: begin + 20}}
			for _, hours := range []int64{1, 11, 13, 25} {
				steps = append(steps, timelineStep{At: begin + hours*3600})
			}
			at := int64(begin + 25*3600)
			for at < begin+31*24*3600 {
				at += visit
				steps = append(steps, timelineStep{At: at})
			}
			steps = append(steps, timelineStep{At: at + 49*3600},
				timelineStep{At: at + 60*3600, Answers: always(200, closedFile)})
			cases = append(cases, timelineCase{Name: fmt.Sprintf("outage after %d, status %d", before, status),
				Note: "of 31 days; after 49 hours without an attempt another outage begins", Steps: onPage(steps...)})
		}
	}
	for _, status := range []int{0, 500, 503, 429} {
		steps := []timelineStep{{At: 0, Answers: always(status, "")}}
		for n := range 9 {
			_, most := wordsOnBackOff(n+1, status, 0)
			last := steps[len(steps)-1].At
			wait := int64(most.Seconds())
			steps = append(steps, timelineStep{At: last + wait/3}, timelineStep{At: last + wait + 1})
		}
		cases = append(cases, timelineCase{Name: fmt.Sprintf("back-off after %d", status), Note: "the wait doubles",
			Steps: onPage(steps...)})
	}
	return cases
}

func redirectCases() (cases []timelineCase) {
	hops := func(status, count int, end timelineAnswer) timelineAnswers {
		answers := timelineAnswers{"*": end}
		from := shopRobots
		for i := range count {
			to := fmt.Sprintf("/h%d", i)
			answers[from] = timelineAnswer{Status: status, Headers: map[string]string{"Location": to}}
			from = shop + to
		}
		return answers
	}
	add := func(name, note string, answers timelineAnswers) {
		cases = append(cases, timelineCase{Name: "redirect " + name, Note: note, Steps: onPage(
			timelineStep{At: 0, Answers: always(200, openFile)}, timelineStep{At: 700_000, Answers: answers})})
	}
	closed := timelineAnswer{Status: 200, Body: closedFile}
	for _, status := range []int{300, 301} {
		for _, count := range []int{1, 5, 6, 20, 21} {
			add(fmt.Sprintf("%d, %d times", status, count), "the policy says how many are followed", hops(status, count, closed))
		}
	}
	for _, status := range []int{302, 303, 305, 307, 308} {
		add(fmt.Sprint(status), "followed, but 305", hops(status, 1, closed))
	}
	for _, end := range []int{404, 403, 503, 0} {
		add(fmt.Sprintf("to %d", end), "the last response decides", hops(301, 2, timelineAnswer{Status: end}))
	}
	add("loop", "is as too many", timelineAnswers{"*": {Status: 301, Headers: map[string]string{"Location": "/robots.txt"}}})
	add("to another host", "whose file applies", timelineAnswers{
		shopRobots:                       {Status: 302, Headers: map[string]string{"Location": "//cdn.example/robots.txt"}},
		"https://cdn.example/robots.txt": closed,
	})
	return cases
}

func locationCases() (cases []timelineCase) {
	for _, location := range []string{"r.txt", "https:r.txt", "https://cdn.example/r.txt", "/a b", "/caf%c3%a9", "/x/../r.txt", "?q", "#f", " /r.txt ",
		"\\r.txt", "HTTPS://SHOP.EXAMPLE.:443/r.txt", "http://shop.example:8080/r.txt", "https://user:word@shop.example/r.txt#f", "http://[2001:DB8:0::1]/",
		"ftp://shop.example/", "mailto:a@b.example", "http://[::1", "https://shop.example:99999/", "/%zz", "//", "https://bücher.example/"} {
		answers := always(200, closedFile)
		answers[shopRobots] = timelineAnswer{Status: 301, Headers: map[string]string{"Location": location}}
		cases = append(cases, timelineCase{Name: fmt.Sprintf("location %q", location), Note: "is read as browsers do",
			Steps: onPage(timelineStep{Answers: answers})})
	}
	return cases
}

func freshnessCases() (cases []timelineCase) {
	add := func(name string, status int, headers ...string) {
		first := always(status, closedFile, headers...)
		cases = append(cases, timelineCase{Name: "freshness of " + name,
			Note: "from 5 minutes to the longest time of the policy",
			Steps: onPage(timelineStep{Answers: first}, timelineStep{At: 100}, timelineStep{At: 310},
				timelineStep{At: 3700}, timelineStep{At: 700_000})})
	}
	for _, value := range []string{"max-age=0", "max-age=60", "max-age=3600", "max-age=100000", "max-age=99999999999999999999", "s-maxage=7200, max-age=60",
		"max-age=9000, no-store", "no-cache", `max-age="3600"`, "max-age=x, max-age=600", "private", "MAX-AGE = 600", "max-age=600, max-age=9000",
		`x="a, max-age=1", max-age=3600`, "max-age=-5", "max-age=1.5"} {
		add(value, 200, "Cache-Control", value)
	}
	add("max-age=200000 of a 404", 404, "Cache-Control", "max-age=200000")
	add("max-age=60 of a 403", 403, "Cache-Control", "max-age=60")
	add("Age", 200, "Cache-Control", "max-age=3600", "Age", "1000")
	add("a wrong Age", 200, "Cache-Control", "max-age=3600", "Age", "-1")
	const later = "Thu, 01 Jan 2026 02:00:00 GMT"
	add("Expires", 200, "Expires", later)
	add("Expires and Date", 200, "Expires", later, "Date", "Thu, 01 Jan 2026 01:30:00 GMT")
	add("Expires and max-age", 200, "Expires", later, "Cache-Control", "max-age=600")
	add("Expires in the past", 200, "Expires", "Wed, 31 Dec 2025 23:00:00 GMT")
	add("Expires 0", 200, "Expires", "0")
	return cases
}

func retryAfterCases() (cases []timelineCase) {
	add := func(status int, headers ...string) {
		cases = append(cases, timelineCase{Name: fmt.Sprintf("Retry-After of a %d: %s", status, strings.Join(headers[1:], ", ")),
			Note: "replaces a shorter wait, up to 24 hours", Steps: onPage(timelineStep{At: 0, Answers: always(status, "", headers...)},
				timelineStep{At: 20}, timelineStep{At: 172_700, Answers: always(200, openFile)})})
	}
	for _, value := range []string{"3600", " 120 ", "0", "-5", "soon", "1e3", "99999999", "Thu, 01 Jan 2026 01:00:00 GMT",
		"Wed, 31 Dec 2025 23:59:00 GMT", "Thursday, 01-Jan-26 01:00:00 GMT", "Thu Jan  1 01:00:00 2026", "2026-01-01T01:00:00Z"} {
		add(503, "Retry-After", value)
	}
	add(503, "Retry-After", "Thu, 01 Jan 2026 01:00:00 GMT", "Date", "Thu, 01 Jan 2026 00:30:00 GMT")
	for _, status := range []int{429, 500, 404, 200, 301} {
		add(status, "Retry-After", "3600")
	}
	return cases
}

func bodyCases() (cases []timelineCase) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, closedFile)
	_ = z.Close()
	zipped := packed.Bytes()
	zipped[9] = 0xFF // no system, whichever wrote it
	encoded := func(coding string, body []byte) timelineAnswer {
		return timelineAnswer{Status: 200, Headers: map[string]string{"Content-Encoding": coding}, Base64: body}
	}
	ranged := func(of string) timelineAnswer {
		return timelineAnswer{Status: 206, Headers: map[string]string{"Content-Range": of}, Body: closedFile}
	}
	whole := fmt.Sprintf("bytes 0-%d/%[2]d", len(closedFile)-1, len(closedFile))
	bodies := map[string]timelineAnswer{
		"cut":                     {Status: 200, Body: "User-agent: *\nDisallow: /a\n", Cut: true},
		"cut 404":                 {Status: 404, Body: "no", Cut: true},
		"empty":                   {Status: 200},
		"of 540,000 bytes":        {Status: 200, Body: closedFile, Pad: 60_000},
		"cut after 500 KiB":       {Status: 200, Body: closedFile, Pad: 60_000, Cut: true},
		"web page":                {Status: 200, Body: "<!DOCTYPE html><title>Shop</title>"},
		"rules after markup":      {Status: 200, Body: "<!-- x -->\n" + closedFile},
		"not text":                {Status: 200, Base64: []byte("\x00\x01\x02\x03")},
		"UTF-16":                  {Status: 200, Base64: []byte("\xFF\xFEU\x00s\x00e\x00r\x00")},
		"gzip":                    encoded("gzip", zipped),
		"x-gzip":                  encoded("x-gzip", zipped),
		"gzip, cut":               encoded("gzip", zipped[:30]),
		"gzip, wrong":             encoded("gzip", []byte(closedFile)),
		"gzip, gzip":              encoded("gzip, gzip", zipped),
		"gzip of two members":     encoded("gzip", slices.Concat(zipped, zipped)),
		"gzip, something after":   encoded("gzip", slices.Concat(zipped, []byte("\n\n"))),
		"br":                      encoded("br", []byte(closedFile)),
		"identity":                encoded("identity", []byte(closedFile)),
		"utf-8":                   encoded("utf-8", []byte(closedFile)),
		"206":                     ranged(whole),
		"206 with another length": ranged("bytes 0-42/43"),
		"206 of a part":           ranged("bytes 0-32/9000"),
		"206 of an end":           ranged("bytes 1-33/34"),
		"206 without a length":    ranged("bytes 0-32/*"),
		"206 in other units":      ranged(strings.Replace(whole, "bytes", "lines", 1)),
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		cases = append(cases, timelineCase{Name: "body: " + name, Note: "what did not arrive whole is no file",
			Steps: onPage(timelineStep{At: 0, Answers: timelineAnswers{"*": bodies[name]}})})
	}
	return cases
}

func siteCases() (cases []timelineCase) {
	for _, url := range []string{"http://shop.example:80/private", "https://shop.example:8443/private", "HTTPS://SHOP.EXAMPLE./private",
		"http://[2001:DB8:0::1]/private", "http://bücher.example/private", "https://user:word@shop.example/private", "http://0x08080808/private"} {
		cases = append(cases, timelineCase{Name: "site of " + url, Note: "one file for each scheme, host and port, in canonical form",
			Steps: []timelineStep{{URL: url, Answers: always(200, closedFile)}}})
	}
	return append(cases, timelineCase{Name: "three sites", Note: "have a file each", Steps: []timelineStep{
		{At: 0, URL: shopPage, Answers: always(200, closedFile)}, {At: 10, URL: "http://shop.example/private", Answers: always(503, "")},
		{At: 11, URL: "https://SHOP.example:443/private"}, {At: 12, URL: shop + ":8443/private", Answers: always(404, "")},
		{At: 15, URL: "http://shop.example/private"}, {At: 60, URL: "http://shop.example/private", Answers: always(200, openFile)},
	}})
}

func clockCases() []timelineCase {
	closed, down := always(200, closedFile), always(500, "")
	return []timelineCase{
		{Name: "clock set back a little", Note: "5 minutes are tolerated", Steps: onPage(timelineStep{Answers: closed}, timelineStep{At: -200})},
		{Name: "clock set back a day", Note: "an answer from the future is not fresh", Steps: onPage(timelineStep{Answers: closed},
			timelineStep{At: -86_400}, timelineStep{At: -86_300})},
		{Name: "clock set back in an outage", Note: "no wait is longer than a day", Steps: onPage(timelineStep{Answers: down},
			timelineStep{At: -90_000}, timelineStep{At: -89_990})},
	}
}
