package permission

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/uselines"
)

const (
	keySignal     = uselines.ContentSignal
	versionSignal = "Cloudflare Content Signals Policy of 2025-09-24"
)

// signalLevels are the values of the signal "use", with the purposes that each limits: immediate
// stores nothing, reference indexes, quotes and links, full also summarises and copies.
var signalLevels = map[string][]crawlers.Purpose{"immediate": {aiTraining, search}, "reference": {aiTraining}, "full": nil}

// ReadSignal reads the value of a Content-Signal line: signals that commas separate. No
// specification has a grammar for it, so ReadSignal accepts spaces around commas and equal
// signs, and a path before the signals.
func ReadSignal(value string) Preferences {
	p := cutPath(value)
	if strings.Trim(p.Text, " \t") == "" {
		p.Expected, p.ExpectedAt = "a signal such as search=yes", p.TextAt
		return p
	}
	at := p.TextAt
	for item := range strings.SplitSeq(p.Text, ",") {
		signal := strings.Trim(item, " \t")
		said := Preference{LabelAt: at + strings.Index(item, signal)}
		label, text, found := strings.Cut(signal, "=")
		said.Label = strings.TrimRight(label, " \t")
		said.Purpose = signalPurpose(ascii.ToLower(said.Label))
		if found {
			said.Value = strings.TrimLeft(text, " \t")
			said.ValueAt = said.LabelAt + len(signal) - len(said.Value)
		}
		if signalPurpose(said.Label) != "" {
			said.Says = saysOf(said.Value, "yes", "no")
		}
		p.List = append(p.List, said)
		at += len(item) + 1
	}
	return p
}

// Level returns the value of the signal "use", such as "reference". It is empty for other
// preferences and for unknown values.
func (p *Preference) Level() string {
	if _, known := signalLevels[p.Value]; !known || p.Label != "use" {
		return ""
	}
	return p.Value
}

// Limited returns the purposes that a preference of a Content-Signal line limits. Only the
// signal "use" limits purposes: for example, use=reference limits ai-training (our reading).
func (p *Preference) Limited() []crawlers.Purpose {
	return slices.Clone(signalLevels[p.Level()])
}

// readSignals reads the Content-Signal lines of robots.txt. No specification says which of
// several paths wins. Our reading is that for each signal the longest path wins, and that no
// wins over yes if paths are equally long. A line outside of all groups applies to no crawler,
// although some programs apply it to all.
func (e *evaluation) readSignals() {
	for _, x := range e.linesOutside(keySignal) {
		e.report(Finding{sourceSignal, e.placeOfLine(x), x.Value, "the line is in no group, so it applies to no crawler; some programs apply it to all"})
	}
	u := e.useLines(keySignal, ReadSignal)
	if u == nil {
		return
	}
	hasPath := false
	for i, x := range u.lines {
		e.reportIneffective(sourceSignal, at(e.placeOfLine(x)), x.Value, &u.values[i])
		hasPath = hasPath || u.paths[i] != ""
	}
	most := map[crawlers.Purpose]int{}
	for i := range u.values {
		for _, said := range u.values[i].List {
			if said.Says != "" {
				most[said.Purpose] = max(most[said.Purpose], u.matched[i])
			}
		}
	}
	for i := range u.values {
		if u.matched[i] < 0 {
			continue
		}
		r := Reason{
			Source: sourceSignal, Version: versionSignal, Place: e.placeOfLine(u.lines[i]), Agent: e.rules.Agent(),
			Path:     u.paths[i],
			Strength: Vendor, HonouredBy: []string{}, Reading: hasPath,
		}
		for _, said := range u.values[i].List {
			r.Text, r.Says = said.Label+"="+said.Value, said.Says
			if said.Says != "" && u.matched[i] == most[said.Purpose] {
				e.say(said.Purpose, r)
			}
			for _, p := range said.Limited() {
				limit := r
				limit.Says, limit.Reading = SaysLimit, true
				e.say(p, limit)
			}
		}
	}
}
