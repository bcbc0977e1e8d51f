package fetch

import (
	"context"
	"iter"

	"github.com/kosterhq/robotstxt/origin"
)

// urlsAhead is how many URLs DecideAll reads before it waits for an origin.
const urlsAhead = 10_000

// DecideAll yields the decision about each URL, like Decide. It looks up each origin
// once for all URLs that were read, and many origins at the same time, so a slow site
// delays only its own URLs. The URLs of an origin keep their order; otherwise the
// order is that in which origins become known. Up to 10,000 URLs are read ahead.
//
// If there is no decision, Decision.URL is the URL as given, and the error is an
// *origin.Error or a *FaultError whose Local is true; the others follow. The error
// of ctx and ErrClosed end the sequence.
func (c *Client) DecideAll(ctx context.Context, urls iter.Seq[string], agents ...string) iter.Seq2[Decision, error] {
	return func(yield func(Decision, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		b := batches{client: c, agents: agents, waiting: make(map[origin.Origin]*batch), known: make(chan *batch, c.ahead()), yield: yield}
		for url := range urls {
			if !b.add(ctx, url) {
				return
			}
		}
		for len(b.waiting) > 0 {
			if !b.decide(<-b.known) {
				return
			}
		}
	}
}

// batch is some URLs of one origin.
type batch struct {
	origin origin.Origin
	urls   []string
	result *Result
	err    error
}

// batches are the URLs that DecideAll has read and not decided. Its methods return
// false if the sequence ends.
type batches struct {
	client  *Client
	agents  []string
	waiting map[origin.Origin]*batch
	queued  int         // URLs in waiting
	known   chan *batch // has room for every batch in waiting
	yield   func(Decision, error) bool
}

// add decides a URL, or queues it until its origin is known.
func (b *batches) add(ctx context.Context, url string) bool {
	o, err := origin.Of(url)
	if err != nil {
		return b.yield(Decision{URL: url}, err)
	}
	if err := ctx.Err(); err != nil {
		b.yield(Decision{URL: url}, err)
		return false
	}
	if w := b.waiting[o]; w != nil {
		w.urls = append(w.urls, url)
		b.queued++
		return b.drain(b.queued >= urlsAhead)
	}
	now := b.client.now()
	if s := b.client.hit(o, now); s != nil {
		return b.yield(b.client.decide(b.client.resultOf(lookup{state: s, source: SourceMemory, at: now}), url, b.agents))
	}
	if !b.drain(len(b.waiting) >= cap(b.known)) {
		return false
	}
	w := &batch{origin: o, urls: []string{url}}
	b.waiting[o] = w
	b.queued++
	go func() {
		w.result, w.err = b.client.Robots(ctx, url)
		b.known <- w
	}()
	return true
}

// drain decides the URLs of all origins that are known. If wait is true, it waits
// for one.
func (b *batches) drain(wait bool) bool {
	for {
		if wait {
			if !b.decide(<-b.known) {
				return false
			}
			wait = false
		}
		select {
		case w := <-b.known:
			if !b.decide(w) {
				return false
			}
		default:
			return true
		}
	}
}

// decide yields the decisions of a batch.
func (b *batches) decide(w *batch) bool {
	delete(b.waiting, w.origin)
	b.queued -= len(w.urls)
	if w.err != nil {
		b.yield(Decision{URL: w.urls[0]}, w.err)
		return false
	}
	for _, url := range w.urls {
		if !b.yield(b.client.decide(w.result, url, b.agents)) {
			return false
		}
	}
	return true
}
