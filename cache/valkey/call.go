package valkey

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"

	"github.com/kosterhq/robotstxt/cache"
)

// ErrUnavailable means that the server has not answered: it is down, slow or not yet
// connected, or it refuses the command. After several failures, calls return it
// immediately for a while, without a command to the server.
var ErrUnavailable = errors.New("valkey: the server does not respond")

var (
	errPaused = fmt.Errorf("%w: paused after failures; the next attempt follows within a second", ErrUnavailable)
	errClosed = fmt.Errorf("%w: the store is closed", ErrUnavailable)
)

// maxUnderWay bounds the commands under way, and thereby the memory for commands to a
// server that does not answer. It is the number of commands that a connection of
// valkey-go queues before it blocks.
const maxUnderWay = 1024

// action sends a command to the server, and returns the meaning of the reply.
type action[T any] = func(context.Context, valkeygo.Client) (T, error)

type command[T any] struct {
	op, key string
	do      action[T]
	undo    action[T] // reverts do if its caller is gone, or nil
}

// script returns an action that runs a script, whose result is a number. If problem is
// not nil, it returns the error that a number means.
func script(lua *valkeygo.Lua, keys, args []string, problem func(n int64) error) action[int64] {
	return func(ctx context.Context, client valkeygo.Client) (int64, error) {
		n, err := lua.Exec(ctx, client, keys, args).AsInt64()
		if err == nil && problem != nil {
			err = problem(n)
		}
		return n, err
	}
}

type reply[T any] struct {
	value T
	err   error
}

// call runs a command unless its breaker refuses it, and reports the outcome to the
// breaker.
func call[T any](ctx context.Context, s *Store, c command[T]) (value T, err error) {
	started := time.Now()
	client, done, err := s.admit(c.key, started)
	if err != nil {
		s.refused.Add(1)
	} else {
		s.calls.Add(1)
		value, err = run(ctx, s, client, c)
		outcome := s.outcome(err, time.Since(started))
		if outcome != nil && outcome != errNoEvidence {
			s.failures.Add(1)
		}
		done(outcome)
	}
	s.config.Observe(Event{Op: c.op, Took: time.Since(started), Err: err})
	return value, err
}

// admit returns the client for a command and a function for its outcome, or an error
// if the command must not be sent.
func (s *Store) admit(key string, now time.Time) (valkeygo.Client, func(error), error) {
	select {
	case <-s.stop:
		return nil, nil, errClosed
	default:
	}
	connected := s.client.Load()
	if connected == nil {
		return nil, nil, errPaused
	}
	done, ok := s.breakerOf(*connected, key).admit(now)
	if !ok {
		return nil, nil, errPaused
	}
	return *connected, done, nil
}

// run waits for the reply to a command, at most Config.Timeout. The command has its
// own goroutine and its own, longer context, for two reasons. The client's methods
// can block longer than their context, while another call connects or a queue is
// full. And connecting can take longer than the caller can wait; the next call then
// uses the connection.
func run[T any](ctx context.Context, s *Store, client valkeygo.Client, c command[T]) (T, error) {
	var none T
	timer := time.NewTimer(s.config.Timeout)
	defer timer.Stop()
	select {
	case s.underWay <- struct{}{}:
	case <-ctx.Done():
		return none, ctx.Err()
	case <-timer.C:
		return none, fmt.Errorf("%w: %d commands are already under way", ErrUnavailable, maxUnderWay)
	}
	replies, callerGone := make(chan reply[T]), make(chan struct{})
	defer close(callerGone)
	go func() {
		defer func() { <-s.underWay }()
		ctx, cancel := context.WithTimeout(context.Background(), s.commandTimeout)
		defer cancel()
		value, err := c.do(ctx, client)
		select {
		case replies <- reply[T]{value, err}:
		case <-callerGone:
			if err == nil && c.undo != nil {
				_, _ = c.undo(ctx, client) // best effort: no caller is left to receive the error
			}
		}
	}()
	select {
	case r := <-replies:
		if !isAnswer(r.err) {
			r.err = fmt.Errorf("%w: %s: %w", ErrUnavailable, c.op, withoutDeadline(r.err))
		}
		return r.value, r.err
	case <-ctx.Done():
		return none, ctx.Err()
	case <-timer.C:
		return none, fmt.Errorf("%w: %s: no reply within %v", ErrUnavailable, c.op, s.config.Timeout)
	}
}

// withoutDeadline removes context.DeadlineExceeded from the chain of err. It belongs
// to a context of this package, and the caller must not mistake it for its own.
func withoutDeadline(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New(err.Error())
	}
	return err
}

// startsWith reports whether the server's error has one of the codes. valkey-go has
// methods for a few codes only.
func startsWith(err error, codes ...string) bool {
	for _, code := range codes {
		if strings.HasPrefix(err.Error(), code) {
			return true
		}
	}
	return false
}

// isWrongType reports whether the value of a key is not a string. Another program
// must have put it there.
func isWrongType(err error) bool {
	failure, ok := valkeygo.IsValkeyErr(err)
	return ok && startsWith(failure, "WRONGTYPE ")
}

// isAnswer reports whether the server has answered. Absent, leased and newer are answers;
// all other errors mean that the server failed.
func isAnswer(err error) bool {
	return err == nil || errors.Is(err, cache.ErrNotFound) || errors.Is(err, cache.ErrLeased) ||
		errors.Is(err, cache.ErrNewer)
}
