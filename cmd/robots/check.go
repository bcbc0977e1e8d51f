package main

import (
	"context"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
)

func newCheck(t *terminal) *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "check --file FILE [flags] URL...",
		Short: "Tell which URLs are allowed, and by which line",
		Long: `Tell which URLs are allowed, and by which line.

A line is printed for each URL and crawler: the verdict, the line of the
robots.txt that decides, the crawler, the text of that line, and the URL.

An --agent is a product token, such as FooBot, not a User-Agent header. Tokens
behind it, separated by commas, are tried in turn if no group names the ones
before. A URL that is not encoded yet is compared in its encoded form, which is
shown too.

With --json each line is an object with the fields url, agent, allowed, line (0
if none decides), rule (the text of that line), reason, dialect, and compared_url
where the URL had to be encoded.

Exit status: 0 if everything asked for is allowed, 1 if something is not, 2 if
it could not be told.`,
		Example: `  robots check --file robots.txt /cart https://shop.example/search?q=tea
  robots check --file robots.txt --agent Googlebot-News,Googlebot --agent GPTBot /news/
  robots check --file robots.txt --agent FooBot --json --urls urls.txt
  curl -sS https://shop.example/robots.txt | robots check --file - --quiet /cart`,
		RunE: func(cmd *cobra.Command, args []string) error { return check(cmd.Context(), t, &q, args) },
	}
	q.define(cmd)
	return cmd
}

// check answers a question line by line, and ends with errDisallowed if any
// answer is no.
func check(ctx context.Context, t *terminal, q *question, args []string) error {
	in, done, err := q.open(t, args)
	if err != nil {
		return err
	}
	defer done()
	return in.answer(ctx, in.answerPrinter(t, q.outputFlags))
}

// answer is what check prints about one URL and crawler.
type answer struct {
	URL         string            `json:"url"`                    // as given
	ComparedURL string            `json:"compared_url,omitempty"` // if that had to be encoded first
	Agent       string            `json:"agent"`                  // as asked for
	Allowed     bool              `json:"allowed"`
	Line        int               `json:"line"` // 0 if no line decides
	Rule        string            `json:"rule"` // the text of that line
	Reason      robotstxt.Reason  `json:"reason"`
	Dialect     robotstxt.Dialect `json:"dialect"`
}

// answer asks about every URL for every crawler and hands the answers to show.
func (in *inquiry) answer(ctx context.Context, show func(*answer) error) error {
	robots := in.dialect.Parse(in.body.text)
	rules := make([]robotstxt.Rules, len(in.crawlers))
	for i, c := range in.crawlers {
		rules[i] = robots.Rules(c.tokens...)
	}
	return in.each(ctx, func(url, compared string) (allowed bool, err error) {
		allowed = true
		for i := range rules {
			d := rules[i].Explain(compared)
			a := answer{URL: url, Agent: in.crawlers[i].asked, Allowed: d.Allowed, Line: d.Line,
				Rule: in.body.rules[d.Line], Reason: d.Reason, Dialect: d.Dialect}
			if compared != url {
				a.ComparedURL = compared
			}
			if err := show(&a); err != nil {
				return false, err
			}
			allowed = allowed && d.Allowed
		}
		return allowed, nil
	})
}

// each calls do for every URL, together with the form in which it is compared.
// An error ends it at once, and outweighs that something is disallowed.
func (in *inquiry) each(ctx context.Context, do func(url, compared string) (allowed bool, err error)) error {
	var verdict error
	for url, err := range in.urls {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			// What is answered so far is right, and shall be seen.
			_ = in.out.Flush()
			return err
		}
		allowed, err := do(url, robotstxt.EncodeURL(url))
		if err != nil {
			return cannotWrite(err)
		}
		if !allowed {
			verdict = errDisallowed
		}
	}
	if err := in.out.Flush(); err != nil {
		return cannotWrite(err)
	}
	return verdict
}

// answerPrinter returns the function that prints answers as the flags say.
func (in *inquiry) answerPrinter(t *terminal, flags outputFlags) func(*answer) error {
	switch {
	case flags.quiet:
		return func(*answer) error { return nil }
	case flags.json:
		return func(a *answer) error { return printJSON(in.out, a) }
	}
	return in.table(t.palette()).print
}

// table prints answers in columns. Their widths come from the file and the
// crawlers, so the first answer need not wait for the last.
type table struct {
	out     io.Writer
	palette palette
	line    int
	agent   int
	rule    int
}

// widestColumn is how far one long rule or agent may push the rest to the right.
const widestColumn = 40

func (in *inquiry) table(p palette) *table {
	tb := &table{out: in.out, palette: p, line: len("line ") + len(strconv.Itoa(in.body.lines))}
	for _, c := range in.crawlers {
		tb.agent = min(max(tb.agent, columns(escape(c.asked))), widestColumn)
	}
	for _, reason := range reasonTexts {
		tb.rule = max(tb.rule, len(reason))
	}
	for _, rule := range in.body.rules {
		tb.rule = min(max(tb.rule, columns(escape(rule))), widestColumn)
	}
	return tb
}

// reasonTexts stand for the rule where no line decides.
var reasonTexts = map[robotstxt.Reason]string{
	robotstxt.ReasonNoGroup:    "(no group)",
	robotstxt.ReasonNoMatch:    "(no rule matches)",
	robotstxt.ReasonRobotsFile: "(robots.txt itself)",
}

func (tb *table) print(a *answer) error {
	line, rule := "-", reasonTexts[a.Reason]
	if a.Line > 0 {
		line, rule = "line "+strconv.Itoa(a.Line), escape(a.Rule)
	}
	agent, url := escape(a.Agent), escape(a.URL)
	if a.ComparedURL != "" {
		url += tb.palette.paint(faint, "  (compared as "+escape(a.ComparedURL)+")")
	}
	_, err := io.WriteString(tb.out, tb.palette.verdict(a.Allowed, len("disallowed"))+"  "+
		line+pad(line, tb.line)+"  "+
		agent+pad(agent, tb.agent)+"  "+
		rule+pad(rule, tb.rule)+"  "+
		url+"\n")
	return err
}
