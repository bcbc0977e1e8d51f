package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// diffFormat is the value of --format.
type diffFormat string

const (
	diffAsText diffFormat = "text"
	diffJSON   diffFormat = "json"
	diffGitHub diffFormat = "github"
)

var diffFormats = []string{string(diffAsText), string(diffJSON), string(diffGitHub)}

func (f *diffFormat) String() string { return string(*f) }
func (*diffFormat) Type() string     { return "string" }

func (f *diffFormat) Set(text string) error {
	if !slices.Contains(diffFormats, text) {
		return errors.New("want " + strings.Join(diffFormats, ", "))
	}
	*f = diffFormat(text)
	return nil
}

// failOn is the value of --fail-on: an effect, "" for both.
type failOn string

var failOns = []string{string(wire.Opens), string(wire.Closes)}

func (f *failOn) String() string { return string(*f) }
func (*failOn) Type() string     { return "string" }

func (f *failOn) Set(text string) error {
	if !slices.Contains(failOns, text) {
		return errors.New("want " + strings.Join(failOns, " or "))
	}
	*f = failOn(text)
	return nil
}

// dialectFlag is the value of --old-dialect and --new-dialect.
type dialectFlag struct {
	dialect robotstxt.Dialect
	given   bool
}

func (f *dialectFlag) String() string {
	if !f.given {
		return ""
	}
	return f.dialect.String()
}

func (*dialectFlag) Type() string { return "string" }

func (f *dialectFlag) Set(text string) error {
	f.given = true
	return f.dialect.UnmarshalText([]byte(text))
}

// dialectList is the value of a flag for several dialects.
type dialectList []robotstxt.Dialect

func (l *dialectList) String() string {
	var names []string
	for _, d := range *l {
		names = append(names, d.String())
	}
	return strings.Join(names, ",")
}

func (*dialectList) Type() string { return "dialects" }

func (l *dialectList) Set(text string) error {
	var list dialectList
	for name := range strings.SplitSeq(text, ",") {
		var d robotstxt.Dialect
		if err := d.UnmarshalText([]byte(strings.TrimSpace(name))); err != nil {
			return err
		}
		if !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	*l = list
	return nil
}

func dialectNames() (names []string) {
	for _, d := range robotstxt.Dialects() {
		names = append(names, d.String())
	}
	return names
}
