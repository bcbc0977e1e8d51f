package languageserver_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
)

// TestSurvives: a panic at a document is a diagnostic of it and a line with the stack in the log
// of the client; one at a request is its error. The session goes on.
func TestSurvives(t *testing.T) {
	panicking := config
	calls := 0
	panicking.Settings = func() (*lintconfig.Finder, error) {
		if calls++; calls == 1 {
			var words []string
			_ = words[calls]
		}
		return config.Settings()
	}
	panicking.Committed = func(context.Context, string) ([]byte, bool) { panic("no commit") }
	c := startWith(t, panicking)
	c.send(hello)
	c.receive()
	c.send(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///robots.txt","version":1,"text":"User-agent: *\nDisallow: /a\n"}}}`)
	log, published := c.receive(), c.receive()
	if !strings.Contains(log, "window/logMessage") || !strings.Contains(log, "TestSurvives") {
		t.Errorf("the log is %s", log)
	}
	if !strings.Contains(published, "publishDiagnostics") || !strings.Contains(published, "internal error: runtime error: index out of range") {
		t.Errorf("published %s", published)
	}
	c.send(`{"id":1,"method":"textDocument/codeLens","params":{"textDocument":{"uri":"file:///robots.txt"}}}`)
	log, answer := c.receive(), c.receive()
	if !strings.Contains(log, "window/logMessage") || !strings.Contains(answer, `"code":-32603`) || !strings.Contains(answer, "internal error: no commit") {
		t.Errorf("the log is %s, the answer %s", log, answer)
	}
	c.send(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///robots.txt","version":2},"contentChanges":[{"text":"Disallow: /b\n"}]}}`)
	if got := c.receive(); !strings.Contains(got, `"version":2`) || strings.Contains(got, "internal error") {
		t.Errorf("after an edit: %s", got)
	}
}
