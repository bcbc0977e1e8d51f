// Package blocklist writes a group of robots.txt that blocks or allows crawlers, and
// proves what it does.
package blocklist

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Config describes a group.
type Config struct {
	Crawlers []crawlers.Crawler // at least one
	Allow    bool               // allow all paths instead of none
	Title    string             // the first line, a comment, without "#" and line ends
}

// Text returns a group for the crawlers, with comments that say which of them need not
// obey it, and which other known crawlers it affects. The effect on every known crawler,
// and on unknown ones, is proved in all dialects. An error says what could not be
// proved, or is that of ctx.
func Text(ctx context.Context, config Config) ([]byte, error) {
	p := prover{config: config, group: group(config)}
	if err := p.prove(ctx); err != nil {
		return nil, err
	}
	return append(comments(config, p.affected), p.group...), nil
}

// group returns the lines of the group.
func group(config Config) []byte {
	var b bytes.Buffer
	for _, c := range config.Crawlers {
		fmt.Fprintf(&b, "User-agent: %s\n", c.Token)
	}
	if config.Allow {
		b.WriteString("Allow: /\n")
	} else {
		b.WriteString("Disallow: /\n")
	}
	return b.Bytes()
}

// comments returns the lines before the group.
func comments(config Config, affected []string) []byte {
	var ignoring []string
	unknown := 0
	for _, c := range config.Crawlers {
		switch c.Obeys {
		case crawlers.ObeysNone:
			ignoring = append(ignoring, c.Token)
		case crawlers.Unknown:
			unknown++
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", config.Title)
	if len(ignoring) > 0 && !config.Allow {
		list(&b, "These need not obey it, or not always, according to their operators: ", ignoring)
	}
	if unknown > 0 && !config.Allow {
		fmt.Fprintf(&b, "# No source says whether %d of the %d obey it.\n", unknown, len(config.Crawlers))
	}
	if len(affected) > 0 {
		list(&b, "It applies to these too: ", affected)
	}
	return b.Bytes()
}

// list writes a comment with a list, broken into lines.
func list(b *bytes.Buffer, head string, items []string) {
	const width = 100
	line := "# " + head
	for i, item := range items {
		if i < len(items)-1 {
			item += ", "
		}
		if len(line)+len(item) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = "#   "
		}
		line += item
	}
	b.WriteString(line + "\n")
}

// prover proves the effect of a group.
type prover struct {
	config   Config
	group    []byte
	affected []string // other crawlers to which the group applies, with the reason
}

// prove compares a file for "*" with and without the group. The file treats all crawlers
// contrary to the group.
func (p *prover) prove(ctx context.Context) error {
	for _, c := range p.config.Crawlers {
		if !slices.ContainsFunc(robotstxt.Dialects(), func(d robotstxt.Dialect) bool { return readBy(d, c.Token) != "" }) {
			return fmt.Errorf("no line can name %s", c.Token)
		}
	}
	others := []byte("\nUser-agent: *\nDisallow: /\n")
	if !p.config.Allow {
		others = []byte("\nUser-agent: *\nAllow: /\n")
	}
	for _, dialect := range robotstxt.Dialects() {
		before, after := dialect.Parse(others), dialect.Parse(slices.Concat(p.group, others))
		if err := p.proveSelected(ctx, dialect, after); err != nil {
			return err
		}
		if err := p.proveOthers(ctx, dialect, before, after); err != nil {
			return err
		}
	}
	return nil
}

// proveSelected proves that the group has its effect on the selected crawlers.
func (p *prover) proveSelected(ctx context.Context, dialect robotstxt.Dialect, after *robotstxt.Robots) error {
	for _, c := range p.config.Crawlers {
		if readBy(dialect, c.Token) == "" {
			continue // no line can name it in this dialect
		}
		decision, err := semdiff.Decides(ctx, asked(dialect, c).Rules(after), "/", semdiff.Config{})
		if err != nil {
			return err
		}
		if p.config.Allow && !decision.AllAllowed || !p.config.Allow && !decision.AllDisallowed {
			return fmt.Errorf("the group does not have its effect on %s in dialect %v", c.Token, dialect)
		}
	}
	return nil
}

// proveOthers proves that the group changes nothing for other crawlers, known and
// unknown, or finds out why it applies to them.
func (p *prover) proveOthers(ctx context.Context, dialect robotstxt.Dialect, before, after *robotstxt.Robots) error {
	config := semdiff.Config{Only: true, Crawlers: []semdiff.Crawler{{}}}
	var others []crawlers.Crawler
	for c := range crawlers.All() {
		if !slices.ContainsFunc(p.config.Crawlers, func(s crawlers.Crawler) bool { return s.Token == c.Token }) {
			others = append(others, c)
			config.Crawlers = append(config.Crawlers, asked(dialect, c))
		}
	}
	report, err := semdiff.Compare(ctx, before, after, config)
	if err != nil {
		return err
	}
	if report.Equal() {
		return nil
	}
	for _, c := range others {
		reason, affects := p.reason(dialect, c)
		row := rowOf(report, asked(dialect, c))
		if row == nil || (row.Effect != semdiff.Equal) != affects {
			return fmt.Errorf("the effect of the group on %s in dialect %v is not proved", c.Token, dialect)
		}
		if text := c.Token + " (" + reason + ")"; affects && !slices.Contains(p.affected, text) {
			p.affected = append(p.affected, text)
		}
	}
	if row := rowOf(report, semdiff.Crawler{}); row == nil || row.Effect != semdiff.Equal {
		return fmt.Errorf("the group has an effect on unknown crawlers in dialect %v", dialect)
	}
	return nil
}

// reason returns why the group applies to another crawler, if it does.
func (p *prover) reason(dialect robotstxt.Dialect, c crawlers.Crawler) (reason string, applies bool) {
	tokens := asked(dialect, c).Tokens
	for _, token := range tokens {
		for _, selected := range p.config.Crawlers {
			if !ascii.EqualFold(token, readBy(dialect, selected.Token)) {
				continue
			}
			if token != tokens[0] || !ascii.EqualFold(token, readBy(dialect, c.Token)) {
				return "falls back to " + selected.Token, true
			}
			return fmt.Sprintf("some parsers read only %q in both names", token), true
		}
	}
	return "", false
}

// rowOf returns the row of a crawler.
func rowOf(report *semdiff.Report, c semdiff.Crawler) *semdiff.Row {
	for i := range report.Rows {
		if slices.ContainsFunc(report.Rows[i].Crawlers, func(other semdiff.Crawler) bool {
			return other.NamedOnly == c.NamedOnly && slices.Equal(other.Tokens, c.Tokens)
		}) {
			return &report.Rows[i]
		}
	}
	return nil
}

// readBy returns the token that a dialect reads in a line that names the crawler with a
// token, "" if none. A crawler whose parser has that dialect looks for it.
func readBy(dialect robotstxt.Dialect, token string) string {
	return answer.TokenRead(dialect, token)
}

// asked returns how a crawler whose parser has the dialect queries a file.
func asked(dialect robotstxt.Dialect, c crawlers.Crawler) semdiff.Crawler {
	var tokens []string
	for _, token := range c.Tokens() {
		if read := readBy(dialect, token); read != "" && !slices.Contains(tokens, read) {
			tokens = append(tokens, read)
		}
	}
	return semdiff.Crawler{Tokens: tokens, NamedOnly: c.Obeys == crawlers.ObeysNamed && len(tokens) > 0}
}
