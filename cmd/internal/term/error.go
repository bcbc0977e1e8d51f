package term

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/kosterhq/robotstxt/internal/typo"
)

// Error is an error for users: a message, and a hint what to do.
type Error struct {
	Message string
	Hint    string // may be empty
}

func (e *Error) Error() string { return e.Message }

// Errorf returns an *Error. Names and arguments belong in %q, since they may
// contain any bytes.
func Errorf(hint, format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...), Hint: hint}
}

// Prefixed returns an error with a text before its message and the same hint, nil
// for nil.
func Prefixed(prefix string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Message: prefix + err.Error(), Hint: HintOf(err)}
}

// HintOf returns the hint of an error, "" if it has none.
func HintOf(err error) string {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Hint
	}
	return ""
}

// PrintError prints an error and its hint. It prints nothing for a closed pipe, whose
// reader needs no more output.
func (t *Terminal) PrintError(err error) {
	if errors.Is(err, syscall.EPIPE) {
		return
	}
	fmt.Fprintf(t.Err, "robots: %s\n", withoutOrders(err.Error()))
	if hint := HintOf(err); hint != "" {
		t.Hint(hint)
	}
}

// WriteError returns the error for output that could not be written, nil for nil.
// The error of a closed pipe is returned unchanged.
func WriteError(err error) error {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return err
	}
	return Errorf("the answers above are incomplete", "cannot write the output: %v", Cause(err))
}

// Cause returns an error without the file name that its message would repeat.
func Cause(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

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
