package wasm

// table gives values handles. A handle is a positive number that is not used again
// soon after its release, so that a use after the release is an error.
type table[T any] struct {
	slots []slot[T]
	free  []int32 // indexes
}

type slot[T any] struct {
	value T
	turn  int32 // counts the values that the slot has had
	used  bool
}

// A handle has the index of its slot in the lower bits, from 1, and its turn above them.
const (
	indexBits = 22
	maxTurns  = 1 << (31 - indexBits)
)

// add returns the handle of a value. ok is false if there is no room.
func (t *table[T]) add(value T) (handle int32, ok bool) {
	var i int32
	switch n := len(t.free); {
	case n > 0:
		i, t.free = t.free[n-1], t.free[:n-1]
	case len(t.slots) == 1<<indexBits-1:
		return 0, false
	default:
		i = int32(len(t.slots))
		t.slots = append(t.slots, slot[T]{})
	}
	s := &t.slots[i]
	s.value = value
	s.used = true
	return s.turn<<indexBits | (i + 1), true
}

// at returns the slot of a handle, nil if it was released or never given.
func (t *table[T]) at(handle int32) *slot[T] {
	i := handle&(1<<indexBits-1) - 1
	if handle <= 0 || i < 0 || int(i) >= len(t.slots) {
		return nil
	}
	if s := &t.slots[i]; s.used && s.turn == handle>>indexBits {
		return s
	}
	return nil
}

// release frees a handle. It reports whether the handle was in use.
func (t *table[T]) release(handle int32) bool {
	s := t.at(handle)
	if s == nil {
		return false
	}
	*s = slot[T]{turn: (s.turn + 1) % maxTurns}
	t.free = append(t.free, handle&(1<<indexBits-1)-1)
	return true
}
