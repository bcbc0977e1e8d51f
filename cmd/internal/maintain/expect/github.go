package expect

import (
	"bufio"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
)

// WriteGitHub writes the checks that did not pass as annotations of a GitHub workflow, on
// their lines in the files of expectations, and a notice with the counts. The caller checks
// w for errors.
func (r *Report) WriteGitHub(w *bufio.Writer) {
	for _, s := range r.Suites {
		if s.Err != nil {
			report.Annotate(w, "error", s.Name, 0, "cannot be tested", term.Printable(s.Err))
			continue
		}
		for _, t := range s.troubles() {
			title := "not as expected"
			if t.outcome.Result == Unknown {
				title = "unknown"
			}
			report.Annotate(w, "error", s.Name, t.outcome.Check.HeadLine, title, t.wanted()+", but "+t.got())
		}
	}
	report.Annotate(w, "notice", "", 0, "robots test", r.sum(term.Palette{}))
}
