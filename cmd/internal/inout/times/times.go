// Package times reads times as people, archives and logs write them.
//
//	2025-03-01                  a date is its first instant
//	20250301
//
// 2025-03-01T12:00:00Z RFC 3339, even without seconds, with a space for the T,
//
//	2025-03-01 12:00:00.5+01    with a fraction, and without a zone or with a short one
//	20250301120000              CDX
//	1740830400                  seconds since 1970, 13 digits are milliseconds, 16
//	1740830400.123              are microseconds and 19 nanoseconds; a fraction can follow
//	01/Mar/2025:13:00:00 +0100  the common log format, with a fraction in HAProxy
//	Sat, 01 Mar 2025 12:00:00 GMT
//
// The zone is Z, UTC, GMT or an offset such as +01, +0100 and +01:00, after an optional space.
package times

import (
	"fmt"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Assumed says how times without a zone are read. Programs print it once if a [Time] is
// Zoneless.
const Assumed = "times without a zone are read as UTC"

// Time is a time as it was read, in UTC.
type Time struct {
	time.Time
	Zoneless bool // it was written without a zone, and is read as UTC
}

// In returns the first and last instant that a Zoneless time can mean in a zone. They differ
// if the clocks were set back. If the clocks skipped the time, it lies between them. For a
// time with a zone, In returns the time itself twice.
func (t Time) In(zone *time.Location) (first, last time.Time) {
	if !t.Zoneless {
		return t.Time, t.Time
	}
	// No zone has two changes within 24 hours of each other, and no offset is larger.
	var found []time.Time
	for _, near := range []time.Time{t.Add(-24 * time.Hour), t.Add(24 * time.Hour)} {
		_, offset := near.In(zone).Zone()
		at := t.Add(-time.Duration(offset) * time.Second)
		if _, is := at.In(zone).Zone(); is == offset {
			return at, t.other(zone, at)
		}
		found = append(found, at)
	}
	return found[1], found[0] // the offset after the gap is larger, so its instant is earlier
}

// other returns the second instant that a time is in a zone, at if there is only one.
func (t Time) other(zone *time.Location, at time.Time) time.Time {
	_, offset := t.Add(24 * time.Hour).In(zone).Zone()
	later := t.Add(-time.Duration(offset) * time.Second)
	if _, is := later.In(zone).Zone(); is == offset && later.After(at) {
		return later
	}
	return at
}

// Parse reads a time in one of the forms of the package. The error quotes the text and shows
// a form that can be read.
func Parse[T string | []byte](text T) (Time, error) {
	s := scanner[T]{text: text}
	t, ok := s.any()
	if !ok {
		if t, err := time.Parse(time.RFC1123, string(text)); err == nil && strings.HasSuffix(string(text), " GMT") {
			return Time{Time: t.UTC()}, nil
		}
		return Time{}, fmt.Errorf("%.40q is not a time such as 2026-11-22T10:00:00Z", string(text))
	}
	return t, nil
}

// scanner reads a text from the left. After a failure ok is false.
type scanner[T string | []byte] struct {
	text T
	at   int
	bad  bool
}

// any reads the whole text in one of the forms except HTTP's.
func (s *scanner[T]) any() (Time, bool) {
	digits := 0
	for digits < len(s.text) && ascii.IsDigit(s.text[digits]) {
		digits++
	}
	switch digits {
	case 2:
		return s.commonLog()
	case 4:
		return s.iso()
	case 8, 14:
		if digits < len(s.text) {
			return Time{}, false
		}
		year, month, day := s.number(4), s.number(2), s.number(2)
		var hour, minute, second int
		if digits == 14 {
			hour, minute, second = s.number(2), s.number(2), s.number(2)
		}
		return s.time(year, month, day, hour, minute, second, 0)
	case 10, 13, 16, 19:
		return s.epoch(digits)
	}
	return Time{}, false
}

// iso reads RFC 3339 and its relatives.
func (s *scanner[T]) iso() (Time, bool) {
	year := s.number(4)
	s.mark('-')
	month := s.number(2)
	s.mark('-')
	day := s.number(2)
	if s.bad || s.at == len(s.text) {
		return s.time(year, month, day, 0, 0, 0, 0)
	}
	if !s.take('T') && !s.take('t') {
		s.mark(' ')
	}
	hour := s.number(2)
	s.mark(':')
	minute, second, nano := s.number(2), 0, 0
	if s.take(':') {
		second = s.number(2)
		nano = s.fraction()
	}
	return s.time(year, month, day, hour, minute, second, nano)
}

// commonLog reads 02/Jan/2006:15:04:05 -0700.
func (s *scanner[T]) commonLog() (Time, bool) {
	day := s.number(2)
	s.mark('/')
	month := s.month()
	s.mark('/')
	year := s.number(4)
	s.mark(':')
	hour := s.number(2)
	s.mark(':')
	minute := s.number(2)
	s.mark(':')
	second := s.number(2)
	return s.time(year, month, day, hour, minute, second, s.fraction())
}

// epoch reads a number since 1970 with 10, 13 or 16 digits, and a fraction.
func (s *scanner[T]) epoch(digits int) (Time, bool) {
	n := int64(s.number(digits))
	unit := time.Second
	switch digits {
	case 13:
		unit = time.Millisecond
	case 16:
		unit = time.Microsecond
	case 19:
		unit = time.Nanosecond
	}
	perSecond := int64(time.Second / unit)
	nano := s.fraction() / int(perSecond)
	t := time.Unix(n/perSecond, n%perSecond*int64(unit)+int64(nano)).UTC()
	return Time{Time: t}, !s.bad && s.at == len(s.text)
}

// time reads a zone and returns the time with these parts.
func (s *scanner[T]) time(year, month, day, hour, minute, second, nano int) (Time, bool) {
	offset, zoneless := s.zone()
	if s.bad || s.at != len(s.text) || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59 {
		return Time{}, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, nano, time.UTC)
	if t.Day() != day || year == 0 {
		return Time{}, false // a day that the month lacks
	}
	return Time{Time: t.Add(-time.Duration(offset) * time.Minute), Zoneless: zoneless}, true
}

func (s *scanner[T]) zone() (offset int, zoneless bool) {
	if s.bad || s.at == len(s.text) {
		return 0, true
	}
	s.take(' ')
	switch rest := string(s.text[s.at:]); rest {
	case "Z", "z", "UTC", "GMT":
		s.at = len(s.text)
		return 0, false
	}
	negative := s.take('-')
	if !negative {
		s.mark('+')
	}
	hours, minutes := s.number(2), 0
	if s.at < len(s.text) {
		s.take(':')
		minutes = s.number(2)
	}
	s.bad = s.bad || hours > 23 || minutes > 59
	offset = 60*hours + minutes
	if negative {
		offset = -offset
	}
	return offset, false
}

// fraction reads an optional fraction, and returns its first nine digits as billionths.
func (s *scanner[T]) fraction() (billionths int) {
	if !s.take('.') && !s.take(',') {
		return 0
	}
	begin, unit := s.at, 100_000_000
	for ; s.at < len(s.text) && ascii.IsDigit(s.text[s.at]); s.at++ {
		billionths += unit * int(s.text[s.at]-'0')
		unit /= 10
	}
	s.bad = s.bad || s.at == begin
	return billionths
}

func (s *scanner[T]) number(digits int) (n int) {
	if s.bad || len(s.text)-s.at < digits {
		s.bad = true
		return 0
	}
	for _, c := range []byte(s.text[s.at : s.at+digits]) {
		if !ascii.IsDigit(c) {
			s.bad = true
			return 0
		}
		n = 10*n + int(c-'0')
	}
	s.at += digits
	return n
}

func (s *scanner[T]) month() int {
	if s.bad || len(s.text)-s.at < 3 {
		s.bad = true
		return 0
	}
	const names = "JanFebMarAprMayJunJulAugSepOctNovDec"
	i := strings.Index(names, string(s.text[s.at:s.at+3]))
	s.bad = i < 0 || i%3 != 0
	s.at += 3
	return i/3 + 1
}

func (s *scanner[T]) take(c byte) bool {
	if s.bad || s.at == len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner[T]) mark(c byte) { s.bad = !s.take(c) }
