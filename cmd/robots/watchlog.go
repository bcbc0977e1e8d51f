package main

import (
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

// watchLog prints notes about facts that are not messages: the first ones of each kind,
// and the numbers at the end of a pass.
type watchLog struct {
	t      *term.Terminal
	once   bool
	expect bool // --expect is given, so that a pending change was reported before

	notes            map[watch.Step]int
	unknown, pending int
	reverted         int
	failed           int  // sites that could not be compared, because of an internal error
	differ           bool // a site still differs from --expect
}

// maxWatchNotes is the number of sites that are named for each kind of note.
const maxWatchNotes = 20

// started prints what a run with an interval waits for.
func (l *watchLog) started(sites int, first time.Time) {
	when := "now"
	if wait := time.Until(first); wait > time.Second {
		when = fmt.Sprintf("at %s UTC", first.UTC().Format("15:04"))
	}
	l.t.Note("%s watched, first fetch %s; Ctrl-C ends this", term.Count(sites, "site", "sites"), when)
}

func (l *watchLog) add(s watch.Sighting) {
	switch s.Step {
	case watch.FirstSeen:
		l.note(s, "first seen: %s", term.Escape(s.Detail))
	case watch.Pending:
		l.pending++
		l.differ = l.differ || l.expect
		l.note(s, "%s", l.pendingText(&s))
	case watch.Reverted:
		l.reverted++
		if l.expect {
			l.note(s, "is as expected again")
			break
		}
		l.note(s, "is back in the state that was reported last; the pending change has ended")
	case watch.Unknown:
		l.unknown++
		if s.Err != nil {
			l.failed++
			l.t.PrintError(s.Err)
			break
		}
		if s.Refused { // no later run can fetch from it
			l.print(l.t.Warn, s, "could not be fetched: %s; --allow-private permits private addresses", term.Escape(s.Detail))
			break
		}
		l.note(s, "could not be fetched: %s", term.Escape(s.Detail))
	}
}

// pendingText returns the reason why a change is not reported yet.
func (l *watchLog) pendingText(s *watch.Sighting) string {
	if l.expect {
		return "still differs, as reported before: " + s.Text
	}
	if s.Alone {
		return fmt.Sprintf("not reported: %s; but no other host responds, so this network might be the cause: name hosts that usually respond with --probe", s.Text)
	}
	text := fmt.Sprintf("pending since %s: %s", s.Since.UTC().Format("2006-01-02 15:04"), s.Text)
	if l.once {
		return text + fmt.Sprintf("; a run from %s on reports it if it lasts", s.Due.UTC().Format("15:04"))
	}
	return text + fmt.Sprintf("; fetched again at %s", s.Due.UTC().Format("15:04"))
}

func (l *watchLog) note(s watch.Sighting, format string, args ...any) {
	l.print(l.t.Note, s, format, args...)
}

func (l *watchLog) print(print func(format string, args ...any), s watch.Sighting, format string, args ...any) {
	if l.notes == nil {
		l.notes = make(map[watch.Step]int)
	}
	l.notes[s.Step]++
	if l.notes[s.Step] <= maxWatchNotes {
		print("%s %s", term.Escape(s.Site), fmt.Sprintf(format, args...))
	} else if !l.once && l.notes[s.Step]%1000 == 0 {
		l.t.Note("%s more sites since %s", term.Thousands(1000), time.Now().UTC().Format("15:04"))
	}
}

// end prints the number of sites that were not named, for each kind of note.
func (l *watchLog) end(tally watch.Tally) {
	for _, kind := range []struct {
		step watch.Step
		text string
	}{{watch.FirstSeen, "seen for the first time"}, {watch.Pending, "with a pending change"}, {watch.Reverted, "back in the state that was reported last"}, {watch.Unknown, "that could not be fetched"}} {
		if n := l.notes[kind.step]; n > maxWatchNotes {
			l.t.Note("%s sites %s in total", term.Thousands(n), kind.text)
		}
	}
	l.t.Note("%s watched, %s, %s reported", term.Count(tally.Sites, "site", "sites"), term.Count(tally.Fetches, "fetch", "fetches"), term.Count(tally.Events, "change", "changes"))
}
