// Package download reads large files at URLs to their ends, even if connections are cut.
package download

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// PerHost is how many connections to a host a client may have at the same time, see
// fetch.Limits.MaxFetchesPerAddress.
const PerHost = 8

// The limits of a download.
const (
	maxTries       = 6 // without a new byte
	maxConnections = 1000
	maxPause       = 32 * time.Second
	maxRetryAfter  = 5 * time.Minute

	// A file whose server sends fewer bytes in each of maxSlow spans of waiting for it is given up: a byte a minute
	// would keep a download for ever.
	slowSpan  = time.Minute
	slowBytes = 64 << 10
	maxSlow   = 6
)

// Client downloads files. It is safe for concurrent use.
type Client struct {
	// Keep bounds the copy of a file that is read again, in bytes; see File.
	Keep int64

	client *fetch.Client
	pause  time.Duration // before the first continuation; it doubles with each try
	span   time.Duration // slowSpan; tests shorten it

	mu    sync.Mutex
	hosts map[origin.Origin]*host
}

// host is what the connections to a host share.
type host struct {
	until    time.Time // when it can be asked again
	silent   bool      // it did not respond to a download
	answered bool      // it responded to one
}

// New returns a client that makes its requests with another one. pause is the wait before it continues a file, a second
// by default; tests shorten it.
func New(client *fetch.Client, pause time.Duration) *Client {
	return &Client{Keep: maxKept, client: client, pause: cmp.Or(pause, time.Second), span: slowSpan,
		hosts: map[origin.Origin]*host{}}
}

// Close ends all downloads.
func (c *Client) Close() { c.client.Close() }

// hostOf calls do with the host of an origin.
func (c *Client) hostOf(o origin.Origin, do func(*host)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hosts[o] == nil {
		c.hosts[o] = &host{}
	}
	do(c.hosts[o])
}

// Error is the error for a file that was not downloaded to its end.
type Error struct{ err error }

func (e *Error) Error() string { return e.err.Error() }

func (e *Error) Unwrap() error { return e.err }

// File is a file at a URL. Each reader of it reads the same bytes, or fails.
type File struct {
	client *Client
	url    string
	origin origin.Origin
	keeps  bool // a copy of a short file, see Body.keep

	read, all atomic.Int64 // bytes, see Share

	seen    *version // of the first response, nil before it
	sum     string   // SHA-256 of all bytes, once they were read
	kept    *copied  // nil without a copy
	refused error    // why the file cannot be downloaded, once that is known
}

// File returns the file at a URL. keeps says that it is read again after its end: a copy of up to 256 MB is then kept
// until Close, and a larger file is downloaded again.
func (c *Client) File(url string, keeps bool) *File {
	o, _ := origin.Of(url) // the request reports the error
	return &File{client: c, url: url, origin: o, keeps: keeps}
}

// Read returns how many bytes of the file were read.
func (f *File) Read() int64 { return f.read.Load() }

// Share returns the share of the file that was read, from 0 to 1; negative if the length is unknown.
func (f *File) Share() float64 {
	read, all := f.read.Load(), f.all.Load()
	if all <= 0 {
		return min(0, float64(all))
	}
	return min(1, float64(read)/float64(all))
}

// Digest returns the length, the SHA-256 and the ETag of a file that was read to its end; ok is false for others.
func (f *File) Digest() (bytes int64, sum, etag string, ok bool) {
	if f.sum == "" {
		return 0, "", "", false
	}
	return f.read.Load(), f.sum, f.seen.etag, true
}

// Close removes the copy.
func (f *File) Close() {
	if f.kept != nil {
		f.kept.remove()
		f.kept = nil
	}
}

// Open returns a reader from the beginning of the file. One reader of a file can be open at a time. Its errors, except
// ctx's, are of type *Error.
func (f *File) Open(ctx context.Context) *Body { return newBody(ctx, f) }

// version is what headers show of a file.
type version struct {
	etag, modified string
	length         int64 // negative if unknown
}

func versionIn(response *http.Response, length int64) *version {
	return &version{response.Header.Get("ETag"), response.Header.Get("Last-Modified"), length}
}

// isOther reports whether v and w are certainly of different files.
func (v *version) isOther(w *version) bool {
	switch {
	case v.length >= 0 && w.length >= 0 && v.length != w.length:
		return true
	case v.etag != "" && w.etag != "":
		return v.etag != w.etag
	}
	return v.modified != "" && w.modified != "" && v.modified != w.modified
}

// validator returns the value of If-Range, "" without one. A weak ETag is not permitted there. [RFC 9110 13.1.5]
func (v *version) validator() string {
	if v.etag != "" && v.etag[0] == '"' {
		return v.etag
	}
	if v.etag != "" {
		return ""
	}
	return v.modified
}
