package fix

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/lint"
)

// Note returns one sentence, escaped: which fixes were made, what they change, and which were not made,
// with lines of the file before. It is empty if there is nothing to say.
func (r *Result) Note() string {
	var clauses []string
	if len(r.Mended) > 0 {
		list := make([]string, len(r.Mended))
		for i, m := range r.Mended {
			list[i] = fmt.Sprintf("%s on line %d", m.Code, m.Line)
		}
		clauses = append(clauses, "fixed "+term.List(list))
	}
	if n := r.Made - len(r.Mended); n > 0 {
		made := term.Count(n, "fix", "fixes")
		if len(r.Mended) > 0 {
			made = term.Count(n, "further fix", "further fixes")
		}
		clauses = append(clauses, made+", proved to change no verdict "+r.readersText(robotstxt.Dialects()))
	}
	if changes := r.ChangeNote(); changes != "" {
		clauses = append(clauses, changes)
	}
	if n := len(r.Refused); n > 0 {
		first := &r.Refused[0]
		text := fmt.Sprintf("%s on line %d is not fixed: %s", first.Finding.Code, first.Line, first.Reason)
		if n > 1 {
			text += fmt.Sprintf("; nor are %d more, which --format json lists", n-1)
		}
		clauses = append(clauses, text)
	}
	if r.More {
		clauses = append(clauses, "another run can make more fixes")
	}
	return strings.Join(clauses, "; ")
}

// ChangeNote returns a clause about the changed verdicts, escaped, empty if there are none.
// Dialects with the same change are named together. If there are several changes, it has the
// first one and the dialects of the others.
func (r *Result) ChangeNote() string {
	if len(r.Changes) == 0 {
		return ""
	}
	first := &r.Changes[0]
	var same, others []string
	for i := range r.Changes {
		if c := &r.Changes[i]; c.clause() == first.clause() {
			same = append(same, c.Dialect.String())
		} else {
			others = append(others, c.Dialect.String())
		}
	}
	text := "in " + term.List(same) + " " + first.clause()
	if n := first.More; n > 0 {
		text += fmt.Sprintf(", and %d more", n)
	}
	if len(others) > 0 {
		text += "; there are other changes in " + term.List(others)
	}
	return text
}

// FormatReaders lists the readers of the proof of a layout for a profile, and then the programs that might
// differ: "in google, in rfc9309 and for strict readers (temoto may differ)".
func (r *Result) FormatReaders(profile lint.Profile) string {
	return r.readersText(layoutDialects(profile))
}

func (r *Result) readersText(dialects []robotstxt.Dialect) string {
	var names []string
	for _, d := range dialects {
		names = append(names, "in "+d.String())
	}
	text := term.List(append(names, "for strict readers"))
	if len(r.Others) > 0 {
		text += " (" + term.List(r.Others) + " may differ)"
	}
	return text
}

// WireChanges returns the changes of verdicts as JSON output has them.
func (r *Result) WireChanges() (all []wire.Change) {
	for i := range r.Changes {
		all = append(all, r.Changes[i].wire())
	}
	return all
}

// WireRefused returns the fixes that were not made as JSON output has them.
func (r *Result) WireRefused() (all []wire.NotFixed) {
	for i := range r.Refused {
		f := &r.Refused[i].Finding
		all = append(all, wire.NotFixed{Code: string(f.Code), Line: r.Refused[i].Line, Reason: r.Refused[i].Reason})
	}
	return all
}
