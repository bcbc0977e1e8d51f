package serve

import (
	"context"
	"encoding/json"
	"net/netip"
	"reflect"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/api/editing"
)

// operation is a row of the table of operations, from which the routes and their
// description are made.
type operation struct {
	name    string // the path is /v1/ with it
	summary string
	text    string       // what the summary does not say
	request reflect.Type // of a struct
	result  string       // the name of its schema in package wire
	example string       // a request, which a test sends
	heavy   bool         // it may compute for long
	lines   bool         // it has a stream, too
	answer  func(s *Server, ctx context.Context, client netip.Addr, request []byte) (result []byte, err error)
}

// pure returns an operation that is a call of package api.
func pure[Request any](name, summary, text, result, example string, call api.Call) operation {
	return operation{
		name: name, summary: summary, text: text, request: reflect.TypeFor[Request](), result: result, example: example, heavy: true,
		answer: func(s *Server, ctx context.Context, _ netip.Addr, request []byte) ([]byte, error) {
			return call(ctx, request, s.config.Limits)
		},
	}
}

// fetching returns an operation that may fetch.
func fetching[Request any, Result json.Marshaler](name, summary, text, result, example string, answer func(*Server, context.Context, netip.Addr, *Request) (Result, error)) operation {
	return operation{
		name: name, summary: summary, text: text, request: reflect.TypeFor[Request](), result: result, example: example,
		answer: func(s *Server, ctx context.Context, client netip.Addr, text []byte) ([]byte, error) {
			var request Request
			if err := api.Read(text, &request); err != nil {
				return nil, err
			}
			result, err := answer(s, ctx, client, &request)
			if err != nil {
				return nil, err
			}
			return result.MarshalJSON()
		},
	}
}

// operations returns all operations, in the order of their description. The answer of check
// is nil: its handler does not need one.
func operations() []operation {
	edit := editing.Calls()
	check := operation{
		name: "check", summary: "Which URLs may crawlers fetch, and which line decides?", request: reflect.TypeFor[api.CheckRequest](), result: "Answers", lines: true,
		text: "There is an answer for each URL and crawler. Without a body, the robots.txt of each URL's site is fetched, or is from the cache while it is fresh. " +
			"If a site gives no answer, the verdict is unknown. With the type " + typeLines + " a stream of URLs of any length is answered while it arrives.",
		example: `{"agents":["Googlebot","GPTBot"],"urls":["https://shop.example/cart"],"body":"User-agent: GPTBot\nDisallow: /\n"}`,
	}
	return []operation{
		check,
		fetching("explain", "Why may a crawler fetch a URL, or why not?", "One crawler and one URL: all rules that match, why one decides, and what the other dialects decide.",
			"Explanation", `{"agents":["Googlebot-News"],"urls":["/news/"],"body":"User-agent: Googlebot\nDisallow: /news\nAllow: /news/$\n"}`, (*Server).explain),
		pure[editing.LintRequest]("lint", "Problems in a robots.txt, and fixes", "", "Findings", `{"body":"User-agent: *\nDisalow: /cart\n","fix":"plain"}`, edit["lint"]),
		pure[editing.FormatRequest]("format", "A robots.txt in a uniform layout", "The file is changed only if it is proved that no verdict changes.",
			"Formatted", `{"body":"user-agent:*\ndisallow:/cart\n"}`, edit["format"]),
		pure[api.DiffRequest]("diff", "What does an edit of a robots.txt change?", "Paths that it opens or closes, with a witness, and for which crawlers; equality is proved.",
			"Comparison", `{"before":"User-agent: *\nDisallow: /cart\n","after":"User-agent: *\nDisallow: /\n","agents":["Googlebot"]}`, api.Calls()["diff"]),
		pure[editing.AIRequest]("ai", "What a robots.txt says to AI services", "", "AIView", `{"body":"User-agent: GPTBot\nDisallow: /\n"}`, edit["ai"]),
		pure[editing.CrawlersRequest]("crawlers", "The known crawlers, with the sources of what is known", "", "CrawlerList", `{"names":["GPTBot"]}`, edit["crawlers"]),
		fetching("fetch", "The robots.txt of a site as it is now",
			"The response, its redirects, headers and freshness, and the file. The site is requested each time; if that was done a moment ago, the last answer is returned.",
			"Fetched", `{"url":"http://shop.example/"}`, (*Server).fetchSite),
		fetching("sitemap", "The URLs of a sitemap", "", "URLs", `{"url":"http://shop.example/sitemap.xml"}`, (*Server).sitemap),
		pure[editing.URLsRequest]("urls", "The URLs of a list", "A URL on each line, CSV, TSV, a sitemap or an access log. Lines without a URL are listed.",
			"URLs", `{"text":"Address,Status\nhttps://shop.example/cart,200\n"}`, edit["urls"]),
		pure[editing.RemarksRequest]("remarks", "Likely mistakes in crawlers and URLs", "Crawlers that are misspelt, texts that are no URLs, and URLs that another robots.txt governs.",
			"Remarks", `{"agents":["Gogglebot"],"urls":["nonsense"]}`, edit["remarks"]),
		fetching("resources", "The files that a web page loads", "Without the field html the page is fetched.",
			"Resources", `{"url":"http://shop.example/","html":"<script src=a.js></script>"}`, (*Server).resources),
		pure[editing.TextRequest]("diagnostics", "Problems at their places in a text", "For editors: places are lines and UTF-16 units, from 0.", "Diagnostics", `{"body":"Disalow: /cart\n"}`, edit["diagnostics"]),
		pure[api.OutlineRequest]("outline", "A summary of a robots.txt", "", "FileOutline", `{"body":"User-agent: *\nDisallow: /cart\n"}`, api.Calls()["outline"]),
		pure[editing.PlaceRequest]("hover", "What is known about a place in a text", "For editors.", "Hover", `{"body":"User-agent: GPTBot\n","line":0,"character":14}`, edit["hover"]),
		pure[editing.PlaceRequest]("complete", "Completions at a place in a text", "For editors.", "Completions", `{"body":"User-ag","line":0,"character":7}`, edit["complete"]),
		pure[editing.TokensRequest]("tokens", "Parts of a text to colour", "For editors.", "Tokens", `{"body":"User-agent: *\n"}`, edit["tokens"]),
		pure[editing.TextRequest]("symbols", "The outline and the folds of a text", "For editors.", "Symbols", `{"body":"User-agent: *\nDisallow: /cart\n"}`, edit["symbols"]),
	}
}

// addRoutes makes the routes of the operations and of the page.
func (s *Server) addRoutes() (err error) {
	s.routes = make(map[string][]*endpoint)
	add := func(path string, end *endpoint) {
		end.counted = s.metrics.of(end.name)
		s.routes[path] = append(s.routes[path], end)
	}
	for _, o := range operations() {
		end := &endpoint{name: o.name, method: "POST", isAPI: true, handle: s.handler(o)}
		if o.name == "check" {
			end.handle = s.checkURLs
		}
		add("/v1/"+o.name, end)
	}
	add("/v1/crawlers", &endpoint{name: "crawlers", method: "GET", isAPI: true, handle: s.crawlers})
	if s.openAPI, err = openAPI(s.config.Version, s.config.Token != ""); err != nil {
		return err
	}
	add("/openapi.json", &endpoint{name: "openapi", method: "GET", handle: func(c *call) error { return s.writeJSON(c, s.openAPI) }})
	add("/form", &endpoint{name: "form", method: "POST", handle: s.form})
	s.pageRoutes = []*endpoint{{name: "page", method: "GET", counted: s.metrics.of("page"), handle: func(c *call) error {
		s.page.ServeHTTP(c, c.r)
		return nil
	}}}
	s.refused = &endpoint{name: "refused", counted: s.metrics.of("refused")}
	return nil
}

// handler returns the handler of an operation.
func (s *Server) handler(o operation) func(*call) error {
	return func(c *call) error {
		if mediaType(c.r) != typeJSON {
			return wrongType(typeJSON)
		}
		buffer := buffers.Get().(*[]byte)
		defer release(buffer)
		var err error
		if *buffer, err = s.body(c, (*buffer)[:0]); err != nil {
			return err
		}
		return s.answer(c, o, *buffer)
	}
}

// answer answers a request.
func (s *Server) answer(c *call, o operation, request []byte) error {
	result, err := s.result(c, o, request)
	if err != nil {
		return err
	}
	return s.writeJSON(c, result)
}

// result returns the result of a request, in its turn. The slot is free again before the
// result is written: a client that does not read would otherwise occupy it.
func (s *Server) result(c *call, o operation, request []byte) ([]byte, error) {
	ctx := c.r.Context()
	if o.heavy {
		if err := s.work.enter(ctx); err != nil {
			return nil, err
		}
		defer s.work.leave()
	}
	return o.answer(s, ctx, c.client, request)
}

// crawlers answers the request for known crawlers with a query instead of a body.
func (s *Server) crawlers(c *call) error {
	query := c.r.URL.Query()
	var r editing.CrawlersRequest
	for name, to := range map[string]*[]string{"names": &r.Names, "purposes": &r.Purposes, "operators": &r.Operators} {
		for _, list := range query[name] {
			*to = append(*to, strings.Split(list, ",")...)
		}
		query.Del(name)
	}
	for name := range query {
		return &api.Error{Code: api.CodeMalformed, Field: name, Message: "there is no such parameter", Hint: "the parameters are names, purposes and operators"}
	}
	hold(c.r)
	text, err := s.crawlerList(c.r.Context(), &r)
	if err != nil {
		return err
	}
	return s.writeJSON(c, text)
}

// crawlerList returns known crawlers, in its turn.
func (s *Server) crawlerList(ctx context.Context, r *editing.CrawlersRequest) ([]byte, error) {
	if err := s.work.enter(ctx); err != nil {
		return nil, err
	}
	defer s.work.leave()
	list, err := editing.Crawlers(ctx, r, s.config.Limits)
	if err != nil {
		return nil, err
	}
	return list.MarshalJSON()
}
