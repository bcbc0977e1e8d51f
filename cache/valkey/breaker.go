package valkey

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
	valkeygo "github.com/valkey-io/valkey-go"
)

// A breaker opens quickly when a server stops answering, and closes slowly, so that a
// server that answers occasionally does not open and close it repeatedly. It is open
// for at least pause plus probes-1 times probeEvery.
const (
	// A breaker opens if, of the commands that began within window, at least
	// minFailures failed, and at least as many as succeeded. With a longer
	// Config.Timeout than half of it, the window is twice that timeout: a command
	// without a reply fails only then.
	window      = time.Second
	minFailures = 5

	// pause is how long an open breaker refuses all commands.
	pause = time.Second

	// After the pause, a breaker admits one command every probeEvery as a probe.
	// It closes after this many successful probes in a row. A failed probe opens
	// it for another pause.
	probes     = 5
	probeEvery = 50 * time.Millisecond
)

// errNoEvidence is the outcome of a command that neither succeeded nor failed because
// of the server.
var errNoEvidence = errors.New("no evidence about the server")

// breaker refuses commands to a server that does not answer. Otherwise each command
// would wait for Config.Timeout.
type breaker struct {
	circuit   *gobreaker.TwoStepCircuitBreaker[struct{}]
	lastProbe atomic.Int64 // in nanoseconds since 1970
	cause     error        // the last outcome; guarded by the mutex of circuit
}

// newBreaker returns a closed breaker for commands that fail after timeout. It calls opened when the breaker starts to
// refuse commands, and closed when it admits all commands again, but neither for
// changes between pauses and probes.
func newBreaker(timeout time.Duration, opened func(cause error), closed func()) *breaker {
	b := &breaker{}
	window := max(window, 2*timeout)
	b.circuit = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Interval:     window,
		BucketPeriod: window / 10,
		Timeout:      pause,
		MaxRequests:  probes,
		ReadyToTrip: func(c gobreaker.Counts) bool {
			return c.TotalFailures >= minFailures && c.TotalFailures >= c.TotalSuccesses
		},
		IsExcluded: func(err error) bool { return errors.Is(err, errNoEvidence) },
		IsSuccessful: func(err error) bool {
			b.cause = err
			return err == nil
		},
		OnStateChange: func(_ string, from, to gobreaker.State) {
			switch {
			case from == gobreaker.StateClosed:
				opened(b.cause)
			case to == gobreaker.StateClosed:
				closed()
			}
		},
	})
	return b
}

// admit returns a function for the outcome of a command, or false if the command must
// not be sent. The breaker ignores outcomes of commands that it admitted before its
// last change of state, so late answers do not close it.
func (b *breaker) admit(now time.Time) (done func(error), ok bool) {
	if b.circuit.State() == gobreaker.StateHalfOpen && !b.takeProbe(now) {
		return nil, false
	}
	done, err := b.circuit.Allow()
	return done, err == nil
}

// takeProbe takes the next probe for the caller, and returns false if it is not due: probes
// are spread over time. Otherwise many callers could send all of them in one moment in
// which a slow server answers.
func (b *breaker) takeProbe(now time.Time) bool {
	last := b.lastProbe.Load()
	return now.Sub(time.Unix(0, last)) >= probeEvery && b.lastProbe.CompareAndSwap(last, now.UnixNano())
}

// outcome returns the outcome of a command for the breaker: nil for an answer,
// errNoEvidence, or err. A context that ended early is not evidence about the server.
// A context that ended after half of Config.Timeout or more is a failure; otherwise a
// caller with a similar timeout would wait for a dead server in each call.
func (s *Store) outcome(err error, took time.Duration) error {
	switch {
	case isAnswer(err):
		return nil
	case errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded) && took < s.config.Timeout/2:
		return errNoEvidence
	}
	return err
}

const (
	slots = 1 << 14 // number of slots of a Cluster

	// ranges is the number of equal ranges of slots that have their own breaker,
	// so that the store can be used for the other shards if one is lost. A single
	// breaker opens whenever most commands in a second are for the lost shard.
	// With one shard of three killed for 10 s, four processes made 1,083 to 1,194
	// extra fetches in three runs with one breaker, and 689 to 787 with sixteen.
	ranges = 16
)

// breakerOf returns the breaker for a key. Without a Cluster it is always the first.
func (s *Store) breakerOf(client valkeygo.Client, key string) *breaker {
	if client.Mode() != valkeygo.ClientModeCluster {
		return s.breakers[0]
	}
	command := client.B().Get().Key(s.entryKey(key)).Build()
	return s.breakers[int(command.Slot())*ranges/slots]
}
