package prose

import (
	"fmt"
	"strconv"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// outline shows a summary of a file. Long lists of agents and lines are shortened.
func (b *block) outline(o *wire.Outline, kind robotstxt.Body) {
	b.field("lines", strconv.Itoa(o.Lines))
	if what := answer.NotRules(kind, nil); what != "" {
		b.field("", "it is "+what+", in which crawlers find no rules")
	}
	agents := make([]string, len(o.Agents))
	for i, agent := range o.Agents {
		agents[i] = term.Token(agent)
	}
	groups := strconv.Itoa(o.Groups)
	if o.Groups > 0 {
		groups += ", for " + term.First(agents, b.most(8))
	}
	b.field("groups", groups)
	b.field("rules", fmt.Sprintf("%d disallow, %d allow", o.Disallow, o.Allow))
	b.several("sitemaps", o.Sitemaps)
	var lines []string
	for _, e := range o.Extensions {
		lines = append(lines, fmt.Sprintf("line %d  %s: %s", e.Line, e.Name, e.Value))
	}
	b.several("other", lines)
}
