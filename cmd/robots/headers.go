package main

import (
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/fetch"
)

// header is a header of the response that decides what a robots.txt is, or how
// long it holds.
type header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// headersOf returns the headers of the response that a result is based on.
func headersOf(r *fetch.Result) (lines []header) {
	for name, value := range r.HeaderLines() {
		lines = append(lines, header{name, value})
	}
	return lines
}

// headers lists the headers of a finding.
func (p *prose) headers(f *finding) {
	name := "headers"
	for _, h := range f.Headers {
		p.field(name, term.Clip(term.Escape(h.Name+": "+h.Value), widestExcerpt))
		name = ""
	}
}
