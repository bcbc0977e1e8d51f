package valkey

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

var errTest = errors.New("no answer")

// changes counts the reports of a breaker.
type changes struct {
	opened, closed int
	cause          error
}

func watchedBreaker() (*breaker, *changes) {
	c := &changes{}
	return newBreaker(defaultTimeout, func(cause error) { c.opened++; c.cause = cause }, func() { c.closed++ }), c
}

// try admits a command and ends it with an outcome. It reports whether the
// breaker admitted it.
func try(b *breaker, outcome error) bool {
	done, ok := b.admit(time.Now())
	if ok {
		done(outcome)
	}
	return ok
}

// openBreaker returns a breaker that has just opened.
func openBreaker(t *testing.T) (*breaker, *changes) {
	t.Helper()
	b, c := watchedBreaker()
	for range minFailures {
		if !try(b, errTest) {
			t.Fatal("the breaker opened too early")
		}
	}
	if try(b, nil) || c.opened != 1 || c.cause != errTest {
		t.Fatalf("after %d failures: %+v, want it opened once", minFailures, *c)
	}
	return b, c
}

// TestBreakerShare sends a breaker one failure for a number of answers. It must
// not open while failures are the smaller share.
func TestBreakerShare(t *testing.T) {
	for answers, want := range []int{1, 1, 0, 0} {
		synctest.Test(t, func(t *testing.T) {
			b, c := watchedBreaker()
			for range 1000 {
				for range answers {
					try(b, nil)
				}
				try(b, errTest)
				time.Sleep(10 * time.Millisecond)
				if c.opened > 0 {
					break
				}
			}
			if c.opened != want {
				t.Errorf("with %d answers for each failure it opened %d times, want %d", answers, c.opened, want)
			}
		})
	}
}

// TestBreakerForgets checks that failures which are too rare do not open a
// breaker.
func TestBreakerForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := watchedBreaker()
		for range 1000 {
			try(b, errTest)
			time.Sleep(window / (minFailures - 1))
		}
		if c.opened != 0 {
			t.Errorf("it opened %d times", c.opened)
		}
	})
}

// TestBreakerLongTimeout checks that failures count that take longer than window.
func TestBreakerLongTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opened := 0
		b := newBreaker(5*window, func(error) { opened++ }, func() {})
		var failing []func(error)
		for range minFailures {
			done, _ := b.admit(time.Now())
			failing = append(failing, done)
		}
		time.Sleep(5 * window)
		for _, done := range failing {
			done(errTest)
		}
		if opened != 1 {
			t.Errorf("%d failures after a timeout of %v opened it %d times, want once", minFailures, 5*window, opened)
		}
	})
}

func TestBreakerNoEvidence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := watchedBreaker()
		for range 10 * minFailures {
			try(b, errNoEvidence)
		}
		if c.opened != 0 {
			t.Errorf("commands without evidence opened it %d times", c.opened)
		}
		b, c = openBreaker(t)
		for range 10 * probes {
			time.Sleep(pause)
			try(b, errNoEvidence)
		}
		if c.closed != 0 {
			t.Errorf("probes without evidence closed it %d times", c.closed)
		}
		for range probes {
			time.Sleep(pause)
			if !try(b, nil) {
				t.Error("probes without evidence count as probes")
			}
		}
	})
}

func TestBreakerProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := openBreaker(t)
		for answered := range probes {
			time.Sleep(pause - 1)
			if try(b, nil) {
				t.Error("it admits a command before the end of its pause")
			}
			time.Sleep(2 * time.Nanosecond)
			for range answered {
				if !try(b, nil) || try(b, nil) {
					t.Fatal("it does not admit exactly one probe")
				}
				time.Sleep(probeEvery)
			}
			if !try(b, errTest) {
				t.Error("it does not admit a probe")
			}
			if c.opened != 1 || c.closed != 0 {
				t.Fatalf("after %d answers and a failure: %+v", answered, *c)
			}
		}
		time.Sleep(pause + 1)
		for range probes {
			if c.closed != 0 {
				t.Error("it closed too early")
			}
			try(b, nil)
			time.Sleep(probeEvery)
		}
		if c.opened != 1 || c.closed != 1 || !try(b, nil) || !try(b, nil) {
			t.Errorf("after %d answers: %+v, want it closed", probes, *c)
		}
	})
}

// TestBreakerLateAnswers checks commands that are under way when a breaker
// opens.
func TestBreakerLateAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := watchedBreaker()
		var late []func(error)
		for range 100 {
			done, _ := b.admit(time.Now())
			late = append(late, done)
		}
		for range minFailures {
			try(b, errTest)
		}
		for _, done := range late {
			done(nil)
		}
		if c.opened != 1 || c.closed != 0 || try(b, nil) {
			t.Errorf("after late answers: %+v, want it open", *c)
		}
	})
}

// TestBreakerSlowServer uses a server that answers for 50 of each 200 ms, and
// callers that stop waiting after 50 ms. The breaker must stay open all the
// time.
func TestBreakerSlowServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := watchedBreaker()
		answers := func() bool { return time.Now().UnixMilli()%200 >= 150 }
		for range 60 * 1000 {
			for range 4 {
				if answers() {
					try(b, nil)
				} else {
					try(b, errTest)
				}
			}
			time.Sleep(time.Millisecond)
		}
		if c.opened != 1 || c.closed != 0 {
			t.Errorf("in a minute: %+v, want it opened once", *c)
		}
		for range 2000 {
			try(b, nil)
			time.Sleep(time.Millisecond)
		}
		if c.opened != 1 || c.closed != 1 {
			t.Errorf("two seconds after the server recovered: %+v, want it closed", *c)
		}
	})
}

func TestOutcome(t *testing.T) {
	s := &Store{config: Config{Timeout: time.Second}}
	for _, tt := range []struct {
		err  error
		took time.Duration
		want error
	}{
		{nil, time.Minute, nil},
		{cache.ErrNotFound, 0, nil},
		{fmt.Errorf("valkey: %w", cache.ErrLeased), 0, nil},
		{ErrUnavailable, 0, ErrUnavailable},
		{context.Canceled, time.Minute, errNoEvidence},
		{context.DeadlineExceeded, time.Second/2 - 1, errNoEvidence},
		{context.DeadlineExceeded, time.Second / 2, context.DeadlineExceeded},
	} {
		if got := s.outcome(tt.err, tt.took); got != tt.want {
			t.Errorf("outcome(%v, %v) = %v, want %v", tt.err, tt.took, got, tt.want)
		}
	}
}
