// Package panics keeps the panic of one row from ending a job over many: a file, a site,
// a message or a request.
package panics

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"runtime/debug"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// hint asks for a report. Only the digest of a file is printed, because it might be private.
const hint = "this is a bug of robots: please report it with the lines below, and with the file if you may"

// Contain calls do, which does the work for one row, and returns its error. If do panics,
// the error is a [*term.Error] with a stack, see [term.TraceOf], and the caller goes on with
// the next row. name identifies the row for people; it
// can be empty. body points to the robots.txt that do
// reads, whose digest is in the error; nil if there is none.
//
// It is for panics that a stranger's file or response can cause, so each goroutine that
// handles such data calls it. Anything that do leaves half done must belong to that row
// only.
func Contain(name string, body *[]byte, do func() error) (err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		message := "internal error: " + term.Escape(fmt.Sprint(cause))
		if name != "" {
			message = term.Escape(name) + ": " + message
		}
		if body != nil && *body != nil {
			message += fmt.Sprintf("; the file has the SHA-256 digest %x", sha256.Sum256(*body))
		}
		err = term.NewError(message, hint, stack())
	}()
	return do()
}

// stack returns the stack of the current panic, beginning with the function that panicked.
func stack() string {
	text := debug.Stack()
	if _, below, ok := bytes.Cut(text, []byte("\npanic(")); ok {
		_, below, ok = bytes.Cut(below, []byte("\n\t"))
		if ok { // the second line, which has the place of panic itself
			_, text, _ = bytes.Cut(below, []byte("\n"))
		}
	}
	return string(text)
}
