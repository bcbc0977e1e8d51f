package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
	"github.com/kosterhq/robotstxt/internal/uselines"
)

// Part is a part of what a site answers. Each is confirmed by itself, so that a line which changes at
// every fetch neither delays nor hides a change elsewhere.
type Part int

// The parts.
const (
	RulesPart    Part = iota // verdicts, faults, how the file is served, and lint errors
	UsesPart                 // Content-Signal, Content-Usage and License
	SitemapsPart             // Sitemap
	LinesPart                // other lines, such as Crawl-delay
	partCount
)

var allParts = []Part{RulesPart, UsesPart, SitemapsPart, LinesPart}

var partNames = [partCount]string{RulesPart: "rules", UsesPart: "uses", SitemapsPart: "sitemaps", LinesPart: "lines"}

// isMinor reports whether changes of a part change nothing that a crawler may do. The site is not fetched earlier to
// confirm them.
func (p Part) isMinor() bool { return p == SitemapsPart || p == LinesPart }

// kind returns the kind of an event about a part that changes at every fetch.
func (p Part) kind() wire.WatchKind {
	return [partCount]wire.WatchKind{wire.WatchVariants, wire.WatchUse, wire.WatchSitemaps, wire.WatchLines}[p]
}

// of returns what an answer says about a part. ok is false if it says nothing: only the rules differ
// between a file, a web page, no file and a fault.
func (p Part) of(s *Served) (part Served, ok bool) {
	answers, ok := partsOf(s)
	return answers[p], ok || p == RulesPart
}

// partsOf returns what an answer says about each part. ok is false if that is only about the rules.
func partsOf(s *Served) (answers [partCount]Served, ok bool) {
	answers[RulesPart] = *s
	if s.Fault != "" || !s.File || s.isHTML() {
		return answers, false
	}
	for part, body := range linesOf(s.Body) {
		if Part(part) != RulesPart {
			answers[part] = Served{Outcome: s.Outcome, File: true, Body: body}
		}
	}
	return answers, true
}

// linesOf returns the lines of a body that belong to each part but the rules. Unless they are sitemaps, the
// groups decide for whom they are, so agent lines, the places of rules, and blank lines stay.
func linesOf(body []byte) (kept [partCount][]byte) {
	var last [partCount]robotstxt.Kind
	for line := range robotstxt.Lines(body) {
		kind := line.Kind
		isRule := kind == robotstxt.KindAllow || kind == robotstxt.KindDisallow
		if isRule {
			kind = robotstxt.KindDisallow
		}
		for _, p := range allParts[1:] {
			text := kept[p]
			switch {
			case p.has(&line):
				text = append(append(append(text, line.Key...), ": "...), line.Value...)
			case p == SitemapsPart:
				continue
			case kind == robotstxt.KindUserAgent:
				text = append(append(text, "User-agent: "...), line.Value...)
			case isRule && last[p] != kind:
				text = append(text, "Disallow: /"...)
			case kind == robotstxt.KindEmpty && last[p] != kind:
			default:
				continue
			}
			kept[p] = append(text, '\n')
			last[p] = kind
		}
	}
	return kept
}

// has reports whether a line belongs to a part.
func (p Part) has(line *robotstxt.Line) bool {
	switch line.Kind {
	case robotstxt.KindSitemap:
		return p == SitemapsPart
	case robotstxt.KindUnused, robotstxt.KindUnknown:
		isUse := slices.ContainsFunc(uselines.Keys[:], func(key string) bool { return ascii.EqualFold(line.Key, key) })
		return isUse && p == UsesPart || !isUse && p == LinesPart && line.Kind == robotstxt.KindUnused
	}
	return false
}

// States are the known facts about a site, a State for each part.
type States [partCount]State

// Steps are the consequences of an observation for each part.
type Steps [partCount]Step

// Next returns the states after an observation, see State.Next. An observation of a fault is one of the
// rules only, and so is an answer without a file, and a file while there is none according to the last report. If one
// part has an event, the others have theirs with it, because that sends no further message.
func (s States) Next(o Observation, confirm time.Duration,
	compare func(part Part) Comparer) (States, Steps) {
	var steps Steps
	var site Site
	isQuiet := true
	for part := range s {
		isQuiet = isQuiet && !isWithinDay(s[part].Told, o.At)
	}
	answers, ok := partsOf(&o.Served)
	before := s
	step := func(part Part) {
		isUnknown := part != RulesPart && s[part].Reported == nil && derived(s[RulesPart].Reported)[part] == nil
		if (!ok || o.Local || isUnknown) && part != RulesPart {
			s[part].Checked = o.At
			return
		}
		seen := o
		seen.Served = answers[part]
		s[part], steps[part] = before[part].Next(part, seen, site, confirm, compare(part))
		site.Telling = site.Telling || steps[part] == Reported
	}
	for _, part := range allParts {
		step(part)
		isQuiet = isQuiet && (steps[part] != Pending || s[part].Variants.isVarying())
	}
	site.Quiet = isQuiet
	for _, part := range allParts {
		if steps[part] != Reported && (site.Telling || isQuiet && s[part].isNoiseDue()) {
			step(part)
		}
	}
	return s, steps
}

// site returns the most significant step. Only the rules decide whether a site is first seen.
func (s Steps) site() Step {
	for _, step := range []Step{Reported, Varied, Pending, Reverted} {
		if slices.Contains(s[:], step) {
			return step
		}
	}
	return s[RulesPart]
}

// Restart is State.Restart for each part.
func (s States) Restart(set, now time.Time) States {
	for part := range s {
		s[part] = s[part].Restart(set, now)
	}
	return s
}

// Due returns when the site is to be fetched again, see State.Due. No minor part needs an earlier fetch.
func (s States) Due(step Step, every, confirm time.Duration) time.Time {
	return earlier(s[RulesPart].Due(step, every, confirm), s[UsesPart].Due(step, every, confirm))
}

// isPending reports whether a change is pending.
func (s *States) isPending() bool {
	return !s[RulesPart].FaultSince.IsZero() ||
		slices.ContainsFunc(s[:], func(part State) bool { return part.isPending() })
}

// derived returns what the last reported answer says about each part, nil if it has no file.
func derived(reported *Served) (parts [partCount]*Served) {
	if reported == nil {
		return parts
	}
	answer := *reported
	answer.Fault = "" // the answer before it
	if answers, ok := partsOf(&answer); ok {
		for i := range answers {
			parts[i] = &answers[i]
		}
	}
	return parts
}

// storedPart is a State whose body is in Text.
type storedPart struct {
	State
	Text []byte `json:"text,omitempty"` // zstd
	Size int64  `json:"size,omitempty"`
}

// encodeParts returns the states of all parts but the rules, as JSON. A part is missing if nothing is known
// about it but what the last reported answer says, which is so for nearly all sites.
func (s *States) encodeParts() ([]byte, error) {
	stored := make(map[string]storedPart)
	parts := derived(s[RulesPart].Reported)
	for _, part := range allParts[1:] {
		state := s[part]
		state.Checked = time.Time{}
		reported := parts[part]
		state.began = time.Time{}
		if reflect.DeepEqual(state, State{Reported: state.Reported, Once: s[RulesPart].Once}) &&
			(state.Reported == reported || state.Reported != nil && reported != nil && reported.same(state.Reported)) {
			continue
		}
		p := storedPart{State: state}
		if state.Reported != nil {
			p.Text = sqlitefile.Compress(state.Reported.Body)
			p.Size = int64(len(state.Reported.Body))
		}
		stored[partNames[part]] = p
	}
	if len(stored) == 0 {
		return []byte{}, nil
	}
	return json.Marshal(stored)
}

// decodeParts reads what encodeParts returns. The rules must be known.
func (s *States) decodeParts(text []byte) error {
	var stored map[string]storedPart
	if len(text) > 0 {
		if err := json.Unmarshal(text, &stored); err != nil {
			return err
		}
	}
	parts := derived(s[RulesPart].Reported)
	for _, part := range allParts[1:] {
		p, isStored := stored[partNames[part]]
		switch {
		case !isStored:
			s[part] = State{Reported: parts[part], Once: s[RulesPart].Once}
		case p.Reported != nil:
			body, err := sqlitefile.Decompress(p.Text, p.Size)
			if err != nil {
				return err
			}
			p.Reported.Body = body
			fallthrough
		default:
			s[part] = p.State
		}
		s[part].Checked = s[RulesPart].Checked
	}
	return nil
}

// varied returns the changes of an event about variants, faults without an event, or a part that changes at every
// fetch.
func (r *Reader) varied(ctx context.Context, part Part, url string, before, now *State,
	seen *Served) ([]wire.WatchChange, error) {
	switch {
	case !before.OutagesTold && now.OutagesTold:
		return outages(now), nil
	case before.FreshTold.IsZero() && !now.FreshTold.IsZero():
		return fresh(part, now.Reported, seen), nil
	}
	return r.variants(ctx, part, url, before.Reported, now.Variants)
}

// backAndForth returns what an event about a return adds.
func backAndForth() wire.WatchChange {
	var summary changes
	return *summary.add(wire.WatchVariants, wire.GravityLow,
		"changes back and forth, so a change to what was reported before is reported again only if it lasts for a day")
}

// outages returns the change of an event about faults that had none.
func outages(s *State) []wire.WatchChange {
	c := changes{before: &Served{}, after: s.Outage}
	c.fault()
	often := "once"
	if s.Outages > 1 {
		often = fmt.Sprintf("%d times", s.Outages)
	}
	c.list[0].Text = fmt.Sprintf("failed again, %s (%s), and responds now; until there is no fault for a day, "+
		"only one that lasts much longer is reported", often, faultText(s.Outage))
	return c.list
}

// fresh returns the change of an event about a part that changes at every fetch. It quotes a new line, but does not
// say what that does, because only one answer has it.
func fresh(part Part, reported, seen *Served) []wire.WatchChange {
	answer, _ := part.of(seen)
	known := part.statements(reported)
	text := partTitles[part] + " changes at every fetch, so only what lasts is reported"
	isFound := false
	part.walk(&answer, func(said, _ []uint64, line *robotstxt.Line) bool {
		if !isFound && len(said) > 0 && !slices.ContainsFunc(said, known.has) {
			isFound = true
			text += "; the latest response has the line " + term.Excerpt(string(line.Key)+": "+string(line.Value))
		}
		return true
	})
	gravity := wire.GravityLow
	if part == RulesPart {
		gravity = wire.GravityMedium
	}
	var summary changes
	summary.add(part.kind(), gravity, text)
	return summary.list
}

var partTitles = [partCount]string{
	RulesPart: "the meaning of the rules", UsesPart: "the use of pages", SitemapsPart: "the list of sitemaps",
	LinesPart: "a line without effect on verdicts",
}
