package valkey

import (
	"strings"
	"testing"
)

// messages are complete messages of a server.
var messages = []string{
	"+OK\r\n", "-ERR no\r\n", ":17\r\n", "_\r\n", "#t\r\n", ",1.5\r\n", "(123\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "%0\r\n",
	"$0\r\n\r\n", "$5\r\na\r\nbc\r\n", "=7\r\ntxt:abc\r\n", "!5\r\nERR a\r\n",
	"*2\r\n$1\r\na\r\n*2\r\n:1\r\n*0\r\n", "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n$-1\r\n", "~1\r\n%1\r\n+a\r\n~1\r\n+b\r\n", ">2\r\n+message\r\n$1\r\nx\r\n",
}

// kinds reads a stream in parts of the given size, and returns the kinds of its
// messages, and what is left open at its end.
func kinds(stream string, part int) (kinds string, f frames, err error) {
	for len(stream) > 0 && err == nil {
		n := min(part, len(stream))
		err = f.follow([]byte(stream[:n]), func(kind byte) bool { kinds += string(kind); return true })
		stream = stream[n:]
	}
	return kinds, f, err
}

func TestFrames(t *testing.T) {
	want := ""
	for _, m := range messages {
		want += m[:1]
	}
	for part := 1; part < 100; part++ {
		got, f, err := kinds(strings.Join(messages, ""), part)
		if err != nil || got != want {
			t.Fatalf("in parts of %d bytes: %q, %v; want %q", part, got, err, want)
		}
		if len(f.left) != 0 || f.skip != 0 || len(f.line) != 0 {
			t.Errorf("at the end it waits for more: %+v", f)
		}
	}
	for _, stream := range []string{"\r\n", "+OK\n", "HTTP/1.1 400\r\n", "$\r\n\r\n", "$-2\r\n", "$1e3\r\n", "*?\r\n", "$16777217\r\n", "|1\r\n+a\r\n+b\r\n", ".\r\n"} {
		if got, _, err := kinds(stream, len(stream)); err == nil {
			t.Errorf("%q is accepted as %q", stream, got)
		}
	}
}

// FuzzFrames checks that the result does not depend on where a stream is split.
func FuzzFrames(f *testing.F) {
	for _, m := range messages {
		f.Add(m, 1)
	}
	f.Fuzz(func(t *testing.T, stream string, part int) {
		whole, _, err := kinds(stream, len(stream)+1)
		parts, _, errOfParts := kinds(stream, max(1, part))
		if whole != parts || (err != nil) != (errOfParts != nil) {
			t.Errorf("%q: %q, %v as a whole; %q, %v in parts of %d", stream, whole, err, parts, errOfParts, part)
		}
	})
}
