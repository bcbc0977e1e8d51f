package panics_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func first(words []string) string { return words[0] }

// TestContain: the error of a panic names the row, the cause, the file and the function that
// panicked, and is printed with all of them, also after a name was put before it.
func TestContain(t *testing.T) {
	body := []byte("User-agent: *\n")
	err := panics.Contain("\x1b[2Jshop", &body, func() error { first(nil); return nil })
	want := `\x1b[2Jshop: internal error: runtime error: index out of range [0] with length 0; the file has the SHA-256 digest fd89345af6aca5dab85f2aa6a830e270a362b1fa6b5f19607ddd773a081ed651`
	if err == nil || err.Error() != want {
		t.Fatalf("%v, want %s", err, want)
	}
	if trace := term.TraceOf(err); !strings.HasPrefix(trace, "github.com/kosterhq/robotstxt/cmd/internal/inout/panics_test.first(") {
		t.Errorf("the stack begins elsewhere:\n%s", trace)
	}
	var out bytes.Buffer
	(&term.Terminal{Err: &out, Quiet: true}).PrintError(term.Prefixed("sites.txt: ", err))
	for _, part := range []string{"robots: sites.txt: " + want + "\nrobots: hint: this is a bug", "\nrobots: stack: ", "panics_test.first("} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in:\n%s", part, &out)
		}
	}
}

// TestContainErrors: errors and results pass.
func TestContainErrors(t *testing.T) {
	failed := errors.New("oh")
	if err := panics.Contain("x", nil, func() error { return failed }); err != failed || term.TraceOf(err) != "" {
		t.Error(err)
	}
	if err := panics.Contain("x", nil, func() error { return nil }); err != nil {
		t.Error(err)
	}
	err := panics.Contain("x", new([]byte), func() error { panic(nil) })
	if err == nil || strings.Contains(err.Error(), "SHA-256") {
		t.Error(err)
	}
}
