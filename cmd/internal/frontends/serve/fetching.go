package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls/editing"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// URLRequest names the file to fetch.
type URLRequest struct {
	URL string `json:"url" doc:"An absolute URL, or a host, which means its site over https."`
}

func (r *URLRequest) site(limits calls.Limits) (url string, o origin.Origin, err error) {
	url = strings.TrimSpace(r.URL)
	if err := limits.Filled().Texts("url", url); err != nil {
		return "", o, err
	}
	url = answer.TypedURL(url)
	o, err = siteOf("url", url)
	return url, o, err
}

// fetchSite fetches the robots.txt of a site. If the site was fetched from a moment ago,
// it returns that answer again.
func (s *Server) fetchSite(ctx context.Context, c *call, r *URLRequest) (*wire.Fetched, error) {
	began := sites.Now()
	url, o, err := r.site(s.config.Limits)
	if err != nil {
		return nil, err
	}
	if err := unpaid(s.fetches.wait(c.client)); err != nil { // before the request counts for the site
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.FetchTimeout+slotWait)
	defer cancel()
	var result *fetch.Result
	if s.contacts.take(o) == 0 {
		result, err = s.fetcher.Refresh(ctx, url)
	} else {
		result, err = s.fetcher.RobotsOf(ctx, o)
	}
	if err != nil {
		return nil, fetchError(err)
	}
	// The file is in the result as a string, and in its JSON, in which a byte can take six.
	if err := c.memory.take(2 * rulingCost(result)); err != nil {
		return nil, err
	}
	if err := s.beginTurn(ctx, c); err != nil {
		return nil, err
	}
	ruling := s.ruleSite(result, began, nil, nil)
	fetched := &wire.Fetched{Site: *ruling.Site, Body: string(ruling.File.Text)}
	fetched.Site.Asked = origin.Text(r.URL).Given()
	fetched.Site.File = ruling.Outline()
	return fetched, nil
}

func (s *Server) sitemap(ctx context.Context, c *call, r *URLRequest) (*wire.URLs, error) {
	body, err := s.open(ctx, c, r)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return s.sitemapURLs(ctx, c, body)
}

func (s *Server) sitemapURLs(ctx context.Context, c *call, body io.Reader) (found *wire.URLs, err error) {
	if err := s.beginTurn(ctx, c); err != nil {
		return nil, err
	}
	site := &pausing{r: body, ctx: ctx, turn: &c.turn}
	defer func() {
		if site.late != nil {
			found, err = nil, site.late
		}
	}()
	found = &wire.URLs{URLs: []string{}}
	limit := s.config.Limits.Filled().Results
	list := urllist.New(site, urllist.Config{
		Name: "the sitemap", Format: urllist.Sitemap, Limit: urllist.SitemapBytes, MaxURLs: urllist.SitemapURLs,
		Stop: (&passing{Context: ctx, turn: &c.turn}).Err,
	})
	var last error // of the latest item
	for url, err := range list.All {
		last = err
		if err != nil {
			if _, ok := errors.AsType[*urllist.LineError](err); ok {
				continue
			}
			return nil, notSitemap(err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found.Truncated = limit >= 0 && len(found.URLs) >= limit
		if found.Truncated {
			break
		}
		if err := c.memory.take(itemCost + urlCost*int64(len(url))); err != nil {
			return nil, err
		}
		found.URLs = append(found.URLs, origin.Text(url).Given()) // without a password
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// Invalid XML ends the list with an error.
	if last != nil && len(found.URLs) == 0 {
		return nil, notSitemap(last)
	}
	found.Truncated = found.Truncated || last != nil
	return found, nil
}

// urlCost is the memory for each byte of a URL in a list: the URL, and its JSON, in which a
// byte can take six.
const urlCost = 8

func notSitemap(err error) *Problem {
	return problem(http.StatusBadGateway, codeNotSitemap, "the sitemap cannot be read: "+err.Error(), "a sitemap index is not read: request one of the sitemaps it lists")
}

// pausing reads a body from a site. The request has no turn while it waits for the site.
type pausing struct {
	r    io.Reader
	ctx  context.Context
	turn *turn
	late error // the error of a read in which the request's time has ended
}

func (p *pausing) Read(b []byte) (int, error) {
	p.turn.end()
	n, err := p.r.Read(b)
	if err != nil && p.ctx.Err() == context.DeadlineExceeded {
		p.late = siteTimeout
		return 0, p.late
	}
	if ended := p.turn.begin(p.ctx, 0); ended != nil {
		return 0, ended
	}
	return n, err
}

// resources returns the files that a web page loads. It fetches the page unless the
// request contains it.
func (s *Server) resources(ctx context.Context, c *call, r *editing.ResourcesRequest) (*wire.Resources, error) {
	if r.HTML == nil {
		body, err := s.open(ctx, c, &URLRequest{r.URL})
		if err != nil {
			return nil, err
		}
		defer body.Close()
		limit := s.config.Limits.Filled().HTMLBytes
		if limit < 0 {
			limit = urllist.SitemapBytes
		}
		text, err := io.ReadAll(&lent{io.LimitReader(body, int64(limit)), &c.memory})
		if p, ok := errors.AsType[*Problem](err); ok {
			return nil, p
		}
		if err != nil {
			return nil, unreachable(err)
		}
		html := string(text)
		r.HTML = &html
	}
	if err := s.beginTurnWith(ctx, c, listCost); err != nil {
		return nil, err
	}
	return editing.Resources(&passing{Context: ctx, turn: &c.turn}, r, s.config.Limits)
}

func (s *Server) open(ctx context.Context, c *call, r *URLRequest) (io.ReadCloser, error) {
	url, _, err := r.site(s.config.Limits)
	if err != nil {
		return nil, err
	}
	url = origin.Text(url).String() // without a user name and password
	for range robotstxt.DefaultRedirects + 1 {
		if err := s.obey(ctx, url); err != nil {
			return nil, unreachable(err)
		}
		response, err := s.fetcher.OpenResponse(ctx, url, 2*urllist.SitemapBytes)
		if err != nil {
			return nil, unreachable(err)
		}
		if response.StatusCode == http.StatusOK {
			return response.Body, nil
		}
		response.Body.Close()
		location := response.Header.Get("Location")
		if response.StatusCode/100 != 3 || location == "" {
			return nil, notGiven("the status is " + response.Status)
		}
		next, isUsable := fetch.RedirectTarget(url, location)
		if !isUsable { // the text does not contain the URL
			return nil, notGiven("it redirects to a URL that is neither http nor https, or not valid")
		}
		url = next
	}
	return nil, notGiven("there are too many redirects")
}

func (s *Server) obey(ctx context.Context, url string) error {
	d, err := s.fetcher.Decide(ctx, url, s.crawler.Tokens...)
	switch {
	case err != nil || d.Allowed:
		return err
	case d.Line > 0:
		return problem(http.StatusForbidden, "disallowed", fmt.Sprintf("line %d of %s disallows this URL for %q, this service's crawler", d.Line, d.Result.Origin.RobotsURL(), s.crawler.Name), "")
	}
	return notGiven(d.Result.Origin.RobotsURL() + " could not be read: " + d.Result.Detail)
}

func notGiven(why string) *Problem {
	return problem(http.StatusBadGateway, codeUnreachable, "the site did not send the file: "+why, "")
}

func unreachable(err error) error {
	if p, ok := errors.AsType[*Problem](err); ok { // from outgoing
		return p
	}
	fault, ok := errors.AsType[*fetch.FaultError](err)
	switch {
	case !ok && err == context.DeadlineExceeded: // the request's context
		return siteTimeout
	case !ok:
		return err
	case fault.Local():
		return busy(http.StatusServiceUnavailable, "local-trouble", "the service cannot fetch at the moment because of a problem on its own side", busyTime)
	}
	return notGiven(err.Error())
}

var siteTimeout = problem(http.StatusGatewayTimeout, codeSiteTimeout, "the site did not send the file in time", "")

// lent takes memory for reading a text: a growing buffer and a string.
type lent struct {
	io.Reader
	memory *loan
}

func (r *lent) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if full := r.memory.take(3 * int64(n)); full != nil {
		return n, full
	}
	return n, err
}
