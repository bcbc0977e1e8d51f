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

// ErrUnavailable says that the server gave no answer: it is away, slow, not
// connected yet, or refuses the command. While it is in trouble, calls fail
// with it at once.
var ErrUnavailable = errors.New("valkey: no answer from the server")

var (
	errInTrouble = fmt.Errorf("%w: it is in trouble, and will be asked again within a second", ErrUnavailable)
	errClosed    = fmt.Errorf("%w: the store is closed", ErrUnavailable)
)

// maxUnderWay bounds the commands that are under way, and with them the memory
// that a server costs that does not answer. It is what one connection of
// valkey-go queues before it blocks.
const maxUnderWay = 1024

// command is one question to the server.
type command[T any] struct {
	op, key string
	do      func(context.Context, valkeygo.Client) (T, error)
	undo    func(context.Context, valkeygo.Client) error // takes back what do did too late, or nil
}

type reply[T any] struct {
	value T
	err   error
}

// ask runs a command unless its breaker refuses it, and reports the outcome to
// the breaker.
func ask[T any](ctx context.Context, s *Store, c command[T]) (value T, err error) {
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

// admit returns what to run a command with and what to call with its outcome,
// or an error if the command must not be sent.
func (s *Store) admit(key string, now time.Time) (valkeygo.Client, func(error), error) {
	select {
	case <-s.stop:
		return nil, nil, errClosed
	default:
	}
	connected := s.client.Load()
	if connected == nil {
		return nil, nil, errInTrouble
	}
	done, ok := s.breakerOf(*connected, key).admit(now)
	if !ok {
		return nil, nil, errInTrouble
	}
	return *connected, done, nil
}

// run waits for the reply to a command for Config.Timeout at most. The command
// has a goroutine and a context of its own. The client's calls may block for
// longer than their context, while another one connects or a queue is full, and
// to connect may take longer than the caller has: then the next one finds the
// connection made.
func run[T any](ctx context.Context, s *Store, client valkeygo.Client, c command[T]) (T, error) {
	var none T
	timer := time.NewTimer(s.config.Timeout)
	defer timer.Stop()
	select {
	case s.underWay <- struct{}{}:
	case <-ctx.Done():
		return none, ctx.Err()
	case <-timer.C:
		return none, fmt.Errorf("%w: %d commands are under way already", ErrUnavailable, maxUnderWay)
	}
	replies, gone := make(chan reply[T]), make(chan struct{})
	defer close(gone)
	go func() {
		defer func() { <-s.underWay }()
		ctx, cancel := context.WithTimeout(context.Background(), s.patience)
		defer cancel()
		value, err := c.do(ctx, client)
		select {
		case replies <- reply[T]{value, err}:
		case <-gone:
			if err == nil && c.undo != nil {
				_ = c.undo(ctx, client) // best effort: nobody is there to be told
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
		return none, fmt.Errorf("%w: %s: nothing for %v", ErrUnavailable, c.op, s.config.Timeout)
	}
}

// withoutDeadline keeps the end of a context of ours from being taken for the
// end of the caller's.
func withoutDeadline(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New(err.Error())
	}
	return err
}

// startsWith reports whether the server's error has a code. valkey-go names a
// few of them only.
func startsWith(err error, codes ...string) bool {
	for _, code := range codes {
		if strings.HasPrefix(err.Error(), code) {
			return true
		}
	}
	return false
}

// isWrongType reports whether a key holds something else than a string, which
// nobody but a stranger has put there.
func isWrongType(err error) bool {
	failure, ok := valkeygo.IsValkeyErr(err)
	return ok && startsWith(failure, "WRONGTYPE ")
}

// isAnswer reports whether the server has done what it was asked for. Absent
// and leased are answers, where all else that is an error is the lack of one.
func isAnswer(err error) bool {
	return err == nil || errors.Is(err, cache.ErrNotFound) || errors.Is(err, cache.ErrLeased)
}
