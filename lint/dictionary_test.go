package lint_test

import (
	"strings"
	"testing"
)

// TestDictionary: which values are a Dictionary (RFC 9651 3.2), shown by whether
// the line is said to be none, and at which byte it breaks.
func TestDictionary(t *testing.T) {
	for _, text := range []string{
		"a=1", "a=1.5,b=-999999999999.999", "a=999999999999999", `a="b\"c\\"`, "a=tok*en/x:y", "*k=*t",
		"a", "a;p;q=1", "a=?0;p=?1", "a=(1 2;p \"x\" ), b", "a=()", "a=:aGVsbG8=:", "a=::", "a=@1659578233",
		"a=@-1", `a=%"caf%c3%a9"`, "a=1 , \tb=2", "a=1,a=2", "a_b-c.d*=1",
	} {
		if findings := broken(text); findings != "" {
			t.Errorf("%q is a Dictionary, but %s", text, findings)
		}
	}
	for _, c := range []struct {
		text  string
		where string // what is before the byte that is wrong
	}{
		{"A=1", ""}, {"1=1", ""}, {"aB=1", "a"}, {"a=", "a="}, {"a=1,", "a=1,"}, {"a=1,,b", "a=1,"}, {"a=1;", "a=1;"},
		{"a=1 b=2", "a=1 "}, {"a =1", "a "}, {"a= 1", "a="}, {"a=1;P", "a=1;"}, {"a=1;p=", "a=1;p="},
		{"a=1000000000000000", "a=1000000000000000"}, {"a=1.", "a=1."}, {"a=1.1234", "a=1.1234"}, {"a=1234567890123.1", "a=1234567890123.1"},
		{"a=-", "a=-"}, {"a=@1.5", "a=@1"}, {`a="b`, `a="b`}, {`a="\n"`, `a="\`}, {`a="é"`, `a="`}, {"a=?2", "a=?"}, {"a=:-:", "a=:"},
		{"a=(1", "a=(1"}, {"a=(1,2)", "a=(1"}, {"a=(1;)", "a=(1;"}, {"a=('x')", "a=("}, {`a=%x`, `a=%`}, {`a=%"%C3"`, `a=%"%`}, {`a=%"%c3"`, `a=%"%c3"`}, {`a=%"x`, `a=%"x`},
	} {
		findings := beyond(inGroup("Content-Usage: "+c.text), nowhere)
		if len(findings) != 1 || !strings.Contains(findings[0].Message, "is expected here") {
			t.Errorf("%q: %v, want one that says it is expected here", c.text, findings)
			continue
		}
		if at, want := findings[0].Column, len("Content-Usage: "+c.where)+1; at != want {
			t.Errorf("%q breaks at column %d, want %d, after %q: %s", c.text, at, want, c.where, findings[0].Message)
		}
	}
}

// broken returns what is said about a value that is expected here.
func broken(text string) string {
	for _, f := range beyond(inGroup("Content-Usage: "+text), nowhere) {
		if strings.Contains(f.Message, "is expected here") {
			return f.Message
		}
	}
	return ""
}
