package visits

import (
	"bufio"
	"bytes"
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
	"github.com/kosterhq/robotstxt/crawlers"
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

	// Archive opens the archive that contains the log; nil if it is in none. Name then is the name of
	// the archive, a slash and Entry.
	Archive func() (io.ReadCloser, error)
	Entry   string

	isExcerpt bool // it has some lines of a log, each after its number in that log and a tab
}

// inArchive returns the end of the name of a log in an archive, "" for other logs.
func (l *Log) inArchive() string {
	if l.Archive == nil {
		return ""
	}
	return "/" + l.Entry
}

type reading struct {
	*run
	agents map[string]sender // by User-Agent
	ids    map[string]int    // crawler by token
	hosts  map[string]int    // origin by scheme and host as logs have them
	byName map[string]int    // origin by name
	key    []byte

	hasPaths bool // a target is a path, so the server does not write URLs itself
	seed     maphash.Seed
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
	second := errors.New("it is a ZIP archive with several files, whose directory cannot be read: copy it again, or unpack it")
	if log.Once {
		second = errors.New("it is a ZIP archive with several files: name it as a file, or unpack it")
	}
	files.ReadOneFile(text, second)
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
			r.unread(l)
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

// unread records a line that cannot be read, but might be a request for robots.txt, at the times of the lines around
// it: its answer might have left anybody without rules.
func (r *run) unread(l *logLine) {
	log := &r.logs[len(r.logs)-1]
	if bytes.Contains(l.text, robotsPath) {
		log.unread = moment{log: len(r.logs) - 1, line: l.number}
	}
	if log.unread.line > 0 && log.lines > 0 {
		r.unreadAt(log.latest)
	}
}

// unreadAt records that the line that unread found was written before or after a time.
func (r *run) unreadAt(t int64) {
	log := &r.logs[len(r.logs)-1]
	log.unread.at = t
	r.unknown = r.unknown.with(log.unread)
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
	if facts.hasHostInUserField && facts.emptyUserFields*100 >= facts.lines { // hosts can be requested without a name
		r.takeUsers(len(r.logs) - 1)
	}
	facts.lacksQueries = !p.ShowsQueries() && facts.queries*100 < facts.targets
	r.result.Unreadable += unreadable
	r.result.Lines += unreadable
	return nil
}

// takeUsers records that the names in the user field of a log are not hosts, but users, whom clients name.
func (r *run) takeUsers(log int) {
	for _, m := range r.logs[log].userOutages {
		r.outages[0] = r.outages[0].with(m)
	}
	r.spool.users[log] = true
}

// readLine returns the next line, which is valid until the next call, and the beginning of a line that is longer
// than the buffer. A line over bounds.MaxSkipped, for example from a device that never ends, is an error.
func readLine(lines *bufio.Reader) (line []byte, tooLong bool, err error) {
	line, err = lines.ReadSlice('\n')
	tooLong = errors.Is(err, bufio.ErrBufferFull)
	if tooLong {
		line = bytes.Clone(line)
	}
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
	begin, end := e.Begin.UnixMilli(), e.End.UnixMilli()
	at := r.originOf(e)
	r.add(e, at, number)
	sender := r.senderOf(e.Agent)
	c := sender.crawler
	answer := neutral
	if mayBeRobots(e.Target) && asksForRobots(string(e.Target)) {
		answer = r.answered(e, at, number)
	}
	if answer.isOutage() && isRobots(string(e.Target)) && c < 0 && !r.NoSiteCache {
		return nil // it shields everybody
	}
	if c >= 0 {
		r.logs[len(r.logs)-1].crawlers++
	}
	if c < 0 && !(r.isJudged() && (answer.isRefusal() || answer == empty)) {
		return nil
	}
	v := visit{
		log: len(r.logs) - 1, line: number, begin: begin, end: end, crawler: c, others: sender.others, origin: at,
		method: string(e.Method), target: string(e.Target), status: e.Status, bytes: e.Bytes,
		flags: flagsOf(e), hash: maphash.Bytes(r.seed, bytes.TrimRight(line, "\r\n")),
	}
	r.setAddress(&v, e.Addr, sender.operators)
	if err := r.spool.add(&v); err != nil {
		return &fatalError{term.Errorf("cannot keep the visits in a temporary file: %v", term.Cause(err)).Hint("set TMPDIR to a folder with room")}
	}
	return nil
}

// add adds a request for an origin to the facts that all requests show.
func (r *reading) add(e *accesslog.Entry, at int, number int64) {
	begin, end := e.Begin.UnixMilli(), e.End.UnixMilli()
	if len(e.Target) == 0 {
		r.result.Pathless++
	}
	r.from, r.to = min(r.from, begin), max(r.to, end)
	r.origins[at].lines++
	log := &r.logs[len(r.logs)-1]
	log.add(at, begin, end)
	if log.unread.line > 0 {
		r.unreadAt(end)
		log.unread = moment{}
	}
	log.hasHostInUserField = log.hasHostInUserField || e.HostInUserField
	if log.host.line == 0 && e.HasHost() && !e.HostInUserField {
		log.host = moment{at: end, log: len(r.logs) - 1, line: number}
	}
	if e.UserFieldEmpty {
		log.emptyUserFields++
	}
	r.result.Bytes += e.Bytes
	if r.isCounted(begin, end) {
		r.result.Share.Requests++
		r.result.Share.Bytes += e.Bytes
	}
	if len(e.Target) > 0 {
		log.targets++
		if bytes.IndexByte(e.Target, '?') >= 0 {
			log.queries++
		}
	}
}

var robotsPath = []byte("/robots.txt")

// answered returns the kind of the answer in a line for a robots.txt. It records an outage, and the size of an answer
// that might have had headers only.
func (r *run) answered(e *accesslog.Entry, at int, number int64) answerKind {
	answer := answerTo(string(e.Method), e.Status, e.IsEmpty())
	if !isRobots(string(e.Target)) {
		return answer // a cache passes it on under its own name
	}
	log := &r.logs[len(r.logs)-1]
	for _, t := range []int64{e.Begin.UnixMilli(), e.End.UnixMilli()} {
		m := moment{at: t, log: len(r.logs) - 1, line: number}
		if answer.isOutage() {
			r.outages[at] = r.outages[at].with(m)
		}
		if answer.isOutage() && e.HostInUserField {
			log.userOutages = log.userOutages.with(m)
		}
		if e.Headed && answer == served {
			r.sent[everybody(at)] = r.sent[everybody(at)].with(m, e.Bytes)
		}
	}
	return answer
}

func flagsOf(e *accesslog.Entry) (f flags) {
	for _, fact := range []struct {
		is bool
		f  flags
	}{
		{e.Decoded, decoded}, {e.Mapped, mapped}, {e.Configured, configuredHost}, {e.Timed, timed},
		{e.IsEmpty(), emptied},
		{e.Headed, headed}, {e.Bare, bare}, {e.HostInUserField, hostInUserField},
		{e.Schemeless, schemeless},
	} {
		if fact.is {
			f |= fact.f
		}
	}
	return f
}

// setAddress sets the address of a visit if a client on the internet can have it, and if it is whole. It records the
// operators whose names came from it.
func (r *reading) setAddress(v *visit, field []byte, operators []int) {
	addr, ok := accesslog.Address(field)
	switch {
	case !ok || !visitor.IsGlobal(addr):
	case isShortened(addr):
		v.flags |= shortened
	default:
		for _, operator := range operators {
			if !r.sender(addr, operator) {
				return
			}
		}
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

// sender is who a User-Agent header names.
type sender struct {
	crawler   int   // -1 for none
	others    int   // as in visit
	operators []int // of all crawlers that it names, if they publish addresses
}

// senderOf returns who a User-Agent header names.
func (r *reading) senderOf(agent []byte) sender {
	s, ok := r.agents[string(agent)]
	if !ok {
		s = r.named(string(agent))
		if len(r.agents) >= maxAgents {
			clear(r.agents)
		}
		r.agents[string(agent)] = s
	}
	return s
}

// named finds the crawler that a header names, the others of its operator there, any of which might have sent it, and
// the operators of all.
func (r *reading) named(header string) sender {
	token, ok := crawlers.Sender(header)
	if !ok {
		return sender{crawler: -1}
	}
	first, ok := crawlers.Find(token)
	if !ok {
		return sender{crawler: -1}
	}
	s := sender{crawler: r.crawlerOf(first)}
	var others []int
	add := func(c *crawlers.Crawler) {
		if visitor.IsVerifiable(c) {
			s.operators = append(s.operators, r.operatorOf(c.Operator))
		}
	}
	add(&first)
	for product := range strings.FieldsFuncSeq(header, func(c rune) bool { return strings.ContainsRune(" \t+,;:=()[]\"", c) }) {
		name, _, _ := strings.Cut(product, "/")
		other, known := crawlers.Find(name)
		switch {
		case !known || other.Control || other.Token == first.Token || other.Operator == crawlers.Unknown:
		case other.Operator == first.Operator:
			others = append(others, r.crawlerOf(other))
		default:
			add(&other)
		}
	}
	if len(others) > 0 {
		slices.Sort(others)
		s.others = r.setOf(slices.Compact(others))
	}
	return s
}

// setOf returns the number of a set of crawlers.
func (r *reading) setOf(set []int) int {
	for i, known := range r.sets {
		if slices.Equal(known, set) {
			return i
		}
	}
	r.sets = append(r.sets, set)
	return len(r.sets) - 1
}

// crawlerOf returns the number of a known crawler.
func (r *reading) crawlerOf(known crawlers.Crawler) int {
	id, ok := r.ids[known.Token]
	if !ok {
		id = len(r.crawlers)
		r.ids[known.Token] = id
		r.crawlers = append(r.crawlers, newCrawler(known, r.operatorOf(known.Operator)))
	}
	return id
}

// operatorOf returns the number of an operator.
func (r *reading) operatorOf(name string) int {
	id, ok := r.operators[name]
	if !ok {
		id = len(r.operators)
		r.operators[name] = id
	}
	return id
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
