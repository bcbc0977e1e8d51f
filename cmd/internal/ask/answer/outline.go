package answer

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/agentname"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Outline returns a summary of the ruling's file, nil if there is no file.
func (r *Ruling) Outline() *wire.Outline {
	if !r.HasFile() {
		return nil
	}
	o := &wire.Outline{Agents: []string{}, Sitemaps: []string{}, Extensions: []wire.Extension{}}
	for line := range robotstxt.Lines(r.File.Text) {
		if !IsEnd(line) {
			o.Lines = line.Number
		}
	}
	seen := make(map[string]bool)
	names := agentname.InLines(r.Robots(), r.File.Text)
	for group := range r.Robots().Groups() {
		o.Groups++
		for _, name := range agentname.Distinct(names, group) {
			if key := ascii.ToLower(name); !seen[key] {
				seen[key] = true
				o.Agents = append(o.Agents, name)
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
	for sitemap := range r.Robots().Sitemaps() {
		o.Sitemaps = append(o.Sitemaps, sitemap.URL)
	}
	for e := range r.Robots().Extensions() {
		o.Extensions = append(o.Extensions, wire.Extension{Line: e.Line, Name: e.Name, Value: e.Value})
	}
	return o
}
