package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// This file describes in simple code what a client should do; tests compare the
// client with it. It is written from the texts, not from statuspolicy.go, and uses
// none of its tables.

const (
	hour    = time.Hour
	theFile = "User-agent: *\nDisallow: /private/\n" // the file of the sites in these tests
)

// isFailure reports whether a status is a server error: 429, every 5xx, and
// every status that is not a final answer (below 200, 206, unrequested 304, and
// from 600). The draft that follows RFC 9309 adds the statuses that nothing
// defines: of 3xx all that name no target.
func isFailure(p Policy, status int) bool {
	if p == RFC9309Policy && status/100 == 3 && !slices.Contains(follows, status) {
		return true
	}
	if p == CarefulPolicy { // all but files, missing files and redirects
		return status/100 != 2 && !slices.Contains(follows, status) && status != 404 && status != 410 || status == 206
	}
	return status == 429 || status/100 == 5 || status < 200 || status >= 600 || status == 206 || status == 304
}

// follows are the redirects with a target.
var follows = []int{301, 302, 303, 307, 308}

// wordsOnStatus returns the outcome of a first fetch with this status. A
// redirect leads to a file.
func wordsOnStatus(p Policy, status int) Outcome {
	switch {
	case isFailure(p, status):
		return OutcomeDisallowAll
	case status/100 == 2:
		return OutcomeRules
	case status/100 == 3:
		if slices.Contains(follows, status) || p == KosterPolicy && status == 300 {
			return OutcomeRules
		}
		return OutcomeAllowAll // like 404
	case p == KosterPolicy && (status == 401 || status == 403):
		return OutcomeDisallowAll
	default:
		return OutcomeAllowAll
	}
}

// wordsOnOutage returns what applies when robots.txt has been unreachable for
// the given time and there is no fresh copy. A new copy was fetched in the last 24 hours.
func wordsOnOutage(p Policy, age time.Duration, copied, newCopy, siteAnswers bool) (Outcome, Source) {
	switch p {
	case GooglePolicy: // disallow; after 30 days the copy, or no restrictions
		if age > 30*24*hour {
			if copied {
				return OutcomeRules, SourceStale
			}
			return OutcomeAllowAll, SourceAssumed
		}
	case RFC9309Policy: // the copy at any time; without one disallow, and no restrictions after 30 days
		if copied {
			return OutcomeRules, SourceStale
		}
		if age > 30*24*hour {
			return OutcomeAllowAll, SourceAssumed
		}
	case GoogleLadderPolicy: // disallow for 12 hours, then the copy or no restrictions, then SiteAnswers decides
		switch {
		case age > 30*24*hour && siteAnswers:
			return OutcomeAllowAll, SourceAssumed
		case age > 30*24*hour || age <= 12*hour:
		case copied:
			return OutcomeRules, SourceStale
		default:
			return OutcomeAllowAll, SourceAssumed
		}
	}
	if p == CarefulPolicy && newCopy {
		return OutcomeRules, SourceStale
	}
	// Koster: visits are deferred until robots.txt is reachable.
	return OutcomeDisallowAll, SourceAssumed
}

// wordsOnFreshness returns how long an answer is fresh whose headers state so
// many seconds, or -1 if they state none.
func wordsOnFreshness(p Policy, seconds int) time.Duration {
	normal, longest := 24*hour, 7*24*hour
	switch p {
	case RFC9309Policy, CarefulPolicy:
		longest = 24 * hour
	case KosterPolicy:
		normal, longest = 7*24*hour, 30*24*hour
	}
	if seconds < 0 {
		return normal
	}
	return min(max(time.Duration(seconds)*time.Second, 5*time.Minute), longest)
}

// wordsOnBackOff returns the shortest and the longest wait after so many
// failures in a row.
func wordsOnBackOff(failures, status int, retryAfter time.Duration) (least, most time.Duration) {
	wait := 30 * time.Second
	for range failures - 1 {
		wait = min(2*wait, hour)
	}
	if status == 503 {
		wait = min(wait, 10*time.Minute)
	}
	asked := min(retryAfter, 24*hour)
	return max(wait*8/10, asked), max(wait*12/10, asked)
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// respond returns a response as a transport would. pairs are headers.
func respond(r *http.Request, status int, body string, pairs ...string) *http.Response {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return &http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: h, Request: r,
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader([]byte(body))),
	}
}

// oneSite answers every request alike until a test changes its fields.
type oneSite struct {
	status  int // 200 if it is 0
	body    string
	err     error // instead of a response
	fetches int
}

func (s *oneSite) RoundTrip(r *http.Request) (*http.Response, error) {
	s.fetches++
	if s.err != nil {
		return nil, s.err
	}
	return respond(r, cmp.Or(s.status, http.StatusOK), s.body), nil
}

func answering(status int, body string, pairs ...string) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		return respond(r, status, body, pairs...), nil
	})
}

type fetched struct {
	at         time.Time
	ok         bool
	status     int
	retryAfter time.Duration
}

// site serves theFile, except during an outage that begins with the first
// request after from. It records the time of every request.
type site struct {
	headers    []string      // of a good answer
	expiresIn  time.Duration // the same as Expires; 0: no such header
	from       time.Time
	outage     time.Duration
	status     int // of a bad answer, 0 for a broken connection
	retryAfter time.Duration

	mu  sync.Mutex
	up  time.Time // the outage is over
	log []fetched
}

func (s *site) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.up.IsZero() && !now.Before(s.from) {
		s.up = now.Add(s.outage)
	}
	if now.Before(s.up) {
		s.log = append(s.log, fetched{now, false, s.status, s.retryAfter})
		if s.status == 0 {
			return nil, errors.New("connection reset by a test")
		}
		if s.retryAfter > 0 {
			return respond(r, s.status, "", "Retry-After", seconds(s.retryAfter)), nil
		}
		return respond(r, s.status, ""), nil
	}
	s.log = append(s.log, fetched{at: now, ok: true, status: 200})
	headers := s.headers
	if s.expiresIn > 0 {
		headers = []string{"Expires", now.Add(s.expiresIn).UTC().Format(http.TimeFormat), "Date", now.UTC().Format(http.TimeFormat)}
	}
	return respond(r, 200, theFile, headers...), nil
}

func newTestClient(t testing.TB, config Config) *Client {
	t.Helper()
	config.UserAgent = cmp.Or(config.UserAgent, me)
	client, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func hookOf(answers bool) func(context.Context, origin.Origin) bool {
	return func(context.Context, origin.Origin) bool { return answers }
}

func wallClock() time.Time { return time.Now().UTC().Round(0) }
