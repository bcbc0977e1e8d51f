package watch_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
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
		o.Outcome, o.File = wire.OutcomeRules, true
		o.Body = fmt.Appendf(nil, "# %c\nDisallow: /%s", letter, strings.ToUpper(string(letter)))
	}
	return o
}

// letter compares answers of one letter.
type letter struct{}

func (letter) Differ(before, after *watch.Served) bool {
	return before.Fault != "" || meaning(before) != meaning(after)
}

func (l letter) Changes(before, after *watch.Served) []wire.WatchChange {
	if l.Differ(before, after) {
		return []wire.WatchChange{{Kind: closes, Gravity: wire.GravityMedium}}
	}
	return nil
}

// next is State.Next for the rules of a site without other parts.
func next(s watch.State, o watch.Observation) (watch.State, watch.Step) {
	return s.Next(watch.RulesPart, o, watch.Site{}, watch.DefaultConfirm, letter{})
}

// meaning returns the letter of an answer, "" if it has lost its line.
func meaning(s *watch.Served) string {
	_, letter, _ := strings.Cut(string(s.Body), "\nDisallow: /")
	return letter
}

var stepNames = map[watch.Step]string{
	watch.Unchanged: "same", watch.Unknown: "unknown", watch.FirstSeen: "first", watch.Pending: "pending",
	watch.Reverted: "reverted", watch.Reported: "reported", watch.Varied: "varied",
}

// TestNext: each observation is a letter and its minute, with the step that follows.
func TestNext(t *testing.T) {
	for name, story := range map[string]string{
		"nothing changes":           "A0 first, A360 same, a720 same",
		"confirmed":                 "A0 first, B360 pending, B370 reported, B720 same",
		"too early":                 "A0 first, B360 pending, B369 pending, B370 reported",
		"reverted":                  "A0 first, B360 pending, A370 reverted, B380 pending, B389 pending, B390 reported",
		"another change meanwhile":  "A0 first, B360 pending, C370 pending, C379 pending, C380 reported",
		"one answer meanwhile":      "A0 first, B360 pending, C370 pending, B380 pending, B389 pending, B390 reported",
		"deployed twice":            "A0 first, B15 pending, A30 reverted, A45 same, A60 same, B75 pending, B90 reported, B105 same",
		"again after two hours":     "A0 first, B15 pending, B30 reported, C45 pending, C164 pending, C165 reported",
		"and then after a day":      "A0 first, B15 pending, B30 reported, C45 pending, C165 reported, D200 pending, D1639 pending, D1640 reported",
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
				s, step = next(s, seen(letter, minute))
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
	for i, want := range []watch.Step{watch.FirstSeen, watch.Reported, watch.Reported, watch.Reported, watch.Pending,
		watch.Unknown} {
		var step watch.Step
		s, step = s.Next(watch.RulesPart, seen("AB5AX-"[i], i), watch.Site{}, 0, letter{})
		if step != want {
			t.Errorf("%d: got %s", i, stepNames[step])
		}
	}
}

// After a step of the clock, what is pending begins again.
func TestRestart(t *testing.T) {
	s, _ := next(watch.State{}, seen('A', 0))
	s, _ = next(s, seen('B', 1))
	s = s.Restart(start.Add(500*time.Minute), start.Add(501*time.Minute))
	if _, step := next(s, seen('B', 501)); step != watch.Pending {
		t.Errorf("got %s", stepNames[step])
	}
	if _, step := next(s, seen('B', 510)); step != watch.Reported {
		t.Errorf("got %s", stepNames[step])
	}
	s = s.Restart(start, start.Add(time.Minute)) // set back
	if _, step := next(s, seen('B', 10)); step != watch.Reported {
		t.Errorf("after the clock was set back: got %s", stepNames[step])
	}
}

// After a step of the clock, a fault that has ended is not the one that lasts.
func TestRestartOutages(t *testing.T) {
	ended, lasts, set := start.Add(60*time.Minute), start.Add(200*time.Minute), start.Add(210*time.Minute)
	s := watch.State{FaultSince: lasts, OutageSince: ended, Outages: 1}
	s = s.Restart(set, set)
	if !s.FaultSince.Equal(set) || !s.OutageSince.Equal(ended) {
		t.Errorf("ended: got %s and %s", s.FaultSince, s.OutageSince)
	}
	s = watch.State{FaultSince: lasts, OutageSince: lasts, Outages: 1}
	s = s.Restart(set, set)
	if !s.FaultSince.Equal(set) || !s.OutageSince.Equal(set) {
		t.Errorf("lasting: got %s and %s", s.FaultSince, s.OutageSince)
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
			s, step = next(s, seen(letter, minute))
		}
		if got := s.Due(step, every, watch.DefaultConfirm).Sub(start); got != time.Duration(c.due)*time.Minute {
			t.Errorf("%s: due after %v", c.story, got)
		}
	}
}

// FuzzNext: a change is reported only if two observations that are far enough apart have it, and all answers
// between them differ from what was reported last. What is the same or unknown changes nothing. A value that
// lasts for a day is reported.
func FuzzNext(f *testing.F) {
	f.Add("A\x01B\x02B\x0bB\x01")
	f.Add("A\x005\x3c5\x3cA\x0aA\x0a")
	f.Add("X\x01X\x7fA\x01B\x05-\x01B\x06")
	f.Add("A\x01B\x0fC\x0fB\x0fD\x0fE\x0fA\x0fB\x0f")
	f.Fuzz(func(t *testing.T, story string) {
		const letters = "AaBbC5xX-DE"
		var all []watch.Observation
		minute := 0
		for i := 0; i+1 < len(story) && i < 400; i += 2 {
			minute += int(story[i+1]) % 64
			all = append(all, seen(letters[int(story[i])%len(letters)], minute))
		}
		var s watch.State
		see := func(i int, o watch.Observation) {
			before := s
			var step watch.Step
			s, step = next(s, o)
			if step == watch.Reported && !isLasting(all[:i+1], before.Reported, s.Reported) {
				t.Fatalf("observation %d: reported too early, or never seen", i)
			}
			isSame := s.Reported == before.Reported && reflect.DeepEqual(s.Lasting, before.Lasting)
			if step == watch.Unknown && (!isSame || s.FaultSince != before.FaultSince) {
				t.Fatalf("observation %d says nothing, and changes the state", i)
			}
			if due := s.Due(step, 6*time.Hour, watch.DefaultConfirm); !due.After(o.At) ||
				due.After(o.At.Add(6*time.Hour)) {
				t.Fatalf("observation %d: due %v after", i, due.Sub(o.At))
			}
		}
		for i, o := range all {
			see(i, o)
		}
		for m := range 100 {
			all = append(all, seen('F', minute+15*m))
			see(len(all)-1, all[len(all)-1])
		}
		if meaning(s.Reported) != "F" || s.Reported.Fault != "" {
			t.Fatalf("F lasts for a day, and %q is reported", s.Reported.Body)
		}
	})
}

// isLasting reports whether the last of some observations confirms a report.
func isLasting(all []watch.Observation, before, after *watch.Served) bool {
	last := all[len(all)-1]
	wait := watch.DefaultConfirm
	if after.Fault != "" {
		wait *= 6
	}
	for _, o := range slices.Backward(all) {
		isFault := o.Fault != ""
		switch {
		case o.Local || isFault && after.Fault == "" && (before == nil || before.Fault == ""):
		case isFault != (after.Fault != ""):
			return false
		case !isFault && !letter{}.Differ(before, &o.Served):
			return false
		case last.At.Sub(o.At) >= wait && (isFault || meaning(after) == "" || !letter{}.Differ(after, &o.Served)):
			return true
		}
	}
	return false
}

// told collects the meanings that events have, and the number of events.
type told struct {
	meanings map[string]bool
	events   int
	rare     int // meanings that have no quarter
	varied   []time.Time
}

// watched lets a state see observations, and returns what events told.
func watched(observations []watch.Observation) told {
	got := told{meanings: map[string]bool{}}
	var state watch.State
	note := func(s *watch.Served) { got.meanings[meaning(s)] = true }
	for _, o := range observations {
		before := state.Reported
		var step watch.Step
		site := watch.Site{Quiet: o.At.Sub(state.Told) >= 24*time.Hour}
		state, step = state.Next(watch.RulesPart, o, site, watch.DefaultConfirm, letter{})
		switch step {
		case watch.FirstSeen:
			note(state.Reported)
		case watch.Reported:
			note(before)
			note(state.Reported)
			got.events++
		case watch.Varied:
			if v := state.Variants; v != nil {
				for _, named := range v.Named() {
					note(&named.Served)
					if 4*named.Share < named.Of || named.Share < 3 {
						got.rare++
					}
				}
			}
			got.events++
			got.varied = append(got.varied, o.At)
		}
	}
	return got
}

// TestAlternatingVariants: a site that serves two files in turn has one event, however long that
// goes on. One that takes a change back has none.
func TestAlternatingVariants(t *testing.T) {
	for _, every := range []int{1, 15, 60} {
		var flapping, back []watch.Observation
		for i := range 60 * 24 {
			flapping = append(flapping, seen("AB"[i%2], i*every))
			back = append(back, seen("AB"[min(1, i/3%2)*min(1, 6/(i+1))], i*every)) // B at 3 to 5
		}
		if got := watched(flapping); got.events != 1 || !got.meanings["B"] {
			t.Errorf("every %d minutes: %d events, %v", every, got.events, got.meanings)
		}
		if got := watched(flapping[:8]); len(got.varied) != 1 {
			t.Errorf("every %d minutes: %d events in eight fetches", every, got.events)
		}
		if got := watched(back); every == 1 && got.events != 0 {
			t.Errorf("taken back: %d events", got.events)
		}
	}
}

// TestVariantsLaw: each meaning that a quarter of the answers of a window had, of at least eight,
// is in some event, and there is at most one event about variants a day.
func TestVariantsLaw(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 51))
	const day = 24 * 60
	often, most := 0, 0
	for turn := range 400 {
		every := []int{5, 15, 60, 175}[turn%4]
		observations := []watch.Observation{seen('A', 0)}
		counts, fetches, began := map[byte]int{}, 0, 0
		next := letters(random, turn)
		for m := every; began == 0 || m < began+day; m += every {
			letter := next(m / every)
			observations = append(observations, seen(letter, m))
			if letter != 'A' && began == 0 {
				began = m
			}
			if began > 0 {
				counts[letter]++
				fetches++
			}
		}
		most = max(most, watched(observations).events)
		for m := began + day; m < began+4*day; m += every { // what is withheld is in the next event
			observations = append(observations, seen('A', m+every))
		}
		got := watched(observations)
		for letter, count := range counts {
			if fetches < 8 || 4*count < fetches {
				continue
			}
			often++
			if !got.meanings[string(letter)] {
				t.Fatalf("turn %d, every %d minutes: %c was in %d of %d answers, and in no event", turn, every, letter, count, fetches)
			}
		}
		if got.rare > 0 {
			t.Fatalf("turn %d: %d meanings that are rare", turn, got.rare)
		}
		for i, at := range got.varied {
			if i > 0 && at.Sub(got.varied[i-1]) < 24*time.Hour {
				t.Fatalf("turn %d: events about variants at %v and %v", turn, got.varied[i-1], at)
			}
		}
	}
	t.Logf("%d meanings in a quarter of the answers, at most %d events of a site in a day", often, most)
	if often < 400 || most > 16 {
		t.Error("that are too few, or too many")
	}
}

// TestRareVariants: an event about two files that are served in turn neither names nor grades a third one, which is a
// sixth of the answers, and which closes the site.
func TestRareVariants(t *testing.T) {
	var states watch.States
	r := &watch.Reader{}
	events := 0
	for i := range 48 {
		text := []string{shop, shop + "User-agent: *\nDisallow: /new\n"}[i%2]
		if i%6 == 5 {
			text = closed
		}
		o := watch.Observation{Served: *served(text), At: start.Add(time.Duration(i) * 30 * time.Minute)}
		next, _, event, err := r.Judge(t.Context(), states, o, watch.DefaultConfirm)
		if err != nil {
			t.Fatal(err)
		}
		states = next
		if event == nil {
			continue
		}
		events++
		all := strings.Join(texts(event.Changes), "; ")
		if event.Gravity != wire.GravityMedium || strings.Contains(all, "whole site") || !strings.Contains(all, "answers: others") {
			t.Errorf("%s: %s", event.Gravity, all)
		}
	}
	if events != 1 {
		t.Errorf("%d events", events)
	}
}

// TestCommonLines: what two answers have in common is told after ten minutes, although each lacks other lines of what
// was reported, and what each lacks is not.
func TestCommonLines(t *testing.T) {
	file := func(lacks, gptbot, more string) string {
		var licenses, b strings.Builder
		for _, letter := range strings.Split("abcdef", "") {
			if !strings.Contains(lacks, letter) {
				fmt.Fprintf(&licenses, "License: https://a.example/%s\n", letter)
				fmt.Fprintf(&b, "User-agent: *\nDisallow: /%[1]s\nCrawl-delay: 5\nSitemap: https://a.example/%[1]s.xml\n"+
					"User-agent: Bot%[1]s\nDisallow: /x\nContent-Signal: %[1]s=no\n", letter)
			}
		}
		return licenses.String() + b.String() + "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: " + gptbot + "\n" + more
	}
	var states watch.States
	r := &watch.Reader{}
	more := "Sitemap: https://a.example/new.xml\nContent-Signal: new=no\n"
	for i, text := range []string{file("", "/private", ""), file("", "/private", ""), file("", "/private", ""),
		file("bc", "/", more), file("cde", "/", more)} {
		o := watch.Observation{Served: *served(text), At: start.Add(time.Duration(i) * 10 * time.Minute)}
		next, _, event, err := r.Judge(t.Context(), states, o, watch.DefaultConfirm)
		if err != nil {
			t.Fatal(err)
		}
		states = next
		switch {
		case (event != nil) != (i == 4):
			t.Fatalf("answer %d: %+v", i, event)
		case event == nil:
			continue
		}
		all := strings.Join(texts(event.Changes), "; ")
		for _, want := range []string{"closes the whole site for GPTBot and CCBot", "new.xml", "new=no", "c.xml", "opens /c"} {
			if !strings.Contains(all, want) {
				t.Errorf("%q is not in %s", want, all)
			}
		}
		for _, other := range strings.Split("abdef", "") {
			for _, not := range []string{"opens /" + other, "/" + other + ".xml", "example/" + other, other + "=no", "Bot" + other} {
				if strings.Contains(all, not) {
					t.Errorf("%q is in %s", not, all)
				}
			}
		}
	}
}

// letters returns a function that makes the letter of each answer: in turn, at random with some
// weights, or in runs.
func letters(random *rand.Rand, turn int) func(i int) byte {
	kinds := 2 + random.IntN(4)
	if turn%7 == 0 {
		kinds = 19
	}
	weights := make([]float64, kinds)
	for i := range weights {
		weights[i] = random.ExpFloat64()
	}
	letter := byte('A')
	return func(i int) byte {
		switch turn % 5 {
		case 0:
			return 'A' + byte(i%kinds)
		case 1:
			if random.IntN(6) == 0 {
				letter = 'A' + byte(random.IntN(kinds))
			}
			return letter
		}
		best, chosen := -1.0, byte('A')
		for k, weight := range weights {
			if x := weight * random.Float64(); x > best {
				best, chosen = x, 'A'+byte(k)
			}
		}
		return chosen
	}
}

// TestSteps: changes that come one after another are told together: when the last has lasted for two hours, as the part
// had a report within a day, or when the first has lasted for a day, with each that has lasted for ten minutes.
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ every, steps, told, lines int }{{20, 7, 7*20 + 120, 7}, {100, 20, 24 * 60, 13}} {
		const first = 60
		site := &simulated{event: 24 * 60, behaviour: behaviour{serve: func(f *simFile, m, _ int) {
			if m >= 0 {
				f.license += "\nLicense: https://a.example/first"
			}
			for i := range c.steps {
				if m >= first+c.every*i {
					f.license += fmt.Sprint("\nLicense: https://a.example/", i)
				}
			}
		}}}
		events := site.watchEvery(t, 15*time.Minute, 3)
		if len(events) < 2 {
			t.Fatalf("every %d minutes: %d events", c.every, len(events))
		}
		at, change := int(events[1].At.Sub(start).Minutes())-site.event-first, &events[1].Changes[0]
		if at > c.told+30 || len(change.New) < c.lines {
			t.Errorf("every %d minutes: %d lines after %d minutes: %s", c.every, len(change.New), at, change.Text)
		}
	}
}

// TestUpInAnyForm: a site that answers after an outage, with and without a file in turn, is told to answer again.
func TestUpInAnyForm(t *testing.T) {
	site := &simulated{event: 24 * 60, behaviour: behaviour{serve: func(f *simFile, m, n int) {
		switch {
		case m >= 0 && m < 180:
			down(f)
		case m >= 180 && n%2 == 0:
			missing(f)
		case m >= 180:
			shut(f)
		}
	}}}
	isTold := false
	for _, e := range site.watchEvery(t, 30*time.Minute, 2) {
		at := int(e.At.Sub(start).Minutes()) - site.event
		isTold = isTold || at <= 180+90 && e.Changes[len(e.Changes)-1].Kind == wire.WatchRecovered
	}
	if !isTold {
		t.Error("not told")
	}
}

// TestNoiseWaits: that a part changes at every fetch is told when there was no event for a day.
func TestNoiseWaits(t *testing.T) {
	t.Parallel()
	site := &simulated{event: 24 * 60, behaviour: behaviour{serve: func(f *simFile, m, _ int) {
		if m >= 0 {
			f.rules, f.nonceIn = "/tmp", "rules"
		}
	}}}
	events := site.watchEvery(t, 30*time.Minute, 3)
	if len(events) != 2 || events[1].At.Sub(events[0].At) < 24*time.Hour {
		for _, e := range events {
			t.Error(e.At, texts(e.Changes))
		}
	}
}
