package semdiff

import "context"

// budget bounds what a comparison may cost. It counts instead of timing, so that
// the same files give the same report everywhere.
type budget struct {
	ctx   context.Context
	steps int // that are left
	spent int // since ctx was looked at
	why   string
}

// searchBytes is how much memory one search may take up. Slices that grow and
// what the collector has not freed yet take as much again, and more.
const searchBytes = 12 << 20

// checkEvery is the steps between two looks at the context: a millisecond's.
const checkEvery = 1 << 15

const usedUp = "the budget of steps is used up"

// spend takes steps from the budget and reports whether there were enough, and
// memory for the search that takes up so many bytes.
func (b *budget) spend(steps, bytes int) bool {
	b.steps -= steps
	switch {
	case b.steps < 0:
		b.steps, b.why = 0, usedUp
		return false
	case bytes > searchBytes:
		b.why = "the search would take up too much memory"
		return false
	}
	if b.spent += steps; b.spent > checkEvery {
		b.spent = 0
		return b.ctx.Err() == nil
	}
	return true
}

// within calls f with a part of what is left of the budget.
func (b *budget) within(part int, f func()) { b.atMost(b.steps/part, f) }

// atMost calls f with so many steps of the budget, or what is left of it.
func (b *budget) atMost(steps int, f func()) {
	share := min(steps, b.steps)
	rest := b.steps - share
	b.steps = share
	f()
	b.steps += rest
}
