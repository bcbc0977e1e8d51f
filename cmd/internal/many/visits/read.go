package visits

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"hash/maphash"
	"io"
	"math"
	"net/netip"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/bounds"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/visitor"
)

// The limits of data that strangers can fill with requests.
const (
	maxAgents    = 10_000
	maxOrigins   = 10_000
	maxAddresses = 1_000_000
	maxHosts     = 100  // hosts that are not judged and have a name in the result
	maxForeign   = 1000 // lines before the first one that can be read
)

// Log is a log to read.
type Log struct {
	Name string
	Open func() (io.ReadCloser, error)
	Once bool // it can be read only once, as standard input

	isExcerpt bool // it has some lines of a log, each after its number in that log and a tab
}

type reading struct {
	*run
	agents map[string]int // crawler by User-Agent, -1 for none
	ids    map[string]int // crawler by token
	hosts  map[string]int // origin by scheme and host as logs have them
	byName map[string]int // origin by name
	key    []byte
	seed   maphash.Seed
}

func (r *reading) readAll(ctx context.Context, logs []Log) error {
	if r.kept == nil {
		var err error
		logs, err = r.distinct(logs)
		if err != nil {
			return err
		}
	}
	r.sources = logs
	for _, log := range logs {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.logs = append(r.logs, newLogFacts(log.Name))
		if r.Begun != nil {
			r.Begun()
		}
		err := r.log(ctx, log)
		if fatal := (*fatalError)(nil); errors.As(err, &fatal) {
			return fatal.error
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.trouble(err)
		}
	}
	return nil
}

// fatalError ends the run and not only the reading of one log.
type fatalError struct{ error }

func (r *reading) trouble(err error) {
	r.result.Incomplete = true
	r.Problem(err)
}

func opened(log Log) (text io.Reader, done func(), err error) {
	f, err := log.Open()
	if err != nil {
		return nil, nil, err
	}
	text, err = files.Decompressed(f)
	if err != nil {
		f.Close()
		return nil, nil, cutError(log.Name, err)
	}
	text = accesslog.Lines(text)
	return text, func() { f.Close() }, nil
}

func cutError(name string, err error) error {
	name = term.Escape(name)
	if convert := (*files.ConvertError)(nil); errors.As(err, &convert) {
		return term.Errorf("cannot read %s: %v", name, convert).Hint(convert.Command + " " + name + " | robots visits -")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return term.Errorf("%s ends early: it was cut", name).Hint("copy it again; the results cover only its beginning")
	}
	return term.Errorf("cannot read %s: %v", name, term.Cause(err))
}

// distinct returns the logs without logs that have the same content as another one.
func (r *reading) distinct(logs []Log) (kept []Log, err error) {
	if len(logs) < 2 {
		return logs, nil
	}
	beginnings := map[string][]Log{}
	contents := map[string]string{}
	for _, log := range logs {
		if log.Once {
			kept = append(kept, log)
			continue
		}
		begin := hashOf(log, accesslog.MaxLine)
		same := beginnings[begin]
		beginnings[begin] = append(same, log)
		if begin == "" || len(same) == 0 {
			kept = append(kept, log)
			continue
		}
		if len(same) == 1 {
			contents[hashOf(same[0], math.MaxInt64)] = same[0].Name
		}
		whole := hashOf(log, math.MaxInt64)
		if other, ok := contents[whole]; ok && whole != "" {
			r.Note("%s has the same content as %s, and is counted once", term.Escape(log.Name), term.Escape(other))
			r.result.Duplicates = append(r.result.Duplicates, log.Name)
			continue
		}
		contents[whole] = log.Name
		kept = append(kept, log)
	}
	return kept, nil
}

// hashOf returns the digest of the beginning of a log, "" if it cannot be read.
func hashOf(log Log, most int64) string {
	text, done, err := opened(log)
	if err != nil {
		return ""
	}
	defer done()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(text, most))
	if n == 0 || err != nil {
		return ""
	}
	return string(h.Sum(nil))
}

func (r *reading) log(ctx context.Context, log Log) error {
	p := r.parser(log.Name)
	unreadable := int64(0)
	err := eachLine(ctx, log, p, func(l *logLine) error {
		switch {
		case l.err != nil:
			unreadable++
			if p.Form() == accesslog.None && unreadable > maxForeign {
				return io.EOF
			}
		case l.isRequest:
			r.result.Lines++
			return r.request(&l.entry, l.text, l.number)
		}
		return nil
	})
	r.logs[len(r.logs)-1].unreadable = unreadable
	if err != nil {
		r.result.Unreadable += unreadable
		r.result.Lines += unreadable
		return err
	}
	if p.IsEmpty() && unreadable == 0 {
		return nil
	}
	return r.end(p, unreadable)
}

// parser returns the parser of a log.
func (r *run) parser(name string) *accesslog.Parser {
	p := &accesslog.Parser{Name: term.Escape(name), Map: r.Map, Zone: r.Zone, Format: r.Format, Trusted: r.Trusted,
		Need: accesslog.Time | accesslog.Agent | accesslog.Method | accesslog.Status}
	if r.Lists != nil || r.Resolver != nil || r.Addresses != nil {
		p.Need |= accesslog.Addr
	}
	if r.History != nil && len(r.Sites) == 0 {
		p.Need |= accesslog.Host
	}
	return p
}

// logLine is a line of a log, which is valid until the next one.
type logLine struct {
	number    int64
	text      []byte
	entry     accesslog.Entry
	isRequest bool
	err       error // accesslog.ErrUnreadable or nil
}

// eachLine calls do for each line that is not empty. If do returns io.EOF, eachLine ends without an error.
func eachLine(ctx context.Context, log Log, p *accesslog.Parser, do func(*logLine) error) error {
	text, done, err := opened(log)
	if err != nil {
		return err
	}
	defer done()
	size := accesslog.MaxLine
	if log.isExcerpt {
		size += len("9223372036854775807\t")
	}
	lines := bufio.NewReaderSize(text, size)
	l := &logLine{}
	for {
		line, tooLong, end := readLine(lines)
		if end != nil && end != io.EOF {
			return cutError(log.Name, end)
		}
		l.number++
		if l.number%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(line) > 0 || tooLong {
			if log.isExcerpt {
				l.number, line = excerpted(line)
			}
			l.text, l.isRequest, l.err = line, false, accesslog.ErrUnreadable
			if !tooLong {
				l.isRequest, l.err = p.Parse(line, &l.entry)
			}
			if l.err != nil && !errors.Is(l.err, accesslog.ErrUnreadable) {
				return l.err
			}
			if err := do(l); err != nil && err != io.EOF {
				return err
			} else if err == io.EOF {
				return nil
			}
		}
		if end == io.EOF {
			return nil
		}
	}
}

// end ends the reading of a log.
func (r *reading) end(p *accesslog.Parser, unreadable int64) error {
	if err := p.End(); err != nil {
		return err
	}
	facts := &r.logs[len(r.logs)-1]
	if facts.lines > 0 && facts.crawlers == 0 {
		r.Note("%s has %s, but no known crawler; if its fields have another order, describe it with --log-format", p.Name, term.Count(int(facts.lines), "request", "requests"))
	}
	facts.lacksQueries = !p.ShowsQueries() && facts.queries*100 < facts.targets
	r.result.Unreadable += unreadable
	r.result.Lines += unreadable
	return nil
}

// readLine returns the next line, which is valid until the next call. Of a line that is longer than the
// buffer it returns a part. A line over bounds.MaxSkipped, for example from a device that never ends, is an error.
func readLine(lines *bufio.Reader) (line []byte, tooLong bool, err error) {
	line, err = lines.ReadSlice('\n')
	tooLong = errors.Is(err, bufio.ErrBufferFull)
	for skipped := 0; errors.Is(err, bufio.ErrBufferFull); {
		var part []byte
		part, err = lines.ReadSlice('\n')
		skipped += len(part)
		if skipped > bounds.MaxSkipped {
			return nil, true, bounds.Endless("an access log")
		}
	}
	return line, tooLong, err
}

// request counts a request, and keeps it if it names a known crawler.
func (r *reading) request(e *accesslog.Entry, line []byte, number int64) error {
	if len(e.Target) == 0 {
		r.result.Pathless++
	}
	begin, end := e.Begin.UnixMilli(), e.End.UnixMilli()
	r.from, r.to = min(r.from, begin), max(r.to, end)
	at := r.originOf(e)
	r.origins[at].lines++
	log := &r.logs[len(r.logs)-1]
	log.add(at, begin, end)
	r.result.Bytes += e.Bytes
	if len(e.Target) > 0 {
		log.targets++
		if bytes.IndexByte(e.Target, '?') >= 0 {
			log.queries++
		}
	}
	c, ok := r.agents[string(e.Agent)]
	if !ok {
		c = r.crawlerOf(string(e.Agent))
		if len(r.agents) >= maxAgents {
			clear(r.agents)
		}
		r.agents[string(e.Agent)] = c
	}
	isFetch := bytes.HasPrefix(e.Target, robotsPath) && isRobots(string(e.Target))
	isEmpty := e.Sized && e.Bytes == 0
	if isFetch && isOutage(e.Status, string(e.Method) == "GET", isEmpty) {
		for _, t := range []int64{begin, end} {
			r.outages[at] = r.outages[at].with(moment{at: t, log: len(r.logs) - 1, line: number})
		}
		if c < 0 && !r.NoSiteCache {
			return nil // it shields everybody
		}
	}
	if c >= 0 {
		log.crawlers++
	}
	if c < 0 && !(isFetch && r.isJudged() && (isRefusal(e.Status, string(e.Method)) || isEmpty)) {
		return nil
	}
	v := visit{
		log: len(r.logs) - 1, line: number, begin: begin, end: end, crawler: c, origin: at,
		method: string(e.Method), target: string(e.Target), status: e.Status, bytes: e.Bytes,
		flags: flagsOf(e), hash: maphash.Bytes(r.seed, line),
	}
	r.setAddress(&v, e.Addr)
	if err := r.spool.add(&v); err != nil {
		return &fatalError{term.Errorf("cannot keep the visits in a temporary file: %v", term.Cause(err)).Hint("set TMPDIR to a folder with room")}
	}
	return nil
}

var robotsPath = []byte("/robots.txt")

func flagsOf(e *accesslog.Entry) (f flags) {
	for _, fact := range []struct {
		is bool
		f  flags
	}{{e.Decoded, decoded}, {e.Configured, configuredHost}, {e.Timed, timed}, {e.Sized && e.Bytes == 0, empty}} {
		if fact.is {
			f |= fact.f
		}
	}
	return f
}

// setAddress sets the address of a visit if a client on the internet can have it, and if it is whole.
func (r *reading) setAddress(v *visit, field []byte) {
	addr, ok := accesslog.Address(field)
	switch {
	case !ok || !visitor.IsGlobal(addr):
	case isShortened(addr):
		v.flags |= shortened
	case v.crawler < 0 || !r.crawlers[v.crawler].verifiable || r.sender(addr, r.crawlers[v.crawler].operator):
		v.addr = addr
	}
}

// isShortened reports whether the end of an address is zero, as servers write addresses that they
// shorten for privacy. One of 256 whole IPv4 addresses ends so too.
func isShortened(addr netip.Addr) bool {
	if addr.Is4() {
		return addr.As4()[3] == 0
	}
	octets := addr.As16()
	return [8]byte(octets[8:]) == [8]byte{}
}

// crawlerOf returns the number of the known crawler that a User-Agent header names, -1 for none.
func (r *reading) crawlerOf(agent string) int {
	token, ok := crawlers.Sender(agent)
	if !ok {
		return -1
	}
	known, ok := crawlers.Find(token)
	if !ok {
		return -1
	}
	id, ok := r.ids[known.Token]
	if !ok {
		id = len(r.crawlers)
		r.ids[known.Token] = id
		r.crawlers = append(r.crawlers, newCrawler(known, len(r.operators)))
		if other, ok := r.operators[known.Operator]; ok {
			r.crawlers[id].operator = other
		} else {
			r.operators[known.Operator] = r.crawlers[id].operator
		}
	}
	return id
}

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
		} else if string(e.Host) != "-" && string(e.Host) != "_" {
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

// senderKey is an address. IPv4 addresses have their IPv6 form.
type senderKey [16]byte

// severalOperators marks an address from which names of two operators came.
const severalOperators = math.MaxUint16

// sender records that a name of an operator came from an address. ok is false if there are too
// many addresses.
func (r *reading) sender(addr netip.Addr, operator int) (ok bool) {
	key := senderKey(addr.As16())
	known, ok := r.senders[key]
	switch {
	case !ok && len(r.senders) >= maxAddresses:
		return false
	case !ok:
		r.senders[key] = uint16(operator)
	case known != uint16(operator):
		r.senders[key] = severalOperators
	}
	return true
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
		r.Note("%s no host, so they are not judged: if the server has one site, name it with --site", term.Count(int(n), "request has", "requests have"))
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
