// Package faulttext says in plain English why a request failed, or why a file cannot be read or written. The errors
// of Go's libraries name functions and packages, such as "dial tcp" and "x509", which say nothing to the users of a
// tool.
package faulttext

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Of returns the text of an error.
func Of(err error) string { return Words{}.Of(err) }

// Words is how errors are worded. The zero Words is for requests, and gives all that is known.
type Words struct {
	// WithoutAddresses omits the addresses to which connections failed.
	WithoutAddresses bool

	// OfFile words an end of data as the end of a file, not of a response.
	OfFile bool

	// Own words an error before Of does; it can be nil. ok is false for an error that it does not know.
	Own func(err error) (text string, ok bool)
}

// Of returns the text of an error, and of those that it wraps. Types and values of errors decide. If a library
// gives an error neither, the beginning of its text does. Words after that, which can be a site's, stay as they are.
func (w Words) Of(err error) string {
	if w.Own != nil {
		if text, ok := w.Own(err); ok {
			return text
		}
	}
	switch e := err.(type) {
	case *fs.PathError:
		return failedTo(e.Op, e.Err) + strconv.Quote(e.Path) + ": " + w.Of(e.Err)
	case *os.LinkError:
		return failedTo(e.Op, e.Err) + strconv.Quote(e.New) + ": " + w.Of(e.Err)
	case *os.SyscallError:
		return w.Of(e.Err)
	}
	if w.OfFile && (err == io.EOF || err == io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	if text := ofFormat(err); text != "" {
		return text
	}
	for _, textOf := range added {
		if text := textOf(w, err); text != "" {
			return text
		}
	}
	for i := range values {
		if values[i].of == err {
			return values[i].text
		}
	}
	var wrapped []error
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		wrapped = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		wrapped = e.Unwrap()
	}
	return ofText(w.wrapping(err.Error(), wrapped))
}

// failedTo returns the beginning of the text about a file that could not be written, "" if it could be another call.
func failedTo(op string, err error) string {
	isWrite := slices.Contains([]string{"write", "mkdir", "rename", "sync", "truncate"}, op)
	if isWrite || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) {
		return "cannot write "
	}
	return ""
}

// wrapping returns the text of an error with the words for those that it wraps, in their order.
func (w Words) wrapping(text string, wrapped []error) string {
	done := 0
	for i, inner := range wrapped {
		if inner == nil || inner.Error() == "" {
			continue
		}
		was := inner.Error()
		at := unquotedIndex(text[done:], was)
		if i == len(wrapped)-1 && strings.HasSuffix(text[done:], was) {
			at = len(text) - done - len(was)
		}
		if at < 0 {
			continue
		}
		at += done
		now := w.Of(inner)
		text = text[:at] + now + text[at+len(was):]
		done = at + len(now)
	}
	return text
}

// unquotedIndex returns where a text contains another one outside of quotations, -1 if it does not. Quotations are
// the words of a site or of a file.
func unquotedIndex(text, other string) int {
	inQuotes := false
	for i := 0; i < len(text); i++ {
		switch {
		case !inQuotes && strings.HasPrefix(text[i:], other):
			return i
		case inQuotes && text[i] == '\\':
			i++
		case text[i] == '"':
			inQuotes = !inQuotes
		}
	}
	return -1
}

// added are the functions of Add.
var added []func(w Words, err error) string

// Add adds a function that returns the text of an error, "" for errors that it does not know. Call it in init.
func Add(textOf func(w Words, err error) string) { added = append(added, textOf) }

// values are the texts of errors that are values.
var values = []struct {
	of   error
	text string
}{
	{io.EOF, "the connection was closed without a response"},
	{io.ErrUnexpectedEOF, "the response ends too early"},
	{os.ErrDeadlineExceeded, inTime},
	{context.DeadlineExceeded, inTime},
	{context.Canceled, stopped},
	{bufio.ErrTooLong, "a line is too long"},
	{syscall.ECONNREFUSED, Refused},
	{syscall.ECONNRESET, "the connection was reset"},
	{syscall.ECONNABORTED, "this computer ended the connection"},
	{syscall.EPIPE, closed},
	{syscall.ETIMEDOUT, inTime},
	{syscall.EHOSTUNREACH, NoRoute},
	{syscall.ENETUNREACH, NoRoute},
}

// The texts of two errors, to which package network adds an address.
const (
	Refused = "the connection was refused"
	NoRoute = "there is no route"
)

const (
	inTime      = "there was no answer in time"
	closed      = "the connection was closed"
	stopped     = "the request was cancelled"
	badChunks   = "the chunks of the body are not valid"
	longHeaders = "the headers of the response are too long"
)

// noise are beginnings of texts that say nothing about the error after them.
var noise = []string{
	"net/http: HTTP/1.x transport connection broken: ",
	"net/http: Transport failed to read from server: ",
	"readLoopPeekFailLocked: ", "write error: ",
}

// texts are beginnings of the texts of errors that have neither a type nor a value. The rest of a text is
// omitted if the words do not end in a space: it is the library's.
var texts = []struct{ begin, words string }{
	{"net/http: TLS handshake timeout", "the TLS handshake took too long"},
	{"net/http: timeout awaiting response headers", "the response did not begin in time"},
	{"net/http: request canceled", inTime},
	{"net/http: server response headers exceeded ", longHeaders},
	{"http2: response header list larger than advertised limit", longHeaders},
	{"header list too large", longHeaders},
	{"message too large", longHeaders},
	{"net/http: server replied with more than declared Content-Length", "the body is longer than its Content-Length"},
	{"net/http: too many 1xx informational responses", "the server sent too many interim responses"},
	{"http: server closed idle connection", closed},
	{"http: message cannot contain multiple Content-Length headers; ", "the response has different values of Content-Length"},
	{"http chunk length too large", "a chunk of the body is too long"},
	{"http: suspiciously long trailer after chunked body", longHeaders},
	{"http: unexpected EOF reading trailer", "the response ends too early"},
	{"malformed HTTP response ", "the response is not HTTP: "},
	{"malformed HTTP status code ", "the response has no valid status code: "},
	{"malformed HTTP version ", "the response has no valid version of HTTP: "},
	{"malformed MIME header initial line: ", "the first header of the response begins with a space: "},
	{"malformed MIME header: missing colon: ", "the response has a header without a colon: "},
	{"malformed MIME header line: ", "the response has a header that is not valid: "},
	{"malformed chunked encoding", badChunks},
	{"chunked encoding contains too much non-data", badChunks},
	{"chunked line ends with bare LF", badChunks},
	{"invalid CR in chunked line", badChunks},
	{"empty hex number for chunk length", badChunks},
	{"invalid byte in chunk length", badChunks},
	{"header line too long", badChunks},
	{"bad Content-Length ", "the response has no valid Content-Length: "},
	{"invalid empty Content-Length ", "the response has no valid Content-Length: "},
	{"unsupported transfer encoding: ", "the response has an unknown Transfer-Encoding: "},
	{"too many transfer encodings: ", "the response has several values of Transfer-Encoding: "},
	{"malformed response from server: ", "the response has no valid status code"},
	{"stream error: ", "the HTTP/2 stream failed"},
	{"connection error: ", "the HTTP/2 connection failed"},
	{"http2: server sent GOAWAY ", "the server ended the HTTP/2 connection"},
	{"http2: Transport received ", "the server ended the HTTP/2 connection"},
	{"http2: failed reading the frame payload: ", "the response is not valid HTTP/2"},
	{"http2: client connection lost", closed},
	{"http2: ", "HTTP/2 failed: "},
	{"net/http: ", ""},
	{"http: ", ""},
	{"net/url: ", ""},
	{"tls: failed to parse certificate from server: ", "the certificate cannot be read"},
	{"tls: ", "TLS failed: "},
	{"x509: ", "the certificate is not valid: "},
	{"json: unknown field ", "the JSON has the unknown field "},
	{"json: ", "the JSON is not valid: "},
	{"bzip2 data invalid: ", "the bzip2 data are damaged"},
	{"archive/tar: ", "the tar archive is damaged"},
	{"zip: ", "the ZIP archive is damaged"},
	{"time: ", ""},
	{"operation was canceled", stopped},
	{"request canceled", inTime},
	{"context deadline exceeded", inTime}, // with what net/http adds
	{"context canceled", stopped},
	{"i/o timeout", inTime},
}

// ofText returns the words for the text of an error that has neither a type nor a value.
func ofText(text string) string {
	for _, begin := range noise {
		text = strings.TrimPrefix(text, begin)
	}
	for _, t := range texts {
		rest, ok := strings.CutPrefix(text, t.begin)
		switch {
		case !ok:
		case t.words == "", strings.HasSuffix(t.words, " "):
			return t.words + rest
		default:
			return t.words
		}
	}
	return text
}
