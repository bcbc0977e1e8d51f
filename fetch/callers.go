package fetch

import (
	"errors"
	"sync"

	"github.com/kosterhq/robotstxt/origin"
)

// errAbandoned ends a flight whose callers have all gone while it waited for its turn.
// Otherwise the fetches of cancelled calls would delay those of later ones: with slow
// sites and short deadlines, for hours.
var errAbandoned = errors.New("fetch: no caller waits for this fetch any more")

// callers counts the calls that wait for a flight. The zero value is ready for use.
type callers struct {
	mu       sync.Mutex
	byOrigin map[origin.Origin]int
}

func (c *callers) enter(o origin.Origin) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byOrigin == nil {
		c.byOrigin = make(map[origin.Origin]int)
	}
	c.byOrigin[o]++
}

func (c *callers) leave(o origin.Origin) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byOrigin[o]--; c.byOrigin[o] == 0 {
		delete(c.byOrigin, o)
	}
}

func (c *callers) any(o origin.Origin) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byOrigin[o] > 0
}

// isWanted reports whether the result of a flight for o is of use: a caller waits for
// it, a Refresh has requested it, or it refreshes an answer in the background.
func (c *Client) isWanted(o origin.Origin) bool {
	if c.callers.any(o) || c.isDemanded(o) {
		return true
	}
	s := c.inMemory(o)
	return s != nil && s.refreshing.Load()
}
