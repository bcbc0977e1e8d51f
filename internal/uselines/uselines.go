// Package uselines decides which License, Content-Signal and Content-Usage lines of a robots.txt apply
// to a crawler, for every package that reads them.
package uselines

import (
	"iter"

	"github.com/kosterhq/robotstxt"
)

// The keys of lines about the use of pages.
const (
	License       = "License"
	ContentSignal = "Content-Signal"
	ContentUsage  = "Content-Usage"
)

// Keys are all of them.
var Keys = [...]string{ContentSignal, ContentUsage, License}

// Of yields the lines with a key that apply to a crawler, in file order. rules are the rules for the
// crawler, and file is nil if there is no file.
//
// The lines in the crawler's groups apply. License lines outside all groups apply if its groups have
// no License line, or if no group applies to it [RSL 4.4]. Other lines outside all groups apply to no
// crawler, which is our reading: some programs apply Content-Signal to all.
func Of(file *robotstxt.Robots, rules robotstxt.Rules, key string) iter.Seq[robotstxt.Extension] {
	return func(yield func(robotstxt.Extension) bool) {
		found := false
		for x := range rules.Extensions() {
			if x.Name != key {
				continue
			}
			found = true
			if !yield(x) {
				return
			}
		}
		if !found && key == License {
			Outside(file, key)(yield)
		}
	}
}

// Outside yields the lines with a key that are outside all groups of a file, which can be nil.
func Outside(file *robotstxt.Robots, key string) iter.Seq[robotstxt.Extension] {
	return func(yield func(robotstxt.Extension) bool) {
		if file == nil {
			return
		}
		for x := range file.Extensions() {
			if x.Name == key && IsOutside(x) && !yield(x) {
				return
			}
		}
	}
}

// IsOutside reports whether a line is outside all groups.
func IsOutside(x robotstxt.Extension) bool {
	for range x.Agents() {
		return false
	}
	return true
}
