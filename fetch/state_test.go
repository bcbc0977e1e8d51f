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
	s = s.after(attempt{}.fail(errDown), ahead)
	if s.backingOff(now) || !s.needsTry(GooglePolicy, now) {
		t.Error("the client waits for a year")
	}
	if verdict, _ := s.judge(GooglePolicy, now); verdict != effectDisallowAll {
		t.Errorf("%v", verdict)
	}
	s = s.after(attempt{}.fail(errDown), now)
	if !s.fault.Since.Equal(now) || !s.backingOff(now) {
		t.Errorf("%+v", s.fault)
	}
}

// TestJoined checks that the newer of two states wins, with the other's copy if
// it has none, and with the earlier start of their faults.
func TestJoined(t *testing.T) {
	now := wallClock()
	down := attempt{}.fail(errDown)
	copied := permissive(t, fooKey, now.Add(-3*hour))
	failing := copied.after(down, now.Add(-2*hour))
	blank := (&state{origin: copied.origin}).after(down, now.Add(-hour))
	gone := (&state{origin: copied.origin}).after(attempt{siteAnswer: siteAnswer{Class: classUnavailable,
		Status: 404}}, now).after(down, now)
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
	if other := permissive(t, fooKey, copied.checkedAt); copied.joined(other) != copied ||
		other.joined(copied) != other {
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
			s := &state{checkedAt: now, lastAnswer: file,
				fault: &fault{Class: class, Since: now.Add(-40 * day), Text: "x"}}
			if verdict, assumed := s.judge(p, now); verdict != effectFile || assumed {
				t.Errorf("%v, class %v: %v, %v", p, class, verdict, assumed)
			}
			s.lastAnswer = nil
			verdict, assumed := s.judge(p, now)
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
	unreachable := attempt{}.fail(errors.New("x"))
	s := &state{}
	for ago := 40; ago > 0; ago-- {
		s = s.after(attempt{siteAnswer: siteAnswer{Class: classRefused}, err: errors.New("x")},
			now.Add(-time.Duration(ago)*day))
	}
	s = s.after(unreachable, now)
	if verdict, _ := s.judge(GooglePolicy, now); verdict != effectDisallowAll || s.fault.Tries != 41 {
		t.Errorf("%v after %+v", verdict, s.fault)
	}
	for tries := range 31 {
		s = s.after(unreachable, now.Add(time.Duration(tries+1)*day))
	}
	if verdict, _ := s.judge(GooglePolicy, now.Add(31*day)); verdict != effectAllowAll {
		t.Errorf("%v after %+v", verdict, s.fault)
	}
}

// TestOutageEndsWithoutAttempts checks that an outage needs attempts all along:
// two failures 31 days apart are not 30 days of unreachability, and neither is a
// stored fault that is as old.
func TestOutageEndsWithoutAttempts(t *testing.T) {
	now := wallClock()
	down := attempt{}.fail(errDown)
	for _, test := range []struct {
		gap    time.Duration
		begins bool // whether the second fault begins an outage
	}{{47 * hour, false}, {48 * hour, false}, {48*hour + 1, true}, {31 * day, true}} {
		first := (&state{}).after(down, now).after(down, now.Add(time.Minute))
		at := now.Add(time.Minute + test.gap)
		if verdict, _ := first.judge(GooglePolicy, at); verdict != effectDisallowAll {
			t.Errorf("%v: before the second attempt %v", test.gap, verdict)
		}
		s := first.after(down, at)
		if begins := s.fault.Since.Equal(at) && s.fault.Tries == 1; begins != test.begins ||
			!begins && s.fault.Tries != 3 {
			t.Errorf("%v: %+v", test.gap, s.fault)
		}
		if verdict, _ := s.judge(GooglePolicy, at); verdict != effectDisallowAll {
			t.Errorf("%v: %v", test.gap, verdict)
		}
		joined := (&state{}).after(attempt{siteAnswer: siteAnswer{Class: classFile}}, now.Add(-day)).after(down,
			now).joined((&state{}).after(down, now.Add(test.gap)))
		if begins := !joined.fault.Since.Equal(now); begins != test.begins {
			t.Errorf("%v: joined to one that began %v before", test.gap, now.Add(test.gap).Sub(joined.fault.Since))
		}
	}
}
