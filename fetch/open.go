package fetch

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// openTimeouts is how many times Limits.Timeout the transfer of a file can take. A sitemap
// can be a hundred times as long as a robots.txt.
const openTimeouts = 10

// storedTimeouts is how many times Limits.Timeout OpenStored waits for a byte.
const storedTimeouts = 2

// Open requests another file of a site, such as a sitemap, and returns its body without
// Content-Encoding. The caller closes it. Open does not check whether robots.txt allows
// the URL. It reads url as browsers do, see origin.Text.
//
// Open makes the request like a request for robots.txt: with the address guard, Trusts,
// Proxy, Transport, and up to MaxRedirects redirects. The fetch counts towards
// MaxFetches, MaxFetchRate and MaxFetchesPerAddress until the end of the body or Close,
// so a caller that fetches from other sites meanwhile needs a MaxFetches above 1. The
// headers of the file must arrive within Timeout, and all reads together can take ten
// times Timeout, without the time between them; MinRate applies. A read fails if
// the body has more than limit bytes, either as sent or after decoding.
//
// Open and reads return ctx's error if ctx ends, ErrClosed after Close, an *origin.Error if
// url has no origin, or a *FaultError, whose Kind is "status" for any status except 200.
func (c *Client) Open(ctx context.Context, url string, limit int64) (io.ReadCloser, error) {
	f, err := c.openFile(ctx, url, fileRequest{limit: limit})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// OpenResponse makes one request for a page of a site, and returns the response, whatever its
// status. It does not follow redirects. The response's Body is like the reader that Open
// returns, and the limits and errors of Open apply.
func (c *Client) OpenResponse(ctx context.Context, url string, limit int64) (*http.Response, error) {
	return c.openResponse(ctx, url, fileRequest{limit: limit, anyStatus: true, single: true})
}

// OpenStored requests a large file as it is stored, for a caller that continues after a cut: it asks
// for no Content-Encoding, undoes none, and sends header too, such as Range and If-Range. It
// returns the response after redirects, whatever its status; it does not follow a redirect from https
// to http. The file can have any length, and its transfer can take any time, but a read fails if no
// byte arrives within twice Timeout. Otherwise the limits and errors of Open apply.
func (c *Client) OpenStored(ctx context.Context, url string, header http.Header) (*http.Response, error) {
	header = header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Accept-Encoding", "identity")
	return c.openResponse(ctx, url, fileRequest{limit: math.MaxInt64 - 1, anyStatus: true, stored: header})
}

func (c *Client) openResponse(ctx context.Context, url string, r fileRequest) (*http.Response, error) {
	f, err := c.openFile(ctx, url, r)
	if err != nil {
		return nil, err
	}
	response := *f.response
	response.Body = f
	return &response, nil
}

// fileRequest is how a file is requested.
type fileRequest struct {
	limit     int64       // of its body, in bytes
	anyStatus bool        // else 200
	single    bool        // redirects are not followed
	stored    http.Header // of OpenStored, else nil
}

func (c *Client) openFile(ctx context.Context, url string, r fileRequest) (*file, error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	o, err := origin.Of(url)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil { // a replaced Transport can ignore it
		return nil, err
	}
	f := &file{client: c, origin: o, caller: ctx, fileRequest: r, slot: &slot{limits: &c.limits},
		visit: c.visit()}
	ctx, f.cancel = context.WithCancelCause(ctx)
	f.unbind = context.AfterFunc(c.background, func() { f.cancel(ErrClosed) })
	if err := f.open(ctx, origin.Text(url).String()); err != nil {
		f.end()
		return nil, f.fault(err)
	}
	return f, nil
}

type file struct {
	client *Client
	origin origin.Origin
	caller context.Context // of Open
	ctx    context.Context // of the request
	cancel context.CancelCauseFunc
	unbind func() bool // from the end of the client
	slot   *slot
	visit  *visit

	fileRequest
	response *http.Response
	body     io.Reader
	err      error // the end of the body
}

func (f *file) open(ctx context.Context, url string) error {
	if f.origin.Scheme() == "ftp" {
		return errors.New("only robots.txt can be fetched over FTP")
	}
	if err := f.slot.enter(ctx, func() bool { return ctx.Err() == nil }); err != nil {
		return withCause(ctx, err)
	}
	ctx = f.client.requester(f.caller, true).in(ctx)
	a, err := f.visit.tryWhenFree(ctx, f.slot, func(ctx context.Context) attempt { return f.try(ctx, url) })
	if err == nil {
		err = a.err
	}
	return err
}

func (f *file) try(ctx context.Context, url string) (a attempt) {
	timeout := f.client.config.Limits.Timeout
	timer := time.AfterFunc(timeout, func() {
		f.cancel(timeoutError("the file did not begin within " + timeout.String()))
	})
	defer timer.Stop()
	ctx, resolving := watchResolver(ctx)
	return f.client.classify(ctx, f.followRedirects(ctx, url), resolving)
}

func (f *file) followRedirects(ctx context.Context, url string) (a attempt) {
	defer failPanic(&a, url)
	return f.client.followRedirects(ctx, f.origin, url, f.get)
}

// get requests a.URL. If done is false, the response was a redirect.
func (f *file) get(ctx context.Context, a attempt) (_ attempt, done bool) {
	header := f.client.header("", validators{})
	header.Set("Accept", "*/*")
	maps.Copy(header, f.stored)
	response, a, err := f.client.exchange(ctx, f.cancel, a, header)
	if err != nil {
		return a.fail(err), true
	}
	if next, usable := f.client.redirected(a, response); usable &&
		len(a.Hops) < f.client.config.Limits.MaxRedirects && a.Class == classRedirect && !f.single {
		response.Body.Close()
		if f.stored != nil && strings.HasPrefix(a.URL, "https:") && strings.HasPrefix(next.URL, "http:") {
			to, _ := origin.Of(next.URL)
			return a.fail(&safedial.RefusedError{Host: to.String(), Reason: "the redirect leads from https to http"}), true
		}
		return next, false
	}
	if a.Status != http.StatusOK && !f.anyStatus {
		response.Body.Close()
		return a.fail(statusError{"HTTP", a.Status, ""}), true
	}
	body, err := f.bodyOf(response)
	if err != nil {
		response.Body.Close()
		return a.fail(withCause(ctx, err)), true
	}
	f.ctx = ctx
	f.response = response
	f.body = &budgetReader{body, f.limit + 1}
	return a, true
}

// bodyOf returns the body of a response, within the limits of time.
func (f *file) bodyOf(response *http.Response) (io.Reader, error) {
	limits := &f.client.config.Limits
	wire := newWire(response.Body, f.limit+1, limits.MinRate, f.cancel)
	if f.stored != nil {
		wire.minRate, wire.pace = 1, storedTimeouts*limits.Timeout
		return wire, nil
	}
	wire.allowed = openTimeouts * limits.Timeout
	return decoded(response, wire)
}

// Read reads the file.
func (f *file) Read(p []byte) (n int, err error) {
	if f.err != nil {
		return 0, f.err
	}
	// A context that ends cancels the request in a goroutine, so a read could still succeed.
	if err = cmp.Or(f.caller.Err(), f.client.usable()); err == nil {
		n, err = f.body.Read(p)
		if err == nil {
			return n, nil
		}
	}
	f.err = io.EOF
	if err != io.EOF {
		f.err = f.fault(withCause(f.ctx, err))
	}
	f.end() // other fetches can begin, even if the caller closes the file much later
	return n, f.err
}

var errClosedFile = errors.New("fetch: the file is closed")

// Close ends the request. It always returns nil.
func (f *file) Close() error {
	if f.err == nil {
		f.err = errClosedFile
	}
	f.end()
	return nil
}

func (f *file) end() {
	if f.response != nil {
		f.response.Body.Close()
	}
	f.unbind()
	f.cancel(nil)
	f.visit.end()
	f.slot.leave()
}

func (f *file) fault(err error) error {
	if f.caller.Err() != nil {
		return f.caller.Err()
	}
	if f.client.background.Err() != nil {
		return ErrClosed
	}
	if refused := (*safedial.RefusedError)(nil); errors.As(err, &refused) {
		err = refused
	}
	kept := f.client.newKeptError(err)
	f.client.config.Logger.InfoContext(f.caller, "a file of a site could not be fetched", "origin", f.origin.String(), "error", wholeText(kept))
	return &FaultError{kept.kind, kept.text, err}
}
