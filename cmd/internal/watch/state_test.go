package watch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/watch"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

var start = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// seen returns the observation that a letter stands for, m minutes after start. Equal
// capital letters have equal meanings: a and A differ in a comment. 5 is a status 503, x
// no response, X the same while no other host answers, - a failure of this machine.
func seen(letter byte, m int) watch.Observation {
	o := watch.Observation{At: start.Add(time.Duration(m) * time.Minute)}
	switch letter {
	case '-':
		o.Local = true
	case '5':
		o.Fault, o.FaultStatus = wire.FaultStatus, 503
	case 'x':
		o.Fault = "DNS"
	case 'X':
		o.Fault, o.Online = "DNS", func() bool { return false }
	default:
		o.Outcome, o.File, o.Body = wire.OutcomeRules, true, []byte{letter}
	}
	return o
}

// differ compares as Reader.Changes does, for answers of one letter.
func differ(before, after *watch.Served) bool {
	return before.Fault != "" || !strings.EqualFold(string(before.Body), string(after.Body))
}

var stepNames = map[watch.Step]string{
	watch.Unchanged: "same", watch.Unknown: "unknown", watch.FirstSeen: "first", watch.Pending: "pending",
	watch.Reverted: "reverted", watch.Reported: "reported",
}

// TestNext: each observation is a letter and its minute, with the step that follows.
func TestNext(t *testing.T) {
	for name, story := range map[string]string{
		"nothing changes":           "A0 first, A360 same, a720 same",
		"confirmed":                 "A0 first, B360 pending, B370 reported, B720 same",
		"too early":                 "A0 first, B360 pending, B369 pending, B370 reported",
		"reverted":                  "A0 first, B360 pending, A370 reverted, B380 pending, B389 pending, B390 reported",
		"another change meanwhile":  "A0 first, B360 pending, C370 reported",
		"silent text is kept":       "A0 first, a10 same, A20 same, B30 pending, a40 reverted",
		"5xx":                       "A0 first, 560 pending, 5119 pending, 5120 reported, 5200 same",
		"5xx for a short time":      "A0 first, 560 pending, A70 reverted, 580 pending, 5139 pending, 5140 reported",
		"recovers":                  "A0 first, 560 pending, 5120 reported, A130 pending, A140 reported, A150 same",
		"recovers for a short time": "A0 first, 560 pending, 5120 reported, A130 pending, 5140 reverted, 5150 same",
		"recovers with another":     "A0 first, 560 pending, 5120 reported, B130 pending, B140 reported, B150 same, A160 pending",
		"5xx does not end a change": "A0 first, B60 pending, 565 pending, B70 reported",
		"down at first":             "50 pending, 559 pending, 560 reported, A70 pending, A80 reported",
		"down for a short time":     "50 pending, A10 first",
		"no response":               "A0 first, x60 pending, x120 reported",
		"our network is down":       "A0 first, X60 pending, X120 pending, X600 pending, A610 reverted",
		"our network and the site":  "A0 first, X60 pending, x120 reported",
		"this machine":              "A0 first, -60 unknown, -120 unknown, -999 unknown, A1000 same",
		"this machine does not end": "A0 first, B60 pending, -65 unknown, B70 reported",
		"clock set back":            "A0 first, B60 pending, B30 pending, B39 pending, B40 reported",
		"clock back in a fault":     "A0 first, 560 pending, 50 pending, 559 pending, 560 reported",
	} {
		t.Run(name, func(t *testing.T) {
			var s watch.State
			for part := range strings.SplitSeq(story, ", ") {
				var letter byte
				var minute int
				var want string
				if _, err := fmt.Sscanf(part, "%c%d %s", &letter, &minute, &want); err != nil {
					t.Fatal(part, err)
				}
				var step watch.Step
				s, step = s.Next(seen(letter, minute), watch.DefaultConfirm, differ)
				if stepNames[step] != want {
					t.Fatalf("%s: got %s", part, stepNames[step])
				}
			}
		})
	}
}

// Without a wait, everything is reported at once, but not what this machine cannot know.
func TestNextAtOnce(t *testing.T) {
	var s watch.State
	for i, want := range []watch.Step{watch.FirstSeen, watch.Reported, watch.Reported, watch.Reported, watch.Pending, watch.Unknown} {
		var step watch.Step
		s, step = s.Next(seen("AB5AX-"[i], i), 0, differ)
		if step != want {
			t.Errorf("%d: got %s", i, stepNames[step])
		}
	}
}

// After a step of the clock, what is pending begins again.
func TestRestart(t *testing.T) {
	s, _ := watch.State{}.Next(seen('A', 0), watch.DefaultConfirm, differ)
	s, _ = s.Next(seen('B', 1), watch.DefaultConfirm, differ)
	s = s.Restart(start.Add(500*time.Minute), start.Add(501*time.Minute))
	if _, step := s.Next(seen('B', 501), watch.DefaultConfirm, differ); step != watch.Pending {
		t.Errorf("got %s", stepNames[step])
	}
	if _, step := s.Next(seen('B', 510), watch.DefaultConfirm, differ); step != watch.Reported {
		t.Errorf("got %s", stepNames[step])
	}
	s = s.Restart(start, start.Add(time.Minute)) // set back
	if _, step := s.Next(seen('B', 10), watch.DefaultConfirm, differ); step != watch.Reported {
		t.Errorf("after the clock was set back: got %s", stepNames[step])
	}
}

// A pending change is due when it can be confirmed, everything else after the interval.
func TestDue(t *testing.T) {
	every := 6 * time.Hour
	for _, c := range []struct {
		story string
		due   int // minutes
	}{
		{"A0", 360}, {"A0 B360", 370}, {"A0 B360 B365", 370}, {"A0 B360 B370", 730}, {"A0 560", 120}, {"A0 -60", 65},
		{"A0 B60 565", 70}, {"A0 X60 X120", 125}, {"A0 B60 571", 76},
	} {
		var s watch.State
		var step watch.Step
		for part := range strings.FieldsSeq(c.story) {
			var letter byte
			var minute int
			if _, err := fmt.Sscanf(part, "%c%d", &letter, &minute); err != nil {
				t.Fatal(err)
			}
			s, step = s.Next(seen(letter, minute), watch.DefaultConfirm, differ)
		}
		if got := s.Due(step, every, watch.DefaultConfirm).Sub(start); got != time.Duration(c.due)*time.Minute {
			t.Errorf("%s: due after %v", c.story, got)
		}
	}
}

// reference says, from all observations since the beginning, which steps are reports. It is
// slow and has no state but what it has reported.
func reference(all []watch.Observation, confirm time.Duration) (reports []bool) {
	reports = make([]bool, len(all))
	from := 0 // the first observation after the last report
	base, down := byte(0), false
	for now, o := range all {
		if o.Local {
			continue
		}
		if o.Fault != "" {
			if down {
				continue
			}
			began := now // of the faults without an answer between them
			for i := now; i >= from && (all[i].Local || all[i].Fault != ""); i-- {
				if !all[i].Local {
					began = i
				}
			}
			if o.At.Sub(all[began].At) >= 6*confirm && (o.FaultStatus != 0 || o.Online == nil) {
				reports[now], down, from = true, true, now+1
			}
			continue
		}
		differs := func(i int) bool { return down || all[i].Body[0]|0x20 != base|0x20 }
		if base == 0 && !down {
			base, from = o.Body[0], now+1
			continue
		}
		began := now // of the answers that differ; only an answer as reported, or the reported fault, ends them
		for i := now; i >= from; i-- {
			isFault := all[i].Fault != ""
			if !all[i].Local && (isFault && down || !isFault && !differs(i)) {
				break
			}
			if !all[i].Local && !isFault {
				began = i
			}
		}
		if differs(now) && o.At.Sub(all[began].At) >= confirm {
			reports[now], down, base, from = true, false, o.Body[0], now+1
		}
	}
	return reports
}

// FuzzNext: the steps are those of the reference, for any observations with a clock that
// runs forward; and what is the same or unknown never leads to a report.
func FuzzNext(f *testing.F) {
	f.Add("A\x01B\x02B\x0bB\x01")
	f.Add("A\x005\x3c5\x3cA\x0aA\x0a")
	f.Add("X\x01X\x7fA\x01B\x05-\x01B\x06")
	f.Fuzz(func(t *testing.T, story string) {
		const letters = "AaBbC5xX-"
		var all []watch.Observation
		minute := 0
		for i := 0; i+1 < len(story) && i < 400; i += 2 {
			minute += int(story[i+1]) % 64
			all = append(all, seen(letters[int(story[i])%len(letters)], minute))
		}
		want := reference(all, watch.DefaultConfirm)
		var s watch.State
		for i, o := range all {
			before := s
			var step watch.Step
			s, step = s.Next(o, watch.DefaultConfirm, differ)
			if (step == watch.Reported) != want[i] {
				t.Fatalf("observation %d: got %s, the reference says %t", i, stepNames[step], want[i])
			}
			if step == watch.Unknown && (s.Reported != before.Reported || s.Differs != before.Differs || s.FaultSince != before.FaultSince) {
				t.Fatalf("observation %d says nothing, and changes the state", i)
			}
			if due := s.Due(step, 6*time.Hour, watch.DefaultConfirm); !due.After(o.At) || due.After(o.At.Add(6*time.Hour)) {
				t.Fatalf("observation %d: due %v after", i, due.Sub(o.At))
			}
		}
	})
}
