package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
)

type finder struct {
	config       Config
	audience     *audience
	suppressions suppressions

	// cut is true if crawlers read only a part of the file. Then an edit moves what
	// follows into that part or out of it, so every fix might change verdicts.
	cut bool

	generated *generator // the platform that wrote the file, nil if none did

	code []extent // the bytes of lines with the code of a template, see readTemplate

	findings []Finding
	tallies  []tally
	open     *Finding // the last finding, which the caller can still change; nil if there is none
	openLine *line    // of it
	role     *role    // of its check
	of       int      // the index of its tally
	spare    Finding  // open, if it is omitted or its check is off

	waiting []candidate
	marks   map[mark]bool
}

// extent is a part of the body or of its lines, end excluded.
type extent struct{ start, end int }

type tally struct {
	code   Code
	once   Severity         // see Entry.Once
	counts [Error + 1]Count // by severity
}

// Limits of the findings that are returned, if Config has none.
const (
	maxFindings = 1000
	maxPerCode  = 100
)

// severity returns the severity of a case of a check: as configured, otherwise the profile's, otherwise
// the catalogue's, but not above the one of the case. Pedantic checks are off unless they are configured.
func (r *finder) severity(c check) Severity {
	if severity, ok := r.config.Severities[c.Code]; ok {
		return severity
	}
	severity, ok := c.Profiles[r.config.Profile]
	if !ok {
		severity = c.Severity
	}
	if !ok && c.Pedantic && !r.config.Pedantic {
		severity = Off
	}
	if c.most > Off {
		severity = min(severity, c.most)
	}
	return severity
}

// wants reports whether a case of a check can be reported, so that what it needs is computed.
func (r *finder) wants(c check) bool { return r.severity(c) != Off && !(c.rare && r.lowKey(c)) }

// reports reports whether a case of a check can be reported at a line. Some programs that write files leave their users
// no choice.
func (r *finder) reports(c check, l *line) bool {
	g := r.generated
	fixed := g != nil && r.isOnce(r.severity(c), c.Once) && r.severity(c) == Info && (g.code == "" || g.code == c.Code)
	return r.wants(c) && !fixed && roles()[c.Entry].lost&(1<<l.reason) == 0 && !r.suppressions.hide(c, l.number)
}

// isOnce reports whether only the first finding with a severity is returned. See Entry for once.
func (r *finder) isOnce(severity, once Severity) bool {
	return severity <= once && r.config.MaxPerCode == 0 && !r.config.Pedantic
}

// lowKey reports whether cases of a check that change little are left out: not if they or the check are asked for.
func (r *finder) lowKey(c check) bool {
	_, set := r.config.Severities[c.Code]
	return !set && !r.config.Pedantic
}

// find adds a finding about the bytes from start to end of a line. The caller can set
// further fields until the next call.
func (r *finder) find(c check, l *line, start, end int, format string, args ...any) *Finding {
	r.close()
	role := roles()[c.Entry]
	if !r.reports(c, l) {
		r.spare = Finding{}
		return &r.spare
	}
	column := start - l.offset() + 1
	f := Finding{Code: c.Code, Severity: r.severity(c), Start: start, End: end, Line: l.number, Column: column}
	r.openLine, r.role = l, role
	if len(role.hiddenBy) > 0 {
		f.Message = fmt.Sprintf(format, args...)
		r.waiting = append(r.waiting, candidate{f, l, role, c.Once})
		r.open = &r.waiting[len(r.waiting)-1].Finding
		return r.open
	}
	keep := r.add(f, c.Once)
	if keep || r.config.Filter != nil {
		r.open.Message = fmt.Sprintf(format, args...)
	}
	return r.open
}

// add adds a finding, and reports whether it is kept so far. See Entry for once.
func (r *finder) add(f Finding, once Severity) (keep bool) {
	r.of = r.tally(f.Code, once)
	keep = r.hasRoom(min(f.Severity, Error))
	if keep {
		r.findings = append(r.findings, f)
		r.open = &r.findings[len(r.findings)-1]
	} else {
		r.spare = f
		r.open = &r.spare
	}
	return keep
}

func (r *finder) hasRoom(severity Severity) bool {
	t := &r.tallies[r.of]
	most := choose(r.isOnce(severity, t.once), 1, limit(r.config.MaxPerCode, maxPerCode))
	return t.counts[severity].Found-t.counts[severity].Omitted < most
}

func limit(given, otherwise int) int {
	if given < 0 {
		return math.MaxInt
	}
	return cmp.Or(given, otherwise)
}

func (r *finder) tally(code Code, once Severity) int {
	i := slices.IndexFunc(r.tallies, func(t tally) bool { return t.code == code })
	if i < 0 {
		i = len(r.tallies)
		r.tallies = append(r.tallies, tally{code: code, once: once})
	}
	return i
}

// close counts the last finding, which the caller has completed.
func (r *finder) close() {
	f := r.open
	if f == nil {
		return
	}
	r.open = nil
	if r.role != nil {
		r.mark(f, r.openLine, r.role.hides)
		isWaiting := len(r.role.hiddenBy) > 0
		r.role = nil
		if isWaiting {
			return
		}
	}
	if f.Fix != nil && slices.ContainsFunc(f.Fix.Edits, r.isInCode) {
		f.Fix = nil
	}
	if f.Fix != nil && r.cut {
		f.Fix.Meaning = true
	}
	omitted := f == &r.spare
	if r.config.Filter != nil && !r.config.Filter(f) {
		if !omitted {
			r.findings = r.findings[:len(r.findings)-1]
		}
		return
	}
	t := &r.tallies[r.of]
	count := &t.counts[min(f.Severity, Error)]
	count.Found++
	switch {
	case f.Fix == nil:
	case f.Fix.Meaning:
		count.Meant++
	default:
		count.Plain++
	}
	if omitted {
		count.Omitted++
	}
}

func (r *finder) isInCode(e Edit) bool {
	compare := func(code extent, at int) int { return cmp.Compare(code.end, at+1) }
	i, _ := slices.BinarySearchFunc(r.code, e.Start, compare)
	return i < len(r.code) && (e.Start > r.code[i].start || e.End > r.code[i].start)
}

func (r *finder) report() Report {
	r.close()
	r.omit(limit(r.config.MaxFindings, maxFindings))
	slices.SortFunc(r.findings, compare)
	slices.SortFunc(r.tallies, func(a, b tally) int { return cmp.Compare(a.code, b.code) })
	report := Report{}
	if len(r.findings) > 0 {
		report.Findings = slices.Clone(r.findings)
		report.Counts = make([]Count, 0, len(r.tallies))
	}
	for i := range r.tallies {
		for severity := Error; severity > Off; severity-- {
			if count := r.tallies[i].counts[severity]; count.Found > 0 {
				count.Code, count.Severity = r.tallies[i].code, severity
				report.Counts = append(report.Counts, count)
			}
		}
	}
	return report
}

// omit leaves the most severe findings, of equal ones the first.
func (r *finder) omit(most int) {
	if len(r.findings) <= most {
		return
	}
	slices.SortFunc(r.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), compare(a, b))
	})
	for i := most; i < len(r.findings); i++ {
		f := &r.findings[i]
		r.tallies[r.tally(f.Code, Off)].counts[min(f.Severity, Error)].Omitted++
	}
	clear(r.findings[most:])
	r.findings = r.findings[:most]
}

// compare orders findings as Check returns them. No two are equal, so the order is
// always the same.
func compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
}

func (r *finder) findValue(c check, l *line, format string, args ...any) *Finding {
	return r.find(c, l, l.valueAt(), l.valueAt()+len(l.value()), format, args...)
}

func (r *finder) findKey(c check, l *line, format string, args ...any) *Finding {
	return r.find(c, l, l.keyAt(), l.keyAt()+len(l.key()), format, args...)
}

func (r *finder) findLine(c check, l *line, format string, args ...any) *Finding {
	return r.find(c, l, l.offset(), l.offset()+len(bytes.TrimRight(l.raw(), "\r\n")), format, args...)
}

func (r *finder) findFile(c check, format string, args ...any) *Finding {
	return r.find(c, &line{number: 1, group: -1}, 0, 0, format, args...)
}
