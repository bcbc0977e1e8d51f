package valkey

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
	valkeygo "github.com/valkey-io/valkey-go"
)

// A breaker opens at once when a server stops answering and closes slowly, so
// that a server that answers now and then does not open and close it in turns.
// Opening and closing again takes at least pause and probes-1 times probeEvery.
const (
	// A breaker opens if, within window, minFailures commands failed, and at
	// least as many as were answered.
	window      = time.Second
	minFailures = 5

	// pause is how long a breaker stays open before it tries the server.
	pause = time.Second

	// A breaker that tries the server admits a command every probeEvery. It
	// closes after so many probes with an answer in a row, and the first
	// without one opens it for another pause.
	probes     = 5
	probeEvery = 50 * time.Millisecond
)

// errNoEvidence is the outcome of a command that says nothing about the server.
var errNoEvidence = errors.New("no evidence about the server")

// breaker refuses commands to a server that does not answer: each would wait
// for Config.Timeout in vain.
type breaker struct {
	circuit   *gobreaker.TwoStepCircuitBreaker[struct{}]
	lastProbe atomic.Int64 // in nanoseconds since 1970
	cause     error        // the latest outcome; guarded by the mutex of circuit
}

// newBreaker returns a closed breaker. It calls opened and closed when it
// starts to refuse commands and when it admits all of them again, not for the
// changes between pauses and probes.
func newBreaker(opened func(cause error), closed func()) *breaker {
	b := &breaker{}
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

// admit returns what to call with the outcome of a command, or false if the
// command must not be sent. Outcomes of commands that were admitted before the
// latest change of the breaker's state are ignored: some late answers do not
// close it.
func (b *breaker) admit(now time.Time) (done func(error), ok bool) {
	if b.circuit.State() == gobreaker.StateHalfOpen && !b.mayProbe(now) {
		return nil, false
	}
	done, err := b.circuit.Allow()
	return done, err == nil
}

// mayProbe spreads the probes over time. Without it, many callers send all of
// them in the instant in which a slow server happens to answer.
func (b *breaker) mayProbe(now time.Time) bool {
	last := b.lastProbe.Load()
	return now.Sub(time.Unix(0, last)) >= probeEvery && b.lastProbe.CompareAndSwap(last, now.UnixNano())
}

// outcome returns what the error of a command says about the server: nil for an
// answer, errNoEvidence, or err. A context that ended early is no evidence; one
// that gave the server most of Config.Timeout is, or a caller whose own timeout
// is the same would wait for a dead server each time.
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
	slots = 1 << 14 // of a Cluster

	// ranges is the number of equal ranges of slots that have a breaker each, so
	// that the loss of a shard does not close the store for the others. One
	// breaker for all opens whenever most of the commands in a second happen to
	// be for the lost shard: with one shard of three killed for 10 s, four
	// processes made 1,083 to 1,194 fetches too many in three runs, and 689 to
	// 787 with sixteen breakers.
	ranges = 16
)

// breakerOf returns the breaker for a key. Without a Cluster there is one.
func (s *Store) breakerOf(client valkeygo.Client, key string) *breaker {
	if client.Mode() != valkeygo.ClientModeCluster {
		return s.breakers[0]
	}
	command := client.B().Get().Key(s.entryKey(key)).Build()
	return s.breakers[int(command.Slot())*ranges/slots]
}
