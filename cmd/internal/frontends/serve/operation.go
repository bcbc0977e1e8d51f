package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls/editing"
)

type operation struct {
	name    string // the path is /v1/ and the name
	summary string
	text    string       // the description, after the summary
	request reflect.Type // of a struct
	result  string       // the name of its schema in package wire
	example string       // a request, which a test sends
	lines   bool         // it is also available as a stream
	// cost bounds the memory of a call, and costPerByte the memory for each byte of the request,
	// in addition to the memory for reading the request. They are for operations that can
	// compute for long; 0 means that the operation takes its memory itself.
	//
	// Every operation needs less memory than it takes, with one exception: for lint with all
	// fixes and 256 KB of line ends, 220 bytes per byte were measured, a sixth more than it
	// takes. A higher value could never be granted for the largest file.
	cost, costPerByte int64
	answer            func(s *Server, ctx context.Context, c *call, request []byte) (result []byte, err error)
}

func pure[Request any](name, summary, text, result, example string, answer calls.Call) operation {
	return operation{
		name: name, summary: summary, text: text, request: reflect.TypeFor[Request](), result: result, example: example,
		cost: callCost, costPerByte: callCostPerByte,
		answer: func(s *Server, ctx context.Context, _ *call, request []byte) ([]byte, error) {
			return answer(ctx, request, s.config.Limits)
		},
	}
}

// The memory of most calls.
const (
	callCost        = 1 << 20
	callCostPerByte = 64
)

func (o operation) costing(cost, perByte int64) operation {
	o.cost, o.costPerByte = cost, perByte
	return o
}

func fetching[Request any, Result json.Marshaler](name, summary, text, result, example string,
	answer func(*Server, context.Context, *call, *Request) (Result, error)) operation {
	return operation{
		name: name, summary: summary, text: text, request: reflect.TypeFor[Request](), result: result, example: example,
		answer: func(s *Server, ctx context.Context, c *call, text []byte) ([]byte, error) {
			var request Request
			if err := s.decode(ctx, c, text, &request); err != nil {
				return nil, err
			}
			result, err := answer(s, ctx, c, &request)
			if err != nil {
				return nil, err
			}
			return result.MarshalJSON()
		},
	}
}

// operations returns all operations, in the order of the description. check has no function
// here, because its handler writes the answers itself.
func operations() []operation {
	edit := editing.Calls()
	check := operation{
		name: "check", summary: "Which URLs may crawlers fetch, and which line decides?", request: reflect.TypeFor[calls.CheckRequest](), result: "Answers", lines: true,
		text: "The result has an answer for each URL and crawler. Without a body, the service fetches the robots.txt of each URL's site, or uses its cached copy while that is fresh. " +
			"If a site does not answer, the verdict is unknown. With the Content-Type " + typeLines + ", you can send a stream of URLs of any length, and the service answers while it arrives.",
		example: `{"agents":["Googlebot","GPTBot"],"urls":["https://shop.example/cart"],"body":"User-agent: GPTBot\nDisallow: /\n"}`,
	}
	return []operation{
		check,
		fetching("explain", "Why may a crawler fetch a URL, or why not?", "One crawler and one URL: all matching rules, why one of them decides, and the verdicts in the other dialects.",
			"Explanation", `{"agents":["Googlebot-News"],"urls":["/news/"],"body":"User-agent: Googlebot\nDisallow: /news\nAllow: /news/$\n"}`, (*Server).explain),
		pure[editing.LintRequest]("lint", "Problems in a robots.txt, and fixes", "", "Findings", `{"body":"User-agent: *\nDisalow: /cart\n","fix":"all"}`, edit["lint"]).costing(callCost, 184),
		pure[editing.FormatRequest]("format", "A robots.txt in a uniform layout", "The service changes the file only if it can prove that no verdict changes.",
			"Formatted", `{"body":"user-agent:*\ndisallow:/cart\n"}`, edit["format"]),
		pure[calls.DiffRequest]("diff", "What does an edit of a robots.txt change?", "The paths it opens or closes, with an example of each, and for which crawlers. If nothing changes, that is proved.",
			"Comparison", `{"before":"User-agent: *\nDisallow: /cart\n","after":"User-agent: *\nDisallow: /\n","agents":["Googlebot"]}`, calls.Calls()["diff"]),
		pure[editing.AIRequest]("ai", "What a robots.txt tells AI services", "", "AIView", `{"body":"User-agent: GPTBot\nDisallow: /\n"}`, edit["ai"]),
		pure[editing.GenerateRequest]("generate", "Write your intentions into a robots.txt", "Name the purposes and crawlers to refuse or allow. The service proves that no other verdict changes.",
			"Generated", `{"body":"User-agent: *\nDisallow: /cart\n","no":["ai-training","ai-fetch=/members/"],"yes":["search"]}`, edit["generate"]).costing(16<<20, 256),
		pure[editing.CrawlersRequest]("crawlers", "The known crawlers, with a source for each fact", "", "CrawlerList", `{"names":["GPTBot"]}`, edit["crawlers"]),
		fetching("fetch", "The robots.txt of a site as it is now",
			"The response, its redirects, headers and freshness, and the file. The service requests the file each time, unless it did so a moment ago; then it returns the last answer.",
			"Fetched", `{"url":"http://shop.example/"}`, (*Server).fetchSite),
		fetching("sitemap", "The URLs of a sitemap", "", "URLs", `{"url":"http://shop.example/sitemap.xml"}`, (*Server).sitemap),
		pure[editing.URLsRequest]("urls", "The URLs of a list", "The list can be a URL on each line, CSV, TSV, a sitemap or an access log. The result names the lines without a URL.",
			"URLs", `{"text":"Address,Status\nhttps://shop.example/cart,200\n"}`, edit["urls"]).costing(listCost, callCostPerByte),
		pure[editing.RemarksRequest]("remarks", "Likely mistakes in crawlers and URLs", "Misspelt crawlers, texts that are not URLs, and URLs that another robots.txt governs.",
			"Remarks", `{"agents":["Gogglebot"],"urls":["nonsense"]}`, edit["remarks"]),
		fetching("resources", "The files that a web page loads", "Without the html field, the service fetches the page.",
			"Resources", `{"url":"http://shop.example/","html":"<script src=a.js></script>"}`, (*Server).resources),
		fetching("permit", "What may crawlers do with a URL, for each purpose?", "The answer follows from all of the site's signals. Without the body field, the service fetches the robots.txt, the page, tdmrep.json and RSL documents where robots.txt allows it, unless the request contains them.",
			"Permit", `{"url":"http://shop.example/tea","body":"User-agent: *\nContent-Usage: train-ai=n\n","header":[{"name":"X-Robots-Tag","value":"noarchive"}],"crawlers":["bingbot"]}`, (*Server).permit),
		pure[editing.TextRequest]("diagnostics", "Problems at their places in a text", "For editors: places are lines and UTF-16 units, from 0.", "Diagnostics", `{"body":"Disalow: /cart\n"}`, edit["diagnostics"]).costing(callCost, 96),
		pure[calls.OutlineRequest]("outline", "A summary of a robots.txt", "", "FileOutline", `{"body":"User-agent: *\nDisallow: /cart\n"}`, calls.Calls()["outline"]),
		pure[editing.PlaceRequest]("hover", "What is known about a place in a text", "For editors.", "Hover", `{"body":"User-agent: GPTBot\n","line":0,"character":14}`, edit["hover"]),
		pure[editing.PlaceRequest]("complete", "Completions at a place in a text", "For editors.", "Completions", `{"body":"User-ag","line":0,"character":7}`, edit["complete"]),
		pure[editing.TokensRequest]("tokens", "Parts of a text to colour", "For editors.", "Tokens", `{"body":"User-agent: *\n"}`, edit["tokens"]),
		pure[editing.TextRequest]("symbols", "The outline and the folds of a text", "For editors.", "Symbols", `{"body":"User-agent: *\nDisallow: /cart\n"}`, edit["symbols"]).costing(callCost, 128),
	}
}

// robotsTxt is the service's own file: crawlers may fetch the page, but not cause
// fetches.
const robotsTxt = "User-agent: *\nDisallow: /v1/\nDisallow: /watch\n"

func (s *Server) addRoutes() {
	s.routes = make(map[string][]*endpoint)
	add := func(path string, end *endpoint) {
		s.metrics.expect(end.name)
		s.routes[path] = append(s.routes[path], end)
	}
	for _, o := range operations() {
		end := &endpoint{name: o.name, method: "POST", isAPI: true, handle: s.handler(o)}
		if o.name == "check" {
			end.handle = s.checkURLs
		}
		add("/v1/"+o.name, end)
		if o.name == "crawlers" {
			add("/v1/crawlers", &endpoint{name: o.name, method: "GET", isAPI: true, handle: s.queried(o)})
		}
	}
	// Not at the start, of which it would be the longest part.
	description := sync.OnceValues(func() ([]byte, error) { return openAPI(s.config.Version, s.config.Token != "") })
	add("/openapi.json", &endpoint{name: "openapi", method: "GET", handle: func(c *call) error {
		text, err := description()
		if err != nil {
			return err
		}
		return writeJSON(c, text)
	}})
	if s.config.Watched != nil {
		add("/watch", &endpoint{name: "watch", method: "GET", isAPI: true, handle: files(s.config.Watched, watchBytes)})
	}
	add("/form", &endpoint{name: "form", method: "POST", handle: s.form})
	s.metrics.expect("page")
	s.metrics.expect(refused.name)
	page := files(s.page, fileBytes)
	s.pageRoutes = []*endpoint{{name: "page", method: "GET", handle: func(c *call) error {
		if !s.page.Has(c.r.URL.Path) {
			return notFound
		}
		return page(c)
	}}}
	add("/robots.txt", &endpoint{name: "robots", method: "GET", handle: func(c *call) error {
		c.Header()["Content-Type"] = []string{"text/plain; charset=utf-8"}
		c.Header()["Cache-Control"] = []string{"max-age=86400"}
		_, _ = c.Write([]byte(robotsTxt)) // the client might be gone
		return nil
	}})
}

// The memory for a file of the page, whose bytes all responses share, and for a list of sites:
// net/http's buffers, and a text that is made for one response.
const (
	fileBytes  = 64 << 10
	watchBytes = 256 << 10
)

// files returns the handler of files. Each response takes some bytes of memory.
func files(of http.Handler, bytes int64) func(*call) error {
	return func(c *call) error {
		if err := c.memory.take(bytes); err != nil {
			return err
		}
		of.ServeHTTP(c, c.r)
		return nil
	}
}

func (s *Server) handler(o operation) func(*call) error {
	return func(c *call) error {
		request, err := s.received(c, typeJSON)
		if err != nil {
			return err
		}
		return s.answer(c, o, request)
	}
}

func (s *Server) answer(c *call, o operation, request []byte) error {
	result, err := s.result(c, o, request)
	if err != nil {
		return err
	}
	return writeJSON(c, result)
}

func (s *Server) result(c *call, o operation, request []byte) (result []byte, err error) {
	ctx, cancel := context.WithTimeout(c.r.Context(), s.config.AnswerTimeout)
	defer cancel()
	defer func() {
		if errors.Is(err, context.DeadlineExceeded) && c.r.Context().Err() == nil {
			result, err = nil, s.late
		}
	}()
	if o.cost == 0 {
		return o.answer(s, ctx, c, request)
	}
	// If a body's JSON is longer than the largest file, it contains escapes.
	size := len(request)
	if most := 2 * s.config.Limits.Filled().BodyBytes; most > 0 {
		size = min(size, most)
	}
	cost := o.cost + o.costPerByte*int64(size) + readCost(request)
	if err := s.beginTurnWith(ctx, c, cost); err != nil {
		return nil, err
	}
	result, err = o.answer(s, &passing{Context: ctx, turn: &c.turn}, c, request)
	c.memory.give(cost - int64(cap(result)))
	return result, err
}

// beginTurnWith begins the turn of a request, with cost bytes of memory. If other requests have used
// up the memory, or the share of the client's network, it waits, without the turn, until some is
// returned.
func (s *Server) beginTurnWith(ctx context.Context, c *call, cost int64) error {
	if err := s.beginTurn(ctx, c); err != nil || c.memory.take(cost) == nil {
		return err
	}
	c.turn.end()
	if err := c.memory.await(ctx, cost, true, turnWait); err != nil {
		return err
	}
	return s.beginTurn(ctx, c)
}

func (s *Server) queried(o operation) func(*call) error {
	return func(c *call) error {
		query := c.r.URL.Query()
		lists := make(map[string][]string)
		for name, values := range query {
			if name != "names" && name != "purposes" && name != "operators" {
				return &calls.Error{Code: calls.CodeMalformed, Field: name, Message: "there is no such parameter",
					Hint: "the parameters are names, purposes and operators"}
			}
			lists[name] = strings.Split(strings.Join(values, ","), ",")
		}
		request, _ := json.Marshal(lists) // these types have no error
		return s.answer(c, o, request)
	}
}

// listCost is the memory for a list of URLs or a page. Either can be long after it is
// decompressed, or its URLs are joined with their base; calls.Limits.ListBytes bounds that.
const listCost = 128 << 20
