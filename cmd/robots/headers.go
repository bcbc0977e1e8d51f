package main

import (
	"net/http"

	"github.com/kosterhq/robotstxt/fetch"
)

// header is a header of the response that decides what a robots.txt is, or how
// long it holds.
type header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// headersThatMatter are shown, in this order.
var headersThatMatter = []string{
	"Location", "Retry-After", "Content-Type", "Content-Length", "Content-Encoding",
	"Cache-Control", "Age", "Expires", "Date", "ETag", "Last-Modified",
}

// headersOf returns the headers that matter of the response that a result rests
// on.
func headersOf(r *fetch.Result) []header { return pickHeaders(r.Header) }

func pickHeaders(from http.Header) (picked []header) {
	for _, name := range headersThatMatter {
		for _, value := range from.Values(name) {
			picked = append(picked, header{name, value})
		}
	}
	return picked
}

// headers lists the headers of a finding.
func (p *prose) headers(f *finding) {
	name := "headers"
	for _, h := range f.Headers {
		p.field(name, clip(escape(h.Name+": "+h.Value), widestExcerpt))
		name = ""
	}
}
