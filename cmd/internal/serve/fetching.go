package serve

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/api/editing"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// URLRequest names what is fetched.
type URLRequest struct {
	URL string `json:"url" doc:"An absolute URL, or a host, which means its site over https."`
}

// site returns the URL of a request, with its origin.
func (r *URLRequest) site(limits api.Limits) (url string, o origin.Origin, err error) {
	url = strings.TrimSpace(r.URL)
	if err := limits.Filled().Texts("url", url); err != nil {
		return "", o, err
	}
	if url != "" && !strings.Contains(url, "://") {
		url = "https://" + url
	}
	if o, err = origin.Of(url); err != nil {
		return "", o, api.Invalid("url", err)
	}
	return url, o, nil
}

// fetchSite fetches the robots.txt of a site, unless that site was fetched from a moment
// ago: then the result is the last answer.
func (s *Server) fetchSite(ctx context.Context, client netip.Addr, r *URLRequest) (*wire.Fetched, error) {
	began := ask.Now()
	url, o, err := r.site(s.config.Limits)
	if err != nil {
		return nil, err
	}
	if err := s.mayFetch(client); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.FetchTimeout+slotWait)
	defer cancel()
	look := s.fetcher.Refresh
	if s.takeOrigin(o) > 0 {
		look = s.fetcher.Robots
	}
	result, err := look(ctx, url)
	if err != nil {
		return nil, fetchError(err)
	}
	s.charge(client, result, began)
	ruling := s.sites.rule(result, began, robotstxt.Google, nil)
	fetched := &wire.Fetched{Site: *ruling.Site, Body: string(ruling.File.Text)}
	fetched.Site.Asked, fetched.Site.File = r.URL, ruling.Outline()
	return fetched, nil
}

// sitemap returns the URLs of a sitemap.
func (s *Server) sitemap(ctx context.Context, client netip.Addr, r *URLRequest) (*wire.URLs, error) {
	body, err := s.open(ctx, client, r)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	found := &wire.URLs{URLs: []string{}}
	limit := s.config.Limits.Filled().Results
	list := urllist.New(&limited{r: body, left: sitemapBytes}, urllist.Config{Name: "the sitemap", Format: urllist.Sitemap})
	var last error // of the latest item
	for url, err := range list.All {
		if last = err; err != nil {
			if _, ok := errors.AsType[*urllist.LineError](err); ok {
				continue
			}
			return nil, notSitemap(err)
		}
		if found.Truncated = limit >= 0 && len(found.URLs) >= limit; found.Truncated {
			break
		}
		found.URLs = append(found.URLs, url)
	}
	// XML that cannot be read ends the list with an error.
	if last != nil && len(found.URLs) == 0 {
		return nil, notSitemap(last)
	}
	found.Truncated = found.Truncated || last != nil
	return found, nil
}

func notSitemap(err error) *Problem {
	return problem(http.StatusBadGateway, "not-a-sitemap", "the sitemap cannot be read: "+err.Error(), "an index of sitemaps is not read: give one of those that it lists")
}

// sitemapBytes is how much of a sitemap is read: what the protocol of sitemaps permits.
const sitemapBytes = 50 << 20

// resources returns the files that a web page loads, and fetches the page if the request
// does not contain it.
func (s *Server) resources(ctx context.Context, client netip.Addr, r *editing.ResourcesRequest) (*wire.Resources, error) {
	if r.HTML == nil {
		body, err := s.open(ctx, client, &URLRequest{r.URL})
		if err != nil {
			return nil, err
		}
		defer body.Close()
		limit := s.config.Limits.Filled().HTMLBytes
		if limit < 0 {
			limit = sitemapBytes
		}
		text, err := io.ReadAll(io.LimitReader(body, int64(limit)))
		if err != nil {
			return nil, unreachable(err)
		}
		html := string(text)
		r.HTML = &html
	}
	if err := s.work.enter(ctx); err != nil {
		return nil, err
	}
	defer s.work.leave()
	return editing.Resources(ctx, r, s.config.Limits)
}

// open opens a file of a site.
func (s *Server) open(ctx context.Context, client netip.Addr, r *URLRequest) (io.ReadCloser, error) {
	url, o, err := r.site(s.config.Limits)
	if err != nil {
		return nil, err
	}
	if err := s.contact(client, o); err != nil {
		return nil, err
	}
	body, err := s.downloads.Open(ctx, url)
	if err != nil {
		return nil, unreachable(err)
	}
	return body, nil
}

// unreachable returns the problem of a file of a site that cannot be fetched.
func unreachable(err error) *Problem {
	return problem(http.StatusBadGateway, "unreachable", "the site did not give the file: "+err.Error(), "")
}

// limited reads no more bytes than it has left, and then fails.
type limited struct {
	r    io.Reader
	left int64
}

var errTooMuch = errors.New("it is too large")

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooMuch
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}
