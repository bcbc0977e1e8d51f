package sites

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/permit"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
)

// PermitFetcher fetches the sources of permission beside robots.txt. It requests a URL only if the
// robots.txt of its site allows that. It is not safe for concurrent use.
type PermitFetcher struct {
	Client  *fetch.Client
	Crawler answer.Crawler // the rules of this crawler are obeyed
	Follow  bool           // fetch RSL documents from other hosts too

	// Lend limits the memory for bodies. Network calls a function that waits for the network, and
	// returns its error. Both can be nil.
	Lend    func(io.Reader) io.Reader
	Network func(do func() error) error

	tdm       kept[origin.Origin, source[permission.TDMRep]]
	documents kept[string, source[permission.License]]
	visits    kept[origin.Origin, *answer.Ruling]
}

// source is a file of a site, or why it is not known.
type source[T any] struct {
	file *T
	why  string
}

// kept are files of one kind for later URLs.
type kept[K comparable, V any] struct {
	by    map[K]V
	bytes int // of the files
}

// The limits of kept files.
const (
	maxKept      = 256
	maxKeptBytes = 16 << 20
)

// add keeps a file. If there is no room, it drops all earlier files.
func (k *kept[K, V]) add(key K, file V, size int) {
	k.bytes += size
	if k.by == nil || len(k.by) >= maxKept || k.bytes > maxKeptBytes {
		k.by, k.bytes = map[K]V{}, size
	}
	k.by[key] = file
}

// find returns a kept file, or requests and reads it. If ctx ends, it returns ctx's error.
func find[K comparable, T any](ctx context.Context, r *permitRun, files *kept[K, source[T]], key K, url string,
	read func(fetched) *T) (source[T], error) {
	if known, ok := files.by[key]; ok {
		return known, nil
	}
	got, err := r.file(ctx, url)
	if err != nil {
		return source[T]{}, err
	}
	found := source[T]{read(got), got.why}
	if !got.limited {
		files.add(key, found, len(got.text))
	}
	return found, nil
}

// Permit returns what crawlers may do with the URL of a visit. It fetches the sources that are
// missing in the configuration: the page, tdmrep.json and RSL documents. A nil fetcher fetches
// nothing, and last can be nil. If ctx ends, Permit returns ctx's error.
func Permit(ctx context.Context, v *answer.Visit, c *permit.Config, last *permit.LastFile,
	fetcher *PermitFetcher) (*wire.Permit, error) {
	inquiry := c.Begin(v, last)
	if fetcher != nil {
		run := &permitRun{PermitFetcher: fetcher, visit: v, sources: inquiry.Sources, permit: inquiry.Permit}
		if err := run.fetch(ctx, inquiry.Questions()); err != nil {
			return nil, err
		}
	}
	return inquiry.Answer(ctx)
}

type permitRun struct {
	*PermitFetcher
	visit   *answer.Visit
	sources *permission.Sources
	permit  *wire.Permit

	limited bool // a limit of this URL forbade a request, so the answer is not valid for other URLs
}

// open requests a URL and reads its body, up to a limit. fault is the reason why that failed,
// readFault the reason why the body is incomplete. The error ends the run.
func (r *permitRun) open(ctx context.Context, url string,
	limit int64) (response *http.Response, text []byte, fault, readFault, err error) {
	target := origin.Text(url) // without user name and password, which a site might have written
	request := func() error {
		response, fault = r.Client.OpenResponse(ctx, target.String(), 2*limit)
		if fault != nil {
			return fault
		}
		defer response.Body.Close()
		body := io.LimitReader(response.Body, limit+1)
		if r.Lend != nil {
			body = r.Lend(body)
		}
		text, readFault = io.ReadAll(body)
		return nil
	}
	if err := r.wait(request); err != nil && fault == nil {
		return nil, nil, nil, nil, err
	}
	if local, ok := errors.AsType[*fetch.FaultError](fault); ok && local.Local() {
		r.limited = true // it was not requested
	} else {
		r.permit.Requested = append(r.permit.Requested, target.String())
	}
	return response, text, fault, readFault, ctx.Err()
}

func (r *permitRun) wait(do func() error) error {
	if r.Network != nil {
		return r.Network(do)
	}
	return do()
}

// fetch adds the sources that the questions need and the caller does not have. If ctx ends, it
// returns ctx's error.
func (r *permitRun) fetch(ctx context.Context, questions []permission.Question) error {
	if err := r.fetchPage(ctx); err != nil {
		return err
	}
	if r.sources.TDMRep == nil {
		if err := r.fetchTDM(ctx); err != nil {
			return err
		}
	}
	wanted := map[string]bool{}
	for _, q := range questions {
		for _, url := range permission.Licenses(q, r.sources) {
			wanted[url] = true
		}
	}
	for i, url := range slices.Sorted(maps.Keys(wanted)) {
		if i >= maxDocuments {
			r.sources.Why["license "+url] = tooMany
		} else if err := r.fetchDocument(ctx, url); err != nil {
			return err
		}
	}
	return nil
}

// The limits of a URL's files.
const (
	maxDocuments = 16
	maxBytes     = 1 << 20
	maxRequests  = 24 // beside robots.txt
)

const tooMany = "not requested, because there were too many requests"

func (r *permitRun) fetchPage(ctx context.Context) error {
	if r.sources.Header != nil && r.sources.Page != nil {
		return nil
	}
	lack := func(why string) {
		if r.sources.Header == nil {
			r.sources.Why["response header"] = why
		}
		if r.sources.Page == nil {
			r.sources.Why["page"] = why
		}
	}
	if why, err := r.forbidden(ctx, r.visit.Read.String()); err != nil || why != "" {
		lack(why)
		return err
	}
	response, text, fault, cut, err := r.open(ctx, r.visit.Read.String(), page.Limit)
	switch {
	case err != nil:
		return err
	case fault != nil:
		lack(notRead(fault))
		return nil
	case response.StatusCode != http.StatusOK:
		lack(fmt.Sprintf("the status is %d", response.StatusCode))
		return nil
	}
	if r.sources.Header == nil {
		r.sources.Header = response.Header
	}
	kind := response.Header.Get("Content-Type")
	switch {
	case r.sources.Page != nil:
	case isBook(kind):
		lack("signals in " + kind + " are not read")
	case isHTML(kind):
		r.sources.Page = page.Read(text, kind)
		r.sources.Page.Cut = r.sources.Page.Cut || cut != nil
	default:
		r.sources.Page = &permission.Page{}
	}
	return nil
}

// isHTML reports whether a media type is for web pages. A response without one might be a
// page.
func isHTML(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	return kind == "" || kind == "text/html" || kind == "application/xhtml+xml"
}

// isBook reports whether a file of a media type can contain its own tdm-reservation.
func isBook(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	return kind == "application/pdf" || kind == "application/epub+zip"
}

// forbidden returns the reason why a URL must not be requested, or "" if it may be requested. If
// ctx ends, it returns ctx's error.
func (r *permitRun) forbidden(ctx context.Context, url string) (why string, err error) {
	target := origin.Text(url)
	o, err := target.Origin()
	if err != nil {
		return "the URL has no host", nil
	}
	ruling := r.visits.by[o]
	if here, err := r.visit.Read.Origin(); err == nil && here == o && r.visit.Ruling.Site != nil {
		ruling = r.visit.Ruling.For(nil, []answer.Crawler{r.Crawler})
	}
	if len(r.permit.Requested) >= maxRequests {
		r.limited = true
		return tooMany, nil
	}
	if ruling == nil {
		var result *fetch.Result
		if err := r.wait(func() error { result, err = r.Client.RobotsOf(ctx, o); return err }); err != nil {
			return notRead(err), ctx.Err()
		}
		ruling = RuleSite(result, Now(), nil, []answer.Crawler{r.Crawler})
		r.visits.add(o, ruling, len(result.Body()))
	}
	visit := answer.VisitURL(target, ruling)
	verdict, line := visit.Verdict(0)
	switch reason := cmp.Or(ruling.Site.Error, ruling.Site.FetchReason); {
	case verdict == wire.VerdictAllowed:
		return "", nil
	case line > 0:
		return fmt.Sprintf("not requested, because line %d of %s disallows it for %q, the name of this crawler", line, o.RobotsURL(), r.Crawler.Name), nil
	default:
		return fmt.Sprintf("not requested, because %s could not be read: %s", o.RobotsURL(), reason), nil
	}
}

func (r *permitRun) fetchTDM(ctx context.Context) error {
	o, err := r.visit.Read.Origin()
	if err != nil {
		return nil
	}
	url := o.String() + "/.well-known/tdmrep.json"
	found, err := find(ctx, r, &r.tdm, o, url, func(got fetched) *permission.TDMRep {
		switch {
		case got.none:
			return &permission.TDMRep{URL: url}
		case got.why == "":
			return permission.ReadTDMRep(url, got.text)
		}
		return nil
	})
	r.sources.TDMRep = found.file
	if found.file == nil {
		r.sources.Why["tdmrep.json"] = found.why
	}
	return err
}

// fetchDocument fetches an RSL document. What is kept of it does not depend on the page that
// refers to it.
func (r *permitRun) fetchDocument(ctx context.Context, url string) error {
	why := "license " + url
	from, err := origin.Of(url)
	here, _ := r.visit.Read.Origin()
	switch {
	case err != nil:
		r.sources.Why[why] = "the URL has no host"
		return nil
	case from.Host() != here.Host() && !r.Follow:
		r.sources.Why[why] = "not requested, because it is on another host, and following was not requested"
		return nil
	}
	found, err := find(ctx, r, &r.documents, url, url, func(got fetched) *permission.License {
		switch {
		case got.none:
			return &permission.License{Problem: got.why}
		case got.why == "":
			return page.ReadLicense(got.text, got.mediaType)
		}
		return nil
	})
	if found.file != nil {
		r.sources.Documents[url] = found.file
	} else {
		r.sources.Why[why] = found.why
	}
	return err
}

// fetched is a file of a site, or why it is not known.
type fetched struct {
	text      []byte
	mediaType string // the Content-Type field
	none      bool   // the site has no such file: its status is 4xx, and why contains it
	why       string // the file is not known; empty if it is

	limited bool // the reason is a limit of the URL for which the file was requested
}

// file requests a file and follows its redirects, to other hosts only with Follow, and only if
// robots.txt allows each URL. If ctx ends, it returns ctx's error.
func (r *permitRun) file(ctx context.Context, file string) (fetched, error) {
	for range robotstxt.DefaultRedirects + 1 {
		r.limited = false
		if why, err := r.forbidden(ctx, file); err != nil || why != "" {
			return fetched{why: why, limited: r.limited}, err
		}
		response, text, fault, cut, err := r.open(ctx, file, maxBytes)
		switch {
		case err != nil:
			return fetched{}, err
		case fault != nil:
			return fetched{why: notRead(fault), limited: r.limited}, nil
		}
		next, isUsable := fetch.RedirectTarget(file, response.Header.Get("Location"))
		switch status := response.StatusCode; {
		case status == http.StatusOK && cut != nil:
			return fetched{why: notRead(cut)}, nil
		case status == http.StatusOK:
			return fetched{text: text, mediaType: response.Header.Get("Content-Type")}, nil
		case status/100 == 3 && isUsable:
			if !isSameHost(file, next) && !r.Follow {
				return fetched{why: "not requested, because it redirects to another host, and following was not requested"}, nil
			}
			file = next
		default:
			return fetched{none: isMissing(status), why: fmt.Sprintf("the status is %d", status)}, nil
		}
	}
	return fetched{why: "there are too many redirects"}, nil
}

// isSameHost reports whether two URLs have the same host and the same port, or both the default one of
// their schemes.
func isSameHost(a, b string) bool { return hostOf(a) == hostOf(b) }

func hostOf(url string) string {
	o, _ := origin.Of(url)
	_, host, _ := strings.Cut(o.String(), "://")
	return host
}

// isMissing reports whether a status means that there is no such file. After other statuses,
// another try might succeed.
func isMissing(status int) bool {
	return status/100 == 4 && status != http.StatusRequestTimeout && status != http.StatusTooEarly &&
		status != http.StatusTooManyRequests
}

// notRead returns an error as a reason for Answer.Missing.
func notRead(err error) string { return "not read: " + err.Error() }
