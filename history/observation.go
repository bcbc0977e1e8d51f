package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/cacheheader"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
	"github.com/kosterhq/robotstxt/origin"
)

// Observation is the state of an origin's robots.txt as seen at one time.
type Observation struct {
	Origin string    // canonical, as origin.Origin prints it
	Time   time.Time // kept to the millisecond

	// Status is the HTTP or FTP status. It is 0 without a response. For a file from
	// elsewhere, such as a Git repository, it is 200, as if a site had served it.
	Status int

	// Fault is empty, or the reason why there is no answer: the Kind of a
	// fetch.FaultError, such as "timeout", or "status" for a status that is a fault.
	Fault string

	// Header has the response headers of HeaderNames; others are not kept.
	Header http.Header

	Redirects []string // URLs that redirected, in order
	FinalURL  string   // URL of the response. Empty means Origin and /robots.txt
	Source    string   // one of Sources
	Body      []byte   // the decoded file, at most 16 MiB; nil if there is no file
	Truncated bool     // the file is longer than Body
}

// HeaderNames returns the names of the headers that a Store keeps: the ones that describe
// the file, and how long and for whom it applies.
func HeaderNames() []string {
	return append([]string{"Cache-Control", "Content-Type", "ETag", "Expires", "Last-Modified", "Retry-After"},
		cacheheader.Targeted...)
}

// Sources returns where an observation can come from: a client of package fetch, an audit of
// files, the commits of a Git repository, a web archive, robots watch.
func Sources() []string { return slices.Clone(sources) }

var sources = []string{"client", "audit", "git", "warc", "watch"}

const gitSource = 1 << 2

const localFault = "local"

// FromStored returns the observation that a fetch made, as fetch.Config.OnFetch receives it,
// with the source "client". It shares memory with s, and panics if that is nil.
func FromStored(s *fetch.Stored) Observation {
	o := Observation{Origin: s.Origin.String(), Time: s.CheckedAt, Source: "client"}
	var hops []fetch.Hop
	switch {
	case s.Fault != nil:
		o.Status = s.Fault.Status
		o.Fault = s.Fault.Kind
		o.FinalURL = s.Fault.URL
		hops = s.Fault.Hops
	case s.Answer != nil:
		a := s.Answer
		o.Status = a.Status
		o.FinalURL = a.URL
		hops = a.Hops
		o.Header = s.Header.Clone()
		if o.Header == nil {
			o.Header = http.Header{}
		}
		for name, value := range map[string]string{"ETag": a.ETag, "Last-Modified": a.LastModified} {
			if value != "" {
				o.Header.Set(name, value)
			}
		}
		if a.Status >= 200 && a.Status < 300 {
			o.Body = a.Body
			o.Truncated = a.Truncated
			if o.Body == nil {
				o.Body = []byte{}
			}
		}
	}
	for _, hop := range hops {
		o.Redirects = append(o.Redirects, hop.URL)
	}
	return o
}

// facts are the fields that two equal observations share, apart from their
// bodies.
type facts struct {
	Status    int      `json:"s,omitempty"`
	Fault     string   `json:"f,omitempty"`
	FinalURL  string   `json:"u,omitempty"` // empty for the origin's own robots.txt
	Redirects []string `json:"r,omitempty"`
	Truncated bool     `json:"t,omitempty"`
}

// ErrInvalid is the error of an Observation that cannot be kept, or of an origin that is
// not canonical. The error that wraps it names the reason.
var ErrInvalid = errors.New("invalid observation")

func checkOrigin(name string) (origin.Origin, error) {
	o, err := origin.Of(name)
	if err != nil {
		return o, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if o.String() != name {
		return o, fmt.Errorf("%w: the origin %q is not canonical: write %s", ErrInvalid, name, o)
	}
	return o, nil
}

// maxFacts bounds the bytes of facts and headers; each is a small part of a row.
const maxFacts = 64 << 10

type encoded struct {
	origin   string
	time     int64 // milliseconds since 1970
	facts    string
	header   string // JSON; empty without headers
	lifetime int64  // seconds
	source   int64  // a bit
	body     []byte // nil if there is none
}

// check returns an error if o is not valid. source is the index of its source.
func (o *Observation) check(source int) error {
	switch {
	case source < 0:
		return fmt.Errorf("%w: the source %q is not one of %q", ErrInvalid, o.Source, sources)
	case o.Time.IsZero() || o.Time.Year() < 1970 || o.Time.Year() > 9999:
		return fmt.Errorf("%w: the time %v is not from 1970 to 9999", ErrInvalid, o.Time)
	case len(o.Body) > sqlitefile.MaxData:
		return fmt.Errorf("%w: a body of %d bytes is over the limit of %d", ErrInvalid, len(o.Body), sqlitefile.MaxData)
	case o.Status == 0 && o.Fault == "" && o.Body == nil:
		return fmt.Errorf("%w: it has no status, no fault and no body", ErrInvalid)
	}
	return nil
}

func (o *Observation) encode() (*encoded, error) {
	site, err := checkOrigin(o.Origin)
	if err != nil {
		return nil, err
	}
	bit := slices.Index(sources, o.Source)
	if err := o.check(bit); err != nil {
		return nil, err
	}
	f := facts{Status: o.Status, Fault: o.Fault, FinalURL: o.FinalURL, Redirects: o.Redirects, Truncated: o.Truncated}
	if f.FinalURL == site.RobotsURL() {
		f.FinalURL = ""
	}
	e := &encoded{origin: o.Origin, time: o.Time.UnixMilli(), source: 1 << bit, body: o.Body}
	e.facts = compactJSON(f)
	header := http.Header{}
	for _, name := range HeaderNames() {
		if values := o.Header.Values(name); len(values) > 0 {
			header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if len(header) > 0 {
		e.header = compactJSON(header)
	}
	if len(e.facts) > maxFacts {
		return nil, fmt.Errorf("%w: its redirects take %d bytes, over the limit of %d", ErrInvalid, len(e.facts), maxFacts)
	}
	if len(e.header) > maxFacts {
		e.header = "" // headers decide nothing
	}
	e.lifetime = int64(lifetimeOf(o.Header, o.Time).Seconds())
	return e, nil
}

// compactJSON returns the JSON of a value that always has one.
func compactJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers, slices and maps only
	}
	return string(text)
}
