package robotstxt

import (
	"fmt"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// IndexedVerdict is Rules.Verdict with an index, even for a few rules or queries; ok
// is false for Rules that cannot have an index.
func IndexedVerdict(r Rules, url string) (allowed bool, line int, ok bool) {
	if r.robots == nil || r.robots.dialect.reading().FirstMatch {
		return false, 0, false
	}
	reading := r.robots.dialect.reading()
	path, bare := reading.pathOf(url)
	var matcher pattern.Matcher
	text := string(reading.appendPath(nil, path, bare))
	reading.slash(text, &matcher)
	m := newMatch(reading, text)
	m.best = r.newIndex(0).heaviest(text, &matcher)
	allowed, line = m.verdict()
	return allowed, line, true
}

// Scan reads the lines of body like the one-shot call, and returns how many of them
// are rules.
func Scan(body []byte) (rules int) {
	var s scanner
	s.open(ascii.View(body))
	for s.pos < len(body) {
		if key, from := ruleKeys.plainKey(s.text, s.pos); from > 0 && key.kind == KindNoDirective {
			_, s.pos = s.lineEnd(s.pos)
		} else if s.next(); s.kind == KindAllow || s.kind == KindDisallow {
			rules++
		}
	}
	return rules
}

// CopyValue returns the value that the fast loops copy from a text, where it begins, and what
// they know about it.
func CopyValue(text string, from int) (value string, start int, ended, wild, coded bool) {
	copied := make([]byte, len(text)-from+copyRoom)
	start, end, marks := copyValue(copied, text, from)
	return string(copied[:end-start]), start, marks&markEnd != 0, marks&markWild != 0, marks&markCoded != 0
}

// HasIndex reports whether there is an index for r.
func HasIndex(r Rules) bool { return r.index() != nil }

// FullMatches returns the length of the patterns that a query of the index of r matches in full, and
// of all patterns in the index.
func FullMatches(r Rules, path string) (matched, all int) {
	var matcher pattern.Matcher
	defer matcher.Free()
	var t tries
	w := &r.index().wildcards
	w.heaviest(path, &matcher, &t, 0)
	t.extents.Free()
	for _, rule := range w.rules {
		all += len(rule.pattern.Text)
	}
	return t.work, all
}

// BucketsOfNumbers returns how many of 64 buckets the index uses for 64 patterns that differ in a
// number only.
func BucketsOfNumbers(format string) (used int) {
	var buckets [64]bool
	for i := range buckets {
		grams := appendGrams(nil, pattern.New(fmt.Sprintf(format, i), true), false)
		buckets[hashGram(grams[len(grams)-1])%64] = true
	}
	for _, is := range buckets {
		if is {
			used++
		}
	}
	return used
}
