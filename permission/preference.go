package permission

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
)

// Preference is the statement of a Content-Usage or Content-Signal line about one use.
// Offsets count from the start of the value.
type Preference struct {
	Label   string // as written
	LabelAt int
	Value   string // as written; empty if the preference has none
	ValueAt int    // the preference ends where Value ends, or Label if there is no Value

	// Purpose is the meaning of the label, empty for an unknown label. Says is SaysYes or
	// SaysNo, and empty if the preference has no effect.
	Purpose crawlers.Purpose
	Says    Says

	// Repeated means that a later preference has the same label and replaces this
	// one.
	Repeated bool

	// Parameter is the key of the first parameter, which has no effect; empty without one.
	// IsLabel reports that it is a label of the vocabulary, so the author wrote a semicolon
	// instead of a comma.
	Parameter   string
	ParameterAt int
	IsLabel     bool
}

// Label contains the names of a purpose in Content-Usage and Content-Signal lines.
type Label struct {
	Purpose crawlers.Purpose
	Usage   string // in Content-Usage, version 08 of the vocabulary
	Signal  string // in Content-Signal
}

// Labels returns the labels of all purposes that preferences can be about.
func Labels() []Label { return slices.Clone(labels) }

var labels = []Label{
	{search, "search", "search"},
	{aiSearch, "ai-use", "ai-input"},
	{aiTraining, "train-ai", "ai-train"},
}

// LabelOf returns the label of a purpose. ok is false if no preference is about it.
func LabelOf(p crawlers.Purpose) (l Label, ok bool) {
	i := slices.IndexFunc(labels, func(l Label) bool { return l.Purpose == p })
	if i < 0 {
		return Label{}, false
	}
	return labels[i], true
}

func usagePurpose(label string) crawlers.Purpose {
	return purposeWith(func(l Label) bool { return l.Usage == label })
}

func signalPurpose(label string) crawlers.Purpose {
	return purposeWith(func(l Label) bool { return l.Signal == label })
}

func purposeWith(has func(Label) bool) crawlers.Purpose {
	if i := slices.IndexFunc(labels, has); i >= 0 {
		return labels[i].Purpose
	}
	return ""
}

// Preferences are the value of a line, or of a response field.
type Preferences struct {
	Path   string // for which pages; empty for all
	TextAt int    // where the text after the path begins
	Text   string
	List   []Preference // in the order of the text

	// Expected is set if the text breaks off, so that the whole value has no effect and
	// List is empty. It describes what is missing at the offset ExpectedAt.
	Expected   string
	ExpectedAt int
}

// cutPath separates the path of a value that begins with one from the rest [attach-05 3.2].
func cutPath(value string) Preferences {
	if !strings.HasPrefix(value, "/") {
		return Preferences{Text: value}
	}
	end := strings.IndexAny(value, " \t")
	if end < 0 {
		return Preferences{Path: value, TextAt: len(value)}
	}
	text := strings.TrimLeft(value[end:], " \t")
	return Preferences{Path: value[:end], TextAt: len(value) - len(text), Text: text}
}

// Stated is a preference of a line of a robots.txt.
type Stated struct {
	Line    int
	Key     string // Content-Signal or Content-Usage
	Path    string // empty for all pages
	Purpose crawlers.Purpose
	Says    Says // SaysYes or SaysNo
}

// StatedBy returns the preferences that a line states, for the agents of its group. It omits
// preferences that have no effect because of their form. Preferences outside of all groups
// apply to no crawler.
func StatedBy(x robotstxt.Extension) (stated []Stated) {
	read := readerOf(x.Name)
	if read == nil {
		return nil
	}
	p := read(x.Value)
	path := p.Path
	if path == "/" {
		path = "" // it is about all pages, too
	}
	for i := range p.List {
		if said := &p.List[i]; said.Says != "" {
			stated = append(stated, Stated{
				Line: x.Line, Key: x.Name, Path: path, Purpose: said.Purpose, Says: said.Says,
			})
		}
	}
	return stated
}

func readerOf(key string) func(value string) Preferences {
	switch key {
	case keyUsage:
		return ReadUsage
	case keySignal:
		return ReadSignal
	}
	return nil
}
