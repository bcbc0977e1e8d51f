package compare

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

// BlocklistConfig describes a group.
type BlocklistConfig struct {
	Crawlers []crawlers.Crawler // at least one
	Spared   []crawlers.Crawler // left out because they serve search too; a comment names them
	Allow    bool               // allow all paths instead of none
	Title    string             // the first line, a comment, without "#" and line ends
}

// Blocklist returns a group for the crawlers, with comments that say which of them need not
// obey it, and which other known crawlers it affects. The effect on every known crawler,
// and on unknown ones, is proved in all dialects. An error says what could not be
// proved, or is that of ctx.
func Blocklist(ctx context.Context, config BlocklistConfig) ([]byte, error) {
	named, unnamed := Nameable(config.Crawlers)
	if len(named) == 0 {
		return nil, fmt.Errorf("no line can name %s", unnamed[0].Token)
	}
	p := prover{config: config, named: named, group: blocklistGroup(named, config.Allow)}
	if err := p.prove(ctx); err != nil {
		return nil, err
	}
	return append(p.comments(unnamed), p.group...), nil
}

// blocklistGroup returns the lines of the group.
func blocklistGroup(named []crawlers.Crawler, allow bool) []byte {
	var b bytes.Buffer
	for _, c := range named {
		fmt.Fprintf(&b, "User-agent: %s\n", c.Token)
	}
	if allow {
		b.WriteString("Allow: /\n")
	} else {
		b.WriteString("Disallow: /\n")
	}
	return b.Bytes()
}

// Nameable separates the crawlers that a line can name from the others.
func Nameable(chosen []crawlers.Crawler) (named, unnamed []crawlers.Crawler) {
	for _, c := range chosen {
		// A crawler whose token has blanks may read the groups of a fallback, but has none.
		if r, ok := crawlers.ReadingOf(c.Token); ok && r.Dialect.ValidAgent(c.Token) {
			named = append(named, c)
		} else {
			unnamed = append(unnamed, c)
		}
	}
	return named, unnamed
}

// comments returns the lines before the group.
func (p *prover) comments(unnamed []crawlers.Crawler) []byte {
	var ignoring, without, spared []string
	for _, c := range p.config.Spared {
		spared = append(spared, c.Token)
	}
	for _, c := range unnamed {
		without = append(without, c.Token)
	}
	unknown := 0
	for _, c := range p.named {
		switch c.Obeys {
		case crawlers.ObeysNone:
			ignoring = append(ignoring, c.Token)
		case crawlers.Unknown:
			unknown++
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", p.config.Title)
	if len(ignoring) > 0 && !p.config.Allow {
		writeList(&b, "These need not obey it, or not always, according to their operators or to a public list: ", ignoring)
	}
	if unknown > 0 && !p.config.Allow {
		fmt.Fprintf(&b, "# No source says whether %d of the %d obey it.\n", unknown, len(p.named))
	}
	if len(spared) > 0 {
		writeList(&b, "These serve search too, so the group does not name them: ", spared)
	}
	if len(without) > 0 {
		writeList(&b, "No line can name these: ", without)
	}
	if len(p.affected) > 0 {
		writeList(&b, "It applies to these too: ", p.affected)
	}
	return b.Bytes()
}

// writeList writes a comment with a list, broken into lines.
func writeList(b *bytes.Buffer, head string, items []string) {
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
	config   BlocklistConfig
	named    []crawlers.Crawler // those of config that a line can name
	group    []byte
	affected []string // other crawlers to which the group applies, with the reason
}

// prove compares a file for "*" with and without the group. The file treats all crawlers
// contrary to the group.
func (p *prover) prove(ctx context.Context) error {
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
	for _, c := range p.named {
		if readBy(dialect, c.Token) == "" {
			continue // no line can name it in this dialect
		}
		decision, err := semdiff.Decides(ctx, askedAs(dialect, c).Rules(after), "/", semdiff.Config{})
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
			config.Crawlers = append(config.Crawlers, askedAs(dialect, c))
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
		row := rowOf(report, askedAs(dialect, c))
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
	tokens := askedAs(dialect, c).Tokens
	for _, token := range tokens {
		for _, selected := range p.named {
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

// askedAs returns how a crawler whose parser has the dialect queries a file.
func askedAs(dialect robotstxt.Dialect, c crawlers.Crawler) semdiff.Crawler {
	var tokens []string
	for _, token := range c.Tokens() {
		if read := readBy(dialect, token); read != "" && !slices.Contains(tokens, read) {
			tokens = append(tokens, read)
		}
	}
	return semdiff.Crawler{Tokens: tokens, NamedOnly: c.Obeys == crawlers.ObeysNamed && len(tokens) > 0}
}
