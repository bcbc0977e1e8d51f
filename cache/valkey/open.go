package valkey

import (
	"context"
	"errors"
	"fmt"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"
)

const (
	// connectTimeout bounds an attempt to connect that no call waits for, and
	// how long [Open] waits for the first one.
	connectTimeout = time.Second

	// closeTimeout bounds how long [Store.Close] waits for replies.
	closeTimeout = time.Second
)

var errNotYet = errors.New("no connection yet")

// Open connects to a server. If that is away, or does not answer within a
// second, Open succeeds all the same: the store is in trouble then, and goes on
// trying. An error says that cfg is at fault: it contradicts itself, or the
// server refuses what it says.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Store{
		config:   cfg,
		patience: 4 * cfg.Timeout,
		underWay: make(chan struct{}, maxUnderWay),
		stop:     make(chan struct{}),
	}
	for i := range s.breakers {
		s.breakers[i] = newBreaker(s.enterTrouble, s.leaveTrouble)
	}
	first := s.connect()
	select {
	case a := <-first:
		switch {
		case a.err == nil:
			s.client.Store(&a.client)
		case isRefusal(a.err):
			return nil, fmt.Errorf("valkey: %v: %w", cfg.Addresses, a.err)
		default:
			s.enterTrouble(a.err)
			go s.keepConnecting(s.connectLater(pause / 8))
		}
	case <-time.After(connectTimeout):
		s.enterTrouble(errNotYet)
		go s.keepConnecting(first)
	case <-ctx.Done():
		_ = s.Close()
		go s.keepConnecting(first) // to close what it may have connected
		return nil, ctx.Err()
	}
	return s, nil
}

// attempt is what came of one to connect.
type attempt struct {
	client valkeygo.Client
	err    error
}

// connect does not wait for the attempt: that cannot be broken off, and takes a
// few seconds where a server accepts connections and then says nothing.
func (s *Store) connect() <-chan attempt {
	attempts := make(chan attempt, 1)
	go func() {
		client, err := valkeygo.NewClient(s.config.options())
		attempts <- attempt{client, s.config.explain(err)}
	}()
	return attempts
}

// connectLater connects after wait, or not at all if the store is closed before.
func (s *Store) connectLater(wait time.Duration) <-chan attempt {
	select {
	case <-s.stop:
		attempts := make(chan attempt, 1)
		attempts <- attempt{err: errClosed}
		return attempts
	case <-time.After(wait):
		return s.connect()
	}
}

// keepConnecting goes on until an attempt succeeds or the store is closed. Once
// there is a client, it looks after its connections itself.
func (s *Store) keepConnecting(attempts <-chan attempt) {
	for wait := pause / 4; ; wait = min(2*wait, pause) {
		a := <-attempts
		if a.err == nil {
			s.client.Store(&a.client)
			s.leaveTrouble()
			break
		}
		if errors.Is(a.err, errClosed) {
			return
		}
		attempts = s.connectLater(wait)
	}
	select {
	case <-s.stop: // Close may have come too early to see the client
		s.closeClient()
	default:
	}
}

// Close ends the connections. It waits for replies that are under way, a second
// at most. Calls fail from then on.
func (s *Store) Close() error {
	s.once.Do(func() { close(s.stop) })
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		s.closeClient()
	}()
	select {
	case <-closed:
	case <-time.After(closeTimeout):
	}
	return nil
}

func (s *Store) closeClient() {
	if client := s.client.Load(); client != nil {
		(*client).Close()
	}
}
