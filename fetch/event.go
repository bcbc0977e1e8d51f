package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// EventKind is the kind of an Event.
type EventKind uint8

// The kinds of events.
const (
	EventHit        EventKind = iota // a call was answered from memory
	EventMiss                        // a call waited for the store or the site
	EventFetched                     // a fetch succeeded
	EventFailed                      // a fetch failed, see Event.Err
	EventRefused                     // the address guard refused the connection
	EventRefresh                     // a background refresh started
	EventStoreHit                    // the store contained an entry
	EventStoreError                  // the store failed or contained an unreadable entry
	EventLocal                       // a fetch failed on this machine, see FaultError.Local
)

var eventNames = [...]string{"hit", "miss", "fetched", "failed", "refused", "refresh", "store-hit", "store-error", "local"}

// String returns the kind's name, for example "store-hit", to label a counter.
func (k EventKind) String() string { return eventNames[min(int(k), len(eventNames)-1)] }

// Event reports one step of a Client, for logs and counters. The fields after Err
// are set for the end of a fetch only: EventFetched, EventFailed, EventRefused and
// EventLocal.
type Event struct {
	Kind   EventKind
	Origin origin.Origin
	Err    error // of EventFailed, EventRefused, EventLocal and EventStoreError

	Duration time.Duration // of the fetch, without the wait for its turn
	Waited   time.Duration // for its turn, see Config.MaxFetches
	Status   int           // HTTP or FTP status; 0 without a response
	Hops     []Hop         // redirects, in order; must not be changed
	Bytes    int           // of the decoded body that was read
	Digest   Digest        // of that body; zero without a file
	Outcome  Outcome       // what applies after the fetch
	Reason   Reason        // why
}

// Digest is the SHA-256 of a file's decoded bytes. The zero value means that there
// is no file, or that it is not known.
type Digest [sha256.Size]byte

// String returns the digest in hexadecimal digits, or "" for the zero value.
func (d Digest) String() string {
	if d == (Digest{}) {
		return ""
	}
	return hex.EncodeToString(d[:])
}

// IsZero reports whether d is the zero value.
func (d Digest) IsZero() bool { return d == (Digest{}) }

// observe passes an event to Config.Observe.
func (c *Client) observe(e Event) {
	if c.config.Observe != nil {
		c.config.Observe(e)
	}
}

// observeStep passes an event without further fields to Config.Observe. It is
// inlined where no observer is set, since most calls are hits.
func (c *Client) observeStep(kind EventKind, o origin.Origin) {
	if c.config.Observe != nil {
		c.config.Observe(Event{Kind: kind, Origin: o})
	}
}

// wantsDigests reports whether the digest of a file is used.
func (c *Client) wantsDigests() bool { return c.config.Observe != nil || c.config.OnChange != nil }

// digestBody sets the digest of an answer whose body is in memory.
func (c *Client) digestBody(g *siteAnswer) {
	if c.wantsDigests() && g != nil && g.digest == nil && (g.Class == classFile || g.Class == classEmpty) && len(g.body) == g.Bytes {
		d := Digest(sha256.Sum256(g.body))
		g.digest = &d
	}
}

// digestOf returns the digest of the last answer's file, or zero.
func (s *state) digestOf() Digest {
	if s.lastAnswer == nil || s.lastAnswer.digest == nil {
		return Digest{}
	}
	return *s.lastAnswer.digest
}
