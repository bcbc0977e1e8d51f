package watch

import "time"

// DefaultConfirm is the time for which a change must last before it is reported.
const DefaultConfirm = 10 * time.Minute

// faultShare is the factor by which a fault must last longer than another change: an hour
// instead of ten minutes, because servers restart, and crawlers keep their copy meanwhile.
const faultShare = 6

// State has the known facts about a site. The zero value is for a site that was never
// fetched.
type State struct {
	// Reported is the last reported meaning. It is nil until the first answer. While the
	// site is reported as down, Reported has the fault and the answer before it.
	Reported *Served `json:"reported,omitempty"`

	// Differs is when an answer that differs from Reported was first fetched, zero if the
	// latest one does not. FaultSince is the same for a fault that is not reported.
	Differs    time.Time `json:"differs,omitzero"`
	FaultSince time.Time `json:"fault_since,omitzero"`

	// Reverted counts the changes since the last report that ended before they were
	// confirmed.
	Reverted int `json:"reverted,omitempty"`

	// Variants counts the answers since one differed from Reported; nil while none does, and
	// after a fault. VariantsTold is the time of the last event about variants.
	Variants     *Variants `json:"variants,omitempty"`
	VariantsTold time.Time `json:"variants_told,omitzero"`

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
	Varied         // the site serves several variants in turn, see Variants
)

// Next returns the state after an observation. A change is confirmed by an observation that
// is at least confirm after the first one that differs from the last reported meaning;
// faults need six times as long. differs compares two answers, first the last reported one
// with this one.
//
// Next keeps nothing: the observation has the time, and the caller keeps the state.
func (s State) Next(o Observation, confirm time.Duration, differs func(before, after *Served) bool) (State, Step) {
	s.Checked = o.At
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
	switch {
	case s.Reported == nil:
		s.Reported = &o.Served
		return s, FirstSeen
	}
	differ := differs(s.Reported, &o.Served)
	if s.Reported.Fault == "" && confirm > 0 { // without a wait each change is reported at once
		s.Variants = s.Variants.next(s.Reported, &o, differ, differs)
	}
	if s.Variants.isDue(s.VariantsTold, o.At) {
		s.Variants.tell()
		s.Differs = time.Time{}
		s.VariantsTold = o.At
		return s, Varied
	}
	switch {
	case !differ:
		ended = ended || !s.Differs.IsZero()
		if !s.Differs.IsZero() {
			s.Reverted++
		}
		// The newest text with this meaning is kept: later comparisons name its lines.
		s.Reported = &o.Served
		s.Differs = time.Time{}
		if ended {
			return s, Reverted
		}
		return s, Unchanged
	}
	s.Differs = since(s.Differs, o.At)
	switch {
	case s.Variants.areFew():
		if o.At.Sub(s.Differs) < confirm {
			return s, Pending
		}
	case !s.Variants.confirms(o.At, confirm):
		if s.Variants.Returns > 2 {
			s.Differs = time.Time{} // the site is not fetched more often
		}
		return s, Pending
	}
	s.Reported = &o.Served
	s.Differs = time.Time{}
	s.Variants.report()
	return s, Reported
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
	return s, Reported
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
	for _, began := range []*time.Time{&s.Differs, &s.FaultSince} {
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
