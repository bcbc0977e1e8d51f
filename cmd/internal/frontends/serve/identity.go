package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strings"
)

// identity connects a request with the logs of other programs: the header X-Request-Id, which
// clients and proxies use by convention, and traceparent of W3C Trace Context, level 1. A valid
// header of the client is accepted; otherwise the service makes one. So it identifies a request,
// but proves nothing. It is not sent to sites that are fetched for the request.
type identity struct {
	request string
	trace   string // 32 hexadecimal digits
	parent  string // the span of the client, 16 digits; empty without one
	span    string // the span of this request, a child of parent
	flags   byte
}

func identityOf(r *http.Request) identity {
	var id identity
	if values := r.Header["X-Request-Id"]; len(values) == 1 && validRequestID(values[0]) {
		id.request = values[0]
	} else {
		id.request = rand.Text()
	}
	var random [24]byte
	_, _ = rand.Read(random[:]) // it never fails
	id.span = hex.EncodeToString(random[16:])
	if values := r.Header["Traceparent"]; len(values) != 1 || !id.join(values[0]) {
		id.trace = hex.EncodeToString(random[:16])
	}
	return id
}

// validRequestID reports whether a request ID can be logged and returned: it is short, and consists
// of letters and digits of ASCII and characters that have no meaning in logs, headers and markup.
func validRequestID(id string) bool {
	const permitted = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.:/+=@"
	return id != "" && len(id) <= 128 && strings.Trim(id, permitted) == ""
}

// join takes the trace of a traceparent header. It returns false if the header is invalid or has a
// version other than 00. A new trace begins then. [Trace Context 3.2.2, 4.2]
func (id *identity) join(header string) bool {
	const form = "00-tttttttttttttttttttttttttttttttt-pppppppppppppppp-ff"
	if len(header) != len(form) || header[:3] != "00-" || header[35] != '-' || header[52] != '-' {
		return false
	}
	trace, parent, flags := header[3:35], header[36:52], header[53:]
	if !isLowerHex(trace+parent+flags) || strings.Trim(trace, "0") == "" || strings.Trim(parent, "0") == "" {
		return false
	}
	id.trace, id.parent = trace, parent
	const sampled = 1 // the other flags of version 00 are reserved, and sent as zero
	bits, _ := hex.DecodeString(flags)
	id.flags = bits[0] & sampled
	return true
}

func isLowerHex(text string) bool { return strings.Trim(text, "0123456789abcdef") == "" }

// setHeaders sets the headers of the response. Its traceparent contains the span of this
// request.
func (id *identity) setHeaders(h http.Header) {
	h["X-Request-Id"] = []string{id.request}
	h["Traceparent"] = []string{"00-" + id.trace + "-" + id.span + "-" + hex.EncodeToString([]byte{id.flags})}
}

// identified is a log handler that adds the identity of the request that caused a line, even to
// lines of the client that fetches.
type identified struct{ slog.Handler }

func (h identified) Handle(ctx context.Context, r slog.Record) error {
	r = withoutURLsIn(r)
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		r = r.Clone()
		r.AddAttrs(slog.String("request_id", c.id.request), slog.String("trace_id", c.id.trace), slog.String("span_id", c.id.span))
		if c.id.parent != "" {
			r.AddAttrs(slog.String("parent_id", c.id.parent))
		}
	}
	return h.Handler.Handle(ctx, r)
}

func (h identified) WithAttrs(attrs []slog.Attr) slog.Handler {
	return identified{h.Handler.WithAttrs(attrs)}
}

func (h identified) WithGroup(name string) slog.Handler {
	return identified{h.Handler.WithGroup(name)}
}

// withoutURLsIn returns a record whose error names no URL and quotes nothing that a site has sent.
func withoutURLsIn(r slog.Record) slog.Record {
	clean := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "error" || a.Key == "panic" {
			a = slog.String(a.Key, withoutURLs(a.Value.String()))
		}
		clean.AddAttrs(a)
		return true
	})
	return clean
}
