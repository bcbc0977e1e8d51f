package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// watched runs robots lint --watch. Between two looks at the files it waits for the test,
// so that nothing depends on time.
type watched struct {
	idle, look chan struct{}
	out, err   bytes.Buffer
	stop       context.CancelFunc
	ended      chan error
}

func watchFiles(t *testing.T, args ...string) *watched {
	ctx, stop := context.WithCancel(t.Context())
	w := &watched{idle: make(chan struct{}), look: make(chan struct{}), stop: stop, ended: make(chan error, 1)}
	l := &lintFlags{fetchFlags: fetchFlags{cache: cacheNone}}
	terminal := &term.Terminal{In: strings.NewReader(""), Out: &w.out, Err: &w.err,
		Getenv: func(string) string { return "" }}
	wait := func(ctx context.Context) {
		w.idle <- struct{}{}
		select {
		case <-w.look:
		case <-ctx.Done():
		}
	}
	go func() { w.ended <- l.watch(ctx, terminal, args, wait) }()
	<-w.idle
	return w
}

// printed returns what was printed since the last call.
func (w *watched) printed() (out, err string) {
	out, err = w.out.String(), w.err.String()
	w.out.Reset()
	w.err.Reset()
	return out, err
}

// read returns the text of a file.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// write writes a file, in a folder that it makes.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	t.Chdir(t.TempDir())
	const fine = "User-agent: *\nDisallow: /a/\n\nSitemap: https://shop.example/map.xml\n"
	write(t, "robots.txt", "User-agent: *\nDisallow: a/\n")
	w := watchFiles(t, ".")
	if out, err := w.printed(); !strings.Contains(out, "RX202") || !strings.Contains(err, "waiting for changes") {
		t.Errorf("at first: %q and %q", out, err)
	}
	for _, step := range []struct {
		what     string
		do       func()
		out, err string // parts of what is printed; "" for nothing
	}{
		{"nothing", func() {}, "", ""},
		{"fixed", func() { write(t, "robots.txt", fine) }, "1 file: nothing found", "robots.txt has changed"},
		{"a new file", func() { write(t, "shop.robots.txt", "User-agent: *\nDisallow: shop/\n") }, "shop.robots.txt:2:11: error RX202", "shop.robots.txt has changed"},
		{"new settings", func() { write(t, ".robotslint.yaml", "ignore: pattern-without-slash\n") }, "2 files", ".robotslint.yaml has changed"},
		{"settings with an error", func() { write(t, ".robotslint.yaml", "ignored: x\n") }, "", `there is no setting "ignored"`},
		{"no settings", func() { os.Remove(".robotslint.yaml") }, "RX202", "has changed"},
		{"removed", func() { os.Remove("shop.robots.txt") }, "1 file: nothing found", "shop.robots.txt has changed"},
	} {
		step.do()
		w.look <- struct{}{}
		<-w.idle
		out, err := w.printed()
		if !strings.Contains(out, step.out) || !strings.Contains(err, step.err) || (out == "") != (step.out == "") ||
			(err == "") != (step.err == "") {
			t.Errorf("%s: printed %q and %q, want %q and %q", step.what, out, err, step.out, step.err)
		}
	}
	w.stop()
	if err := <-w.ended; err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// TestWatchWrongUse: what cannot be watched is an error.
func TestWatchWrongUse(t *testing.T) {
	for _, args := range []string{"--watch -", "--watch https://shop.example", "--watch --fix robots.txt", "--watch --baseline x --write-baseline robots.txt"} {
		if code, _, stderr := runTool(t, append([]string{"lint"}, strings.Fields(args)...)...); code != exitUnknown ||
			!strings.Contains(stderr, "--watch") {
			t.Errorf("%s: exit code %d, %q", args, code, stderr)
		}
	}
}
