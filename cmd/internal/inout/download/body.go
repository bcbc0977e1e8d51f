package download

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
)

// Body reads a file. It is not safe for concurrent use.
type Body struct {
	file        *File
	ctx         context.Context
	from        io.ReadCloser // nil without a connection
	delimited   bool          // the response shows where its body ends
	at          int64         // bytes that were read
	sum         hash.Hash     // of these
	tries       int           // since the last new byte
	connections int
	waited      time.Duration // for the server, in this span
	came        int           // bytes in this span
	slow        int           // spans with few bytes, one after the other
	err         error         // the end
}

func newBody(ctx context.Context, f *File) *Body {
	b := &Body{file: f, ctx: ctx, sum: sha256.New(), err: f.refused}
	if f.kept != nil && f.sum != "" {
		b.from, b.delimited = f.kept.reader(), true
	} else {
		f.Close() // the copy of a reader that has not reached the end
	}
	return b
}

// The errors of a transfer.
var (
	errChanged = errors.New("it changed while it was read")
	errCut     = errors.New("the connection was cut")
	errSlow    = fmt.Errorf("the server sends fewer than %d KiB a minute", slowBytes>>10)
	errClosed  = errors.New("download: the file is closed")
	errEndless = errors.New("the server shows neither the length nor the end of the file, so it might not be complete")
)

// Read reads the file, and continues after a cut.
func (b *Body) Read(p []byte) (n int, err error) {
	for b.err == nil && n == 0 {
		if b.from == nil {
			if err := b.connect(); err != nil {
				b.fail(err)
				break
			}
		}
		began := time.Now()
		n, err = b.from.Read(p)
		if n > 0 {
			b.took(p[:n])
		}
		b.waitedFor(time.Since(began))
		switch {
		case b.slow == maxSlow:
			b.fail(errSlow)
		case err == io.EOF:
			b.ended()
		case err != nil:
			b.disconnect()
		}
		if len(p) == 0 {
			break
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, b.err
}

func (b *Body) took(p []byte) {
	b.sum.Write(p)
	b.at += int64(len(p))
	b.came += len(p)
	b.tries = 0
	f := b.file
	f.read.Store(max(f.read.Load(), b.at))
	if f.keeps && f.sum == "" {
		f.keep(p)
	}
}

// waitedFor adds a time that the server took, which ends a span. The time that the reader of the file takes is none.
func (b *Body) waitedFor(d time.Duration) {
	b.waited += d
	if b.waited < b.file.client.span || b.slow == maxSlow {
		return
	}
	if b.slow++; b.came >= slowBytes {
		b.slow = 0
	}
	b.waited, b.came = 0, 0
}

// ended decides whether the end of a response is that of the file.
func (b *Body) ended() {
	length := int64(-1)
	if b.file.seen != nil {
		length = b.file.seen.length
	}
	switch {
	case length >= 0 && b.at < length: // a response can have a smaller part than was requested
		b.disconnect()
		return
	case length >= 0 && b.at > length: // in a response without a length
		b.fail(errChanged)
		return
	case length < 0 && !b.delimited:
		b.fail(errEndless)
		return
	}
	sum := hex.EncodeToString(b.sum.Sum(nil))
	if b.file.sum != "" && b.file.sum != sum {
		b.fail(errChanged)
		return
	}
	b.file.sum, b.err = sum, io.EOF
	b.disconnect()
}

func (b *Body) disconnect() {
	if b.from != nil {
		b.from.Close()
		b.from = nil
	}
}

// fail ends the file with an error. The next reader of the file has it too.
func (b *Body) fail(err error) {
	b.disconnect()
	b.err = err
	if b.ctx.Err() != nil {
		b.err = b.ctx.Err()
		return
	}
	b.err = &Error{err}
	b.file.refused = b.err
}

// Err returns the error that ended the file, nil before its end and after it.
func (b *Body) Err() error {
	if b.err == io.EOF {
		return nil
	}
	return b.err
}

// Close ends the request. It always returns nil.
func (b *Body) Close() error {
	b.disconnect()
	if b.err == nil {
		b.err = errClosed
	}
	return nil
}

// connect requests the file from the next byte on, until a response has it.
func (b *Body) connect() error {
	why := errCut // of the connection before
	for {
		most := maxTries
		b.file.client.hostOf(b.file.origin, func(h *host) {
			if h.silent {
				most = 1
			}
		})
		switch {
		case b.tries >= most:
			return fmt.Errorf("%w, %s", why, afterTries(b.tries))
		case b.connections == maxConnections:
			return fmt.Errorf("%w, after %d connections", why, b.connections)
		case b.slow == maxSlow:
			return fmt.Errorf("%w: %w", errSlow, why)
		}
		if err := b.wait(); err != nil {
			return err
		}
		b.tries++
		b.connections++
		began := time.Now()
		response, err := b.file.client.client.OpenStored(b.ctx, b.file.url, b.header())
		b.waitedFor(time.Since(began))
		if err != nil {
			if b.isFinal(err) || b.ctx.Err() != nil {
				return err
			}
			why = err
			b.file.client.hostOf(b.file.origin, func(h *host) { h.silent = h.silent || b.tries >= most })
			continue
		}
		b.file.client.hostOf(b.file.origin, func(h *host) { h.silent, h.answered = false, true })
		again, err := b.take(response)
		if err == nil && again == nil {
			return nil
		}
		response.Body.Close()
		if err != nil {
			return err
		}
		why = again
	}
}

func afterTries(n int) string {
	if n == 1 {
		return "like requests before"
	}
	return fmt.Sprintf("after %d requests without a new byte", n)
}

// isFinal reports whether the next try would probably have the same error. As long as the host has not answered, an
// unknown name, a closed port or an invalid response means that the URL is wrong; later it is a fault that passes.
func (b *Body) isFinal(err error) bool {
	var fault *fetch.FaultError
	if !errors.As(err, &fault) {
		return true
	}
	switch fault.Kind {
	case "refused address", "TLS":
		return true
	case "DNS", "connection refused", "invalid response", "local":
		answered := false
		b.file.client.hostOf(b.file.origin, func(h *host) { answered = h.answered })
		return !answered
	}
	return false
}

// wait waits as long as the host asked for, and longer after each try.
func (b *Body) wait() error {
	client := b.file.client
	until := time.Time{}
	client.hostOf(b.file.origin, func(h *host) { until = h.until })
	pause := time.Until(until)
	if b.connections > 0 {
		pause = max(pause, min(client.pause<<b.tries, maxPause))
	}
	if pause <= 0 {
		return nil
	}
	b.waitedFor(pause)
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
}

func (b *Body) header() http.Header {
	if b.at == 0 {
		return nil
	}
	h := http.Header{"Range": {fmt.Sprintf("bytes=%d-", b.at)}}
	if value := b.file.seen.validator(); value != "" {
		h.Set("If-Range", value)
	}
	return h
}

// take reads from a response. again is why another request might have the file; err is why no request has.
func (b *Body) take(response *http.Response) (again, err error) {
	status := fmt.Errorf("the server answered %d %s", response.StatusCode, http.StatusText(response.StatusCode))
	switch code := response.StatusCode; {
	case code == http.StatusOK:
		return b.takeWhole(response)
	case code == http.StatusPartialContent:
		return b.takePart(response)
	case code == http.StatusRequestedRangeNotSatisfiable && b.at > 0:
		return nil, b.takeEnd(response)
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusTooManyRequests,
		code >= 500:
		if wait := min(fetch.RetryAfter(response.Header, time.Now()), maxRetryAfter); wait > 0 {
			until := time.Now().Add(wait)
			b.file.client.hostOf(b.file.origin, func(h *host) {
				if h.until.Before(until) {
					h.until = until
				}
			})
		}
		return status, nil
	}
	return nil, status
}

// takeWhole reads from a response with the whole file. It skips the bytes that were read, if they are the same.
func (b *Body) takeWhole(response *http.Response) (again, err error) {
	if !b.isSame(versionIn(response, response.ContentLength)) {
		return nil, errChanged
	}
	skipped := sha256.New()
	if n, err := io.CopyN(skipped, response.Body, b.at); err != nil {
		if err == io.EOF && n < b.at && isDelimited(response) {
			return nil, errChanged
		}
		return errCut, nil
	}
	if b.at > 0 && !bytes.Equal(skipped.Sum(nil), b.sum.Sum(nil)) {
		return nil, errChanged
	}
	b.from, b.delimited = response.Body, isDelimited(response)
	return nil, nil
}

// part is a part of the body of a response.
type part struct {
	io.Reader
	io.Closer
}

// takePart reads from a response with the rest of the file, or a part of that.
func (b *Body) takePart(response *http.Response) (again, err error) {
	unit, span, _ := strings.Cut(strings.TrimSpace(response.Header.Get("Content-Range")), " ")
	span, total, _ := strings.Cut(span, "/")
	var first, last int64
	length := int64(-1)
	n, _ := fmt.Sscanf(span, "%d-%d", &first, &last)
	if n != 2 || !strings.EqualFold(unit, "bytes") || first != b.at || last < first {
		return nil, errors.New("the server answered with a different part of the file than was requested")
	}
	if n, _ := fmt.Sscanf(total, "%d", &length); total != "*" && (n != 1 || length <= last) {
		return nil, errors.New("the server answered with a part that is longer than the file")
	}
	if !b.isSame(versionIn(response, length)) {
		return nil, errChanged
	}
	// A part without the length of the file can be any part of it.
	b.delimited = length >= 0
	b.from = part{io.LimitReader(response.Body, last-first+1), response.Body}
	return nil, nil
}

// takeEnd reads nothing from a response that says that the file has no byte after those that were read: its end was cut
// from them.
func (b *Body) takeEnd(response *http.Response) error {
	var length int64
	n, _ := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes */%d", &length)
	if n != 1 || length != b.at || !b.isSame(versionIn(response, length)) {
		return errChanged // it is shorter than before
	}
	b.from = part{http.NoBody, response.Body}
	return nil
}

// isSame reports whether a response can be of the file that was requested before.
func (b *Body) isSame(v *version) bool {
	f := b.file
	if f.seen == nil {
		f.seen = v
		f.all.Store(v.length)
		return true
	}
	if f.seen.length < 0 && b.at <= v.length {
		f.seen.length = v.length
		f.all.Store(v.length)
	}
	return !f.seen.isOther(v)
}

// isDelimited reports whether a cut of a response would be noticed.
func isDelimited(response *http.Response) bool {
	return response.ContentLength >= 0 || len(response.TransferEncoding) > 0 || response.ProtoMajor >= 2
}
