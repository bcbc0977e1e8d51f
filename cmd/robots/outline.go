package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// outline is what a robots.txt holds, in short.
type outline struct {
	Lines      int      `json:"lines"`
	Groups     int      `json:"groups"`
	Agents     []string `json:"agents"` // that groups name, each once, in the order of the file
	Allow      int      `json:"allow"`
	Disallow   int      `json:"disallow"`
	Sitemaps   []string `json:"sitemaps"`
	Extensions []extra  `json:"extensions"`

	page bool // it looks like a web page
}

// extra is a line beyond the protocol.
type extra struct {
	Line  int    `json:"line"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// outlineOf returns the outline of a file, nil if there is none.
func outlineOf(r *ruling) *outline {
	if r.robots == nil {
		return nil
	}
	o := &outline{Agents: []string{}, Sitemaps: []string{}, Extensions: []extra{}, page: isPage(r.body.text)}
	for line := range robotstxt.Lines(r.body.text) {
		if !isEnd(line) {
			o.Lines = line.Number
		}
	}
	seen := make(map[string]bool)
	for group := range r.robots.Groups() {
		o.Groups++
		for agent := range group.Agents() {
			if key := ascii.ToLower(agent.Token); !seen[key] {
				seen[key] = true
				o.Agents = append(o.Agents, agent.Token)
			}
		}
		for rule := range group.Rules() {
			if rule.Allow {
				o.Allow++
			} else {
				o.Disallow++
			}
		}
	}
	for sitemap := range r.robots.Sitemaps() {
		o.Sitemaps = append(o.Sitemaps, sitemap.URL)
	}
	for e := range r.robots.Extensions() {
		o.Extensions = append(o.Extensions, extra{e.Line, e.Name, e.Value})
	}
	return o
}

// outline shows the file, the first few of whatever it has many of.
func (p *prose) outline(o *outline) {
	p.field("lines", strconv.Itoa(o.Lines))
	if o.page {
		p.field("", "it looks like a web page, and is read all the same, as a crawler would")
	}
	agents := make([]string, len(o.Agents))
	for i, agent := range o.Agents {
		agents[i] = quoteToken(agent)
	}
	groups := strconv.Itoa(o.Groups)
	if o.Groups > 0 {
		groups += ", for " + firstOf(agents, 8)
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

// firstOf joins the first few of escaped texts.
func firstOf(texts []string, few int) string {
	if len(texts) <= few {
		return strings.Join(texts, ", ")
	}
	return strings.Join(texts[:few], ", ") + fmt.Sprintf(" and %d more", len(texts)-few)
}
