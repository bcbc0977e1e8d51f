package sites

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
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

	// Contact is called before the first request to each site but that of the page, for one
	// URL. If it returns an error, nothing is requested there. Lend limits the memory for
	// bodies, and Network is called around everything that waits for  They may be nil.
	Contact func(origin.Origin) error
	Lend    func(io.Reader) io.Reader
	Network func(wait func()) error

	tdm       map[origin.Origin]*tdmFile
	documents map[string]*document
	visits    map[origin.Origin]*answer.Ruling

	tdmBytes, documentBytes, visitBytes int // of the files in the maps
}

// tdmFile is the tdmrep.json of a site, or why it is not known.
type tdmFile struct {
	file *permission.TDMRep
	why  string
}

// document is an RSL document, or why it is not known.
type document struct {
	license *permission.License
	why     string
}

// The limits of the files of one kind that are kept for later URLs.
const (
	mostKept      = 256
	mostKeptBytes = 16 << 20
)

// keep returns a map with room for one more file of a size. It adds that to the sizes of the files
// in the map.
func keep[M ~map[K]V, K comparable, V any](kept M, sizes *int, size int) M {
	*sizes += size
	if kept == nil || len(kept) >= mostKept || *sizes > mostKeptBytes {
		*sizes = size
		return M{}
	}
	return kept
}

// permitRun fetches the sources of one URL.
type permitRun struct {
	*PermitFetcher
	visit   *answer.Visit
	sources *permission.Sources
	permit  *wire.Permit

	contacted map[origin.Origin]error
	limited   bool // a limit of this URL forbade a request, so that the answer is not one for other URLs
}

// open requests a URL and reads its body, up to a limit. fault is why that failed, readFault why
// the body is incomplete. The error ends the run.
func (r *permitRun) open(ctx context.Context, url string, limit int64) (response *http.Response, text []byte, fault, readFault, err error) {
	target := origin.Text(url) // without user name and password, which a site may have written
	r.permit.Requested = append(r.permit.Requested, target.Compared())
	wait := func() {
		if response, fault = r.Client.OpenResponse(ctx, target.String(), 2*limit); fault != nil {
			return
		}
		defer response.Body.Close()
		body := io.LimitReader(response.Body, limit+1)
		if r.Lend != nil {
			body = r.Lend(body)
		}
		text, readFault = io.ReadAll(body)
	}
	if r.Network == nil {
		wait()
	} else if err := r.Network(wait); err != nil {
		return nil, nil, nil, nil, err
	}
	return response, text, fault, readFault, ctx.Err()
}

// contact returns why a site must not be contacted.
func (r *permitRun) contact(o origin.Origin) error {
	if here, _ := r.visit.Read.Origin(); here == o || r.Contact == nil {
		return nil
	}
	err, known := r.contacted[o]
	if !known {
		err = r.Contact(o)
		if r.contacted == nil {
			r.contacted = map[origin.Origin]error{}
		}
		r.contacted[o] = err
	}
	return err
}

// fetch adds to the sources what the caller does not have and the questions need. The error is
// that of ctx.
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
		if i >= mostDocuments {
			r.sources.Why["license "+url] = tooMany
		} else if err := r.fetchDocument(ctx, url); err != nil {
			return err
		}
	}
	return nil
}

// The limits of a URL's files.
const (
	mostDocuments = 16
	mostBytes     = 1 << 20
	mostRequests  = 24 // beside robots.txt
)

const tooMany = "not requested, because there were too many requests"

// fetchPage requests the page once.
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

// isHTML reports whether a media type is that of a web page. Without one, a page may be one.
func isHTML(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	return kind == "" || kind == "text/html" || kind == "application/xhtml+xml"
}

// isBook reports whether a file of a media type may contain a tdm-reservation of its own.
func isBook(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	return kind == "application/pdf" || kind == "application/epub+zip"
}

// forbidden returns why a URL must not be requested, "" if it may be. The error is that of ctx.
func (r *permitRun) forbidden(ctx context.Context, url string) (why string, err error) {
	target := origin.Text(url)
	o, err := target.Origin()
	if err != nil {
		return "the URL has no host", nil
	}
	ruling := r.visits[o]
	if here, err := r.visit.Read.Origin(); err == nil && here == o && r.visit.Ruling.Site != nil {
		ruling = r.visit.Ruling.For(nil, []answer.Crawler{r.Crawler})
	}
	if err := r.contact(o); err != nil {
		r.limited = true
		return "not requested: " + err.Error(), nil
	}
	if len(r.permit.Requested) >= mostRequests {
		r.limited = true
		return tooMany, nil
	}
	if ruling == nil {
		var result *fetch.Result
		fetchRobots := func() { result, err = r.Client.Robots(ctx, o.RobotsURL()) }
		if r.Network == nil {
			fetchRobots()
		} else if err := r.Network(fetchRobots); err != nil {
			return "", err
		}
		if err != nil {
			return notRead(err), ctx.Err()
		}
		ruling = RuleSite(result, Now(), nil, []answer.Crawler{r.Crawler})
		r.visits = keep(r.visits, &r.visitBytes, len(result.Body()))
		r.visits[o] = ruling
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

// fetchTDM fetches the tdmrep.json of the site.
func (r *permitRun) fetchTDM(ctx context.Context) error {
	o, err := r.visit.Read.Origin()
	if err != nil {
		return nil
	}
	found := r.tdm[o]
	if found == nil {
		url := o.String() + "/.well-known/tdmrep.json"
		got, err := r.file(ctx, url)
		if err != nil {
			return err
		}
		found = &tdmFile{why: got.why}
		switch {
		case got.none:
			found.file = &permission.TDMRep{URL: url}
		case got.why == "":
			found.file = permission.ReadTDMRep(url, got.text)
		}
		if !got.limited {
			r.tdm = keep(r.tdm, &r.tdmBytes, len(got.text))
			r.tdm[o] = found
		}
	}
	r.sources.TDMRep = found.file
	if found.file == nil {
		r.sources.Why["tdmrep.json"] = found.why
	}
	return nil
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
		r.sources.Why[why] = "not requested, because it is on another host, and following was not asked for"
		return nil
	}
	found := r.documents[url]
	if found == nil {
		got, err := r.file(ctx, url)
		if err != nil {
			return err
		}
		found = &document{why: got.why}
		switch {
		case got.none:
			found.license = &permission.License{Problem: got.why}
		case got.why == "":
			found.license = permission.ReadLicense(got.text)
		}
		if !got.limited {
			r.documents = keep(r.documents, &r.documentBytes, len(got.text))
			r.documents[url] = found
		}
	}
	if found.license != nil {
		r.sources.Documents[url] = found.license
	} else {
		r.sources.Why[why] = found.why
	}
	return nil
}

// mostRedirects is how many redirects of a file are followed.
const mostRedirects = 5

// fetched is a file of a site, or why it is not known.
type fetched struct {
	text []byte
	none bool   // the site says that it has no such file: the status is 4xx; then why has the status
	why  string // the file is not known; empty if it is

	limited bool // the reason is a limit of the URL that the file was requested for
}

// file requests a file and follows its redirects, to other hosts with Follow only, if robots.txt
// allows each URL. The error is that of ctx.
func (r *permitRun) file(ctx context.Context, file string) (fetched, error) {
	for range mostRedirects + 1 {
		r.limited = false
		if why, err := r.forbidden(ctx, file); err != nil || why != "" {
			return fetched{why: why, limited: r.limited}, err
		}
		response, text, fault, cut, err := r.open(ctx, file, mostBytes)
		switch {
		case err != nil:
			return fetched{}, err
		case fault != nil:
			return fetched{why: notRead(fault)}, nil
		}
		next, _ := response.Request.URL.Parse(response.Header.Get("Location"))
		switch status := response.StatusCode; {
		case status == http.StatusOK && cut != nil:
			return fetched{why: notRead(cut)}, nil
		case status == http.StatusOK:
			return fetched{text: text}, nil
		case status/100 == 3 && next != nil:
			if next.Host != response.Request.URL.Host && !r.Follow {
				return fetched{why: "not requested, because it redirects to another host, and following was not asked for"}, nil
			}
			file = next.String()
		default:
			return fetched{none: isMissing(status), why: fmt.Sprintf("the status is %d", status)}, nil
		}
	}
	return fetched{why: "there are too many redirects"}, nil
}

// isMissing reports whether a status says that there is no such file. The statuses left out ask
// for another try.
func isMissing(status int) bool {
	return status/100 == 4 && status != http.StatusRequestTimeout && status != http.StatusTooEarly && status != http.StatusTooManyRequests
}

// notRead returns an error as a reason for Answer.Missing.
func notRead(err error) string { return "not read: " + err.Error() }
