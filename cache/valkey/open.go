package valkey

import (
	"context"
	"errors"
	"fmt"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"
)

const (
	// connectTimeout bounds background attempts to connect, and the time for
	// which [Open] waits for the first one.
	connectTimeout = time.Second

	// closeTimeout bounds how long [Store.Close] waits for replies.
	closeTimeout = time.Second
)

var errNotYet = errors.New("no connection yet")

// Open connects to a server. If the server is down, or does not answer within a
// second, Open still returns a Store, which keeps trying to connect. Open returns an
// error if cfg is invalid, if the server refuses it (for example a wrong password),
// or if ctx ends.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Store{
		config:         cfg,
		commandTimeout: 4 * cfg.Timeout,
		underWay:       make(chan struct{}, maxUnderWay),
		stop:           make(chan struct{}),
	}
	for i := range s.breakers {
		s.breakers[i] = newBreaker(cfg.Timeout, s.enterTrouble, s.leaveTrouble)
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
			first <- a // keepConnecting continues after it
			go s.keepConnecting(first)
		}
	case <-time.After(connectTimeout):
		s.enterTrouble(errNotYet)
		go s.keepConnecting(first)
	case <-ctx.Done():
		_ = s.Close()
		go s.keepConnecting(first) // closes the connection that can still be made
		return nil, ctx.Err()
	}
	return s, nil
}

type attempt struct {
	client valkeygo.Client
	err    error
}

// connect starts an attempt to connect. It does not wait, because an attempt cannot be
// cancelled and takes a few seconds with a server that accepts connections but does
// not answer.
func (s *Store) connect() chan attempt {
	attempts := make(chan attempt, 1)
	go func() {
		options := s.config.options()
		options.DialCtxFn = s.connections.dial
		client, err := valkeygo.NewClient(options)
		attempts <- attempt{client, s.config.explain(err)}
	}()
	return attempts
}

// keepConnecting repeats attempts until one succeeds or the store is closed. The
// client then maintains its connections itself.
func (s *Store) keepConnecting(attempts chan attempt) {
	for wait := pause / 8; ; wait = min(2*wait, pause) {
		a := <-attempts
		if a.err == nil {
			s.client.Store(&a.client)
			s.leaveTrouble()
			break
		}
		select {
		case <-s.stop:
			return
		case <-time.After(wait):
			attempts = s.connect()
		}
	}
	select {
	case <-s.stop: // Close can have run before the client was set
		s.closeClient()
		s.connections.close()
	default:
	}
}

// Close closes the connections. It waits at most a second for pending replies. Later
// calls fail.
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
	s.connections.close()
	return nil
}

func (s *Store) closeClient() {
	if client := s.client.Load(); client != nil {
		(*client).Close()
	}
}
