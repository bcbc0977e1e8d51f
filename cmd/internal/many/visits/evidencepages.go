package visits

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
)

// writePages writes the page of each crawler, and the one that leads to everything else.
func (r *run) writePages(k *kept, lists map[listKey]string) error {
	var pages []string
	for _, c := range r.accusedCrawlers() {
		name := pageName(c.Token)
		pages = append(pages, name)
		if err := r.Evidence.write(r.page(c, k, lists), name); err != nil {
			return err
		}
	}
	var b strings.Builder
	title := "Visits to " + term.Escape(strings.Join(hostsOf(k.Sites), " and ")) + " that disobeyed robots.txt"
	fmt.Fprintf(&b, "%s\n%s\n\n", title, strings.Repeat("=", term.Width(title)))
	for _, line := range append([]string{whoDisobeyed(r.result, k.Crawlers)}, k.Summary...) {
		fmt.Fprintln(&b, strings.Join(term.Wrap(line, width, "  "), "\n"))
	}
	fmt.Fprintf(&b, "\nWritten by %s on %s. All times are UTC.\n\nFiles\n\n", term.Escape(k.Program), k.Written.Format(second))
	for _, page := range pages {
		if len(page) > len(keptName)+1 {
			page += "\n" + strings.Repeat(" ", len(keptName)+3)
		}
		fmt.Fprintf(&b, "  %-14s the visits of a crawler, each with its line, its list and its files\n", page)
	}
	fmt.Fprintf(&b, `  %s   all visits that disobeyed; the columns are in "robots visits --schema"
  lines/         original lines of the logs, each after its number in the log: the visits,
                 and every request for robots.txt while a copy of it could be in use
  lists/         the lists of addresses, as they were given to robots; index.jsonl says
                 when each was read
  files/         each robots.txt, named by its SHA-256
  %s  the facts about whole logs: the requests of each hour, and who was verified

Logs

`, verdictsName, keptName)
	for i, l := range k.Logs {
		fmt.Fprintf(&b, "  %d  %s\n     SHA-256 %s", i+1, term.Escape(l.Name), l.SHA256)
		if l.File != l.Name {
			fmt.Fprintf(&b, " of %s", term.Escape(l.File))
		}
		fmt.Fprintln(&b)
		if l.Requests > 0 {
			fmt.Fprintf(&b, "     %s, %s to %s\n", term.Count(int(l.Requests), "request", "requests"), l.First.Format(second), l.Last.Format(second))
		}
	}
	b.WriteString(`
Check it

  sha256sum -c SHA256SUMS            in this folder: its files are those of SHA256SUMS
  sha256sum -c .../logs.sha256       in the folder of the logs: they are the logs that were read
  robots visits --evidence-check .   in this folder: repeats each verdict, and each other file

SHA256SUMS has no signature. If you got its own SHA-256 in a different way, compare that too.
Only the logs show that the lines, and the facts in evidence.json, are from them.
`)
	writeList(&b, "Stated by the owner of the site, and not shown by these files", k.Stated)
	writeList(&b, "Assumed, without a check", k.Assumed)
	return r.Evidence.write([]byte(b.String()), readmeName)
}

const second = "2 January 2006 15:04:05"

func writeList(b *strings.Builder, title string, items []string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n\n", title)
	for _, item := range items {
		fmt.Fprintln(b, "  - "+strings.Join(term.Wrap(term.Escape(item), width-4, ""), "\n    "))
	}
}

// pageName returns the name of a crawler's page.
func pageName(token string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, token) + ".txt"
}

func (r *run) page(c *crawler, k *kept, lists map[listKey]string) []byte {
	proofs := r.Evidence.proofs[c]
	linesOf := map[string]string{}
	for _, l := range k.Logs {
		linesOf[l.Name] = l.Lines
	}
	visits := int(c.results[Disobeyed])
	var b strings.Builder
	title := fmt.Sprintf("%s (%s): %s disobeyed robots.txt", term.Escape(c.Token), term.Escape(c.Operator), term.Count(visits, "visit", "visits"))
	fmt.Fprintf(&b, "%s\n%s\n\n", title, strings.Repeat("=", term.Width(title)))
	fmt.Fprintf(&b, `Each visit came from an address in the crawler's list, and every copy of robots.txt that it
could have had disallows it. %s lists what the owner of the site states and what is
assumed. All times are UTC.
`, readmeName)
	writePromise(&b, c.Token)
	if visits > len(proofs) {
		fmt.Fprintf(&b, "\nThe first %s are below. All are in %s.\n", term.Thousands(len(proofs)), verdictsName)
	}
	for i, p := range proofs {
		fmt.Fprintf(&b, "\n%d. %s  %s %s\n", i+1, p.Time.Format(second), term.Escape(p.Method), term.Escape(p.Target))
		fmt.Fprintf(&b, "   line    %d of %s: see %s\n", p.Line, term.Escape(p.Log), linesOf[p.Log])
		fmt.Fprintf(&b, "   sender  in %s of %s: see %s\n", term.Escape(p.List), p.Date.UTC().Format(second), lists[listKey{p.List, p.Date.UnixNano()}])
		writeVersions(&b, p.Versions)
		age := time.Duration((p.Keep + p.Cache) * float64(time.Hour))
		fmt.Fprintf(&b, "   copies  all since %s: the crawler may keep one for %g hours,\n           a cache before for %g, and clocks can differ by ten minutes\n", p.Time.Add(-age-maxSkew).Format(second), p.Keep, p.Cache)
	}
	return []byte(b.String())
}

// writePromise writes what the operator writes about its crawler and robots.txt.
func writePromise(b *strings.Builder, token string) {
	title := "\nThe operator's documentation says:\n"
	for _, claim := range crawlers.Claims(token) {
		if claim.Source != crawlers.FromOperator || !slices.Contains(claim.Fields, "obeys") {
			continue
		}
		b.WriteString(title)
		title = ""
		fmt.Fprintf(b, "\nSource   %s", term.Escape(claim.URL))
		if claim.Date != crawlers.Unknown {
			fmt.Fprintf(b, ", as of %s", term.Escape(claim.Date))
		}
		fmt.Fprintln(b)
		if claim.Quote != crawlers.Unknown {
			for _, line := range term.Wrap("\""+term.Escape(claim.Quote)+"\"", width-9, "") {
				fmt.Fprintln(b, "         "+line)
			}
		}
	}
}

func writeVersions(b *strings.Builder, versions []wire.VisitVersion) {
	for _, v := range versions {
		fmt.Fprintf(b, "   file    line %d, %s: see files/%s.txt\n", v.Line, term.Escape(v.Rule), v.SHA256)
	}
}
