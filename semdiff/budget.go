package semdiff

import "context"

// budget bounds the cost of a comparison. It counts instead of timing, so that
// the same files give the same report everywhere.
type budget struct {
	ctx   context.Context
	steps int // remaining
	spent int // since ctx was last checked
	why   string
}

// searchBytes is how much memory one search can take up. The process needs more than
// twice as much, for slices that are copied when they grow and for garbage.
const searchBytes = 12 << 20

// checkEvery is the number of steps between two checks of the context: about a
// millisecond.
const checkEvery = 1 << 15

const usedUp = "the budget of steps is used up"

// spend takes steps from the budget. It returns false if they do not suffice, if a search
// takes up more than searchBytes, or if the context has ended.
func (b *budget) spend(steps, bytes int) bool {
	b.steps -= steps
	switch {
	case b.steps < 0:
		b.steps = 0
		b.why = usedUp
		return false
	case bytes > searchBytes:
		b.why = "the search would take up too much memory"
		return false
	}
	b.spent += steps
	if b.spent > checkEvery {
		b.spent = 0
		return b.ctx.Err() == nil
	}
	return true
}

// within calls f with one part of the remaining budget: 2 means half of it.
func (b *budget) within(part int, f func()) { b.atMost(b.steps/part, f) }

func (b *budget) atMost(steps int, f func()) {
	share := min(steps, b.steps)
	rest := b.steps - share
	b.steps = share
	f()
	b.steps += rest
}
