package fetch

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/kosterhq/robotstxt/origin"
)

// Event reports one step of a Client, for logs and counters.
type Event struct {
	// Kind is the label for a counter:
	//
	//	"hit"          a call was answered from memory
	//	"miss"         a call waited for the store or the site
	//	"refresh"      a background refresh started
	//	"store-hit"    the store contained an entry
	//	"store-error"  the store failed or contained an unreadable entry, see Err
	//
	// and at the end of a fetch, about which Config.OnFetch has more:
	//
	//	"fetched"      it succeeded
	//	"failed"       it failed, see Err
	//	"refused"      the address guard refused the connection, see Err
	//	"local"        it failed on this machine, see Err and FaultError.Local
	Kind   string
	Origin origin.Origin
	Err    error
}

const (
	eventHit        = "hit"
	eventMiss       = "miss"
	eventRefresh    = "refresh"
	eventStoreHit   = "store-hit"
	eventStoreError = "store-error"
	eventFetched    = "fetched"
	eventFailed     = "failed"
	eventRefused    = "refused"
	eventLocal      = "local"
)

// observe passes an event to Config.Observe. It is inlined, since most calls are hits and
// most clients have no observer.
func (c *Client) observe(kind string, o origin.Origin, err error) {
	if c.config.Observe != nil {
		c.config.Observe(Event{Kind: kind, Origin: o, Err: err})
	}
}

func (c *Client) wantsDigests() bool { return c.config.OnChange != nil }

func (c *Client) digestBody(g *siteAnswer) {
	if c.wantsDigests() && g != nil && g.digest == nil && (g.Class == classFile || g.Class == classEmpty) &&
		len(g.body) == g.Bytes {
		sum := sha256.Sum256(g.body)
		g.digest = &sum
	}
}

// digestOf returns the digest of the last answer's file in hexadecimal, or "".
func (s *state) digestOf() string {
	if s.lastAnswer == nil || s.lastAnswer.digest == nil {
		return ""
	}
	return hex.EncodeToString(s.lastAnswer.digest[:])
}
