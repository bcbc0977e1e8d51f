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

	// Once is true while Reported is the first answer, and no other has meant the same.
	Once bool `json:"once,omitempty"`

	// Lasting is what differs from Reported, the longest first. The last one is the latest answer, and there is none
	// if that means the same as Reported. Confirms is when a fetch can confirm one of them, zero if the site is not
	// to be fetched earlier for that.
	Lasting  []Lasting `json:"lasting,omitempty"`
	Confirms time.Time `json:"confirms,omitzero"`

	// FaultSince is when the first of the latest answers was fetched that are all faults that are not reported.
	// FaultAt is when the last fault was.
	FaultSince time.Time `json:"fault_since,omitzero"`
	FaultAt    time.Time `json:"fault_at,omitzero"`

	// Faults is the number of events about faults until there is none for a day. Outages is the number of faults that
	// lasted for as long as the first one must, but had no event, because the next one must last longer. The last of
	// them began at OutageSince. OutagesTold is true if an event has said so.
	Faults      int       `json:"faults,omitempty"`
	Outages     int       `json:"outages,omitempty"`
	Outage      *Served   `json:"outage,omitempty"`
	OutageSince time.Time `json:"outage_since,omitzero"`
	OutagesTold bool      `json:"outages_told,omitempty"`

	// Reverted counts the changes since the last report that ended before they were
	// confirmed.
	Reverted int `json:"reverted,omitempty"`

	// SeriousReports are the times of the latest events about serious changes, and Reports of other events but faults
	// and their ends, for a day or until the part is calm.
	Reports        []time.Time `json:"reports,omitempty"`
	SeriousReports []time.Time `json:"serious_reports,omitempty"`

	// Left has what was reported before Reported, the latest first, for a day after it last lasted for some answers.
	// Returns is how often Reported was reported again while it was in Left.
	Left    []Left `json:"left,omitempty"`
	Returns int    `json:"returns,omitempty"`

	// Told is the time of the last event, for a day.
	Told time.Time `json:"told,omitzero"`

	// Variants counts the answers since one differed from Reported; nil while none does, and
	// after a fault.
	Variants *Variants `json:"variants,omitempty"`

	// Fresh is the number of latest answers that each have a statement which none before had. The first was at
	// FreshBegan, the last at FreshAt. FreshSize is the largest number of statements that one of them has and Reported
	// has not, and FreshLost of those that it lacks.
	Fresh      int       `json:"fresh,omitempty"`
	FreshBegan time.Time `json:"fresh_began,omitzero"`
	FreshAt    time.Time `json:"fresh_at,omitzero"`
	FreshSize  int       `json:"fresh_size,omitempty"`
	FreshLost  int       `json:"fresh_lost,omitempty"`

	// FreshTold is when an event said that the part changes at every fetch, until it does not for a day.
	FreshTold time.Time `json:"fresh_told,omitzero"`

	// Checked is the time of the last fetch, even if it failed on this machine.
	Checked time.Time `json:"checked,omitzero"`

	began time.Time // of what this step has reported
	turns bool      // this step's report is the return after which the next one must last for a day
}

// Lasting is what all answers since a time have in common.
type Lasting struct {
	Answer *Kept     `json:"answer"`
	Since  time.Time `json:"since"`
	Run    int       `json:"run"`              // the number of those answers
	Others bool      `json:"others,omitempty"` // some of them had something else in common too
}

// Left is what was reported.
type Left struct {
	Answer  *Kept     `json:"answer"`
	At      time.Time `json:"at"` // when it last lasted
	Returns int       `json:"returns,omitempty"`
}

// ofDay returns the times that are within a day before now.
func ofDay(all []time.Time, now time.Time) (later []time.Time) {
	for _, at := range all {
		if isWithinDay(at, now) {
			later = append(later, at)
		}
	}
	return later
}

// withLatest returns some times with another one. More than a few make no difference.
func withLatest(at time.Time, all []time.Time) []time.Time {
	return slices.Concat([]time.Time{at}, all[:min(len(all), fewSerious)])
}

// isWithinDay reports whether a time is within a day before now. One after now is from a clock that was set back.
func isWithinDay(at, now time.Time) bool { return !at.After(now) && now.Sub(at) < variantWindow }

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

// Site is what concerns all parts of a site.
type Site struct {
	Telling bool // the observation has an event about another part
	Quiet   bool // it had no event for a day, and no part might soon have one
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

// Comparer compares answers about a part.
type Comparer interface {
	// Changes returns the changes between two answers, the most serious first.
	Changes(before, after *Served) []wire.WatchChange

	// Differ reports whether there are any, in less time.
	Differ(before, after *Served) bool
}

// Next returns the state after an observation. What all answers since a time have in common is confirmed by an
// observation that is at least confirm after it; faults need six times as long, and see wait. c first compares
// the last reported answer and this one.
//
// Next keeps nothing: the observation has the time, and the caller keeps the state.
func (s State) Next(part Part, o Observation, site Site, confirm time.Duration, c Comparer) (State, Step) {
	s.Checked, s.began, s.turns = o.At, time.Time{}, false
	switch {
	case o.Local:
		return s, Unknown
	case o.Fault != "":
		return s.fault(o, confirm)
	}
	ended := !s.FaultSince.IsZero()
	s.FaultSince = time.Time{}
	if ended {
		s.Reverted++
	}
	if s.Reported == nil {
		s.Reported = &o.Served
		s.Once = true
		return s, FirstSeen
	}
	found := c.Changes(s.Reported, &o.Served)
	if confirm == 0 { // each change is reported at once
		if len(found) == 0 {
			return s.same(&o.Served, ended)
		}
		s.Lasting = []Lasting{{Answer: &Kept{o.Served}, Since: o.At, Run: 1}}
		return s.confirmed(0, false, site), Reported
	}
	if s.Reported.Fault == "" {
		s.Variants = s.Variants.next(s.Reported, &o, len(found) > 0, c)
	}
	reported := s.Reported
	isMore := s.refresh(part, &o.Served, found, c)
	if s.Reported != reported {
		found = c.Changes(s.Reported, &o.Served)
	}
	all := s.follow(part, &o, found, c)
	s.leave(part, &o.Served, found, c)
	s.calm(len(found) == 0 || s.isFresh() && len(all) == 1 && all[0].Run == 1)
	i := s.longEnough(all, site, confirm, c)
	if i >= 0 { // the event can have what is shorter
		i = s.longEnough(all, Site{Telling: true}, confirm, c)
	}
	isDue := s.Variants.isDue()
	if isDue {
		s.Variants.owe()
	}
	switch {
	case i >= 0:
		s.turn(&all[i].Answer.Served, c)
		return s.confirmed(i, s.isSerious(all[i]), site), Reported
	case (site.Telling || site.Quiet) && s.areOutagesDue():
		return s.outagesTold(), Varied
	case (site.Telling || site.Quiet) && s.isFreshDue():
		return s.freshTold(), Varied
	case (site.Telling || site.Quiet) && isDue:
		return s.varied(len(found) == 0), Varied
	case len(found) == 0:
		return s.same(&o.Served, ended)
	}
	return s.pending(part, all, isMore, confirm, c)
}

// candidate is a Lasting with its changes to what is reported, and the changes from it to the latest answer.
type candidate struct {
	Lasting
	change, more []wire.WatchChange
}

// maxLasting bounds the lengths of time of which a state knows what lasted.
const maxLasting = 4

// maxLeft bounds what a state knows of earlier reports.
const maxLeft = 4

// fewReturns is the number of returns of two meanings after which another must last for a day. The event about the last
// one says that the site changes back and forth.
const fewReturns = 2

// leave forgets what was reported earlier and was not served for a day. An answer serves it if the two have all of it
// in common, whatever else the answer says. found are the changes to the answer.
func (s *State) leave(part Part, now *Served, found []wire.WatchChange, c Comparer) {
	var kept []Left
	for _, left := range s.Left {
		both, _ := s.agreed(part, left.Answer, &Kept{*now}, found, c)
		if both != nil && !c.Differ(&left.Answer.Served, &both.Served) {
			left.At = s.Checked
		}
		if isWithinDay(left.At, s.Checked) {
			kept = append(kept, left)
		}
	}
	s.Left = kept
	if len(kept) == 0 {
		s.Returns = 0
	}
}

// leftAt returns the index in Left of what means the same as an answer, -1 if there is none.
func (s *State) leftAt(now *Served, c Comparer) int {
	return slices.IndexFunc(s.Left, func(left Left) bool { return !c.Differ(&left.Answer.Served, now) })
}

// takesTurns reports whether what is reported and what was reported earlier take turns, and an answer means the latter.
func (s *State) takesTurns(now *Served, c Comparer) bool {
	at := s.leftAt(now, c)
	return at >= 0 && s.Returns+s.Left[at].Returns >= fewReturns
}

// follow sets what lasts after an answer, and returns it. found are the changes to the answer.
func (s *State) follow(part Part, o *Observation, found []wire.WatchChange, c Comparer) (all []candidate) {
	before := s.Lasting
	s.Lasting = nil
	if len(found) == 0 {
		s.Lasting = before // until the step is known
		return nil
	}
	now := &Kept{o.Served}
	for i := range before {
		both, change := s.agreed(part, before[i].Answer, now, found, c)
		if both == nil {
			continue
		}
		l := candidate{Lasting{both, since(before[i].Since, o.At), before[i].Run + 1, before[i].Others}, change, nil}
		l.Others = l.Others || before[i].Run > 1 && c.Differ(&before[i].Answer.Served, &both.Served)
		if n := len(all); n > 0 && !c.Differ(&all[n-1].Answer.Served, &both.Served) {
			all[n-1].Answer = both
			all[n-1].Others = all[n-1].Others || l.Others
			continue
		}
		all = append(all, l)
	}
	for i := range all {
		all[i].more = c.Changes(&all[i].Answer.Served, &now.Served)
	}
	if n := len(all); n == 0 || len(all[n-1].more) > 0 {
		all = append(all, candidate{Lasting{now, o.At, 1, false}, found, nil})
	}
	if len(all) > maxLasting {
		all = slices.Delete(all, 1, 2)
	}
	for i := range all {
		s.Lasting = append(s.Lasting, all[i].Lasting)
	}
	if len(before) > 0 && len(all) == 1 && all[0].Run == 1 && before[0].Run > 1 {
		s.Reverted++
	}
	return all
}

// agreed returns what an answer has in common with an earlier one, and its changes to what is reported. It returns
// nil if that changes nothing, or would be what neither of them means.
func (s *State) agreed(part Part, earlier, now *Kept, found []wire.WatchChange,
	c Comparer) (*Kept, []wire.WatchChange) {
	both := part.common(s.Reported, &earlier.Served, &now.Served)
	if !c.Differ(&earlier.Served, &now.Served) {
		if both == nil || c.Differ(both, &now.Served) {
			return now, found
		}
		return &Kept{*both}, c.Changes(s.Reported, both) // without the names of what changes at every fetch
	}
	if both == nil && s.Reported.Fault != "" && s.Reported.Outcome != "" { // both are answers
		both = s.Reported.down(Served{})
	}
	if both == nil {
		return nil, nil
	}
	change := c.Changes(s.Reported, both)
	if len(change) == 0 || !isPartOf(change, found) || !isPartOf(change, c.Changes(s.Reported, &earlier.Served)) {
		return nil, nil
	}
	return &Kept{*both}, change
}

// fewFresh is the number of answers in a row with something new from which on the part is fresh. One might be a
// deployment.
const fewFresh = 2

func (s *State) isFresh() bool { return s.Fresh >= fewFresh }

// refresh counts answers that each have something new, and reports whether this one differs in more from what is
// reported than those before it. One that comes back is a variant. What only the first answer of a site had is not
// known to have lasted, so if the next two have something new each, it is reported no longer.
func (s *State) refresh(part Part, now *Served, found []wire.WatchChange, c Comparer) (isMore bool) {
	if len(found) == 0 {
		s.Fresh = 0
		return false
	}
	reported, last := part.statements(s.Reported), part.statements(now)
	var earlier *Served
	var before statements
	if n := len(s.Lasting); n > 0 {
		earlier = &s.Lasting[n-1].Answer.Served
		before = part.statements(earlier)
	}
	if len(last.without(reported).without(before)) == 0 || !s.Variants.isNew(1) {
		s.Fresh = 0
		return true
	}
	s.Fresh++
	s.FreshAt = s.Checked
	if s.Fresh == 1 {
		s.FreshBegan, s.FreshSize, s.FreshLost = s.Checked, 0, 0
	}
	if s.Once && s.isFresh() {
		s.Once = false
		if less := part.reduced(s.Reported, before, last); less != s.Reported {
			s.Reported = less
			reported = part.statements(less)
			s.FreshSize, s.FreshLost = 0, 0
			s.Variants.report(true)
		}
	}
	size, lost := len(last.without(reported)), len(reported.without(last))
	isMore = size > s.FreshSize || lost > s.FreshLost ||
		earlier == nil || s.isFresh() && isGraver(found, c.Changes(s.Reported, earlier))
	s.FreshSize = max(s.FreshSize, size)
	s.FreshLost = max(s.FreshLost, lost)
	return isMore
}

// calm forgets what is true for a day only: reports if nothing lasts that is not reported. The site answers.
func (s *State) calm(isCalm bool) {
	if isCalm {
		s.Reports = ofDay(s.Reports, s.Checked)
		s.SeriousReports = ofDay(s.SeriousReports, s.Checked)
	}
	if !isWithinDay(s.Told, s.Checked) {
		s.Told = time.Time{}
	}
	s.forgetFaults()
	if s.Fresh == 0 && !isWithinDay(s.FreshAt, s.Checked) {
		s.FreshAt, s.FreshBegan, s.FreshTold = time.Time{}, time.Time{}, time.Time{}
		s.FreshSize, s.FreshLost = 0, 0
	}
}

// forgetFaults forgets the faults that were told if there was none for a day.
func (s *State) forgetFaults() {
	if isWithinDay(s.FaultAt, s.Checked) {
		return
	}
	s.FaultAt, s.Faults = time.Time{}, 0
	if s.OutagesTold {
		s.Outages, s.Outage, s.OutageSince, s.OutagesTold = 0, nil, time.Time{}, false
	}
}

// againShare is the factor by which the next change after a report must last longer: two hours instead of ten
// minutes. The one after that needs a day. Three serious changes need no longer than the first.
const (
	againShare = 12
	fewSerious = 3
)

// wait returns for how long a change must last. While other values still come and go, one that is not serious must
// last as long as the next one, so that one report has all of them.
func (s *State) wait(l candidate, confirm time.Duration, c Comparer) time.Duration {
	if s.Reported.Fault != "" {
		return confirm
	}
	if s.takesTurns(&l.Answer.Served, c) {
		return max(confirm, variantWindow)
	}
	n := len(s.Reports)
	if s.isSerious(l) {
		n = max(0, len(s.SeriousReports)-fewSerious+1)
	} else if l.Others || len(l.more) > 0 && !s.isFresh() {
		n++
	}
	switch n {
	case 0:
		return confirm
	case 1:
		return max(confirm, min(againShare*confirm, variantWindow))
	}
	return max(confirm, variantWindow)
}

// longEnough returns the index of what has lasted for the shortest time that is long enough, -1 for none. If there is
// an event anyway, confirm is.
func (s *State) longEnough(all []candidate, site Site, confirm time.Duration, c Comparer) int {
	for i, l := range slices.Backward(all) {
		wait := confirm
		if !site.Telling {
			wait = s.wait(l, confirm, c)
		}
		switch {
		case l.Run < 2, s.Checked.Sub(l.Since) < wait:
		case s.Variants == nil || s.Variants.Returns == 0 || l.Run >= s.Variants.need(&l.Answer.Served, c):
			return i
		}
	}
	return -1
}

// isSerious reports whether a change has gravity high or critical, or a file appears, or it was or is a web page.
func (s *State) isSerious(l candidate) bool {
	return l.Answer.isHTML() != s.Reported.isHTML() ||
		slices.ContainsFunc(l.change, func(c wire.WatchChange) bool {
			return rank(c.Gravity) <= rank(wire.GravityHigh) || c.Kind == wire.WatchAppeared
		})
}

// confirmed returns the state after a report of what lasts. What lasts shorter is still pending. A report that is
// in the event of another part does not count.
func (s State) confirmed(i int, isSerious bool, site Site) State {
	s.calm(i == len(s.Lasting)-1)
	switch {
	case s.Reported.Fault != "" || site.Telling:
	case isSerious:
		s.SeriousReports = withLatest(s.Checked, s.SeriousReports)
	default:
		s.Reports = withLatest(s.Checked, s.Reports)
	}
	s.began = s.Lasting[i].Since
	s.Told = s.Checked
	s.Reported = &s.Lasting[i].Answer.Served
	s.Once = false
	s.Lasting = s.Lasting[i+1:]
	s.Confirms = time.Time{}
	s.Variants.report(len(s.Lasting) > 0)
	return s
}

// turn notes that what is reported is left for something else. An outage between them makes no difference.
func (s *State) turn(now *Served, c Comparer) {
	before := s.Reported.down(Served{})
	if before.Outcome == "" || !c.Differ(before, now) {
		return // the site was never up, or serves the same after an outage
	}
	left := Left{&Kept{*before}, s.Checked, s.Returns}
	s.Returns = 0
	if i := s.leftAt(now, c); i >= 0 {
		s.Returns = s.Left[i].Returns + 1
		s.Left = slices.Delete(slices.Clone(s.Left), i, i+1)
		s.turns = left.Returns+s.Returns == fewReturns
	}
	s.Left = slices.Concat([]Left{left}, s.Left[:min(len(s.Left), maxLeft-1)])
}

// isNoiseDue reports whether an event is due about what comes and goes.
func (s *State) isNoiseDue() bool { return s.areOutagesDue() || s.isFreshDue() || s.Variants.isDue() }

// isFreshDue reports whether an event is due that says that the part changes at every fetch.
func (s *State) isFreshDue() bool {
	isLong := s.Fresh > fewFresh && !isWithinDay(s.FreshBegan, s.Checked)
	return s.FreshTold.IsZero() && (isLong || s.Fresh+1 >= minVariantFetches)
}

// freshTold returns the state after an event that says that a part changes at every fetch.
func (s State) freshTold() State {
	s.FreshTold, s.Told = s.Checked, s.Checked
	s.began = s.FreshBegan
	s.Confirms = time.Time{}
	return s
}

// areOutagesDue reports whether an event is due about faults that had none.
func (s *State) areOutagesDue() bool { return s.Outages > 0 && !s.OutagesTold }

// outagesTold returns the state after an event about faults that had none.
func (s State) outagesTold() State {
	s.OutagesTold, s.Told = true, s.Checked
	s.began = s.OutageSince
	s.Confirms = time.Time{}
	return s
}

func (s State) varied(isSame bool) State {
	s.began = s.Variants.Began
	s.Variants.tell()
	s.Confirms = time.Time{}
	if isSame {
		s.Lasting = nil
	}
	s.Told = s.Checked
	s.Reports = withLatest(s.Checked, s.Reports)
	return s
}

// same returns the state after an answer that means what was reported last. ended reports whether it has
// ended a fault.
func (s State) same(served *Served, ended bool) (State, Step) {
	if s.isPending() {
		s.Reverted++
		ended = true
	}
	// The newest text with this meaning is kept: later comparisons name its lines.
	s.Reported, s.Once = served, false
	s.Lasting, s.Confirms = nil, time.Time{}
	if ended {
		return s, Reverted
	}
	return s, Unchanged
}

// isNoise reports whether the latest answer has something new, as those before it had, and nothing of it lasts.
func (s *State) isNoise() bool {
	n := len(s.Lasting)
	return n > 0 && s.Lasting[n-1].Run == 1 && s.Fresh > fewFresh
}

// isPending reports whether something is pending that might last.
func (s *State) isPending() bool { return len(s.Lasting) > 1 || len(s.Lasting) == 1 && !s.isNoise() }

// pending returns the state after an answer that differs and confirms nothing yet.
func (s State) pending(part Part, all []candidate, isMore bool, confirm time.Duration, c Comparer) (State, Step) {
	s.Confirms = time.Time{}
	if s.isNoise() && !isMore { // no fetch will confirm it
		all = all[:len(all)-1]
	}
	if len(all) == 0 {
		return s, Unchanged
	}
	if part.isMinor() || s.Variants.isVarying() && !s.Variants.isNew(s.Lasting[len(s.Lasting)-1].Run) {
		return s, Pending // the site is not fetched earlier
	}
	s.Confirms = s.Checked.Add(confirm)
	isFirst := true
	for _, l := range all {
		if at := l.Since.Add(s.wait(l, confirm, c)); at.After(s.Checked) && (isFirst || at.Before(s.Confirms)) {
			s.Confirms = at
			isFirst = false
		}
	}
	return s, Pending
}

// latest returns the latest of what is pending and might last.
func (s *State) latest() *Kept {
	n := len(s.Lasting)
	if n > 1 && s.isNoise() {
		n--
	}
	return s.Lasting[n-1].Answer
}

// since returns when what is pending began.
func (s *State) since() time.Time {
	if !s.FaultSince.IsZero() || len(s.Lasting) == 0 {
		return s.FaultSince
	}
	return s.Lasting[0].Since
}

func (s State) fault(o Observation, confirm time.Duration) (State, Step) {
	s.forgetFaults()
	s.FaultAt = o.At
	if s.Reported != nil && s.Reported.Fault != "" {
		if len(s.Lasting) == 0 {
			return s, Unchanged
		}
		s.Lasting, s.Confirms = nil, time.Time{}
		s.Reverted++
		return s, Reverted
	}
	s.FaultSince = since(s.FaultSince, o.At)
	lasted := o.At.Sub(s.FaultSince)
	if lasted < faultShare*confirm || o.FaultStatus == 0 && o.Online != nil && !o.Online() {
		return s, Pending
	}
	isOutage := s.OutageSince.Equal(s.FaultSince)
	if lasted < s.faultWait(confirm) {
		if !isOutage {
			s.Outages++
			s.Outage, s.OutageSince = &o.Served, s.FaultSince
		}
		return s, Pending
	}
	if isOutage {
		s.Outages--
		s.OutageSince = time.Time{}
	}
	s.Faults++
	s.began = s.FaultSince
	s.Told = s.Checked
	s.Reported = s.Reported.down(o.Served)
	s.Lasting, s.Confirms = nil, time.Time{}
	s.FaultSince = time.Time{}
	s.Variants = nil
	return s, Reported
}

// faultWait returns for how long a fault must last. After a report the next one must last for twelve hours, and the one
// after that for a day, until there is none for a day.
func (s *State) faultWait(confirm time.Duration) time.Duration {
	wait := faultShare * confirm
	switch {
	case s.Faults == 0 || confirm == 0:
		return wait
	case s.Faults == 1:
		return max(wait, min(againShare*wait, variantWindow))
	}
	return max(wait, variantWindow)
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
	again := func(began time.Time) time.Time {
		if began.IsZero() || !began.Before(set) && !began.After(now) {
			return began
		}
		return set
	}
	isOutage := s.OutageSince.Equal(s.FaultSince) // which lasts; otherwise it has ended
	s.FaultSince = again(s.FaultSince)
	if isOutage {
		s.OutageSince = s.FaultSince
	}
	s.Lasting = slices.Clone(s.Lasting)
	for i := range s.Lasting {
		s.Lasting[i].Since = again(s.Lasting[i].Since)
	}
	return s
}

// localWait is the time until a site is fetched again after a fetch that failed on this
// machine or could not be confirmed without a network.
const localWait = 5 * time.Minute

// Due returns when the site is to be fetched again, at most every after the last fetch.
func (s State) Due(step Step, every, confirm time.Duration) time.Time {
	due := s.Checked.Add(every)
	for _, at := range []time.Time{s.Confirms, s.faultConfirms(confirm)} {
		switch {
		case at.IsZero():
		case !at.After(s.Checked):
			due = earlier(due, s.Checked.Add(localWait))
		default:
			due = earlier(due, at)
		}
	}
	if step == Unknown {
		due = earlier(due, s.Checked.Add(localWait))
	}
	return due
}

func (s *State) faultConfirms(confirm time.Duration) time.Time {
	if s.FaultSince.IsZero() {
		return time.Time{}
	}
	at := s.FaultSince.Add(faultShare * confirm)
	if s.OutageSince.Equal(s.FaultSince) {
		at = s.FaultSince.Add(s.faultWait(confirm))
	}
	return at
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
