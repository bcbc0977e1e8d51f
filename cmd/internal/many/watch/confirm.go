package watch

import (
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// DefaultConfirm is the time for which a change must last before it is reported.
const DefaultConfirm = 10 * time.Minute

// faultShare is the factor by which a fault must last longer than another change: an hour
// instead of ten minutes, because servers restart, and crawlers keep their copy meanwhile.
const faultShare = 6

// State has the known facts about a part of a site. The zero value is for a part that was never
// seen.
type State struct {
	// Reported is the last reported meaning. It is nil until the first answer. While the
	// site is reported as down, Reported has the fault and the answer before it.
	Reported *Served `json:"reported,omitempty"`

	// Differs is when an answer that differs from Reported was first fetched, zero if the
	// latest one does not. FaultSince is the same for a fault that is not reported.
	Differs    time.Time `json:"differs,omitzero"`
	FaultSince time.Time `json:"fault_since,omitzero"`

	// Serious is when the first of the latest answers was fetched that all differ seriously, and SeriousRun their
	// number. SeriousTold is the time of an event about such a difference, for a day and until an answer does
	// not differ seriously.
	Serious     time.Time `json:"serious,omitzero"`
	SeriousRun  int       `json:"serious_run,omitempty"`
	SeriousTold time.Time `json:"serious_told,omitzero"`

	// Reverted counts the changes since the last report that ended before they were
	// confirmed.
	Reverted int `json:"reverted,omitempty"`

	// Variants counts the answers since one differed from Reported; nil while none does, and
	// after a fault. VariantsTold is the time of the last event about variants.
	Variants     *Variants `json:"variants,omitempty"`
	VariantsTold time.Time `json:"variants_told,omitzero"`

	// Restless is since when the part is known to change at every fetch, until a value lasts. An event
	// says so once; RestlessDue is true until then. Told is the time of the last event, for a day.
	Restless    time.Time `json:"restless,omitzero"`
	RestlessDue bool      `json:"restless_due,omitempty"`
	Told        time.Time `json:"told,omitzero"`

	// Checked is the time of the last fetch, even if it failed on this machine.
	Checked time.Time `json:"checked,omitzero"`
}

// Observation is the result of a fetch.
type Observation struct {
	Served
	At time.Time

	// Local is true if the fetch says nothing about the site.
	Local bool

	// Online reports whether other hosts answer at this time. A fault without a response is
	// confirmed only if they do, because otherwise the network of this machine might be the
	// cause. nil means that they answer.
	Online func() bool
}

// Step is the consequence of an observation.
type Step uint8

// The steps.
const (
	Unchanged Step = iota
	Unknown        // the fetch says nothing about the site
	FirstSeen      // the first answer, which is not a change
	Pending        // a change is pending, which began with this observation or before
	Reverted       // a pending change has ended
	Reported       // a change is confirmed
	Varied         // the site serves several variants in turn, or changes at every fetch, see Variants
)

// Difference is how much two answers differ.
type Difference uint8

// The differences.
const (
	Same    Difference = iota // they mean the same
	Differs                   // they do not
	Serious                   // a change of gravity high or critical, or of whether there is a file
)

// differenceOf returns how serious changes are, the most serious first.
func differenceOf(list []wire.WatchChange) Difference {
	switch {
	case len(list) == 0:
		return Same
	case rank(list[0].Gravity) <= rank(wire.GravityHigh),
		slices.ContainsFunc(list, func(c wire.WatchChange) bool { return c.Kind == wire.WatchAppeared }):
		return Serious
	}
	return Differs
}

// Next returns the state after an observation. A change is confirmed by an observation that
// is at least confirm after the first one that differs from the last reported meaning;
// faults need six times as long. A change of a minor part is confirmed only if the value is the same in
// both, and so is one of a part that changes at every fetch, unless all answers meanwhile differ seriously.
// differs compares two answers, first the last reported one with this one.
//
// Next keeps nothing: the observation has the time, and the caller keeps the state.
func (s State) Next(part Part, o Observation, confirm time.Duration,
	differs func(before, after *Served) Difference) (State, Step) {
	s.Checked = o.At
	if o.At.Sub(s.Told) >= variantWindow {
		s.Told = time.Time{}
	}
	switch {
	case o.Local:
		return s, Unknown
	case o.Fault != "":
		return s.fault(o, faultShare*confirm)
	}
	ended := !s.FaultSince.IsZero()
	s.FaultSince = time.Time{}
	if ended {
		s.Reverted++
	}
	if s.Reported == nil {
		s.Reported = &o.Served
		return s, FirstSeen
	}
	difference := differs(s.Reported, &o.Served)
	differ := difference != Same
	if difference == Serious {
		s.Serious = since(s.Serious, o.At)
		s.SeriousRun++
	} else {
		s.Serious, s.SeriousTold, s.SeriousRun = time.Time{}, time.Time{}, 0
	}
	if s.Reported.Fault == "" && confirm > 0 { // without a wait each change is reported at once
		s.Variants = s.Variants.next(s.Reported, &o, differ, differs)
	}
	if s.Restless.IsZero() && s.isRestless(part, o.At) {
		s.Restless = o.At
		s.RestlessDue = true
	}
	switch {
	case s.RestlessDue && s.Told.IsZero() && s.Variants.isLong(o.At):
		s.RestlessDue = false
		return s.varied(o.At), Varied
	case s.Variants.isDue(s.VariantsTold, o.At):
		return s.varied(o.At), Varied
	case !differ:
		return s.same(&o.Served, ended)
	}
	s.Differs = since(s.Differs, o.At)
	if !s.confirms(part, o.At, confirm) {
		return s.pending(part)
	}
	return s.confirmed(&o.Served, o.At), Reported
}

func (s State) confirmed(served *Served, now time.Time) State {
	if !s.Serious.IsZero() {
		s.SeriousTold = now
	}
	s.Reported = served
	s.Differs, s.Serious, s.SeriousRun = time.Time{}, time.Time{}, 0
	if s.Variants == nil || s.Variants.Run > 1 {
		s.Restless, s.RestlessDue = time.Time{}, false
	}
	s.Told = now
	s.Variants.report()
	return s
}

func (s State) varied(now time.Time) State {
	s.Variants.tell()
	s.Differs = time.Time{}
	s.VariantsTold = now
	s.Told = now
	return s
}

// same returns the state after an answer that means what was reported last. ended reports whether it has
// ended a fault.
func (s State) same(served *Served, ended bool) (State, Step) {
	if !s.Differs.IsZero() {
		s.Reverted++
		ended = true
	}
	// The newest text with this meaning is kept: later comparisons name its lines.
	s.Reported = served
	s.Differs = time.Time{}
	if v := s.Variants; v == nil || v.Run > 1 {
		s.Restless, s.RestlessDue = time.Time{}, false
	}
	if ended {
		return s, Reverted
	}
	return s, Unchanged
}

// pending returns the state after an answer that differs and confirms nothing yet.
func (s State) pending(part Part) (State, Step) {
	v := s.Variants
	if s.canBeSerious(s.Checked) {
		return s, Pending
	}
	isOften := part.isMinor() && v.isRestless()
	if v != nil && (v.Returns > 2 || v.Run == 1 && v.Switches > fewSwitches) || isOften || !s.Restless.IsZero() {
		s.Differs = time.Time{} // the site is not fetched more often
	}
	if isOften || !s.Restless.IsZero() {
		return s, Unchanged
	}
	return s, Pending
}

// canBeSerious reports whether serious differences of a part that changes at every fetch are to be reported. If
// every value differs seriously from the one before, that is so once a day.
func (s *State) canBeSerious(now time.Time) bool {
	isRestless := !s.Restless.IsZero() || s.Variants.isRestless() && s.Variants.isLong(now)
	return isRestless && !s.Serious.IsZero() &&
		(s.SeriousTold.IsZero() || now.Sub(s.SeriousTold) >= variantWindow)
}

// confirms reports whether the answers since Differs confirm a change.
func (s *State) confirms(part Part, now time.Time, confirm time.Duration) bool {
	v := s.Variants
	if v == nil || confirm == 0 {
		return now.Sub(s.Differs) >= confirm
	}
	repeats := func(least time.Duration) bool { return v.Run > 1 && now.Sub(v.RunBegan) >= least }
	switch {
	case part.isMinor() && (!s.Restless.IsZero() || v.isRestless()):
		return repeats(variantWindow)
	case s.canBeSerious(now) && now.Sub(s.Serious) >= confirm && s.SeriousRun >= minVariantCount:
		return true
	case !s.Restless.IsZero() || !v.areFew():
		return v.confirms(now, confirm)
	case part.isMinor():
		return repeats(confirm)
	}
	return now.Sub(s.Differs) >= confirm
}

// isRestless reports whether a part changes at every fetch. A minor part that changes often is one too,
// because nobody wants a message about each of its values.
func (s *State) isRestless(part Part, now time.Time) bool {
	v := s.Variants
	return v.isRestless() && (part.isMinor() || v.Lost > 0 || v.Switches+1 >= v.Fetches && v.isLong(now))
}

func (s State) fault(o Observation, confirm time.Duration) (State, Step) {
	if s.Reported != nil && s.Reported.Fault != "" {
		if s.Differs.IsZero() {
			return s, Unchanged
		}
		s.Differs = time.Time{}
		s.Reverted++
		return s, Reverted
	}
	s.FaultSince = since(s.FaultSince, o.At)
	if o.At.Sub(s.FaultSince) < confirm || o.FaultStatus == 0 && o.Online != nil && !o.Online() {
		return s, Pending
	}
	s.Reported = s.Reported.down(o.Served)
	s.Differs = time.Time{}
	s.FaultSince = time.Time{}
	s.Variants = nil
	s.Told = o.At
	return s, Reported
}

// since returns when the pending change began, or the fault.
func (s *State) since(isFault bool) time.Time {
	switch {
	case isFault:
		return s.FaultSince
	case s.Differs.IsZero() && s.Variants != nil:
		return s.Variants.RunBegan
	}
	return s.Differs
}

// since returns the beginning of something that still lasts at now. A time after now is from
// a clock that was set back.
func since(began, now time.Time) time.Time {
	if began.IsZero() || began.After(now) {
		return now
	}
	return began
}

// Restart makes pending changes begin when the clock was set, because the time that had
// passed before is unknown. A beginning after now is from before the clock was set back. A
// zero time means that the clock was not set.
func (s State) Restart(set, now time.Time) State {
	if set.IsZero() {
		return s
	}
	for _, began := range []*time.Time{&s.Differs, &s.FaultSince, &s.Serious} {
		if !began.IsZero() && (began.Before(set) || began.After(now)) {
			*began = set
		}
	}
	if v := s.Variants; v != nil && (v.RunBegan.Before(set) || v.RunBegan.After(now)) {
		s.Variants = v.clone()
		s.Variants.RunBegan = set
	}
	return s
}

// localWait is the time until a site is fetched again after a fetch that failed on this
// machine or could not be confirmed without a network.
const localWait = 5 * time.Minute

// Due returns when the site is to be fetched again, at most every after the last fetch.
func (s State) Due(step Step, every, confirm time.Duration) time.Time {
	due := s.Checked.Add(every)
	for _, pending := range []struct {
		began time.Time
		wait  time.Duration
	}{{s.Differs, confirm}, {s.FaultSince, faultShare * confirm}} {
		if pending.began.IsZero() {
			continue
		}
		if at := pending.began.Add(pending.wait); at.After(s.Checked) && at.Before(due) {
			due = at
		} else if !at.After(s.Checked) {
			due = earlier(due, s.Checked.Add(localWait))
		}
	}
	if step == Unknown {
		due = earlier(due, s.Checked.Add(localWait))
	}
	return due
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
