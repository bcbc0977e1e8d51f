package fetch

import (
	"errors"
	"testing"
	"time"
)

// TestClockSetBack checks that a client whose clock is set back fetches again
// and does not wait for a moment a year ahead.
func TestClockSetBack(t *testing.T) {
	now := wallClock()
	ahead := now.Add(365 * day)
	s := permissive(t, fooKey, ahead)
	if s.isFresh(GooglePolicy, now) || !s.needsTry(GooglePolicy, now) {
		t.Error("an answer from the future is fresh")
	}
	s = s.after(attempt{class: classUnreachable, err: errDown}, ahead)
	if s.backingOff(now) || !s.needsTry(GooglePolicy, now) {
		t.Error("the client waits for a year")
	}
	if verdict, _ := s.judge(GooglePolicy, now, nil); verdict != effectDisallowAll {
		t.Errorf("%v", verdict)
	}
	s = s.after(attempt{class: classUnreachable, err: errDown}, now)
	if !s.fault.Since.Equal(now) || !s.backingOff(now) {
		t.Errorf("%+v", s.fault)
	}
}

// TestJoined checks that the newer of two states wins, with the other's copy if
// it has none, and with the earlier start of their faults.
func TestJoined(t *testing.T) {
	now := wallClock()
	down := attempt{class: classUnreachable, err: errDown}
	copied := permissive(t, fooKey, now.Add(-3*hour))
	failing := copied.after(down, now.Add(-2*hour))
	blank := (&state{origin: copied.origin}).after(down, now.Add(-hour))
	gone := (&state{origin: copied.origin}).after(attempt{class: classUnavailable, status: 404}, now).after(down, now)
	for i, test := range []struct {
		a, b  *state
		copy  bool
		since time.Duration
	}{
		{copied, blank, true, -hour},
		{failing, blank, true, -2 * hour},
		{failing, copied, true, -2 * hour},
		{blank, blank, false, -hour},
		{failing, gone, false, 0}, // a 404 replaces the copy
	} {
		for _, got := range []*state{test.a.joined(test.b), test.b.joined(test.a)} {
			if got.hasCopy() != test.copy || !got.fault.Since.Equal(now.Add(test.since)) {
				t.Errorf("%d: copy %v, %+v", i, got.hasCopy(), got.fault)
			}
		}
	}
	if other := permissive(t, fooKey, copied.checkedAt); copied.joined(other) != copied || other.joined(copied) != other {
		t.Error("of two states that are equally old, the first should win")
	}
}

// TestFreshCopyHolds checks that neither a fault nor a refused address changes
// anything while the copy is fresh.
func TestFreshCopyHolds(t *testing.T) {
	now := time.Now()
	file := &siteAnswer{Class: classFile, Status: 200, At: now.Add(-hour)}
	for _, p := range Policies() {
		for _, class := range []class{classUnreachable, classRefused} {
			s := &state{checkedAt: now, lastAnswer: file, fault: &fault{Class: class, Since: now.Add(-40 * day), Text: "x"}}
			if verdict, assumed := s.judge(p, now, nil); verdict != effectFile || assumed {
				t.Errorf("%v, class %v: %v, %v", p, class, verdict, assumed)
			}
			s.lastAnswer = nil
			verdict, assumed := s.judge(p, now, nil)
			if class == classRefused && (verdict != effectDisallowAll || !assumed) {
				t.Errorf("%v: refused for 40 days: %v, %v", p, verdict, assumed)
			}
		}
	}
}

// TestRefusedIsNoOutage checks that the time during which the guard refused the
// address does not count as an outage.
func TestRefusedIsNoOutage(t *testing.T) {
	now := time.Now()
	unreachable := attempt{class: classUnreachable, err: errors.New("x")}
	s := (&state{}).after(attempt{class: classRefused, err: errors.New("x")}, now.Add(-40*day)).after(unreachable, now)
	if verdict, _ := s.judge(GooglePolicy, now, nil); verdict != effectDisallowAll || s.fault.Tries != 2 {
		t.Errorf("%v after %+v", verdict, s.fault)
	}
	s = s.after(unreachable, now.Add(31*day))
	if verdict, _ := s.judge(GooglePolicy, now.Add(31*day), nil); verdict != effectAllowAll {
		t.Errorf("%v after %+v", verdict, s.fault)
	}
}
