package visits

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/visitor"
)

// Assumptions are the sentences on which each verdict rests without a check.
var Assumptions = []string{
	"Operators list only their own addresses, and no other client used the crawler's name from an address in the 48 hours before its list had it.",
	"Operators fetch robots.txt from listed addresses or under their name. If the name comes from elsewhere, it is not theirs.",
	"Crawlers and caches keep files no longer than stated.",
	"The site sends everyone the same file. If robots.txt redirects to a server whose logs you do not give, --served-since states that this server sent the file too.",
	"The logs are of all servers of the site and lack no lines, except whole days.",
	"No response below 100 MB takes ten minutes, and clocks differ by at most ten minutes.",
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
// With it, and without the logs, [Kept.Check] repeats the verdicts.
type Evidence struct {
	Folder  string      // an empty folder
	Lists   string      // the folder of Config.Lists
	Flags   [][2]string // the names and values of the flags that [Kept.Check] needs
	Program string      // the name and the version of the program

	verdict func(*Row) error
	lines   map[int][]int64 // the lines to keep, by log
	accused map[int]*accused
	windows []period
	windowN int // of windows, when they were joined last
}

// accused is a crawler with visits that disobeyed.
type accused struct {
	visits      int64
	first, last int64
	proofs      []wire.VisitProof // the first maxProofs
}

// IsEmpty reports that no visit disobeyed, so that the folder has no evidence.
func (e *Evidence) IsEmpty() bool { return len(e.accused) == 0 }

func (e *Evidence) file(parts ...string) string {
	return filepath.Join(append([]string{e.Folder}, parts...)...)
}

// accuse records a visit that disobeyed.
func (r *run) accuse(v *visit, c *crawler, id visitor.Identity, j judgement) error {
	e := r.Evidence
	if e.lines == nil {
		e.lines, e.accused = map[int][]int64{}, map[int]*accused{}
	}
	e.lines[v.log] = append(e.lines[v.log], v.line)
	a := e.accused[v.crawler]
	if a == nil {
		a = &accused{first: v.begin, last: v.begin}
		e.accused[v.crawler] = a
	}
	a.visits++
	a.first, a.last = min(a.first, v.begin), max(a.last, v.begin)
	if len(a.proofs) < maxProofs {
		a.proofs = append(a.proofs, r.proof(v, c, id, j))
	}
	e.windows = append(e.windows, j.window)
	if len(e.windows) > 2*e.windowN+10_000 {
		e.joinWindows()
	}
	return e.verdict(r.row(v, c, id, j))
}

// joinWindows joins windows that overlap. Minutes at their ends count whole, and redirects are followed
// for some minutes, so a margin is added.
func (e *Evidence) joinWindows() {
	const margin = 5 * minuteMillis
	slices.SortFunc(e.windows, func(a, b period) int { return cmp.Compare(a.from, b.from) })
	joined := e.windows[:0]
	for _, w := range e.windows {
		if last := len(joined) - 1; last >= 0 && w.from <= joined[last].to+2*margin {
			joined[last].to = max(joined[last].to, w.to)
		} else {
			joined = append(joined, w)
		}
	}
	e.windows, e.windowN = joined, len(joined)
}

// isNear reports whether a time is in a window, or close to one.
func (e *Evidence) isNear(t int64) bool {
	const margin = 5 * minuteMillis
	i, _ := slices.BinarySearchFunc(e.windows, t, func(w period, t int64) int { return cmp.Compare(w.to+margin, t) })
	return i < len(e.windows) && e.windows[i].from-margin <= t
}

// kept are the facts in evidence.json.
type kept struct {
	Program  string      `json:"program"`
	Flags    [][2]string `json:"flags"`  // names and values
	Stated   []string    `json:"stated"` // what they state
	Assumed  []string    `json:"assumed"`
	Sites    []string    `json:"sites"` // that were judged
	From     time.Time   `json:"from"`  // of all lines
	To       time.Time   `json:"to"`
	Logs     []keptLog   `json:"logs"`
	Verified []string    `json:"verified"`       // crawlers with a verified visit in the logs
	Proxies  []string    `json:"proxies"`        // addresses in the kept lines from which names of two operators came
	File     string      `json:"file,omitempty"` // the SHA-256 of the file that was served
	Spans    []keptSpan  `json:"spans"`          // of a history
}

// keptLog has the facts about a whole log.
type keptLog struct {
	Name         string               `json:"name"`
	SHA256       string               `json:"sha256"`
	Lines        string               `json:"lines"` // the file with the lines that are kept
	Kept         int64                `json:"kept"`  // their number
	Requests     int64                `json:"requests"`
	Unreadable   int64                `json:"unreadable"`     // lines that are not requests
	First        time.Time            `json:"first,omitzero"` // zero without a request
	Last         time.Time            `json:"last,omitzero"`
	LacksQueries bool                 `json:"lacks_queries"` // its targets have no queries, which it might not show
	Sites        []string             `json:"sites"`         // the judged sites that its lines name, "" for lines without a host
	Hours        map[time.Time]*int64 `json:"hours"`         // the number of requests in each hour that has any
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
	e.joinWindows()
	if err := r.keepFollowers(ctx); err != nil {
		return err
	}
	k := &kept{
		Program: e.Program, Flags: e.Flags, Stated: r.Stated, Assumed: Assumptions, Sites: r.result.Sites,
		From: instant(r.from), To: instant(r.to), Verified: []string{}, Proxies: []string{}, Spans: []keptSpan{},
	}
	for id := range r.verified {
		k.Verified = append(k.Verified, r.crawlers[id].Token)
	}
	slices.Sort(k.Verified)
	for _, folder := range []string{linesFolder, listsFolder, filesFolder} {
		if err := os.Mkdir(e.file(folder), 0o777); err != nil {
			return err
		}
	}
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

func (e *Evidence) write(text []byte, name ...string) error {
	return files.Write(e.file(name...), func(to io.Writer) error {
		_, err := to.Write(text)
		return err
	})
}

// keepFollowers selects the requests of accused operators after redirects of robots.txt: they show that a
// file was served.
func (r *reading) keepFollowers(ctx context.Context) error {
	operators := map[int]bool{}
	for id := range r.Evidence.accused {
		operator := r.crawlers[id].operator
		operators[operator] = len(r.redirects[operator]) > 0
	}
	err := r.spool.each(func(v *visit) error {
		if v.crawler < 0 {
			return ctx.Err()
		}
		operator := r.crawlers[v.crawler].operator
		if operators[operator] && r.Evidence.isNear(v.begin) && len(r.redirects[operator].near(v.begin)) > 0 {
			r.Evidence.lines[v.log] = append(r.Evidence.lines[v.log], v.line)
		}
		return ctx.Err()
	})
	for log, lines := range r.Evidence.lines {
		slices.Sort(lines)
		r.Evidence.lines[log] = slices.Compact(lines)
	}
	return err
}

// keepLogs reads the logs again. It writes the lines that matter, and the digests of the logs.
func (r *reading) keepLogs(ctx context.Context, k *kept) error {
	var sums strings.Builder
	proxies := map[string]bool{}
	for i, log := range r.sources {
		facts := &r.logs[i]
		l := keptLog{
			Name: log.Name, Requests: facts.lines, Unreadable: facts.unreadable, LacksQueries: facts.lacksQueries,
			Sites: []string{}, Hours: map[time.Time]*int64{},
		}
		if facts.lines > 0 {
			l.First, l.Last = instant(facts.first), instant(facts.last)
		}
		for hour, n := range facts.hours {
			l.Hours[instant(hour*hourMillis)] = n
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
		name := fmt.Sprintf("%d.txt", i+1)
		err := files.Write(r.Evidence.file(linesFolder, name), func(to io.Writer) (err error) {
			l.SHA256, l.Kept, err = r.excerpt(ctx, i, log, proxies, to)
			return err
		})
		if err != nil {
			return err
		}
		l.Lines = linesFolder + "/" + name
		sums.WriteString(sumLine(l.SHA256, log.Name))
		k.Logs = append(k.Logs, l)
	}
	for addr := range proxies {
		k.Proxies = append(k.Proxies, addr)
	}
	slices.Sort(k.Proxies)
	return r.Evidence.write([]byte(sums.String()), logSumsName)
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
	facts := &r.logs[i]
	requests, unreadable := int64(0), int64(0)
	selected := r.Evidence.lines[i]
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
			unreadable++
			return nil
		}
		requests++
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
	if err == nil && (requests != facts.lines || unreadable != facts.unreadable || len(selected) > 0) {
		err = term.Errorf("%s changed while it was read, so no evidence is written", term.Escape(log.Name)).Hint("copy it, and give the copy")
	}
	return hex.EncodeToString(digest.Sum(nil)), kept, err
}

// isEvidence reports whether a request is for robots.txt, at a time at which the answer matters.
func (r *reading) isEvidence(e *accesslog.Entry) bool {
	if !isRobots(string(e.Target)) && !accesslog.HasScheme(e.Target) {
		return false
	}
	at := r.originOf(e)
	if !isRobots(string(e.Target)) || !r.Evidence.isNear(e.Begin.UnixMilli()) && !r.Evidence.isNear(e.End.UnixMilli()) {
		return false
	}
	if at == 0 || r.origins[at].judged {
		return true
	}
	id, ok := r.agents[string(e.Agent)] // a redirect can begin at another host
	if !ok {
		id = r.crawlerOf(string(e.Agent))
	}
	return id >= 0 && slices.ContainsFunc(r.accusedCrawlers(), func(c *crawler) bool {
		return c.operator == r.crawlers[id].operator
	})
}

// accusedCrawlers returns the crawlers with visits that disobeyed, by name.
func (r *run) accusedCrawlers() (all []*crawler) {
	for id := range r.Evidence.accused {
		all = append(all, r.crawlers[id])
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

// keepFiles writes the files that were served.
func (r *run) keepFiles(ctx context.Context, k *kept) error {
	if r.History == nil {
		k.File = r.given.sha
		return r.Evidence.write(r.File, filesFolder, k.File+".txt")
	}
	longest := time.Duration(0)
	for _, c := range r.crawlers {
		longest = max(longest, c.keep)
	}
	reach := longest + minKeep + history.MaxLifetime + r.Terms.SiteCache + max(r.Terms.DeployLag, minKeep)
	from := instant(r.Evidence.windows[0].from).Add(-reach)
	to := instant(r.Evidence.windows[len(r.Evidence.windows)-1].to).Add(minKeep)
	for id := range r.origins {
		if !r.origins[id].judged || r.origins[id].IsZero() {
			continue
		}
		site := r.origins[id].String()
		spans, err := r.History.Window(ctx, site, from, to)
		if err != nil {
			return err
		}
		for _, span := range spans {
			one, err := r.keepSpan(ctx, site, span)
			if err != nil {
				return err
			}
			k.Spans = append(k.Spans, one)
		}
	}
	return nil
}

func (r *run) keepSpan(ctx context.Context, site string, span history.Span) (keptSpan, error) {
	v := span.Version
	one := keptSpan{
		Site: site, From: span.From, To: span.To, Certainty: span.Certainty, Observations: span.Observations,
		Sources: slices.Concat([]string{}, span.Sources), Lifetime: span.Lifetime,
		Status: v.Status, Fault: v.Fault, Truncated: v.Truncated,
	}
	if span.Observations == 0 && span.Next != nil {
		one.Certainty = history.Possible // files that mean the same are two
	}
	if !v.HasBody {
		return one, nil
	}
	one.SHA256 = hex.EncodeToString(v.SHA256[:])
	body, err := r.History.Body(ctx, v.SHA256)
	if err != nil {
		return one, err
	}
	return one, r.Evidence.write(body, filesFolder, one.SHA256+".txt")
}

// listKey is a reading of a list.
type listKey struct {
	url  string
	date int64
}

// keepLists writes the lists of the accused operators that were read near the visits, and returns the
// names of their files.
func (r *run) keepLists() (names map[listKey]string, err error) {
	const reach = 31 * 24 * time.Hour
	operators := map[string]bool{}
	from, to := r.to, r.from
	for id, a := range r.Evidence.accused {
		operators[r.crawlers[id].Operator] = true
		from, to = min(from, a.first), max(to, a.last)
	}
	from, to = min(from, r.Evidence.windows[0].from), max(to, r.Evidence.windows[len(r.Evidence.windows)-1].to)
	urls := map[string]bool{}
	for c := range crawlers.All() {
		if operators[c.Operator] {
			for _, url := range c.IPRanges {
				urls[url] = true
			}
		}
	}
	index, err := os.Open(filepath.Join(r.Evidence.Lists, "index.jsonl"))
	if err != nil {
		return nil, err
	}
	defer index.Close()
	names = map[listKey]string{}
	copied := map[string]string{} // the names of copies by those of lists: one list can be read on many days
	var text bytes.Buffer
	scanner := bufio.NewScanner(index)
	for scanner.Scan() {
		var read struct {
			URL  string    `json:"url"`
			Date time.Time `json:"date"`
			File string    `json:"file"`
		}
		if json.Unmarshal(scanner.Bytes(), &read) != nil || !urls[read.URL] ||
			read.Date.Before(instant(from).Add(-reach)) || read.Date.After(instant(to).Add(reach)) {
			continue
		}
		name, known := copied[read.File]
		if !known {
			name, err = r.Evidence.copyList(read.File)
			if errors.Is(err, fs.ErrNotExist) {
				continue // Lists.Err names it
			} else if err != nil {
				return nil, err
			}
			copied[read.File] = name
		}
		read.File = name
		names[listKey{read.URL, read.Date.UnixNano()}] = listsFolder + "/" + read.File
		line, err := json.Marshal(read)
		if err != nil {
			return nil, err
		}
		text.Write(append(line, '\n'))
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	return names, r.Evidence.write(text.Bytes(), listsFolder, "index.jsonl")
}

// copyList writes a list of the lists' folder under its checksum, and returns that name.
func (e *Evidence) copyList(file string) (name string, err error) {
	list, err := os.ReadFile(filepath.Join(e.Lists, file))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(list)
	name = hex.EncodeToString(sum[:]) + ".json"
	return name, e.write(list, listsFolder, name)
}

// sumLine returns a line as sha256sum writes it.
func sumLine(sum, name string) string {
	escaped := strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r").Replace(name)
	if escaped != name {
		sum = "\\" + sum
	}
	return sum + "  " + escaped + "\n"
}

// writeSums writes the digests of all files, last: without them, the folder is not complete.
func (e *Evidence) writeSums() error {
	sums, err := sumsOf(e.Folder)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, s := range sums {
		text.WriteString(sumLine(s.sum, s.name))
	}
	return e.write([]byte(text.String()), sumsName)
}

type fileSum struct{ name, sum string }

// sumsOf returns the digests of the files in a folder, without SHA256SUMS, in the order of their names.
func sumsOf(folder string) (sums []fileSum, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil || name == sumsName {
			return err
		}
		if !entry.Type().IsRegular() {
			return term.Errorf("%q is not a regular file", path)
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		digest := sha256.New()
		_, err = io.Copy(digest, file)
		sums = append(sums, fileSum{filepath.ToSlash(name), hex.EncodeToString(digest.Sum(nil))})
		return err
	})
	return sums, err
}
