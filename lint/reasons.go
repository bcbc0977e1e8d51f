package lint

import (
	"bytes"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

// reason is why crawlers do not read a line, or not the value that its author wrote. It is known before any inspector
// looks for findings.
type reason uint8

const (
	read reason = iota
	inTemplate
	inMarkup // before or after the rules
	inFrontMatter
	atConflict
	cutByNUL
	afterFalseColon
	belowAgent    // the name of the empty User-agent line above
	belowDisallow // the path of the empty Disallow above
	hiddenByMark
	markAlone
	withoutColon
	plainText
	valueInKey   // the path is a part of the key
	colonInValue // the colon that is read is a part of the value
)

// reporters are the checks that report a reason.
var reporters = [...]check{
	inTemplate: rxTemplate, inMarkup: rxMarkup, inFrontMatter: rxText, atConflict: rxMergeConflict, cutByNUL: rxNULByte,
	afterFalseColon: rxDirectiveWithoutColon, belowAgent: rxAgentMatchesNone, belowDisallow: rxPathOnNextLine,
	hiddenByMark: rxStrayByteOrderMark, markAlone: rxText, withoutColon: rxDirectiveWithoutColon, plainText: rxText,
	valueInKey: rxMissingColon, colonInValue: rxColonOfTheValue,
}

// readReasons sets how much of the body crawlers can read, and the reason of each line.
func (d *document) readReasons() {
	_, isUnicode := bodyhead.UnicodeForm(d.body)
	markup := !isUnicode && bodyhead.IsMarkup(d.body)
	foreign := isUnicode || d.isUnserved() || markup && robotstxt.BodyOf(d.body) != robotstxt.BodyText
	if !foreign && !markup {
		d.format = d.otherFormat()
		foreign = d.format != "" || d.hasOnlyText()
	}
	switch {
	case foreign:
		return // which is anyBody
	case d.fragment:
		d.portion = anyText
	default:
		d.portion = wholeLines
	}
	for i := range d.frontMatter() {
		d.lines[i].reason = inFrontMatter
	}
	for _, c := range d.conflicts() {
		for _, number := range c {
			d.line(number).reason = atConflict
		}
	}
	d.readTemplate()
	colon := false
	for _, c := range falseColons {
		colon = colon || bytes.Contains(d.body, []byte(c.sign))
	}
	for i := range d.lines {
		l := &d.lines[i]
		switch {
		case markup && isUnread(*l) && !meansDirective(l):
			l.reason = inMarkup
		case l.reason == inTemplate:
		case l.nulCut && l.hidesByNUL():
			l.reason = cutByNUL
		case l.reason == read && colon && l.hasFalseColon():
			l.reason = afterFalseColon
		case l.reason == read:
			l.reason = l.ownReason()
		}
		if i+1 == len(d.lines) || d.lines[i+1].reason != read {
			continue
		}
		if _, end := nameBelow(d, l); end > 0 {
			d.lines[i+1].reason = belowAgent
		} else if l.reason == read && pathBelow(d, l) != nil {
			d.lines[i+1].reason = belowDisallow
		}
	}
}

// ownReason returns the reason that is in a line itself.
func (l *line) ownReason() reason {
	switch {
	case isGap(*l):
	case isUnread(*l):
		_, mark := strayMark(l)
		kind, _ := nearlyDirective(l)
		switch {
		case mark > 0:
			return hiddenByMark
		case !l.commented() && len(bytes.TrimSpace(bodyhead.TrimMarks(l.content()))) == 0:
			return markAlone
		case kind > 0:
			return withoutColon
		case isText(l):
			return plainText
		}
	case l.isMisspelt() && l.hasColonInValue() && l.kind != robotstxt.KindUserAgent:
		return colonInValue
	case l.missingColon && l.hasValueInKey():
		return valueInKey
	}
	return read
}

func (l *line) hasFalseColon() bool {
	at, _, _ := keyBeforeFalseColon(l)
	return at >= 0
}

func (l *line) hidesByNUL() bool {
	_, _, hidden := l.afterNUL()
	return len(hidden) > 0
}

func (l *line) hasValueInKey() bool {
	key := withoutSeparator(l.key())
	_, dead := retiredKeys[ascii.ToLower(string(key))]
	closesAll := l.kind == robotstxt.KindDisallow && isEverything(string(l.value()))
	return hasValue(key) && !dead && !closesAll
}
