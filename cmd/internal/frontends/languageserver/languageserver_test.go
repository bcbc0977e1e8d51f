package languageserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/languageserver"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint/editor"
)

var update = flag.Bool("update", false, "write the answers of the transcripts")

// client is the other end of a server.
type client struct {
	t     testing.TB
	in    *io.PipeWriter
	out   *bufio.Reader
	ended chan error
}

func start(t testing.TB) *client { return startWith(t, config) }

func startWith(t testing.TB, config languageserver.Config) *client {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &client{t, toServer, bufio.NewReader(fromServer), make(chan error, 1)}
	go func() {
		err := languageserver.Serve(t.Context(), in, out, config)
		out.Close()
		c.ended <- err
	}()
	t.Cleanup(func() { toServer.Close(); fromServer.Close() })
	return c
}

var config = languageserver.Config{
	Settings: func() (*lintconfig.Finder, error) { return &lintconfig.Finder{}, nil },
	Committed: func(_ context.Context, name string) ([]byte, bool) {
		body, err := os.ReadFile(name)
		return body, err == nil
	},
	Version: "test",
}

// send sends a message as it is.
func (c *client) send(content string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(content), content); err != nil {
		c.t.Fatal(err)
	}
}

// receive returns the next message, "" after the last one.
func (c *client) receive() string {
	c.t.Helper()
	header, err := c.out.ReadString('\n')
	if err == io.EOF {
		return ""
	}
	length, wrong := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(header, "Content-Length:")))
	if _, discard := c.out.Discard(len("\r\n")); err != nil || wrong != nil || discard != nil {
		c.t.Fatal(header, err, wrong, discard)
	}
	content := make([]byte, length)
	if _, err := io.ReadFull(c.out, content); err != nil {
		c.t.Fatal(err)
	}
	return string(content)
}

// TestTranscripts: the server answers the messages of the files in testdata. A line that
// begins with "-> " is a message of the client, one with "<- " the next message of the
// server, "<~" one that is not compared. "=> NAME TEXT" writes a file, whose TEXT is quoted
// as in Go. FOLDER is the URI of a folder with the files of testdata/files. With -update the
// answers are written.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.transcript")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			file, err = filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			folder := t.TempDir()
			if err := os.CopyFS(folder, os.DirFS("testdata/files")); err != nil {
				t.Fatal(err)
			}
			t.Chdir(folder)
			replay(t, file, string(text), "file://"+filepath.ToSlash(folder))
		})
	}
}

// message is the message of a diagnostic, or a documentation, which tests of package lint check.
var message = regexp.MustCompile(`("source":"robots","message":"|"kind":"markdown","value":"[A-Z])(?:[^"\\]|\\.)*(")`)

func replay(t *testing.T, file, text, folder string) {
	c, played := start(t), ""
	var want, got []string
	for line := range strings.Lines(text) {
		switch mark, content, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); mark {
		case "->":
			c.send(strings.ReplaceAll(content, "FOLDER", folder))
		case "<~":
			c.receive()
		case "=>":
			name, quoted, _ := strings.Cut(content, " ")
			if content, err := strconv.Unquote(quoted); err != nil ||
				os.WriteFile(name, []byte(content), 0o644) != nil {
				t.Fatal(line, err)
			}
		case "<-":
			received := message.ReplaceAllString(strings.ReplaceAll(c.receive(), folder, "FOLDER"), "$1…$2")
			want, got, line = append(want, content), append(got, received), "<- "+received+"\n"
		}
		played += line
	}
	if rest := c.receive(); rest != "" {
		t.Errorf("the server sent a message more: %s", rest)
	}
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
	switch {
	case *update:
		if err := os.WriteFile(file, []byte(played), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`

// opened returns a session with an open document.
func opened(t testing.TB, text string) *client {
	c := start(t)
	c.send(hello)
	c.receive()
	body, _ := json.Marshal(text)
	c.send(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///robots.txt","version":1,"text":` + string(body) + `}}}`)
	return c
}

// TestStaleDiagnostics: while messages wait, no diagnostics are computed.
func TestStaleDiagnostics(t *testing.T) {
	c := opened(t, "")
	c.receive()
	c.send(`{"id":1,"method":"textDocument/hover","params":{}}`) // the server waits for its answer to be received
	for version := 2; version < 10; version++ {
		c.send(fmt.Sprintf(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///robots.txt","version":%d},"contentChanges":[{"text":"Disallow: /%d\n"}]}}`, version, version))
	}
	c.send(`{"method":"$/last"}`) // when it is read, the changes before it wait
	first, last := c.receive(), c.receive()
	if !strings.Contains(first, `"id":1`) || !strings.Contains(last, `"version":9}`) {
		t.Errorf("it sends %s and %s", first, last)
	}
}

// TestCancel: a request is cancelled while it waits, and while it runs.
func TestCancel(t *testing.T) {
	c := opened(t, hostile(1000)) // whose fixes take seconds to prove
	c.receive()
	c.send(`{"id":1,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///robots.txt"},"context":{"only":["source.fixAll"]}}}`)
	c.send(`{"id":"b","method":"textDocument/hover","params":{"textDocument":{"uri":"file:///robots.txt"}}}`)
	c.send(`{"method":"$/cancelRequest","params":{"id":"b"}}`)
	c.send(`{"method":"$/cancelRequest","params":{"id":1}}`)
	for _, id := range []string{`1`, `"b"`} {
		if got := c.receive(); !strings.Contains(got, `"id":`+id) || !strings.Contains(got, `-32800`) {
			t.Errorf("the answer is %s", got)
		}
	}
}

// TestCancelResponse: the response to a request of the server does not take the place of the
// client's request with the same ID, which can still be cancelled.
func TestCancelResponse(t *testing.T) {
	c := opened(t, hostile(1000))
	c.receive()
	c.send(`{"id":1,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///robots.txt"},"context":{"only":["source.fixAll"]}}}`)
	c.send(`{"id":1,"result":null}`)
	c.send(`{"method":"$/cancelRequest","params":{"id":1}}`)
	if got := c.receive(); !strings.Contains(got, `-32800`) {
		t.Errorf("the answer is %s", got)
	}
}

// TestFixAll: the action that makes all plain fixes makes of a file what "robots lint --fix" makes of it.
func TestFixAll(t *testing.T) {
	bodies := fixCases(t)
	if os.Getenv("ROBOTSTXT_CORPUS") != "" {
		const files = 160
		all, _ := witness.Corpus(t)
		for i := range files {
			bodies = append(bodies, all[i*len(all)/files])
		}
	}
	c := start(t)
	c.send(hello)
	c.receive()
	fixed := 0
	for i, body := range bodies {
		if !utf8.Valid(body) {
			continue // a client sends characters
		}
		made, err := fix.Make(t.Context(), body, fix.Config{})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(string(body))
		uri := fmt.Sprintf("file:///%d/robots.txt", i)
		c.send(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"` + uri + `","version":1,"text":` + string(text) + `}}}`)
		c.receive()
		c.send(`{"id":1,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"` + uri + `"},"context":{"only":["source.fixAll"]}}}`)
		var answer struct {
			Result []struct {
				Edit struct {
					Changes map[string][]editor.Edit
				}
			}
		}
		if err := json.Unmarshal([]byte(c.receive()), &answer); err != nil {
			t.Fatal(err)
		}
		after := body
		for _, action := range answer.Result {
			after = editor.Apply(after, editor.UTF16, action.Edit.Changes[uri])
		}
		if !bytes.Equal(after, made.Body) {
			t.Errorf("%.500q becomes %.500q, and with --fix %.500q", body, after, made.Body)
		}
		if made.Made > 0 {
			fixed++
		}
		c.send(`{"method":"textDocument/didClose","params":{"textDocument":{"uri":"` + uri + `"}}}`)
		c.receive()
	}
	if fixed < 5 {
		t.Errorf("%d of %d files are fixed: too few to test anything", fixed, len(bodies))
	}
}

// fixCases returns the files of the cases of package fix.
func fixCases(t *testing.T) (bodies [][]byte) {
	names, err := filepath.Glob("../../maintain/fix/testdata/cases/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d cases, %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		body, _, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("-- robots.txt --\n")), []byte("\n-- "))
		bodies = append(bodies, append(body, '\n'))
	}
	return bodies
}

func hostile(rules int) string {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range rules {
		fmt.Fprintf(&b, "Disallow: /*a*b%d*c\nDisallow: /*a*b%d*c*\n", i, i)
	}
	return b.String()
}

// TestLensOfOldText: lenses are computed while other messages are answered, until a later request or a change of the
// text. The last one can be ready before the change.
func TestLensOfOldText(t *testing.T) {
	c := opened(t, hostile(1000))
	c.receive()
	for id := 1; id < 5; id++ {
		c.send(fmt.Sprintf(`{"id":%d,"method":"textDocument/codeLens","params":{"textDocument":{"uri":"file:///robots.txt"}}}`, id))
	}
	c.send(`{"id":5,"method":"textDocument/foldingRange","params":{"textDocument":{"uri":"file:///robots.txt"}}}`)
	all, received := "", 0
	receive := func() {
		all += c.receive() + "\n"
		received++
	}
	for received < 4 && !strings.Contains(all, "startLine") { // a lens that a later one replaces can end first
		receive()
	}
	c.send(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///robots.txt","version":2},"contentChanges":[{"text":""}]}}`)
	for received < 6 {
		receive()
	}
	refused, ready := strings.Count(all, "-32801"), strings.Count(all, `"result":[{"range"`)
	if refused == 0 || refused+ready != 4 || !strings.Contains(all, "startLine") || !strings.Contains(all, `"version":2}`) {
		t.Errorf("it sends %s", all)
	}
}

// TestCommitted: the file of the last commit, if git has one.
func TestCommitted(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("install git: it has the file of the last commit")
	}
	folder := t.TempDir()
	name := filepath.Join(folder, "site", "-odd 'name'.txt")
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@shop.example", "-c", "core.autocrlf=false"}, args...)...)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	check := func(want string) {
		t.Helper()
		if body, ok := languageserver.Committed(t.Context(), name); string(body) != want || ok != (want != "") {
			t.Errorf("it is %.20q, %v, want %.20q", body, ok, want)
		}
	}
	write := func(text string) {
		if os.MkdirAll(filepath.Dir(name), 0o755) != nil || os.WriteFile(name, []byte(text), 0o644) != nil {
			t.Fatal(name)
		}
	}
	write("one")
	check("") // or the repository that has the folder of temporary files
	run("init", "-q")
	check("")
	run("add", ".")
	run("commit", "-qm", "x")
	write("two")
	check("one")
	t.Setenv("GIT_DIR", filepath.Join(folder, "other"))
	check("one")
	os.Unsetenv("GIT_DIR") // until the test ends; the commands here use it too
	if _, ok := languageserver.Committed(t.Context(), filepath.Dir(name)); ok {
		t.Error("a folder is a file")
	}
	write(strings.Repeat("#", 1<<20+1))
	run("commit", "-qam", "y")
	if _, ok := languageserver.Committed(t.Context(), name); ok {
		t.Error("a file that is too large is known")
	}
}

// TestCommittedStops: a program that git has started, and that outlives it, delays nothing.
func TestCommittedStops(t *testing.T) {
	folder := t.TempDir()
	ended := filepath.Join(folder, "ended")
	script := "#!/bin/sh\nsleep 60\necho >" + ended + "\n" // the shell is stopped; sleep keeps the output open
	if err := os.WriteFile(filepath.Join(folder, "git"), []byte("#!/bin/sh\n(exec sh "+ended+".sh)\necho\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ended+".sh", []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if _, ok := languageserver.Committed(ctx, ended); ok {
		t.Error("the file is known")
	}
	if _, err := os.Stat(ended); err == nil {
		t.Error("it waited for the program")
	}
}

// TestLargeMessage: a message beyond the bound is skipped, and the texts, which it may have
// changed, are unknown until they are opened again.
func TestLargeMessage(t *testing.T) {
	c := opened(t, "Disallow: /\n")
	c.receive()
	c.send(`{"method":"x","params":"` + strings.Repeat("x", 8<<20) + `"}`)
	refused, lost := c.receive(), c.receive()
	if !strings.Contains(refused, "larger than 8 MiB") || !strings.Contains(lost, "open it again") {
		t.Errorf("it sends %s and %s", refused, lost)
	}
}

// TestLargeDocument: a document beyond the bound is not checked, which is said.
func TestLargeDocument(t *testing.T) {
	c := opened(t, strings.Repeat("#", 1<<20+1))
	if got := c.receive(); !strings.Contains(got, "larger than 1,048,576 bytes") {
		t.Errorf("it sends %s", got)
	}
}

// TestMalformed: input in which no message can be found ends the session with an error.
func TestMalformed(t *testing.T) {
	for _, input := range []string{"\r\n", "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
		"Content-Length: 9\r\n\r\n{}", "Content-Length: 2", strings.Repeat("X: y\r\n", 2000), strings.Repeat("x", 9000)} {
		err := languageserver.Serve(context.Background(), strings.NewReader(input), io.Discard, config)
		if err == nil || errors.Is(err, languageserver.ErrNoShutdown) {
			t.Errorf("%.30q: the error is %v", input, err)
		}
	}
	err := languageserver.Serve(context.Background(), strings.NewReader(""), io.Discard, config)
	if !errors.Is(err, languageserver.ErrNoShutdown) {
		t.Errorf("no input: the error is %v", err)
	}
}

// FuzzServe: any input ends without a panic, and every message of the server is valid.
// Lines are messages, so that the fuzzer needs no lengths.
func FuzzServe(f *testing.F) {
	files, err := filepath.Glob("testdata/*.transcript")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var messages []string
		for line := range strings.Lines(string(text)) {
			if message, ok := strings.CutPrefix(line, "-> "); ok {
				messages = append(messages, strings.TrimSpace(message))
			}
		}
		f.Add(strings.Join(messages, "\n"), true)
	}
	f.Add("Content-Length: 2\r\n\r\n{}", false)
	f.Fuzz(func(t *testing.T, input string, framed bool) {
		if framed {
			var b strings.Builder
			for message := range strings.SplitSeq(input, "\n") {
				fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(message), message)
			}
			input = b.String()
		}
		var out bytes.Buffer
		_ = languageserver.Serve(t.Context(), strings.NewReader(input), &out, config)
		c := &client{t: t, out: bufio.NewReader(&out)}
		for message := c.receive(); message != ""; message = c.receive() {
			if !json.Valid([]byte(message)) {
				t.Fatalf("it sends %q", message)
			}
		}
	})
}

// BenchmarkChange measures the time from a change of a character to its diagnostics, in a
// file of 100 KB.
func BenchmarkChange(b *testing.B) {
	var distinct, hostile strings.Builder
	for i := 0; distinct.Len() < 100_000; i++ {
		if i%20 == 0 {
			fmt.Fprintf(&distinct, "\nUser-agent: bot%c%c\n", 'a'+i/20%26, 'a'+i/520%26)
		}
		fmt.Fprintf(&distinct, "Disallow: /dir%d/page*.html\n", i)
	}
	for hostile.WriteString("User-agent: *\n"); hostile.Len() < 100_000; {
		fmt.Fprintf(&hostile, "Disallow: /*a*b%d*c\n", hostile.Len())
	}
	for name, text := range map[string]string{"distinct": distinct.String(), "hostile": hostile.String(), "redundant": strings.Repeat("User-agent: *\nDisallow: /cart\n", 3300)} {
		b.Run(name, func(b *testing.B) {
			c := opened(b, text)
			c.receive()
			for version := 2; b.Loop(); version++ {
				c.send(fmt.Sprintf(`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///robots.txt","version":%d},"contentChanges":[{"range":{"start":{"line":900,"character":11},"end":{"line":900,"character":11}},"text":"x"}]}}`, version))
				c.receive()
			}
		})
	}
}
