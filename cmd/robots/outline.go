package main

import (
	"fmt"
	"strconv"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// outline shows the file, the first few of whatever it has many of.
func (p *prose) outline(o *wire.Outline, kind wire.Body) {
	p.field("lines", strconv.Itoa(o.Lines))
	if kind == wire.BodyHTML {
		p.field("", "it looks like a web page, and is read all the same, as a crawler would")
	}
	agents := make([]string, len(o.Agents))
	for i, agent := range o.Agents {
		agents[i] = term.Token(agent)
	}
	groups := strconv.Itoa(o.Groups)
	if o.Groups > 0 {
		groups += ", for " + term.First(agents, 8)
	}
	p.field("groups", groups)
	p.field("rules", fmt.Sprintf("%d disallow, %d allow", o.Disallow, o.Allow))
	p.several("sitemaps", o.Sitemaps)
	var lines []string
	for _, e := range o.Extensions {
		lines = append(lines, fmt.Sprintf("line %d  %s: %s", e.Line, e.Name, e.Value))
	}
	p.several("besides", lines)
}

// several writes a field with a line for each text, the first few of many.
func (p *prose) several(name string, texts []string) {
	const most = 8
	for i, text := range texts {
		if i == most {
			p.field("", fmt.Sprintf("and %d more; --json lists them all", len(texts)-most))
			break
		}
		p.field(name, term.Clip(term.Escape(text), widestExcerpt))
		name = ""
	}
}
