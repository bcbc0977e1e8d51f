package fetch

import (
	"cmp"
	"errors"
	"net/http"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

// Stored is the knowledge of an origin's robots.txt: the content of a Store's entry, or the
// argument of Config.OnFetch after a fetch. [Stored.Result] applies a policy to it. At least
// one of Answer and Fault is not nil. Stored is immutable and safe for concurrent use.
type Stored struct {
	Origin    origin.Origin
	CheckedAt time.Time     // time of the last attempt
	Answer    *StoredAnswer // nil if no attempt succeeded
	Fault     *StoredFault  // nil if the last attempt succeeded

	// These are about the fetch, and are set only for Config.OnFetch.
	Kind    string        // how it ended, as in Event: "fetched", "failed", "refused" or "local"
	Header  http.Header   // as in Result
	Bytes   int           // of the decoded body that was read; 0 if the site said that the file has not changed
	Took    time.Duration // without the wait for its turn
	Waited  time.Duration // for its turn, see Limits.MaxFetches
	Outcome Outcome       // what applies now
	Reason  Reason        // why

	state *state
}

// StoredAnswer is the last response of a site that was not a fault.
type StoredAnswer struct {
	Status       int    // HTTP or FTP status
	URL          string // URL of the response, after redirects
	Hops         []Hop  // redirects, in order
	FetchedAt    time.Time
	Lifetime     time.Duration // freshness that the headers state, before any policy
	Stated       bool          // whether the headers state a Lifetime
	ETag         string
	LastModified string
	Body         []byte // decoded; empty if the site has no robots.txt
	Truncated    bool   // the file is longer than Body
	Delimited    bool   // the transfer marked its end, so Body is known to be complete
}

// StoredFault is an uninterrupted series of failed attempts.
type StoredFault struct {
	Status  int       // HTTP or FTP status of the last attempt; 0 without a response
	URL     string    // URL that failed in the last attempt, after redirects
	Hops    []Hop     // redirects, in order
	Since   time.Time // time of the first attempt
	Tries   int       // number of attempts
	NextTry time.Time // earliest time of the next attempt
	Kind    string    // one or two words, as in FaultError.Kind
	Text    string    // the last error in one line
}

// ReadEntry decodes an entry that a Client has put into a Store. It ignores the age of the
// entry, unlike a Client. The error describes what is wrong with the entry; it wraps
// cache.ErrNewer if a newer version of this package has written it. A Client treats an
// entry that it cannot read as missing, but does not replace an entry of a newer version.
// Answer.Body shares memory with e.Data, which must not be changed afterwards.
func ReadEntry(e cache.Entry) (*Stored, error) {
	s, err := decodeRecord(e.Data)
	if err != nil {
		return nil, err
	}
	return newStored(s), nil
}

func newStored(s *state) *Stored {
	stored := &Stored{Origin: s.origin, CheckedAt: s.checkedAt, state: s}
	if g := s.lastAnswer; g != nil {
		stored.Answer = &StoredAnswer{
			Status: g.Status, URL: s.expandURL(g.URL), Hops: g.Hops, FetchedAt: g.At, Lifetime: g.Lifetime,
			Stated: g.Stated,
			ETag:   g.ETag, LastModified: g.Modified, Body: g.body, Truncated: g.Truncated, Delimited: g.Delimited,
		}
	}
	if f := cmp.Or(s.trouble, s.fault); f != nil {
		stored.Fault = &StoredFault{
			Status: f.Status, URL: s.expandURL(f.URL), Hops: f.Hops,
			Since: f.Since, Tries: f.Tries, NextTry: f.NextTry, Kind: f.Kind, Text: f.Text,
		}
	}
	return stored
}

func (f *flight) stored(a attempt, next *state, now time.Time) *Stored {
	// Memory drops the body of next, and others read next at the same time.
	known := next.clone()
	known.forms = forms{}
	t := f.client.terms()
	known.within = &t
	s := newStored(known)
	if known.trouble != nil {
		s.CheckedAt = now
	}
	r := known.result(f.client.config.Policy, now, SourceNetwork)
	s.Header = a.header
	s.Bytes = len(a.body)
	s.Waited = f.slot.waited
	s.Outcome = r.Outcome
	s.Reason = r.Reason
	return s
}

// Result applies a policy to the entry at the time now, without a request to the site. Each
// crawler reads the file in its own dialect. A fresh answer has SourceStore. An expired
// answer has SourceStale, with FreshUntil in the past. After a fault, it returns what a Client
// returns while the site is down; GoogleLadderPolicy assumes that the site does not answer
// other requests. A Stored that neither ReadEntry nor a client has made is empty: its Result
// is local trouble, with that reason.
func (s *Stored) Result(p Policy, now time.Time) *Result {
	if s.state == nil {
		err := newKeptError(errors.New("this Stored is not from ReadEntry or Config.OnFetch"))
		err.kind = kindLocal
		return (&state{origin: s.Origin}).afterLocal(attempt{err: err}, now).result(p, now, SourceStore)
	}
	known := s.state.on(p)
	r := known.result(p, now, SourceStore)
	if known.fault == nil && !known.isFresh(p, now) {
		r.Source = SourceStale
	}
	return r
}

// on returns the meaning of s under a policy, with the limits of its fetch. If p would have
// gone further than that fetch, the file is treated as unreachable at that time.
func (s *state) on(p Policy) *state {
	if s.trouble != nil {
		return s
	}
	t := *s.within
	t.Policy = p
	t.Redirects = max(t.Redirects, policies[p.index()].redirects)
	if read := t.read(s); read != nil {
		read.forms = s.forms
		return read
	}
	return &state{origin: s.origin, checkedAt: s.checkedAt, fault: &fault{
		Class: classUnreachable, Since: s.checkedAt, Tries: 1, NextTry: s.checkedAt, Kind: kindStatus,
		Text: "the fetch ended where policy " + p.String() + " would have gone on",
	}}
}
