package board

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Board is the stored form of the results: the scores, the date and the version
// of Go.
type Board struct {
	Date   string  `json:"date"`
	Go     string  `json:"go"`
	Scores []Score `json:"scores"`
}

// Load reads a stored board.
func Load(file string) (Board, error) {
	var b Board
	text, err := os.ReadFile(file)
	if err != nil {
		return b, err
	}
	return b, json.Unmarshal(text, &b)
}

// JSON returns the stored form.
func (b Board) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(b, "", "\t")
	return append(text, '\n'), err
}

// Page returns the board in Markdown.
func (b Board) Page(checks []Check) string {
	p := page{board: b, checks: checks}
	fmt.Fprintf(&p.out, `# Conformance

This project (`+"`kosterhq`"+`) and other parsers compared in %d checks of the [conformance vectors](../../conformance/README.md): those of
the dialect `+"`google`"+` with one product token. Made on %s with %s by `+"`go run ./report -only conformance`"+`;
each failure is listed in [conformance.json](conformance.json).

A failure means that the verdict of a parser differs from that of Google's. It is not necessarily a mistake: some parsers
follow other texts, or older ones. Deciding lines are not compared. A check that a parser's interface cannot express is
*not applicable*:

- temoto takes a path. If net/url cannot read the URL as an absolute one, there is no path.
- Parsers in other languages take text, so they cannot take URLs and tokens that are not UTF-8, except Google's. Bodies are
  decoded as their users do it: with replacement characters in JavaScript, strictly in Python.

*No answer* is an error, an exception, a rejected URL, a panic, or a time of more than 10 seconds.

## Parsers

`, len(checks), b.Date, b.Go)
	p.summary()
	p.out.WriteString("\n## Clauses\n\nFailed checks of each clause, of those that apply to the parser. A dot means no failure. A check may belong to several clauses. " +
		"The ids of the clauses are those of the [vectors](../../conformance/README.md#the-clauses).\n\n")
	p.clauses()
	return p.out.String()
}

type page struct {
	board  Board
	checks []Check
	out    strings.Builder
}

func (p *page) row(cells ...string) { p.out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

func (p *page) summary() {
	p.row("", "version", "checks", "right", "wrong", "no answer", "not applicable", "clauses without failure")
	p.out.WriteString("|---|---|---:|---:|---:|---:|---:|---:|\n")
	byClause := p.byClause()
	for _, s := range p.board.Scores {
		if s.NotRun != "" {
			p.row(s.Name, "not run: "+s.NotRun, "", "", "", "", "", "")
			continue
		}
		version := s.Version
		if version == "" {
			version = "this checkout"
		}
		applicable := len(p.checks) - len(s.Inapplicable)
		wrong := 0
		for _, failure := range s.Failures {
			if failure == Wrong {
				wrong++
			}
		}
		clean := 0
		for _, checks := range byClause {
			if failed, _ := s.count(checks); failed == 0 {
				clean++
			}
		}
		p.row(s.Name, version, strconv.Itoa(applicable), strconv.Itoa(applicable-len(s.Failures)),
			strconv.Itoa(wrong), s.noAnswer(),
			strconv.Itoa(len(s.Inapplicable)), fmt.Sprintf("%d of %d", clean, len(byClause)))
	}
}

// noAnswer counts the failures without a verdict, by kind.
func (s *Score) noAnswer() string {
	var kinds []string
	for _, kind := range []Failure{Refused, Panic, TimeOut} {
		n := 0
		for _, failure := range s.Failures {
			if failure == kind {
				n++
			}
		}
		if n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d × %s", n, kind))
		}
	}
	return cmp.Or(strings.Join(kinds, ", "), "0")
}

// count returns how many of the checks are applicable and how many of them failed.
func (s *Score) count(checks []Check) (failed, applicable int) {
	for _, q := range checks {
		if slices.Contains(s.Inapplicable, q.ID) {
			continue
		}
		applicable++
		if s.Failures[q.ID] != "" {
			failed++
		}
	}
	return failed, applicable
}

func (p *page) byClause() map[string][]Check {
	byClause := map[string][]Check{}
	for _, q := range p.checks {
		for _, clause := range q.Clauses {
			byClause[clause] = append(byClause[clause], q)
		}
	}
	return byClause
}

func (p *page) clauses() {
	header := []string{"clause"}
	rule := "|---|"
	for _, s := range p.board.Scores {
		if s.NotRun == "" {
			header = append(header, s.Name)
			rule += "---:|"
		}
	}
	p.row(header...)
	p.out.WriteString(rule + "\n")
	byClause := p.byClause()
	for _, clause := range slices.SortedFunc(maps.Keys(byClause), compareClauses) {
		cells := []string{clause}
		for _, s := range p.board.Scores {
			if s.NotRun == "" {
				cells = append(cells, cell(s.count(byClause[clause])))
			}
		}
		p.row(cells...)
	}
}

func cell(failed, applicable int) string {
	switch {
	case applicable == 0:
		return "not applicable"
	case failed == 0:
		return "·"
	}
	return fmt.Sprintf("%d of %d", failed, applicable)
}

// compareClauses orders G1 to G62 by number, and the sections of the texts after
// them.
func compareClauses(a, b string) int {
	number := func(clause string) int {
		if digits, ok := strings.CutPrefix(clause, "G"); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				return n
			}
		}
		return 1 << 20
	}
	return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b))
}
