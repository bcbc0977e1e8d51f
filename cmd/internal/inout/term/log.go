//go:build !wasip1

package term

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt/internal/faulttext"
	"github.com/kosterhq/robotstxt/internal/seldom"
)

// Logger returns a logger that prints warnings and errors as warnings, each message
// once a minute. It can be used concurrently.
func (t *Terminal) Logger() *slog.Logger { return seldom.Logger(slog.New(&warnings{t: t})) }

type warnings struct {
	t  *Terminal
	mu sync.Mutex
}

func (*warnings) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (w *warnings) Handle(_ context.Context, r slog.Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var details []string
	r.Attrs(func(a slog.Attr) bool {
		value := a.Value.String()
		if err, ok := a.Value.Any().(error); ok {
			value = faulttext.Of(err)
		}
		if value != "" {
			details = append(details, a.Key+" "+value)
		}
		return true
	})
	w.t.Warn("%s", Escape(r.Message+" ("+strings.Join(details, ", ")+")"))
	return nil
}

func (w *warnings) WithAttrs([]slog.Attr) slog.Handler { return w }

func (w *warnings) WithGroup(string) slog.Handler { return w }
