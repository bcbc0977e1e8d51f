package term

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"github.com/kosterhq/robotstxt/internal/faulttext"
	"github.com/kosterhq/robotstxt/internal/typo"
	"github.com/kosterhq/robotstxt/origin"
)

// Error is an error for users: a message, and a hint, which can be empty, on what to do. See
// [Errorf], [HintOf] and [TraceOf].
type Error struct{ message, hint, trace string }

func (e *Error) Error() string { return e.message }

// Errorf returns an error for users without a hint. Names and arguments belong in %q, since
// they can contain any bytes. An error among the arguments is printed as its [Reason].
//
//	return term.Errorf("there is no file %q", name).Hint("check the name")
func Errorf(format string, args ...any) *Error {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = Reason(err)
		}
	}
	return &Error{message: fmt.Sprintf(format, args...)}
}

// Reason returns the text of an error in plain English, without the words of libraries. It can contain any bytes
// that the error quotes.
func Reason(err error) string {
	return faulttext.Words{OfFile: true, Own: func(err error) (string, bool) {
		known, ok := err.(*Error)
		if !ok {
			return "", false
		}
		return known.message, true
	}}.Of(err)
}

// Printable returns the Reason of an error, escaped as any text of unknown origin.
func Printable(err error) string { return Escape(Reason(err)) }

// Hint returns the error with a hint, instead of an earlier one.
func (e *Error) Hint(hint string) error { return NewError(e.message, hint, e.trace) }

// NewError returns an *Error with a hint and the stack of a panic, see package panics. Both can be
// empty.
func NewError(message, hint, trace string) error { return &Error{message, hint, trace} }

// Prefixed returns an error with a text before its message and the same hint, nil
// for nil.
func Prefixed(prefix string, err error) error {
	if err == nil {
		return nil
	}
	return NewError(prefix+Reason(err), HintOf(err), TraceOf(err))
}

// HintOf returns the hint of an error, "" if it has none.
func HintOf(err error) string {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.hint
	}
	return ""
}

// TraceOf returns the stack of the panic that an error reports, "" for other errors.
func TraceOf(err error) string {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.trace
	}
	return ""
}

// PrintError prints an error, its hint and its stack. It prints nothing for a closed pipe,
// whose reader needs no more output.
func (t *Terminal) PrintError(err error) {
	if errors.Is(err, syscall.EPIPE) {
		return
	}
	if t.Log != nil {
		t.Log("error", origin.WithoutPasswords(Reason(err)), origin.WithoutPasswords(HintOf(err)))
		return
	}
	fmt.Fprintf(t.Err, "robots: %s\n", withoutOrders(origin.WithoutPasswords(Reason(err))))
	if hint := HintOf(err); hint != "" {
		t.Hint(hint)
	}
	for line := range strings.Lines(TraceOf(err)) {
		t.printLine("stack", "%s", Escape(strings.TrimRight(line, "\n")))
	}
}

// WriteError returns the error for output that could not be written, nil for nil.
// The error of a closed pipe is returned unchanged.
func WriteError(err error) error {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return err
	}
	return Errorf("cannot write the output: %v", Cause(err)).Hint("the answers above are incomplete")
}

// Cause returns an error without the file name that its message would repeat, and in plain English.
func Cause(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errEndsEarly
	}
	if err == nil {
		return nil
	}
	return errors.New(Reason(err))
}

var errEndsEarly = errors.New("it ends too early")

// Closest returns the name that is closest to a misspelt one, "" if none is close. A
// prefix of a name is close to it.
func Closest(misspelt string, names []string) string {
	best, least := "", 3 // at most two typos
	for _, name := range names {
		n, near := typo.Distance(misspelt, name, least-1)
		if len(misspelt) > 1 && strings.HasPrefix(name, misspelt) {
			n, near = 1, least > 1 // a prefix
		}
		if near && n < len(name) {
			best, least = name, n
		}
	}
	return best
}
