// Package seldom logs trouble that lasts: the same message once a minute, with a count.
package seldom

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Interval is the shortest time between two lines with the same message.
const Interval = time.Minute

// Logger returns a logger that writes to another one. It writes the first record with a message
// at once. If more arrive within [Interval], it writes the last one when the interval ends, with
// their number in the attribute "times". Messages must be constants, because each one is
// remembered. A logger of this kind is returned as it is.
func Logger(to *slog.Logger) *slog.Logger {
	if _, already := to.Handler().(*handler); already {
		return to
	}
	return slog.New(&handler{to.Handler(), &messages{of: make(map[string]*message)}})
}

type handler struct {
	slog.Handler
	messages *messages
}

type messages struct {
	mu sync.Mutex
	of map[string]*message
}

// message has the records that have arrived since the last line with a message.
type message struct {
	waits bool // an interval has begun but not ended
	times int
	last  slog.Record
	to    slog.Handler // of the last record
}

// Handle implements [slog.Handler].
func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	h.messages.mu.Lock()
	m := h.messages.of[r.Message]
	if m == nil {
		m = &message{}
		h.messages.of[r.Message] = m
	}
	if m.waits {
		m.times++
		m.last = r.Clone()
		m.to = h.Handler
		h.messages.mu.Unlock()
		return nil
	}
	m.waits = true
	h.messages.mu.Unlock()
	time.AfterFunc(Interval, func() { h.messages.flush(m) })
	return h.Handler.Handle(ctx, r)
}

// flush ends an interval. If records have arrived, it writes the last one and begins another
// interval.
func (s *messages) flush(m *message) {
	s.mu.Lock()
	times, last, to := m.times, m.last, m.to
	m.times, m.last, m.to = 0, slog.Record{}, nil
	m.waits = times > 0
	s.mu.Unlock()
	if times == 0 {
		return
	}
	last.AddAttrs(slog.Int("times", times))
	_ = to.Handle(context.Background(), last) // as slog's own loggers do
	time.AfterFunc(Interval, func() { s.flush(m) })
}

// WithAttrs implements [slog.Handler].
func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &handler{h.Handler.WithAttrs(attrs), h.messages}
}

// WithGroup implements [slog.Handler].
func (h *handler) WithGroup(name string) slog.Handler {
	return &handler{h.Handler.WithGroup(name), h.messages}
}
