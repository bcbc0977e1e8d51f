package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// Output delivers messages. A message can be delivered again, with the same ID, if the
// process ended before the store recorded the delivery.
type Output interface {
	// Name identifies the output in the store, where it has a position.
	Name() string
	// Deliver delivers a message. After an error the message is delivered again later.
	Deliver(ctx context.Context, m *wire.WatchMessage) error
}

// deliverFor is the time that an output can take for a message, including its retries.
const deliverFor = 2 * time.Minute

// patience is how long a single pass waits for another process that delivers to its output. A
// claim of a process that was killed ends sooner.
var patience = 2 * lease

// Register makes outputs known to the store. New outputs deliver messages that are stored
// from now on. Known outputs deliver all messages that they have not delivered. If the store has
// messages but knows no output at all, its outputs are lost, and all messages are delivered.
func (s *Store) Register(ctx context.Context, outputs []Output) error {
	return s.transact(ctx, func(c *sqlitefile.Conn) error {
		last, err := c.Number("SELECT max(id) FROM messages")
		if err != nil {
			return err
		}
		known, err := c.Number("SELECT count(*) FROM outputs")
		if err != nil {
			return err
		}
		if known == 0 && last > 0 && len(outputs) > 0 {
			s.noteDamage("the outputs, which deliver all messages again")
			last = 0
		}
		for _, o := range outputs {
			if err := addOutput(c, o.Name(), last); err != nil {
				return err
			}
		}
		if len(outputs) == 0 { // so that an output of a later run is new, and none is lost
			return addOutput(c, "", last)
		}
		return nil
	})
}

// addOutput adds an output that has delivered the messages up to a position, unless it is known.
func addOutput(c *sqlitefile.Conn, name string, position int64) error {
	return execute(c, "INSERT INTO outputs (name, position, claimed) VALUES (?, ?, 0) ON CONFLICT DO NOTHING", name, position)
}

// Deliver delivers to each output the messages that it has not delivered. An output that
// fails keeps its position, and does not delay the others. With patient, Deliver waits while
// another process delivers to an output, and it is an error if that process has still not
// delivered everything after a minute. It returns the largest number of messages that an output
// has delivered, and the errors of the outputs. If the store no longer knows an output, another
// file has replaced the store, and messages can be lost: Deliver delivers those of the new file,
// and the error says so.
func (s *Store) Deliver(ctx context.Context, outputs []Output, patient bool) (delivered int, err error) {
	var mu sync.Mutex
	var errs []error
	var all sync.WaitGroup
	for _, o := range outputs {
		all.Go(func() {
			n := 0
			err := panics.Contain(o.Name(), nil, func() (err error) {
				n, err = s.deliver(ctx, o)
				for began := time.Now(); patient && errors.Is(err, errClaimed) && time.Since(began) < patience &&
					sleep(ctx, lease/20) == nil; {
					n, err = s.deliver(ctx, o)
				}
				if errors.Is(err, errClaimed) {
					return s.stillClaimed(ctx, o, patient)
				}
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			delivered = max(delivered, n)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", o.Name(), err))
			}
		})
	}
	all.Wait()
	return delivered, errors.Join(errs...)
}

// stillClaimed returns the error for an output that another process has claimed: nil if that
// process has delivered everything, or will.
func (s *Store) stillClaimed(ctx context.Context, o Output, patient bool) error {
	if !patient {
		return nil
	}
	n, err := s.undelivered(ctx, o.Name())
	if err == nil && n > 0 {
		err = fmt.Errorf("%s not delivered, because another process has claimed this output", term.Count(int(n), "message is", "messages are"))
	}
	return err
}

// deliver delivers to an output. If the store does not know it, deliver adds it, delivers every
// message, and returns errReplaced. Damaged messages are omitted, which is an error too.
func (s *Store) deliver(ctx context.Context, o Output) (delivered int, err error) {
	replaced := error(nil)
	damaged := 0
	for {
		// The claim is renewed for each message.
		position, err := s.position(ctx, o.Name(), time.Now())
		if errors.Is(err, errUnregistered) && replaced == nil {
			replaced = errReplaced
			err = s.transact(ctx, func(c *sqlitefile.Conn) error { return addOutput(c, o.Name(), 0) })
			if err == nil {
				continue
			}
		}
		if err != nil {
			return delivered, err
		}
		id, m, err := s.next(ctx, position)
		isLast := err != nil || id == 0
		if m != nil { // neither damaged nor missing
			limited, cancel := context.WithTimeout(ctx, deliverFor)
			err = o.Deliver(limited, m)
			cancel()
			isLast = err != nil
			if !isLast {
				delivered++
			}
		}
		if !isLast {
			position = id
			if m == nil {
				damaged++
			}
		}
		if err := errors.Join(err, s.release(context.WithoutCancel(ctx), o.Name(), position)); err != nil || isLast {
			if err == nil && damaged > 0 {
				err = fmt.Errorf("%s damaged, and not delivered", term.Count(damaged, "message is", "messages are"))
			}
			return delivered, cmp.Or(err, replaced)
		}
	}
}
