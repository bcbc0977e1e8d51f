package fetch

import (
	"bytes"
	"net/http"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/origin"
)

// terms decide how far a fetch goes and what its responses mean. A store can have the
// fetches of clients with other terms, so it keeps the responses in order, where they
// led, and the limits. read applies terms to them.
type terms struct {
	Policy    Policy `json:"policy"`
	Redirects int    `json:"redirects"` // Limits.MaxRedirects
	Body      int    `json:"body"`      // Limits.MaxBody
	NotFound  bool   `json:"not_found"` // it looks for the page of a 404 with another status
}

// mayRedirect reports whether some policy takes a response with this status and a usable
// Location for a redirect.
func mayRedirect(status int) bool {
	return classOf(status) == classRedirect || status == http.StatusMultipleChoices
}

func (t terms) follows(status, hops int) bool {
	return t.Policy.follows(status) && hops < t.Redirects
}

// classOf returns the class of the last response of a fetch. An error means that a
// redirect led nowhere and the file is unreachable.
func (t terms) classOf(g *siteAnswer) (class, error) {
	c := classOf(g.Status)
	if !t.Policy.follows(g.Status) {
		return c, nil
	}
	if t.Policy.loses(g.Next != "") {
		return classUnreachable, statusError{"HTTP", g.Status, g.lost()}
	}
	if c == classRedirect {
		return classUnavailable, nil // like 404
	}
	return c, nil
}

func (t terms) check(protocol string, c class, g *siteAnswer) error {
	if t.Policy.isFault(c) {
		return statusError{protocol, g.Status, ""}
	}
	if c != classFile || !policies[t.Policy.index()].onEvidence {
		return nil
	}
	switch body := robotstxt.BodyOf(g.body); {
	case g.Truncated && len(g.body) == 0:
		return statusError{protocol, g.Status, "a first line that is longer than the limit"}
	case body == robotstxt.BodyHTML:
		return statusError{protocol, g.Status, "a web page instead of a robots.txt"}
	case body == robotstxt.BodyBinary:
		return statusError{protocol, g.Status, "a body that is not text"}
	}
	return nil
}

// read returns the meaning of a stored state under these terms. It returns nil if the
// state has none, because a fetch would have gone further or ended differently: then the
// client fetches again.
func (t terms) read(s *state) *state {
	read := &state{origin: s.origin, checkedAt: s.checkedAt}
	if s.lastAnswer != nil {
		read.lastAnswer = t.readAnswer(s.origin, s.lastAnswer, s.within.Body)
	}
	if s.fault != nil && t.sharesFault(s.origin, s.fault, *s.within) {
		read.fault = s.fault
		if *s.within != t {
			// Under these terms earlier attempts of the run might not be faults, so the
			// outage is known only from the last attempt on.
			own := *s.fault
			own.Since, own.Tries = s.checkedAt, 1
			read.fault = &own
		}
	}
	switch {
	case read.lastAnswer == nil && read.fault == nil:
		return nil
	case read.fault == nil:
		read.checkedAt = read.lastAnswer.At
	}
	return read
}

func (t terms) readAnswer(o origin.Origin, g *siteAnswer, limit int) *siteAnswer {
	read := *g
	if o.Scheme() == "ftp" {
		if !t.cutBody(&read, limit) || t.check("FTP", g.Class, &read) != nil {
			return nil
		}
		return &read
	}
	if i := t.end(g.Hops); i < len(g.Hops) {
		read = siteAnswer{Status: g.Hops[i].Status, URL: g.Hops[i].URL, Hops: g.Hops[:i:i], Next: g.URL, At: g.At}
		if i+1 < len(g.Hops) {
			read.Next = g.Hops[i+1].URL
		} else if g.URL == "" {
			read.Next = o.RobotsURL()
		}
		if read.URL == o.RobotsURL() {
			read.URL = ""
		}
	} else if g.Next != "" && t.follows(g.Status, len(g.Hops)) {
		return nil
	}
	c, err := t.classOf(&read)
	switch {
	case err != nil:
		return nil
	case g.Class == classUnavailable && c == classUnreachable && t.NotFound && !policies[t.Policy.index()].onEvidence:
		c = g.Class // the page of a 404 with another status, which this client recognises too
	case g.Class == classFile && read.Status == http.StatusPartialContent:
		c = g.Class // all of the file
	}
	if !t.cutBody(&read, limit) || t.check("HTTP", c, &read) != nil {
		return nil
	}
	read.Class = c
	return &read
}

// end returns how many of a fetch's redirects are followed.
func (t terms) end(hops []Hop) int {
	for i, hop := range hops {
		if !t.follows(hop.Status, i) {
			return i
		}
	}
	return len(hops)
}

// cutBody cuts a body at the limit. It returns false if the fetch has not read enough of it.
func (t terms) cutBody(g *siteAnswer, limit int) bool {
	if g.Truncated && limit < t.Body {
		return false
	}
	if len(g.body) > t.Body {
		body, truncated, _ := robotstxt.ReadBody(bytes.NewReader(g.body), t.Body) // cannot fail
		g.body = body
		g.Bytes = len(body)
		g.Truncated = truncated
	}
	return true
}

// sharesFault reports whether a fetch on these terms would have had the same fault.
func (t terms) sharesFault(o origin.Origin, f *fault, by terms) bool {
	refusesBody := policies[t.Policy.index()].onEvidence && by.Body >= t.Body
	switch {
	case f.Class == classRefused || o.Scheme() == "ftp" && f.Status == 0:
		return t.end(f.Hops) == len(f.Hops)
	case o.Scheme() == "ftp":
		c := classIn(ftpStatuses, f.Status)
		return t.Policy.isFault(c) || c == classFile && refusesBody
	case t.end(f.Hops) < len(f.Hops), f.Next != "" && t.follows(f.Status, len(f.Hops)):
		return false
	case f.Kind != kindStatus:
		return by.Body >= t.Body || f.Kind != kindInvalid // a larger limit can suffice
	case f.Status >= 500 && f.Status != http.StatusServiceUnavailable && t.NotFound && !by.NotFound:
		return false // it can be the page of a 404
	}
	g := &siteAnswer{Status: f.Status, Hops: f.Hops, Next: f.Next}
	c, err := t.classOf(g)
	return err != nil || t.Policy.isFault(c) || c == classFile && refusesBody
}
