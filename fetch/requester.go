package fetch

import (
	"context"

	"github.com/kosterhq/robotstxt/origin"
)

type requester struct {
	request func(context.Context, Request) error // nil permits all
	caller  context.Context                      // of the call that caused the fetch
	isFile  bool

	last   origin.Origin // whose request was permitted last
	unsent origin.Origin // whose request was permitted and not made
}

func (c *Client) requester(caller context.Context, isFile bool) *requester {
	return &requester{request: c.config.Network.Request, caller: caller, isFile: isFile}
}

type requesterKey struct{}

func (r *requester) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, requesterKey{}, r)
}

// requestPermission asks the requester of a fetch whether the client may request to. from is the
// origin whose redirect leads there, or zero for the first request. The error is a
// *notRequestedError.
func requestPermission(ctx context.Context, from, to origin.Origin) error {
	r, ok := ctx.Value(requesterKey{}).(*requester)
	if !ok {
		return nil
	}
	return r.ask(from, to)
}

func (r *requester) ask(from, to origin.Origin) error {
	if r.unsent == to {
		r.unsent = origin.Origin{}
		return nil
	}
	isFirst := r.last == origin.Origin{}
	if from == (origin.Origin{}) && !isFirst { // the fetch begins again
		from = to
	}
	if r.request != nil {
		if err := r.request(r.caller, Request{to, from, r.isFile}); err != nil {
			return &notRequestedError{to, !isFirst, err}
		}
	}
	r.last = to
	return nil
}

type notRequestedError struct {
	target     origin.Origin
	isRedirect bool
	err        error
}

func (e *notRequestedError) Error() string {
	if e.isRedirect {
		return "the redirect to " + e.target.String() + " was not followed: " + e.err.Error()
	}
	return e.target.String() + " was not requested: " + e.err.Error()
}

func (e *notRequestedError) Unwrap() error { return e.err }
