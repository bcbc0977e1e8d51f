package serve

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// outgoing is called before each request of the service to a site, whatever caused it. It counts
// the request for the client. It also counts it for the site, except the first request for a
// robots.txt, because the answer is cached. So no site gets more requests than origin-interval
// permits, even if many clients, pages and other sites name it.
//
// The first request of a fetch is refused if its client may not cause more: package fetch then
// refuses only that client's callers. Redirects are followed, because other clients might wait for
// the answer, and the client pays for them before its next fetch.
func (s *Server) outgoing(ctx context.Context, r fetch.Request) error {
	isFirst := r.From == (origin.Origin{})
	c, isCaused := ctx.Value(callKey{}).(*call)
	if isCaused && isFirst {
		if err := unpaid(s.fetches.take(c.client)); err != nil {
			return err
		}
	} else if isCaused {
		s.fetches.charge(c.client, 1)
	}
	if !r.IsFile && (isFirst || r.From == r.Origin) {
		return nil
	}
	wait := s.contacts.take(r.Origin)
	if wait == 0 {
		return nil
	}
	if isCaused {
		s.fetches.charge(c.client, -1)
	}
	if !r.IsFile {
		s.metrics.unfollowed.Inc()
	}
	return siteBusy(wait)
}

func siteBusy(wait time.Duration) error {
	return busy(http.StatusTooManyRequests, "origin-rate", "the service has sent this site enough requests for now", wait)
}

const codeUnpaid = "client-fetch-rate"

// unpaid returns that problem, or nil if the client need not wait.
func unpaid(wait time.Duration) error {
	if wait <= 0 {
		return nil
	}
	return busy(http.StatusTooManyRequests, codeUnpaid, "this client has caused too many fetches from sites", wait)
}

// paidRobots returns a function that is RobotsOf for a client, and waits until it can pay.
func (s *Server) paidRobots(client netip.Addr) func(context.Context, origin.Origin, ...string) (*fetch.Result, error) {
	return func(ctx context.Context, o origin.Origin, agents ...string) (result *fetch.Result, err error) {
		err = s.oncePaid(ctx, client, func() error { result, err = s.fetcher.RobotsOf(ctx, o, agents...); return err })
		return result, err
	}
}

// oncePaid calls do, and again whenever its client may cause the fetch for which it could not pay.
func (s *Server) oncePaid(ctx context.Context, client netip.Addr, do func() error) error {
	for {
		err := do()
		if p, ok := errors.AsType[*Problem](err); !ok || p.Code != codeUnpaid {
			return err
		}
		for wait := s.fetches.wait(client); wait > 0; wait = s.fetches.wait(client) {
			select {
			case <-time.After(min(wait, time.Second)):
			case <-ctx.Done():
				return err
			}
		}
	}
}
