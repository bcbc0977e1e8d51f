package languageserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
)

// TestSuperseded: of 600 edits of a large file that wait, each with a request, only the last text is
// checked, and each request is answered.
func TestSuperseded(t *testing.T) {
	var in, out, body bytes.Buffer
	body.WriteString("User-agent: *\n")
	for i := 0; body.Len() < 188_000; i++ {
		fmt.Fprintf(&body, "Disallow: /shop/%d/\n", i)
	}
	send := func(message string) { fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(message), message) }
	const edits = 600
	send(`{"id":0,"method":"initialize","params":{}}`)
	send(fmt.Sprintf(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///robots.txt","version":0,"text":%q}}}`, body.String()))
	for i := range edits {
		send(fmt.Sprintf(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///robots.txt","version":%d},"contentChanges":[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":0}},"text":"#"}]}}`, i+1))
		send(fmt.Sprintf(`{"id":%d,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///robots.txt"},"context":{"only":["quickfix"]}}}`, i+1))
	}
	send(`{"id":"end","method":"shutdown"}`)
	send(`{"method":"exit"}`)
	settings := func() (*lintconfig.Finder, error) { return &lintconfig.Finder{None: true}, nil }
	s := newServer(&out, Config{Settings: settings})
	s.queue = make(chan *message, 3*edits) // all of them wait
	s.run(context.Background(), &in)
	if err := s.loop(); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	if s.checks != 1 {
		t.Errorf("%d texts were checked, want the last one", s.checks)
	}
	if n := strings.Count(out.String(), `"code":-32801`); n != edits-1 {
		t.Errorf("%d requests are superseded, want %d", n, edits-1)
	}
	if n := strings.Count(out.String(), `"result":`); n != 3 { // initialize, the last request, shutdown
		t.Errorf("%d results, want 3", n)
	}
}
