package fetch

import (
	"cmp"
	"context"
	"errors"
	"iter"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
	"golang.org/x/sync/errgroup"
)

// Invalidate deletes what the client knows about the origin of url, in its memory and
// in the Store, so that the next call fetches robots.txt. It also deletes the copy that
// would apply in an outage; Refresh keeps it. Other processes keep what they have in
// memory. A fetch under way continues, and calls wait for it instead of starting
// another. If the site answers, the client keeps the answer; if the fetch fails, it
// keeps nothing. The error is ErrClosed, an *origin.Error if url has no origin, or the
// error of the Store.
func (c *Client) Invalidate(ctx context.Context, url string) error {
	if err := c.usable(); err != nil {
		return err
	}
	o, err := origin.Of(url)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.invalidate(o)
}

func (c *Client) invalidate(o origin.Origin) error {
	c.forget(o)
	if !c.hasStore() {
		return nil
	}
	_, err := callStore(c, storeWrite, o, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, c.config.Store.Delete(ctx, o.String())
	})
	if errors.Is(err, cache.ErrNotFound) {
		return nil
	}
	return err
}

// Refresh fetches the robots.txt that governs url, even if a fresh answer is cached or
// the back-off after a fault has not ended. Use it when an operator or a message says
// that a site has changed, not for each URL. If the fetch fails, the client keeps its
// copy. The fetch begins after the call, and concurrent calls share it. It continues if
// ctx ends. Refresh returns the same errors as Robots.
func (c *Client) Refresh(ctx context.Context, url string) (*Result, error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	o, err := origin.Of(url)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	registered, _ := c.demands.LoadOrStore(o, &demand{met: make(chan struct{})})
	demand := registered.(*demand)
	for {
		_, err := c.wait(ctx, o)
		select {
		case <-demand.met:
			return c.resultOf(demand.lookup, c.own.Dialect), nil
		default:
		}
		if err != nil {
			return nil, err
		}
		// The flight was under way before the call. The demand is still registered,
		// or the next flight has taken it.
	}
}

// demand is a Refresh that waits for an attempt which begins after the call. All calls
// that wait for the same attempt share it.
type demand struct {
	met    chan struct{} // closed after that attempt, when lookup is set
	lookup lookup
}

func (c *Client) isDemanded(o origin.Origin) bool {
	_, ok := c.demands.Load(o)
	return ok
}

// takeDemand removes the demand for o, because the attempt that begins now meets it. It
// returns a function to call with the result.
func (c *Client) takeDemand(o origin.Origin) (meet func(lookup)) {
	registered, ok := c.demands.LoadAndDelete(o)
	if !ok {
		return func(lookup) {}
	}
	d := registered.(*demand)
	return func(k lookup) {
		k.at = c.now()
		d.lookup = k
		close(d.met)
	}
}

const prefetchAhead = 256

func (c *Client) ahead() int {
	if c.config.Limits.MaxFetches > 0 {
		return c.config.Limits.MaxFetches
	}
	return prefetchAhead
}

// Prefetch looks up the robots.txt of each URL's origin, as many at the same time as
// Limits.MaxFetches permits, so that later calls find it in memory. A site that
// fails is not an error. Prefetch returns when all are known. Prefetch returns the
// error of ctx, ErrClosed, or, if it has looked up all other URLs, the first
// *origin.Error.
func (c *Client) Prefetch(ctx context.Context, urls iter.Seq[string]) error {
	if err := c.usable(); err != nil {
		return err
	}
	lookUps, ahead := errgroup.WithContext(ctx)
	lookUps.SetLimit(c.ahead())
	defer lookUps.Wait() // even if urls panics
	var wrong error
	for url := range urls {
		if ahead.Err() != nil {
			return cmp.Or(context.Cause(ctx), lookUps.Wait())
		}
		o, err := origin.Of(url)
		if err != nil {
			wrong = cmp.Or(wrong, err)
		} else if c.hit(ctx, o, c.now(), c.own.Dialect) == nil {
			lookUps.Go(func() error {
				_, err := c.lookUp(ahead, o, c.own.Dialect)
				return err
			})
		}
	}
	err := lookUps.Wait()
	return cmp.Or(context.Cause(ctx), err, wrong)
}
