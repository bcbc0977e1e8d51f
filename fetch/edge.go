package fetch

import (
	"net/http"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// An edgeSign is a header by which a CDN, a load balancer or a filter of bots shows that it has
// answered itself.
type edgeSign struct {
	name   string // of what answered
	header string
	value  string // with which the header's value begins, ignoring case; "" is any
	when   edgeCase
}

type edgeCase string

const (
	edgeAlways  edgeCase = "always"  // the header is only in the edge's own responses
	edgeErrors  edgeCase = "errors"  // in its own, and the site's have another value; a 404 is the site's
	edgeRefused edgeCase = "refused" // in all responses, so the status must be one of a filter
	edgeBroken  edgeCase = "broken"  // in all responses, and the status is one of Cloudflare's own
)

// edgeSigns are sorted by how strong they are.
var edgeSigns = []edgeSign{
	{"Cloudflare", "Cf-Mitigated", "", edgeAlways},
	{"AWS WAF", "X-Amzn-Waf-Action", "", edgeAlways},
	{"Vercel", "X-Vercel-Mitigated", "", edgeAlways},
	{"Sucuri", "X-Sucuri-Block", "", edgeAlways},
	{"DataDome", "X-Datadome", "", edgeRefused},
	{"DataDome", "X-Dd-B", "", edgeRefused},
	{"Kasada", "X-Kpsdk-Ct", "", edgeRefused},
	{"Imperva", "X-Iinfo", "", edgeRefused},
	{"Sucuri", "X-Sucuri-Id", "", edgeRefused},
	{"DDoS-Guard", "Server", "ddos-guard", edgeRefused},
	{"Akamai", "Server", "AkamaiGHost", edgeErrors},
	{"CloudFront", "Server", "CloudFront", edgeErrors},
	{"AWS load balancer", "Server", "awselb/", edgeErrors},
	{"Cloudflare", "Server", "cloudflare", edgeBroken},
}

var edgeHeaders = func() []string {
	names := []string{"Server"}
	for _, sign := range edgeSigns {
		if !slices.Contains(names, sign.header) {
			names = append(names, sign.header)
		}
	}
	return names
}()

func (w edgeCase) includes(status int) bool {
	switch w {
	case edgeErrors:
		return status >= 400 && status != http.StatusNotFound && status != http.StatusGone
	case edgeRefused:
		switch status {
		case http.StatusOK, http.StatusAccepted, http.StatusForbidden, http.StatusMethodNotAllowed,
			http.StatusNotAcceptable, http.StatusTooManyRequests, http.StatusServiceUnavailable:
			return true
		}
		return false
	case edgeBroken:
		return 520 <= status && status <= 530
	}
	return true
}

// noteEdge decides whether an edge has answered instead of the site, and adds the headers that
// show it to the result's headers. A text file is the site's, whatever its headers are.
func (a *attempt) noteEdge(h http.Header) {
	at := slices.IndexFunc(edgeSigns, func(s edgeSign) bool {
		value := h.Get(s.header)
		return value != "" && s.when.includes(a.Status) && len(value) >= len(s.value) &&
			strings.EqualFold(value[:len(s.value)], s.value)
	})
	if at < 0 {
		return
	}
	if a.err == nil && (a.Class == classFile || a.Class == classEmpty) {
		if body := robotstxt.BodyOf(a.body); body == robotstxt.BodyText || body == robotstxt.BodyEmpty {
			return
		}
	}
	var shown []string
	for _, name := range slices.Compact([]string{"Server", edgeSigns[at].header}) {
		if value := h.Get(name); value != "" {
			value = excerpt(value)
			a.header[name] = []string{value}
			shown = append(shown, name+": "+value)
		}
	}
	a.edge = edgeSigns[at].name + " (" + strings.Join(shown, ", ") + ")"
}

func excerpt(value string) string {
	const most = 60
	printable := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, value[:min(len(value), most)])
	if len(value) > most {
		printable += "..."
	}
	return printable
}
