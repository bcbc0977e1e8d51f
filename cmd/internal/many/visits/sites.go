package visits

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/origin"
)

type site struct {
	origin.Origin
	lines   int64
	judged  bool
	schemed bool   // a log shows its scheme
	shown   string // its name in counts
}

// originOf returns the number of the requested origin, or 0 if the log has none. Of a target that is a
// URL only the path remains.
func (r *reading) originOf(e *accesslog.Entry) (id int) {
	if accesslog.HasScheme(e.Target) {
		id, e.Target = r.absolute(e.Target)
		// Clients and proxies that end TLS can name another scheme than the one that was requested.
		if r.hasPaths && asksForRobots(string(e.Target)) {
			if of := r.hostOf(e); r.origins[of].Host() == r.origins[id].Host() || of == 0 && r.isStatedHost(id) {
				return of
			}
		}
		return id
	}
	r.hasPaths = r.hasPaths || len(e.Target) > 0
	if e.HasHost() || len(r.Sites) != 1 || asksForRobots(string(e.Target)) {
		return r.hostOf(e)
	}
	return r.hostless(e)
}

// isStatedHost reports whether an origin has the host of the only stated site.
func (r *reading) isStatedHost(id int) bool {
	return len(r.Sites) == 1 && r.origins[id].Host() == r.Sites[0].Host()
}

// hostless returns the number of the origin of a request in a line without a host: if its scheme or its port shows
// that it is not to the only stated site, that is another one.
func (r *reading) hostless(e *accesslog.Entry) int {
	if e.Scheme == "" && len(e.Port) == 0 {
		return 0
	}
	r.key = append(append(append(r.key[:0], e.Scheme...), ' ', ':'), e.Port...)
	id, ok := r.hosts[string(r.key)]
	if ok {
		return id
	}
	site := r.Sites[0]
	url := cmp.Or(e.Scheme, e.PortScheme(), site.Scheme()) + "://" + site.Host()
	if len(e.Port) > 0 {
		url += ":" + string(e.Port)
	}
	o, err := origin.Of(url)
	if err == nil {
		id = r.number(o)
	}
	if id == r.number(site) {
		id = 0
	}
	r.hosts[string(r.key)] = id
	return id
}

// hostOf returns the number of the origin in the fields of a line, or 0 if it has none.
func (r *reading) hostOf(e *accesslog.Entry) (id int) {
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
			r.origins[id].schemed = r.origins[id].schemed || e.Scheme != ""
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
	var best *site
	for i := 2; i < len(r.origins); i++ {
		s := &r.origins[i]
		if s.lines > 0 && !s.judged && (best == nil || s.lines > best.lines) {
			best = s
		}
	}
	isOther := best != nil && len(r.Sites) == 1 && best.Host() == r.Sites[0].Host() && best.lines > r.origins[0].lines
	if r.origins[0].lines > 0 && len(r.Sites) == 1 && !isOther {
		return
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

// asksForRobots reports whether a request might be for /robots.txt, however its target is spelt.
func asksForRobots(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	path, _, _ = strings.Cut(path, "#")
	if strings.IndexByte(path, '%') >= 0 {
		path = string(ascii.AppendDecoded(nil, path))
	}
	path = withoutDots(path)
	return strings.TrimLeft(strings.TrimRight(path, "/ "), "/") == "robots.txt"
}

// mayBeRobots reports whether a target might be one of asksForRobots. It is quick, for each line of a log.
func mayBeRobots(target []byte) bool {
	return len(target) > 1 && (bytes.IndexByte([]byte("r/.%"), target[1]) >= 0 || bytes.Contains(target, []byte("/.")) ||
		bytes.Contains(target, []byte("/%2")))
}

// withoutDots returns a path as crawlers request it that remove its dot segments [RFC 3986 5.2.4].
func withoutDots(path string) string {
	if !strings.Contains(path, "/.") && !strings.Contains(path, "/%2") {
		return path
	}
	var kept []string
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		dots := strings.ReplaceAll(strings.ReplaceAll(segment, "%2e", "."), "%2E", ".")
		isLast := i == len(segments)-1
		switch {
		case dots != "." && dots != "..":
			kept = append(kept, segment)
			continue
		case dots == ".." && len(kept) > 1:
			kept = kept[:len(kept)-1]
		}
		if isLast {
			kept = append(kept, "")
		}
	}
	return strings.Join(kept, "/")
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
