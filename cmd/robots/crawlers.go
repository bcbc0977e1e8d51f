package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
)

// register is what crawlers is asked: which crawlers are known, and what of them?
type register struct {
	purpose, operator string
	json              bool
}

func newCrawlers(t *term.Terminal) *cobra.Command {
	var r register
	cmd := &cobra.Command{
		Use:   "crawlers [flags] [NAME...]",
		Short: "List the known crawlers, or show what is known of some",
		Long: `List the known crawlers: the product token, who runs the crawler, what it is for,
and which groups it obeys. all: the groups that name it, else those for "*".
named: only groups that name it. none: robots.txt does not apply, or need not.

With a NAME all that is known is shown: what it asks for in turn, which other
lines it obeys, which limits it has, how it can be told from others that claim
its name, and which texts say so. A NAME is a product token or a User-Agent
header.

What is marked verified was read in a text of the crawler's operator; the rest is
generally known. Whether a crawler does what its operator says is not judged.

With --json each line is an object with the fields token, operator, purpose,
obeys, control, fallbacks, retired, replacements, extensions, limits,
reverse_dns, ip_ranges, verified and sources; what is not known is left out.`,
		Example: `  robots crawlers --purpose ai-training
  robots crawlers Googlebot-Image
  robots crawlers --json --operator OpenAI`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return crawlerCompletions(""), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return r.run(t, args) },
	}
	cmd.Flags().StringVar(&r.purpose, "purpose", "", "list those for one `PURPOSE`: "+strings.Join(purposes(), ", "))
	complete(cmd, "purpose", purposes())
	cmd.Flags().StringVar(&r.operator, "operator", "", "list those of one `OPERATOR`")
	completeFrom(cmd, "operator", func(string) []string { return operators() })
	cmd.Flags().BoolVar(&r.json, "json", false, "print JSON, one object a line")
	return cmd
}

// crawlerCompletions returns what completes the last token of a list of crawlers:
// every known token, with a description, after the tokens before it.
func crawlerCompletions(typed string) (completions []string) {
	before := typed[:strings.LastIndexAny(typed, ",:")+1]
	for c := range crawlers.All() {
		completions = append(completions, cobra.CompletionWithDesc(before+c.Token, strings.TrimPrefix(c.Operator+", "+string(c.Purpose), ", ")))
	}
	return completions
}

func purposes() (names []string) {
	for _, purpose := range crawlers.Purposes() {
		names = append(names, string(purpose))
	}
	return names
}

func operators() (names []string) {
	for c := range crawlers.All() {
		if c.Operator != "" && !slices.Contains(names, c.Operator) {
			names = append(names, c.Operator)
		}
	}
	slices.Sort(names)
	return names
}

func (r *register) run(t *term.Terminal, args []string) error {
	chosen, err := r.choose(args)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(t.Out)
	show := func(c crawlers.Crawler) error { return term.PrintJSON(out, wire.Line{Object: c}) }
	if p := t.Palette(); !r.json && len(args) > 0 {
		show = sheetPrinter(out, p)
	} else if !r.json {
		show = rowPrinter(out, p, chosen)
	}
	for _, c := range chosen {
		if err := show(c); err != nil {
			return term.WriteError(err)
		}
	}
	return term.WriteError(out.Flush())
}

// choose returns the crawlers that are named, or else those that the flags ask
// for.
func (r *register) choose(names []string) (chosen []crawlers.Crawler, err error) {
	if len(names) > 0 && (r.purpose != "" || r.operator != "") {
		return nil, term.Errorf("leave one of them out", "--purpose and --operator choose from the list, so they mean nothing beside a name")
	}
	for _, name := range names {
		c, err := knownCrawler(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, c)
	}
	if len(names) > 0 {
		return chosen, nil
	}
	purpose, err := oneOf("purpose", r.purpose, purposes())
	if err != nil {
		return nil, err
	}
	operator, err := oneOf("operator", r.operator, operators())
	if err != nil {
		return nil, err
	}
	for c := range crawlers.All() {
		if (purpose == "" || string(c.Purpose) == purpose) && (operator == "" || c.Operator == operator) {
			chosen = append(chosen, c)
		}
	}
	return chosen, nil
}

// knownCrawler finds a crawler by its token, or by the header that it sends.
func knownCrawler(name string) (crawlers.Crawler, error) {
	if c, ok := crawlers.Find(name); ok {
		return c, nil
	}
	if c, ok := crawlers.FromUserAgent(name); ok {
		return c, nil
	}
	hint := `"robots crawlers" lists those that are`
	if near, ok := crawlers.Nearest(name); ok {
		hint = "did you mean " + near.Token + "?"
	}
	return crawlers.Crawler{}, term.Errorf(hint, "no crawler %q is known", name)
}

// oneOf returns a flag's value as it is spelt among those there are; none stays
// none.
func oneOf(flag, value string, values []string) (string, error) {
	if value == "" {
		return "", nil
	}
	i := slices.IndexFunc(values, func(known string) bool { return strings.EqualFold(known, value) })
	if i >= 0 {
		return values[i], nil
	}
	hint := fmt.Sprintf("the %ss are %s", flag, strings.Join(values, ", "))
	if near := term.Closest(value, values); near != "" {
		hint = fmt.Sprintf("did you mean --%s %q?", flag, near)
	}
	return "", term.Errorf(hint, "no crawler has the %s %q", flag, value)
}

// rowPrinter returns the function that prints a crawler on one line, in columns
// wide enough for all.
func rowPrinter(out io.Writer, p term.Palette, all []crawlers.Crawler) func(crawlers.Crawler) error {
	var token, operator, purpose int
	for _, c := range all {
		token, operator, purpose = max(token, len(c.Token)), max(operator, len(c.Operator)), max(purpose, len(c.Purpose))
	}
	return func(c crawlers.Crawler) error {
		runBy, obeys := cmp.Or(c.Operator, "-"), cmp.Or(string(c.Obeys), "-")
		row := p.Paint(term.Bold, c.Token) + term.Pad(c.Token, token) + "  " + runBy + term.Pad(runBy, operator) + "  " +
			string(c.Purpose) + term.Pad(string(c.Purpose), purpose) + "  " + obeys
		if remark := remarkOn(c); remark != "" {
			row += term.Pad(obeys, len(crawlers.ObeysNamed)) + "  " + p.Paint(term.Faint, remark)
		}
		_, err := io.WriteString(out, row+"\n")
		return err
	}
}

// remarkOn says what a reader of the list should know besides.
func remarkOn(c crawlers.Crawler) string {
	var remarks []string
	if c.Control {
		remarks = append(remarks, "control token")
	}
	if c.Retired {
		remarks = append(remarks, retirement(c))
	}
	if !c.Verified {
		remarks = append(remarks, "not verified")
	}
	return strings.Join(remarks, "; ")
}

func retirement(c crawlers.Crawler) string {
	if len(c.Replacements) == 0 {
		return "not in use any more"
	}
	return "not in use any more, now " + strings.Join(c.Replacements, " and ")
}

// sheetPrinter returns the function that prints all about a crawler.
func sheetPrinter(out io.Writer, palette term.Palette) func(crawlers.Crawler) error {
	p, first := &prose{palette: palette}, true
	return func(c crawlers.Crawler) error {
		p.text.Reset()
		if !first {
			p.text.WriteByte('\n')
		}
		first = false
		p.crawler(c)
		_, err := io.WriteString(out, p.text.String())
		return err
	}
}

func (p *prose) crawler(c crawlers.Crawler) {
	fmt.Fprintf(&p.text, "%s\n\n", p.palette.Paint(term.Bold, c.Token))
	p.field("operator", cmp.Or(c.Operator, "unknown"))
	p.field("purpose", string(c.Purpose))
	if c.Control {
		p.field("token", "for control only: no crawler sends it")
	}
	if c.Retired {
		p.field("token", retirement(c))
	}
	p.field("obeys", obeysTexts[c.Obeys])
	p.field("asks for", asksFor(c))
	if read := tokenRead(robotstxt.Google, c.Token); read != c.Token {
		p.field("google", fmt.Sprintf("reads %q in a line that names it", read))
	}
	p.lines(c)
	p.limits(c.Limits)
	p.list("host", c.ReverseDNS)
	p.list("address", c.IPRanges)
	p.field("state", map[bool]string{true: "verified", false: "not verified: generally known, maybe wrong"}[c.Verified])
	var sources []string
	for _, source := range c.Sources {
		sources = append(sources, source.URL+strings.TrimRight("  "+source.Date, " "))
	}
	p.list("source", sources)
}

var obeysTexts = map[crawlers.Obeys]string{
	crawlers.ObeysUnknown: "unknown",
	crawlers.ObeysAll:     `the groups that name it, else those for "*"`,
	crawlers.ObeysNamed:   `only groups that name it, not those for "*"`,
	crawlers.ObeysNone:    "nothing, or not reliably: robots.txt does not apply, or need not",
}

// asksFor lists what to ask a robots.txt for, in order.
func asksFor(c crawlers.Crawler) string {
	tokens := c.Tokens()
	if c.Obeys != crawlers.ObeysNamed {
		tokens = append(tokens, `"*"`)
	}
	return strings.Join(tokens, ", then ")
}

// lines tells which lines beyond the core it obeys.
func (p *prose) lines(c crawlers.Crawler) {
	name := "lines"
	for _, key := range slices.Sorted(maps.Keys(c.Extensions)) {
		obeyed := "ignored"
		if c.Extension(key) == crawlers.Yes {
			obeyed = "obeyed"
		}
		p.field(name, key+": "+obeyed)
		name = ""
	}
}

func (p *prose) limits(limits crawlers.Limits) {
	name := "limits"
	for _, limit := range []struct {
		most int
		of   string
	}{{limits.Bytes, "bytes"}, {limits.Rules, "rules"}, {limits.RuleChars, "characters in a rule"}} {
		if limit.most > 0 {
			p.field(name, fmt.Sprintf("%d %s", limit.most, limit.of))
			name = ""
		}
	}
}

// list lists values, one a line.
func (p *prose) list(name string, values []string) {
	for _, value := range values {
		p.field(name, value)
		name = ""
	}
}
