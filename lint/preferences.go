package lint

import (
	"strings"

	"github.com/kosterhq/robotstxt"
)

// Use is what pages may be used for.
type Use string

// The uses that lines can be about.
const (
	UseTraining Use = "ai-train" // ai-train in Content-Signal, train-ai in Content-Usage
	UseInput    Use = "ai-input" // input of AI answers: ai-input, ai-use
	UseSearch   Use = "search"
)

// Preference is what a Content-Signal or Content-Usage line says about one use of the
// pages of a path, for the crawlers of its group.
type Preference struct {
	Line    int    // counted from 1
	Key     string // Content-Signal or Content-Usage
	Path    string // the pages whose path begins with it; "" means all
	Use     Use
	Granted bool // otherwise refused
}

// Preferences returns the preferences that the groups of body state, in file order, as
// the crawlers of the profile read body. Preferences that Check reports as malformed are
// left out, as crawlers ignore them.
func Preferences(body []byte, profile Profile) (stated []Preference) {
	x := extensions{document: newDocument(body, Config{Profile: profile}, new(memory))}
	for i := range x.lines {
		l := &x.lines[i]
		if l.kind < robotstxt.KindUnused || l.missingColon {
			continue
		}
		switch key := strings.ToLower(string(l.key())); key {
		case "content-signal", "content-signals":
			x.inspectContentSignal(l, key)
		case "content-usage":
			x.inspectContentUsage(l)
		}
	}
	uses := map[use]Use{useTraining: UseTraining, useInput: UseInput, useSearch: UseSearch}
	for _, p := range x.preferences {
		key := "Content-Signal"
		if p.draft == draftAttach {
			key = "Content-Usage"
		}
		stated = append(stated, Preference{Line: p.line.number, Key: key, Path: p.path, Use: uses[p.about], Granted: p.grants})
	}
	return stated
}
