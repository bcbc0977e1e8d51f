// Command moving asks this project and the parsers that people move from the same questions about real
// files, and writes how many answers change, by cause, to results/moving.md. Run it in benchmarks:
//
//	go run ./moving -corpus FOLDER
//
// It installs the parsers from PyPI, npm and Maven. Parsers that cannot be installed get no row. With
// -check it writes nothing, and its exit status is 1 if an installed parser's row differs from the page.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks/board"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

const page = "results/moving.md"

func main() {
	folder := flag.String("corpus", os.Getenv("ROBOTSTXT_CORPUS"), "the folder of real robots.txt files, *.txt")
	check := flag.Bool("check", false, "compare the page with the answers instead of writing it")
	flag.Parse()
	if err := run(*folder, *check); err != nil {
		fmt.Fprintln(os.Stderr, "moving:", err)
		os.Exit(1)
	}
}

func run(folder string, check bool) error {
	questions, err := readQuestions(folder)
	if err != nil {
		return err
	}
	if len(questions) == 0 {
		return fmt.Errorf("there are no files in %q: name the folder with -corpus", folder)
	}
	rows, missing := askAll(context.Background(), questions)
	for _, why := range missing {
		fmt.Fprintln(os.Stderr, "NOT CHECKED:", why)
	}
	if !check {
		return os.WriteFile(page, []byte(pageOf(questions, rows)), 0o666)
	}
	stored, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if !strings.Contains(string(stored), r.String()) {
			return fmt.Errorf("%s has no row\n%sRun go run ./moving -corpus FOLDER", page, r)
		}
	}
	return nil
}

// answer returns the verdict of a parser. An error means that it has none.
type answer func(body []byte, agent, url string) (bool, error)

// row is what changes for people who move from a parser.
type row struct {
	name, version         string
	asked, opened, closed int // ordinary questions
	lines, groups, paths  int // of the changes, by cause
	edges, moved          int // questions at edges of rules, and the changes of these
	failed                int // questions without a verdict
}

func askAll(ctx context.Context, questions []question) (rows []row, missing []string) {
	for _, p := range board.Movers() {
		r, err := askProgram(ctx, p, questions)
		if err != nil {
			missing = append(missing, fmt.Sprintf("%s: %v", p.Name, err))
			continue
		}
		rows = append(rows, r)
	}
	p := peers.Named("temoto")
	r := row{name: p.Name, version: p.Version()}
	r.ask(questions, func(body []byte, agent, url string) (bool, error) {
		return p.Judge(corpus.Body{Bytes: body, Text: string(body)}, agent, url)
	})
	rows = append(rows, r)
	return rows, missing
}

func askProgram(ctx context.Context, program driver.Program, questions []question) (row, error) {
	p, err := program.Start(ctx)
	if err != nil {
		return row{}, err
	}
	defer p.Close()
	r := row{name: program.Name}
	r.version, _, _ = strings.Cut(p.Version, ",") // without that of Node
	var broken error
	r.ask(questions, func(body []byte, agent, url string) (bool, error) {
		allowed, _, err := p.Query(body, []string{agent}, url)
		if errors.Is(err, driver.ErrTimeOut) || errors.Is(err, io.ErrUnexpectedEOF) {
			broken = cmp.Or(broken, p.Restart(ctx))
		}
		return allowed, err
	})
	return r, broken
}

// ask counts the answers of a parser that change. A change is about lines if the parser answers like this
// project about the file in canonical form, else about groups if it does about the rules that apply alone.
func (r *row) ask(questions []question, of answer) {
	for _, q := range questions {
		allowed, err := of(q.body, q.agent, q.url)
		if err != nil {
			r.failed++
			continue
		}
		if q.isEdge {
			r.edges++
			if allowed != q.allowed {
				r.moved++
			}
			continue
		}
		r.asked++
		switch {
		case allowed == q.allowed:
			continue
		case q.allowed:
			r.opened++
		default:
			r.closed++
		}
		agrees := func(body []byte) bool {
			again, err := of(body, q.agent, q.url)
			return err == nil && again == q.allowed
		}
		switch {
		case agrees(canonical(q.body)):
			r.lines++
		case agrees(chosen(q.body, q.agent)):
			r.groups++
		default:
			r.paths++
		}
	}
}

func (r row) String() string {
	changed := r.opened + r.closed
	share := func(n int) string { return percent(n, r.asked) }
	return fmt.Sprintf("| %s %s | %d | **%s** | %s | %s | %s | %s | %s | %s |\n",
		r.name, r.version, r.asked, share(changed), share(r.opened), share(r.closed),
		share(r.lines), share(r.groups), share(r.paths), percent(r.moved, r.edges))
}

func percent(n, of int) string { return fmt.Sprintf("%.2f%%", 100*float64(n)/float64(max(of, 1))) }

func pageOf(questions []question, rows []row) string {
	var b strings.Builder
	ordinary := 0
	for _, q := range questions {
		if !q.isEdge {
			ordinary++
		}
	}
	b.WriteString("<!-- Code generated by \"go run ./moving\" in benchmarks; DO NOT EDIT. -->\n\n# What changes if you move here\n\n")
	fmt.Fprintf(&b, "%d ordinary questions about up to %d real files, for crawlers that a file names and one other: half are pages in folders that rules\n", ordinary, filesAsked)
	fmt.Fprintf(&b, "name, half pages that many sites have, all without percent codes. This project answers in the dialect google, as Google's parser does, without the\n"+
		"documented fallbacks of crawlers. The last column has the share for %d other URLs: those at which a rule begins or ceases to match.\n\n", len(questions)-ordinary)
	b.WriteString("| parser | questions | answers that change | now allowed | now disallowed | lines | groups | rules | at edges of rules |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		b.WriteString(r.String())
	}
	b.WriteString(`
The columns before the last are the causes:

- **lines**: the parser reads other lines as rules or as user-agent lines, such as misspelt keys, missing colons, byte order marks, values
  with text after them, and lists of user-agent lines with another line, such as Crawl-delay, between them. Written canonically, the file has the same answer in both.
- **groups**: it chooses other groups for the crawler, or other rules of them, such as by a part of a name, or only the first group.
- **rules**: it compares the rules otherwise, such as without wildcards, or in the order of the file.

Questions that a parser cannot answer are not counted.
`)
	return b.String()
}
