package visits

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

type site struct {
	origin.Origin
	lines  int64
	judged bool
	shown  string // its name in counts
}

// originOf returns the number of the requested origin, or 0 if the log has none. Of a target that is a
// URL only the path remains.
func (r *reading) originOf(e *accesslog.Entry) (id int) {
	if accesslog.HasScheme(e.Target) {
		id, e.Target = r.absolute(e.Target)
		return id
	}
	if len(e.Host) == 0 {
		return 0
	}
	r.key = append(append(append(r.key[:0], e.Scheme...), ' '), e.Host...)
	id, ok := r.hosts[string(r.key)]
	if !ok {
		if len(r.hosts) >= 4*maxOrigins {
			return 1
		}
		id = 0
		if o := e.Origin(r.schemeOf(string(e.Host))); !o.IsZero() {
			id = r.number(o)
		} else if e.HasHost() {
			id = 1
		}
		r.hosts[string(r.key)] = id
	}
	return id
}

// schemeOf returns the scheme of a host if the log does not show it.
func (r *reading) schemeOf(host string) string {
	for _, s := range r.Sites {
		if o, err := origin.Of(s.Scheme() + "://" + host); err == nil && o == s {
			return s.Scheme()
		}
	}
	return "https"
}

// number returns the number of an origin. Those after the first 10,000 have the number 1.
func (r *reading) number(o origin.Origin) int {
	if same, ok := r.Same[o]; ok {
		o = same
	}
	id, ok := r.byName[o.String()]
	if !ok {
		id = len(r.origins)
		if id >= maxOrigins || isAddress(o) && !slices.Contains(r.Sites, o) {
			return 1
		}
		r.origins = append(r.origins, site{Origin: o})
		r.byName[o.String()] = id
	}
	return id
}

// absolute returns the origin and the path of a target that is a URL.
func (r *reading) absolute(target []byte) (id int, path []byte) {
	o, rest := splitURL(string(target))
	if o.IsZero() {
		return 1, target
	}
	return r.number(o), []byte(rest)
}

// isAddress reports whether the host of an origin is an address, which a client can have sent to look like
// another one.
func isAddress(o origin.Origin) bool {
	_, host, _ := strings.Cut(o.String(), "://")
	_, ok := accesslog.Address([]byte(host))
	return ok
}

// splitURL returns the origin and the path of a URL, or the zero Origin if it is not one.
func splitURL(target string) (o origin.Origin, path string) {
	o, err := origin.Of(target)
	if err != nil {
		return origin.Origin{}, ""
	}
	_, rest, _ := strings.Cut(target, "//")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		path = rest[i:]
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return o, path
}

func (r *reading) chooseSites() {
	for _, o := range r.Sites {
		r.origins[r.number(o)].judged = true
	}
	if len(r.Sites) == 1 {
		r.stated = r.number(r.Sites[0])
		r.origins[0].judged = true
		r.origins[0].Origin = r.Sites[0]
	}
	if len(r.Sites) == 0 && r.kept == nil {
		best := 0
		for i, s := range r.origins {
			if i != 1 && (s.lines > r.origins[best].lines || s.lines == r.origins[best].lines &&
				s.String() < r.origins[best].String()) {
				best = i
			}
		}
		r.origins[best].judged = true
	}
	var sites []string
	var others []*site
	for i := range r.origins {
		s := &r.origins[i]
		s.shown = s.name()
		if s.IsZero() {
			s.shown = []string{"no host", otherHosts}[min(i, 1)]
		}
		switch {
		case s.judged && !s.IsZero():
			sites = append(sites, s.shown)
		case !s.judged && s.lines > 0:
			others = append(others, s)
		}
	}
	r.warnOfAbsent()
	slices.Sort(sites)
	r.result.Sites = append(r.result.Sites, slices.Compact(sites)...)
	slices.SortFunc(others, func(a, b *site) int {
		return cmp.Or(cmp.Compare(b.lines, a.lines), strings.Compare(a.shown, b.shown))
	})
	for i, s := range others {
		if i < maxHosts {
			r.result.OtherHosts = append(r.result.OtherHosts, wire.VisitHost{Host: s.shown, Lines: s.lines})
		} else {
			s.shown = otherHosts
		}
	}
}

// warnOfAbsent notes the sites that no log names, and the name that most requests are for.
func (r *reading) warnOfAbsent() {
	if r.origins[0].lines > 0 && len(r.Sites) == 1 {
		return
	}
	var best *site
	for i := 2; i < len(r.origins); i++ {
		s := &r.origins[i]
		if s.lines > 0 && !s.judged && (best == nil || s.lines > best.lines) {
			best = s
		}
	}
	for _, o := range r.Sites {
		s := &r.origins[r.number(o)]
		if s.lines > 0 {
			continue
		}
		if best == nil {
			r.Note("no request is for %s", term.Escape(s.String()))
			continue
		}
		name, other := term.Escape(s.String()), term.Escape(best.String())
		r.Note("no request is for %s, but %s for %s: if that is the same site, for example because TLS ends before the server, give --site %s=%s", name, term.Count(int(best.lines), "is", "are"), other, name, other)
	}
	if n := r.origins[0].lines; n > 0 && len(r.Sites) != 1 && r.isJudged() {
		advice := "if the server has one site, name it with --site"
		if len(r.Sites) > 1 {
			advice = "log the requested host"
		}
		r.Note("%s no host, so they are not judged: %s", term.Count(int(n), "request has", "requests have"), advice)
	}
}

const otherHosts = "other hosts"

func isRobots(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	return path == "/robots.txt"
}

// shown returns a target without the values of its query.
func shown(target string) string {
	path, query, found := strings.Cut(target, "?")
	if !found {
		return path
	}
	var b bytes.Buffer
	b.WriteString(path)
	separator := byte('?')
	for pair := range strings.SplitSeq(query, "&") {
		b.WriteByte(separator)
		separator = '&'
		if key, _, ok := strings.Cut(pair, "="); ok {
			b.WriteString(key + "=")
		}
		b.WriteString("…")
	}
	return b.String()
}
