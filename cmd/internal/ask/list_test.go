package ask

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzList: a list yields its lines that are not empty, without line ends and without
// a byte order mark, and counts all its bytes.
func FuzzList(f *testing.F) {
	f.Add("/a\r\n\n/b\n#top")
	f.Add("\ufeff/a\n\ufeff/b")
	f.Add(strings.Repeat("x", 1<<17) + "\n\r\n/y\r")
	f.Fuzz(func(t *testing.T, text string) {
		var want []string
		for i, line := range strings.Split(text, "\n") {
			if i == 0 {
				line = strings.TrimPrefix(line, "\ufeff")
			}
			if line = strings.TrimSuffix(line, "\r"); line != "" {
				want = append(want, line)
			}
		}
		reads := 0
		list := NewList(iotest.HalfReader(strings.NewReader(text)), "list", func() { reads++ })
		var got []string
		for url, err := range list.All {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, url)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") || list.Read() != int64(len(text)) || reads == 0 {
			t.Errorf("%q after %d reads, %d bytes, want %q", got, reads, list.Read(), want)
		}
	})
}

// TestListErrors: an error is yielded last, with the name and the line.
func TestListErrors(t *testing.T) {
	for want, r := range map[string]io.Reader{
		"cannot read the list: broken":           io.MultiReader(strings.NewReader("/a\n"), iotest.ErrReader(errors.New("broken"))),
		"line 2 of the list is over 16 MiB long": io.MultiReader(strings.NewReader("/a\n"), endless{}),
	} {
		var got []string
		for url, err := range NewList(r, "the list", func() {}).All {
			if err != nil {
				url = err.Error()
			}
			got = append(got, url)
		}
		if len(got) != 2 || got[0] != "/a" || got[1] != want {
			t.Errorf("%q, want /a and %q", got, want)
		}
	}
}

// endless is a line without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
