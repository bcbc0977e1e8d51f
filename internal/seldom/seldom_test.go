package seldom_test

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/internal/seldom"
)

// TestLogger: trouble that lasts is one line a minute, which counts the records that it stands
// for, and nothing is lost when the trouble ends.
func TestLogger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var out bytes.Buffer
		to := slog.New(slog.NewTextHandler(writer(func(p []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return out.Write(p)
		}), &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}))
		l := seldom.Logger(seldom.Logger(to))
		named := l.With("store", "disk")
		for n := range 547 { // 150 seconds
			named.Warn("it failed", "n", n)
			time.Sleep(275 * time.Millisecond)
		}
		l.Warn("another")
		l.Info("below the level")
		time.Sleep(10 * time.Minute)
		l.Warn("it failed", "n", "later")
		mu.Lock()
		defer mu.Unlock()
		const want = `level=WARN msg="it failed" store=disk n=0
level=WARN msg="it failed" store=disk n=218 times=218
level=WARN msg="it failed" store=disk n=436 times=218
level=WARN msg=another
level=WARN msg="it failed" store=disk n=546 times=110
level=WARN msg="it failed" n=later
`
		if got := out.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// TestConcurrent: a logger may be used concurrently.
func TestConcurrent(t *testing.T) {
	l := seldom.Logger(slog.New(slog.NewTextHandler(io.Discard, nil)))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for n := range 100 {
				l.WithGroup("g").Warn(strings.Repeat("m", n%3), "n", n)
			}
		})
	}
	all.Wait()
}
