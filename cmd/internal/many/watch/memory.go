package watch

import (
	"context"
	"encoding/json"
	"hash/maphash"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// memory compares answers of a site, each two once, and inspects each file once: a step compares some of them several
// times, and the latest with each that came before.
type memory struct {
	ctx     context.Context
	reader  *Reader
	url     string
	changes map[question][]wire.WatchChange
	differ  map[question]bool
	errors  map[uint64][]string
	failed  error // ctx's
}

type question struct {
	part          Part
	before, after uint64
}

func (r *Reader) memory(ctx context.Context, url string) *memory {
	return &memory{ctx: ctx, reader: r, url: url, changes: make(map[question][]wire.WatchChange),
		differ: make(map[question]bool), errors: make(map[uint64][]string)}
}

// of returns a Comparer of a part.
func (m *memory) of(part Part) Comparer { return partMemory{m, part} }

type partMemory struct {
	*memory
	part Part
}

// Changes returns the changes between two answers. If it cannot, it returns one, because a change that is
// reported twice is better than a lost one.
func (m partMemory) Changes(before, after *Served) []wire.WatchChange {
	q := question{m.part, before.id(), after.id()}
	if differ, isKnown := m.differ[q]; q.before == q.after || isKnown && !differ {
		return nil
	}
	found, isKnown := m.changes[q]
	if !isKnown {
		found = m.find(before, after, false)
		m.changes[q] = found
		m.differ[q] = len(found) > 0
	}
	return found
}

// Differ reports whether there are changes.
func (m partMemory) Differ(before, after *Served) bool {
	q := question{m.part, before.id(), after.id()}
	differ, isKnown := m.differ[q]
	if !isKnown && q.before != q.after {
		differ = len(m.find(before, after, true)) > 0
		m.differ[q] = differ
	}
	return differ
}

func (m partMemory) find(before, after *Served, isOneEnough bool) []wire.WatchChange {
	found, err := m.reader.find(m.ctx, before, after, m.lint, isOneEnough, m.part)
	if err != nil {
		m.failed = err
		return []wire.WatchChange{{Kind: wire.WatchUndecided, Gravity: wire.GravityMedium}}
	}
	return found
}

func (m *memory) lint(s *Served) []string {
	id := s.id()
	errors, isKnown := m.errors[id]
	if !isKnown {
		errors = lintOf(m.url)(s)
		m.errors[id] = errors
	}
	return errors
}

// id returns a number that equal answers share.
func (s *Served) id() uint64 {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // it has only texts, numbers and truth values
	}
	return pair(maphash.Bytes(seed, text), maphash.Bytes(seed, s.Body))
}
