package fetch

import (
	"errors"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

// Stored is what an entry of a Store says about an origin: facts only, as a
// policy and a dialect are applied when it is used. At least one of Answer and
// Fault is not nil. It is immutable and safe for concurrent use.
type Stored struct {
	Origin    origin.Origin
	CheckedAt time.Time     // of the latest attempt
	Answer    *StoredAnswer // nil if the site has never answered
	Fault     *StoredFault  // nil if the latest attempt got an answer

	state *state
}

// StoredAnswer is the last answer of a site that was not a fault.
type StoredAnswer struct {
	Status       int    // of HTTP or FTP
	URL          string // where it came from in the end
	Hops         []Hop  // the redirects before it
	FetchedAt    time.Time
	Lifetime     time.Duration // that its headers state, before any policy
	Stated       bool          // whether they state one
	ETag         string
	LastModified string
	Body         []byte // decoded; empty if there is no file
	Truncated    bool   // the file is longer than Body
	Delimited    bool   // the transfer said where it ends, so nothing is missing
}

// StoredFault is a series of failed attempts, up to the latest one.
type StoredFault struct {
	Status  int    // of the latest attempt, 0 without an answer
	URL     string // that it failed at
	Hops    []Hop  // the redirects before it
	Since   time.Time
	Tries   int
	NextTry time.Time
	Kind    string // a word or two, as in FaultError.Kind
	Text    string
}

// EntryError says why an entry of a Store cannot be read. A client treats such
// an entry as missing.
type EntryError struct {
	// Version is that of the entry's format if this program does not know it,
	// which another version of this package has written. Otherwise it is 0, and
	// the entry is damaged.
	Version int
	Problem string
}

// Error says what is wrong with the entry.
func (e *EntryError) Error() string { return "fetch: an entry of a store: " + e.Problem }

// ReadEntry returns what an entry says that a Client has put into a Store. It
// depends on no clock: an entry that a client would ignore because of its age can
// be read. An entry that cannot be read is an *EntryError. Body is part of
// e.Data, which must not be changed afterwards.
func ReadEntry(e cache.Entry) (*Stored, error) {
	s, err := decodeRecord(e.Data)
	if err != nil {
		wrong := &EntryError{Problem: err.Error()}
		if errors.Is(err, errOtherVersion) {
			wrong.Version = int(e.Data[len(recordMagic)])
		}
		return nil, wrong
	}
	stored := &Stored{Origin: s.origin, CheckedAt: s.checkedAt, state: s}
	if g := s.settled; g != nil {
		stored.Answer = &StoredAnswer{
			Status: g.Status, URL: s.full(g.URL), Hops: g.Hops, FetchedAt: g.At, Lifetime: g.Lifetime, Stated: g.Stated,
			ETag: g.ETag, LastModified: g.Modified, Body: g.body, Truncated: g.Truncated, Delimited: g.Delimited,
		}
	}
	if f := s.fault; f != nil {
		stored.Fault = &StoredFault{
			Status: f.Status, URL: s.full(f.URL), Hops: f.Hops,
			Since: f.Since, Tries: f.Tries, NextTry: f.NextTry, Kind: f.Kind, Text: f.Text,
		}
	}
	return stored, nil
}

// Result returns what a policy makes of the entry at now without asking the
// site, its file read in a dialect. A fresh answer has SourceStore. An expired
// one has SourceStale, and FreshUntil is when it expired. After a fault it is
// what a Client answers while the site is down; GoogleLadderPolicy is taken to
// find that the site does not answer.
func (s *Stored) Result(p Policy, d robotstxt.Dialect, now time.Time) *Result {
	known := &state{origin: s.state.origin, checkedAt: s.state.checkedAt, settled: s.state.settled, fault: s.state.fault}
	known.parse(d)
	r := known.result(p, now, SourceStore, nil)
	if known.fault == nil && !known.fresh(p, now) {
		r.Source = SourceStale
	}
	return r
}
