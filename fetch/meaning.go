package fetch

import (
	"fmt"
	"math"
	"net/http"

	"github.com/kosterhq/robotstxt/origin"
)

// Response is a response to the request for a robots.txt, for programs that have nothing but the response,
// such as readers of archives.
type Response struct {
	// URL is the URL of the request, from which its Location leads. Without it, a Location leads to a target
	// that is not known.
	URL    string
	Status int // of the final response, not of an interim one
	// Header has at least Location and Content-Range. nil means that only the status is known: then the target of
	// a redirect is not known either.
	Header http.Header
	// Body is the decoded body; without a file, its first NotFoundHead bytes suffice.
	Body []byte
	Cut  bool // the response has more than Body
	// Sent is the number of bytes of the body before it was decoded, negative if it is not known.
	Sent int64
	// NotFoundPage is that of Config; nil means that no page counts as 404.
	NotFoundPage func(status int, head []byte) bool
}

// Meaning is what a response says about a site of which nothing else is known: neither a copy of the file nor
// an earlier fault.
type Meaning struct {
	// Outcome is OutcomeRules if the body decides. It is empty for a redirect, whose target decides.
	Outcome Outcome
	Next    string // the target of a redirect, as RedirectTarget returns it; empty if it is not known
	Detail  string // why Outcome was chosen, in one line, in the words of Result.Detail and FaultError
	File    []byte // with OutcomeRules, the file; it is empty for a status without a body, whatever was sent
}

// Meaning returns what a response means, as a Client reads it.
func (p Policy) Meaning(r Response) Meaning {
	t := terms{Policy: p, Redirects: math.MaxInt, Body: math.MaxInt, NotFound: p.takesNotFound(r.NotFoundPage)}
	g := &siteAnswer{Status: r.Status, Bytes: len(r.Body), Truncated: r.Cut, body: r.Body}
	var next string
	if mayRedirect(r.Status) && r.Header != nil {
		next, _ = redirectTarget(origin.Text(r.URL), r.Header.Get("Location"))
	}
	isUnknown := r.Header == nil || r.URL == "" && r.Header.Get("Location") != ""
	if p.follows(r.Status) && (next != "" || isUnknown) {
		return Meaning{Next: next, Detail: "HTTP status " + fmt.Sprint(r.Status)}
	}
	length := r.Sent
	if r.Cut {
		length = -1
	}
	c, err := t.classOfHead(g, r.Header, length)
	if t.NotFound && mayBeNotFound(r.Status) && r.NotFoundPage(r.Status, r.Body[:min(len(r.Body), NotFoundHead)]) {
		c, err = classUnavailable, nil
	}
	if err == nil {
		err = t.check("HTTP", c, g)
	}
	if err != nil {
		return Meaning{Outcome: p.duringOutage(0, false).outcome(), Detail: newKeptError(err).Error()}
	}
	g.Class = c
	m := Meaning{Outcome: p.effectOf(c).outcome(), Detail: g.detail(origin.Origin{})}
	if c == classFile {
		m.File = r.Body
	}
	return m
}

// takesNotFound reports whether pages can count as 404.
func (p Policy) takesNotFound(page func(status int, head []byte) bool) bool {
	return page != nil && !policies[p.index()].onEvidence
}

// classOfHead returns the class of a response that is not followed, by its status and its head. length is the
// number of bytes of its body, as far as that is known, else negative. With an error the file is unreachable.
func (t terms) classOfHead(g *siteAnswer, h http.Header, length int64) (class, error) {
	c, err := t.classOf(g)
	switch {
	case err != nil:
		return classUnreachable, err
	case g.Status == http.StatusPartialContent:
		if n, ok := wholeRange(h); ok && (length < 0 || length == n) {
			return classFile, nil
		}
		return classUnreachable, statusError{"HTTP", g.Status, "a part of the file"}
	case t.Policy.isFault(c):
		return classUnreachable, statusError{"HTTP", g.Status, ""}
	}
	return c, nil
}
