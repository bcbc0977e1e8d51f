package visits

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/visitor"
)

// Assumptions are the sentences on which each verdict rests without a check.
var Assumptions = []string{
	"Operators list only their own addresses, and no other client used the crawler's name from an address in the " +
		"48 hours before its list had it.",
	"What comes from a listed address under the crawler's name is the crawler: no person asked for the page, no " +
		"customer of the operator shares the address, and the logs show no requests of others, such as HTTP/2 pushes," +
		" replayed traffic or the server's own.",
	"Operators fetch robots.txt from listed addresses or under their name. If the name comes from elsewhere, it " +
		"is not theirs.",
	"A crawler asks robots.txt about each URL when it requests it, even about images, scripts and the targets of " +
		"redirects.",
	"Crawlers and caches keep files no longer than stated. If the history has no headers, as from Git or with " +
		"--served-since, no header states more than --site-cache.",
	"Caches pass on only files, and the answers 204, 404, 405, 410, 451, 5xx except 505 and those without a known " +
		"status, not redirects or refusals that other clients got.",
	"The lists and the history are what the operators and the site served at these times.",
	"The site sends everyone the same file. Between two observations with the same file, the history missed no " +
		"other one. If robots.txt redirects to a server whose logs you do not give, --served-since states that this " +
		"server sent the file too.",
	"If robots.txt was redirected, the operator requests the target within two minutes and with its next five " +
		"requests, by the clock of one log. If the redirected address got 200 or 304 with one of these, its first such " +
		"request was for the target, and not for another page. Another address got the file only where redirected " +
		"addresses got it after two other redirects.",
	"A response to robots.txt with status 200 and a body arrived whole. If sizes in the log include headers, not all " +
		"of such responses were empty. If two differ by at most 64 bytes, or an eighth of the file with the best gzip, and " +
		"by at most half of the file, compressed or not, only their headers differ. Compressed ones have between half and 1.4 times as many bytes as with the best gzip.",
	"If a log has IIS's or Apache's %U path instead of the request, a path whose last segment has no dot is the " +
		"requested one, except for percent codes: the server joined no slashes and removed no dot segments, and no " +
		"client coded letters, digits, hyphens, dots or underscores.",
	"The logs are of all servers of the site and lack no lines, except whole days. A log shorter than six hours " +
		"does not show how many servers there are, so only a day of all of them can be missing there.",
	"No response below 100 MB takes ten minutes, nor one whose size the log does not show. The clocks of two " +
		"logs, and of a log and the history, differ by at most ten minutes.",
}

// The files of a folder of evidence.
const (
	verdictsName = "verdicts.csv"
	keptName     = "evidence.json"
	readmeName   = "README.txt"
	sumsName     = "SHA256SUMS"
	logSumsName  = "logs.sha256"
	linesFolder  = "lines"
	listsFolder  = "lists"
	filesFolder  = "files"
)

// Evidence is a folder with everything that shows which visits disobeyed: their lines and all lines for
// robots.txt while copies were in use, facts about the whole logs, and the lists and files that were used.
// With it, and without the logs, [Kept.Check] repeats the verdicts and all other files.
type Evidence struct {
	Folder  string      // an empty folder
	Lists   string      // the folder of Config.Lists
	Flags   [][2]string // the names and values of the flags that [Kept.Check] needs
	Program string      // the name and the version of the program
	Written time.Time   // when the evidence is written

	names   []string // of the logs, in the folder
	verdict func(*Row) error
	failed  error                          // of verdict
	lines   map[int][]int64                // the lines to keep, by log
	repeats map[int][]int64                // the lines that another log has, by log
	proofs  map[*crawler][]wire.VisitProof // the first maxProofs of each crawler that disobeyed
	windows periods
	joined  int // the number of windows when they were joined last
}

// IsEmpty reports that no visit disobeyed, so that the folder has no evidence.
func (e *Evidence) IsEmpty() bool { return len(e.proofs) == 0 }

func (e *Evidence) file(parts ...string) string {
	return filepath.Join(append([]string{e.Folder}, parts...)...)
}

// accuse records a visit that disobeyed. If its row cannot be written, there is no evidence, but the others
// are still judged.
func (r *run) accuse(v *visit, c *crawler, id visitor.Identity, j judgement) {
	// Minutes at the ends of windows count whole, and redirects are followed for some minutes.
	const margin = followDuration + skewDuration + 3*minuteMillis
	e := r.Evidence
	if e.lines == nil {
		e.lines, e.proofs = map[int][]int64{}, map[*crawler][]wire.VisitProof{}
	}
	e.lines[v.log] = append(e.lines[v.log], v.line)
	proof := r.proof(v, c, id, j)
	proof.Log = e.names[v.log]
	e.proofs[c] = append(e.proofs[c], proof)
	e.proofs[c] = e.proofs[c][:min(len(e.proofs[c]), maxProofs)]
	from, to := r.windowOf(v, j.cache)
	e.windows = append(e.windows, period{from - margin, to + margin})
	if len(e.windows) > 2*e.joined+10_000 {
		e.windows = e.windows.join()
		e.joined = len(e.windows)
	}
	row := r.row(v, c, id, j)
	row.Log = e.names[v.log]
	if e.failed == nil {
		e.failed = e.verdict(row)
	}
}

// kept are the facts in evidence.json.
type kept struct {
	Program  string      `json:"program"`
	Written  time.Time   `json:"written"`
	Flags    [][2]string `json:"flags"`  // names and values
	Stated   []string    `json:"stated"` // what they state
	Assumed  []string    `json:"assumed"`
	Sites    []string    `json:"sites"` // that were judged
	From     time.Time   `json:"from"`  // of all lines
	To       time.Time   `json:"to"`
	Crawlers int         `json:"crawlers"` // that came
	Summary  []string    `json:"summary"`  // about the whole logs
	Logs     []keptLog   `json:"logs"`
	Proxies  []string    `json:"proxies"`          // addresses in the kept lines from which names of two operators came
	Targets  []targetSum `json:"targets"`          // of robots.txt's redirects, as beginnings of their SHA-256
	Served   string      `json:"served,omitempty"` // the SHA-256 of the file that was served
	Spans    []keptSpan  `json:"spans"`            // of a history

	verdicts map[place]bool // the visits that disobeyed, for Check
}

// keptLog has the facts about a whole log.
type keptLog struct {
	Name         string                 `json:"name"`   // below the folder that contains all logs
	File         string                 `json:"file"`   // the file of that name, or the archive that contains the log
	SHA256       string                 `json:"sha256"` // of the file
	Lines        string                 `json:"lines"`  // the file with the lines that are kept
	Kept         int64                  `json:"kept"`   // their number
	Requests     int64                  `json:"requests"`
	Unreadable   int64                  `json:"unreadable"`     // lines that are not requests
	First        time.Time              `json:"first,omitzero"` // zero without a request
	Last         time.Time              `json:"last,omitzero"`
	Copy         bool                   `json:"copy"`          // other logs have all its lines
	LacksQueries bool                   `json:"lacks_queries"` // its targets have no queries, which it might not show
	Users        bool                   `json:"users"`         // names in the user field are users, not hosts
	Sites        []string               `json:"sites"`         // the judged sites that its lines name, "" for lines without a host
	Hours        map[time.Time]keptHour `json:"hours"`         // each hour that has requests
}

// keptHour has the facts about an hour of a log.
type keptHour struct {
	Requests int64     `json:"requests"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
}

// keptSpan is a span of a history.
type keptSpan struct {
	Site         string            `json:"site"`
	From         time.Time         `json:"from"`
	To           time.Time         `json:"to"`
	Certainty    history.Certainty `json:"certainty"`
	Observations int               `json:"observations"`
	Sources      []string          `json:"sources"`
	Lifetime     time.Duration     `json:"lifetime_ns"`
	Status       int               `json:"status"`
	Fault        string            `json:"fault,omitempty"`
	SHA256       string            `json:"sha256,omitempty"` // empty without a file
	Truncated    bool              `json:"truncated,omitempty"`
}

// writeEvidence writes the folder, if a visit disobeyed.
func (r *reading) writeEvidence(ctx context.Context) error {
	e := r.Evidence
	if e == nil || e.IsEmpty() {
		return nil
	}
	if r.result.Incomplete {
		return term.Errorf("the logs were not read to their ends, so no evidence is written").Hint("copy them again, or omit the log that cannot be read")
	}
	if e.failed != nil {
		return e.failed
	}
	e.windows = e.windows.join()
	if err := r.keepFollowers(ctx); err != nil {
		return err
	}
	if err := r.omitRepeats(); err != nil {
		return err
	}
	r.keepVerified()
	for log, lines := range e.lines {
		slices.Sort(lines)
		e.lines[log] = slices.Compact(lines)
	}
	for _, folder := range []string{linesFolder, listsFolder, filesFolder} {
		if err := os.Mkdir(e.file(folder), 0o700); err != nil {
			return err
		}
	}
	k := r.keptFacts()
	if err := r.keepLogs(ctx, k); err != nil {
		return err
	}
	if err := r.keepFiles(ctx, k); err != nil {
		return err
	}
	lists, err := r.keepLists()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(k, "", "\t")
	if err != nil {
		return err
	}
	if err := e.write(append(text, '\n'), keptName); err != nil {
		return err
	}
	if err := r.writePages(k, lists); err != nil {
		return err
	}
	return e.writeSums()
}

// keptFacts returns the facts about all logs together.
func (r *run) keptFacts() *kept {
	e := r.Evidence
	k := &kept{
		Program: e.Program, Written: e.Written.UTC(), Flags: e.Flags,
		Stated: r.Stated, Assumed: Assumptions, Sites: r.result.Sites,
		From: instant(r.from), To: instant(r.to), Crawlers: len(r.result.Crawlers), Summary: summary(r.result),
		Proxies: []string{}, Spans: []keptSpan{}, Targets: slices.Sorted(maps.Keys(r.targets)),
	}
	if r.kept != nil { // the excerpts do not show them
		k.Crawlers, k.Summary = r.kept.Crawlers, r.kept.Summary
	}
	return k
}

func (e *Evidence) write(text []byte, name ...string) error {
	return files.Write(e.file(name...), func(to io.Writer) error {
		_, err := to.Write(text)
		return err
	})
}

// keepFollowers selects the requests of accused operators after redirects of robots.txt: they show that a
// file was served.
func (r *reading) keepFollowers(ctx context.Context) error {
	e := r.Evidence
	operators := map[int]bool{}
	for c := range e.proofs {
		operators[c.operator] = len(r.redirects[c.operator]) > 0
	}
	return r.spool.each(func(v *visit) error {
		if v.crawler < 0 {
			return ctx.Err()
		}
		operator := r.crawlers[v.crawler].operator
		if operators[operator] && e.windows.has(v.begin) && len(r.redirects[operator].near(v.begin)) > 0 {
			e.lines[v.log] = append(e.lines[v.log], v.line)
		}
		return ctx.Err()
	})
}

// omitRepeats finds the dropped lines for robots.txt: another log has them, and a folder with both would have two
// answers.
func (r *run) omitRepeats() error {
	e := r.Evidence
	e.repeats = map[int][]int64{}
	return r.spool.eachDropped(func(v *visit) error {
		if asksForRobots(v.target) && (e.windows.has(v.begin) || e.windows.has(v.end)) {
			e.repeats[v.log] = append(e.repeats[v.log], v.line)
		}
		return nil
	})
}

// keepVerified selects the first verified visit of each crawler of accused operators: whether a crawler was
// verified decides which refusals count.
func (r *run) keepVerified() {
	e := r.Evidence
	for id, first := range r.verified {
		if r.isAccused(r.crawlers[id].operator) {
			e.lines[first.log] = append(e.lines[first.log], first.line)
		}
	}
}

// isAccused reports whether a visit of an operator disobeyed.
func (r *run) isAccused(operator int) bool {
	for c := range r.Evidence.proofs {
		if c.operator == operator {
			return true
		}
	}
	return false
}

// keepLogs reads the logs again. It writes the lines that matter, and the digests of the logs.
func (r *reading) keepLogs(ctx context.Context, k *kept) error {
	var sums strings.Builder
	proxies := map[string]bool{}
	written := map[string]string{} // digests by file: an archive has several logs
	for i, log := range r.sources {
		l := r.keptLog(i)
		name := fmt.Sprintf("%d.txt", i+1)
		l.Lines = linesFolder + "/" + name
		err := files.Write(r.Evidence.file(linesFolder, name), func(to io.Writer) (err error) {
			l.SHA256, l.Kept, err = r.excerpt(ctx, i, log, proxies, to)
			return err
		})
		if err == nil && r.kept != nil {
			l.SHA256 = r.kept.Logs[i].SHA256
		} else if err == nil && log.Archive != nil {
			l.SHA256, err = written[l.File], nil
			if l.SHA256 == "" {
				l.SHA256, err = sumOf(log.Archive)
			}
		}
		if err != nil {
			return err
		}
		if written[l.File] == "" {
			written[l.File] = l.SHA256
			sums.WriteString(sumLine(l.SHA256, l.File))
		}
		k.Logs = append(k.Logs, l)
	}
	for addr := range proxies {
		k.Proxies = append(k.Proxies, addr)
	}
	slices.Sort(k.Proxies)
	return r.Evidence.write([]byte(sums.String()), logSumsName)
}

// namesInEvidence returns the names of the logs below the folder that contains them all: a stranger has that
// folder elsewhere.
func (r *run) namesInEvidence() (names []string) {
	if r.kept != nil {
		for _, l := range r.kept.Logs {
			names = append(names, l.Name)
		}
		return names
	}
	common := ""
	for i := range r.sources {
		name := strings.TrimSuffix(r.sources[i].Name, r.sources[i].inArchive())
		if absolute, err := filepath.Abs(name); err == nil {
			name = absolute
		}
		names = append(names, name)
		if i == 0 {
			common = filepath.Dir(name)
		}
		for !isBelow(name, common) && common != filepath.Dir(common) {
			common = filepath.Dir(common)
		}
	}
	for i, name := range names {
		if below, err := filepath.Rel(common, name); err == nil {
			name = below
		}
		names[i] = filepath.ToSlash(name) + r.sources[i].inArchive()
	}
	return names
}

// isBelow reports whether a file is in a folder, at any depth.
func isBelow(name, folder string) bool {
	below, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(below)
}

// keptLog returns the facts about a whole log.
func (r *run) keptLog(i int) keptLog {
	facts := &r.logs[i]
	name := r.Evidence.names[i]
	l := keptLog{
		Name: name, File: name, Requests: facts.lines, Unreadable: facts.unreadable,
		Copy: facts.isCopy, LacksQueries: facts.lacksQueries,
		Users: r.spool.users[i], Sites: []string{}, Hours: map[time.Time]keptHour{},
	}
	if r.kept != nil {
		l.File = r.kept.Logs[i].File
	} else if r.sources[i].Archive != nil {
		l.File = strings.TrimSuffix(name, r.sources[i].inArchive())
	}
	if facts.lines > 0 {
		l.First, l.Last = instant(facts.first), instant(facts.last)
	}
	for hour, n := range facts.hours {
		l.Hours[instant(hour*hourMillis)] = keptHour{n.lines, instant(n.first), instant(n.last)}
	}
	for id := range r.origins {
		if facts.has(id) && (r.origins[id].judged || id == 0) {
			name := r.origins[id].name()
			if id == 0 {
				name = ""
			}
			l.Sites = append(l.Sites, name)
		}
	}
	slices.Sort(l.Sites)
	l.Sites = slices.Compact(l.Sites)
	return l
}

// excerpt writes the lines of a log that matter, each after its number. It returns the digest of the whole
// log, and their number, and adds the proxies among their senders.
func (r *reading) excerpt(ctx context.Context, i int, log Log, proxies map[string]bool,
	to io.Writer) (sum string, kept int64, err error) {
	digest := sha256.New()
	open := log.Open
	log.Open = func() (io.ReadCloser, error) {
		from, err := open()
		return &digested{from, digest}, err
	}
	again := newLogFacts(log.Name)
	selected, repeats := r.Evidence.lines[i], r.Evidence.repeats[i]
	var columns []byte // the directive that names the columns of the lines after it
	directive := int64(0)
	keep := func(number int64, text []byte) error {
		kept++
		_, err := fmt.Fprintf(to, "%d\t%s\n", number, bytes.TrimRight(text, "\n"))
		return err
	}
	err = eachLine(ctx, log, r.parser(log.Name), func(l *logLine) error {
		if l.err == nil && !l.isRequest {
			columns, directive = append(columns[:0], l.text...), l.number
			return nil
		}
		if !l.isRequest {
			again.unreadable++
			return nil
		}
		again.add(0, l.entry.Begin.UnixMilli(), l.entry.End.UnixMilli())
		if len(repeats) > 0 && repeats[0] == l.number {
			repeats = repeats[1:]
			return nil
		}
		isSelected := len(selected) > 0 && selected[0] == l.number
		if isSelected {
			selected = selected[1:]
		} else if !r.isEvidence(&l.entry) {
			return nil
		}
		if len(columns) > 0 {
			if err := keep(directive, columns); err != nil {
				return err
			}
			columns = columns[:0]
		}
		if addr, ok := accesslog.Address(l.entry.Addr); ok && r.senders[senderKey(addr.As16())] == severalOperators {
			proxies[addr.String()] = true
		}
		return keep(l.number, l.text)
	})
	if err == nil {
		err = r.compareFacts(&r.logs[i], &again, len(selected))
	}
	return hex.EncodeToString(digest.Sum(nil)), kept, err
}

// compareFacts returns an error if a log, when it is read again, does not agree with its facts. An excerpt has
// at most the requests of each hour.
func (r *run) compareFacts(facts, again *logFacts, missing int) error {
	if r.kept == nil {
		if again.lines == facts.lines && again.unreadable == facts.unreadable && missing == 0 {
			return nil
		}
		return term.Errorf("%s changed while it was read, so no evidence is written", term.Escape(facts.name)).Hint("copy it, and give the copy")
	}
	total := int64(0)
	for hour, n := range facts.hours {
		total += n.lines
		kept := again.hours[hour]
		if kept != nil && (kept.lines > n.lines || kept.first < n.first || kept.last > n.last) ||
			n.first/hourMillis != hour || n.last/hourMillis != hour {
			total = -1
			break
		}
	}
	for hour := range again.hours {
		if facts.hours[hour] == nil {
			total = -1
		}
	}
	isOutside := again.lines > 0 && (again.first < facts.first || again.last > facts.last)
	if total != facts.lines || isOutside || facts.unreadable < 0 || missing > 0 {
		return term.Errorf("%s contradicts the lines of %s", keptName, term.Escape(facts.name)).Hint("it was changed: ask for the folder again")
	}
	return nil
}

// isEvidence reports whether a request is for robots.txt, at a time at which the answer matters.
func (r *reading) isEvidence(e *accesslog.Entry) bool {
	if !asksForRobots(string(e.Target)) && !accesslog.HasScheme(e.Target) {
		return false
	}
	at := r.originOf(e)
	windows := r.Evidence.windows
	if !asksForRobots(string(e.Target)) || !windows.has(e.Begin.UnixMilli()) && !windows.has(e.End.UnixMilli()) {
		return false
	}
	if at == 0 || r.origins[at].judged {
		return true
	}
	id := r.senderOf(e.Agent).crawler // a redirect can begin at another host
	return id >= 0 && r.isAccused(r.crawlers[id].operator)
}

// accusedCrawlers returns the crawlers with visits that disobeyed, by name.
func (r *run) accusedCrawlers() (all []*crawler) {
	for c := range r.Evidence.proofs {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *crawler) int { return strings.Compare(a.Token, b.Token) })
	return all
}

// digested is a log whose bytes are added to a digest.
type digested struct {
	from   io.ReadCloser
	digest hash.Hash
}

func (d *digested) Read(p []byte) (int, error) {
	n, err := d.from.Read(p)
	d.digest.Write(p[:n])
	return n, err
}

// Close reads the rest, because the text of a compressed log can end before the log.
func (d *digested) Close() error {
	_, err := io.Copy(io.Discard, d)
	return errors.Join(err, d.from.Close())
}
