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

// Board is what is stored: the scores, and when and on what they were made.
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

// JSON is the stored form.
func (b Board) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(b, "", "\t")
	return append(text, '\n'), err
}

// Page is the board for readers.
func (b Board) Page(questions []Question) string {
	p := page{board: b, questions: questions}
	fmt.Fprintf(&p.out, `# Conformance

%d questions from the [conformance vectors](../../conformance/README.md), those of the dialect `+"`google`"+` that ask for one
product token, put to this project (`+"`kosterhq`"+`) and to other parsers. Made on %s with %s by `+"`go run ./report -only conformance`"+`;
the answers one by one are in [conformance.json](conformance.json).

A failure means that a parser does not answer as Google's does. It need not be a mistake: some follow other texts, or
older ones. Deciding lines are not asked for. A question that a parser's interface cannot express is *not asked*:

- temoto takes a path; what net/url cannot read as an absolute URL has none.
- robots-parser and urllib.robotparser take text; URLs and tokens that are no UTF-8 cannot be handed over. Bodies are
  decoded as their users do: with replacement characters in JavaScript, strictly in Python.

*No answer* is an error, an exception, a refusal of the URL, a panic, or no answer in 10 seconds.

## Parsers

`, len(questions), b.Date, b.Go)
	p.summary()
	p.out.WriteString("\n## Clauses\n\nHow many questions are failed, of those asked; a dot is none. A question may show several clauses. The ids are those of the " +
		"[vectors](../../conformance/README.md#the-clauses).\n\n")
	p.clauses()
	return p.out.String()
}

type page struct {
	board     Board
	questions []Question
	out       strings.Builder
}

func (p *page) row(cells ...string) { p.out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

func (p *page) summary() {
	p.row("", "version", "asked", "right", "wrong", "no answer", "not asked", "clauses without failure")
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
		asked, wrong := len(p.questions)-len(s.NotAsked), 0
		for _, failure := range s.Failures {
			if failure == Wrong {
				wrong++
			}
		}
		clean := 0
		for _, questions := range byClause {
			if failed, _ := s.count(questions); failed == 0 {
				clean++
			}
		}
		p.row(s.Name, version, strconv.Itoa(asked), strconv.Itoa(asked-len(s.Failures)), strconv.Itoa(wrong), s.noAnswer(),
			strconv.Itoa(len(s.NotAsked)), fmt.Sprintf("%d of %d", clean, len(byClause)))
	}
}

// noAnswer counts the failures that are no answers, by kind.
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

// count returns how many of the questions were asked and failed.
func (s *Score) count(questions []Question) (failed, asked int) {
	for _, q := range questions {
		if slices.Contains(s.NotAsked, q.ID) {
			continue
		}
		asked++
		if s.Failures[q.ID] != "" {
			failed++
		}
	}
	return failed, asked
}

func (p *page) byClause() map[string][]Question {
	byClause := map[string][]Question{}
	for _, q := range p.questions {
		for _, clause := range q.Clauses {
			byClause[clause] = append(byClause[clause], q)
		}
	}
	return byClause
}

func (p *page) clauses() {
	header, rule := []string{"clause"}, "|---|"
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

func cell(failed, asked int) string {
	switch {
	case asked == 0:
		return "not asked"
	case failed == 0:
		return "·"
	}
	return fmt.Sprintf("%d of %d", failed, asked)
}

// compareClauses puts G1 to G62 first, by number, and the sections of the texts
// after them.
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
