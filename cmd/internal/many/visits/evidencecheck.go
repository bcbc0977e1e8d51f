package visits

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/bounds"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/internal/regular"
	"github.com/kosterhq/robotstxt/origin"
)

// Kept is a folder of evidence that is complete and unchanged: each file has its digest in SHA256SUMS.
type Kept struct {
	folder string
	kept
}

// The bounds of a folder, which can be a stranger's: of evidence.json and SHA256SUMS in bytes, which need several times
// as much memory, of the verdicts, and of one of them in bytes.
const (
	maxKeptBytes    = 64 << 20
	maxVerdicts     = 10_000_000
	maxVerdictBytes = 1 << 20
)

// OpenEvidence opens a folder that a run with Config.Evidence has written. If a file is missing, changed
// or added, the error names it.
func OpenEvidence(folder string) (*Kept, error) {
	text, err := regular.Read(filepath.Join(folder, sumsName), maxKeptBytes)
	if err != nil {
		return nil, term.Errorf("%q is not a folder of evidence: %v", folder, term.Cause(err)).Hint("--evidence writes one")
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		want[name] = sum
	}
	sums, err := sumsOf(folder)
	if err != nil {
		return nil, err
	}
	for _, s := range sums {
		switch sum, known := want[s.name]; {
		case !known:
			return nil, term.Errorf("%s is in the folder, but not in %s", term.Escape(s.name), sumsName).Hint("move it elsewhere")
		case sum != s.sum:
			return nil, term.Errorf("%s was changed: its SHA-256 is not the one in %s", term.Escape(s.name), sumsName).Hint("copy the folder again")
		}
		delete(want, s.name)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		return nil, term.Errorf("%s is missing", term.Escape(name)).Hint("copy the folder again")
	}
	if sumsText(sums) != string(text) {
		return nil, term.Errorf("%s has other lines than those of the files", sumsName).Hint("copy the folder again")
	}
	k := &Kept{folder: folder}
	text, err = regular.Read(filepath.Join(folder, keptName), maxKeptBytes)
	if err == nil {
		err = json.Unmarshal(text, &k.kept)
	}
	if err != nil {
		return nil, term.Errorf("%s cannot be read: %v", keptName, term.Cause(err))
	}
	return k, nil
}

// Lists returns the folder with the lists.
func (k *Kept) Lists() string { return filepath.Join(k.folder, listsFolder) }

// File returns the name of the file that was served, "" if the evidence has a history.
func (k *Kept) File() string {
	if k.Served == "" {
		return ""
	}
	return filepath.Join(k.folder, filesFolder, filepath.Base(k.Served)+".txt")
}

// Check repeats the verdicts and the other files with the question of Flags, whose lists and file are those of
// the folder. program is Evidence.Program of this program: others write pages and facts in another way, so these
// are then not compared. Check returns the repeated result. If a file differs, the error is a [*DifferentError].
func (k *Kept) Check(ctx context.Context, config Config, program string) (*Repeated, error) {
	var logs []Log
	for i := range k.Logs {
		logs = append(logs, Log{Name: k.Logs[i].Name, isExcerpt: true, Open: func() (io.ReadCloser, error) {
			return regular.Open(filepath.Join(k.folder, linesFolder, fmt.Sprintf("%d.txt", i+1)))
		}})
	}
	again, remove, err := files.TemporaryFolder()
	if err != nil {
		return nil, err
	}
	defer remove()
	if err := k.readVerdicts(); err != nil {
		return nil, err
	}
	var failed error
	config.kept, config.Addresses, config.Resolver, config.Hits = &k.kept, nil, nil, nil
	config.Evidence = &Evidence{Folder: again, Lists: k.Lists(), Flags: k.Flags, Program: k.Program, Written: k.Written}
	config.Note = func(string, ...any) {}
	config.Problem = func(err error) { failed = errors.Join(failed, err) }
	if config.File == nil {
		config.History = &keptHistory{k: k, terms: config.Terms}
	}
	found, err := Run(ctx, config, logs)
	if found == nil || failed != nil {
		return nil, errors.Join(err, failed)
	}
	result := &Repeated{Visits: map[string]int64{}, IsWhole: program == k.Program}
	for _, c := range found.Crawlers {
		if n := c.Results[string(Disobeyed)]; n > 0 {
			result.Visits[c.Crawler] = n
		}
	}
	if different := k.compare(verdictsName, again); different != nil {
		return nil, different
	}
	if err != nil {
		return nil, err
	}
	return result, k.compareAll(again, result.IsWhole)
}

// Repeated is the number of visits of each crawler that disobeyed.
type Repeated struct {
	Visits  map[string]int64
	IsWhole bool // the pages and the facts were compared too
}

// DifferentError is the first line of a file that is not repeated.
type DifferentError struct {
	File string
	Line int
	Log  string // of a verdict: the log and the line in it, separated by a colon
}

// Error names the line.
func (e *DifferentError) Error() string {
	text := fmt.Sprintf("line %d of %s is not repeated", e.Line, term.Escape(e.File))
	if e.Log != "" {
		text += ", about " + term.Escape(e.Log)
	}
	return text
}

// compareAll compares the files of the folder with those of a folder that was written from them.
func (k *Kept) compareAll(again string, isWhole bool) error {
	sums, err := sumsOf(k.folder)
	if err != nil {
		return err
	}
	repeated, err := sumsOf(again)
	if err != nil {
		return err
	}
	for _, s := range append(sums, fileSum{name: sumsName}) {
		isPage := !strings.Contains(s.name, "/") && s.name != logSumsName
		if isPage && !isWhole || s.sum != "" && slices.Contains(repeated, s) {
			continue
		}
		if err := k.compare(s.name, again); err != nil {
			return err
		}
	}
	return nil
}

// compare compares a file with a repeated one.
func (k *Kept) compare(name, again string) error {
	var readers [2]*bufio.Reader
	for i, folder := range []string{k.folder, again} {
		file, err := regular.Open(filepath.Join(folder, filepath.FromSlash(name)))
		if i == 1 && errors.Is(err, fs.ErrNotExist) {
			return &DifferentError{File: name, Line: 1}
		} else if err != nil {
			return err
		}
		defer file.Close()
		readers[i] = bufio.NewReader(file)
	}
	for line := 1; ; {
		// A line that is longer than the buffers is compared in parts of their size.
		want, wantErr := readers[0].ReadSlice('\n')
		got, gotErr := readers[1].ReadSlice('\n')
		switch {
		case !bytes.Equal(want, got):
			different := &DifferentError{File: name, Line: line}
			cells, err := csv.NewReader(bytes.NewReader(want)).Read()
			if name == verdictsName && err == nil && len(cells) > 1 {
				different.Log = cells[0] + ":" + cells[1]
			}
			return different
		case wantErr == io.EOF && gotErr == io.EOF:
			return nil
		case wantErr == nil:
			line++
		case wantErr != bufio.ErrBufferFull || gotErr != bufio.ErrBufferFull:
			return errors.Join(wantErr, gotErr)
		}
	}
}

// prepare records the proxies and the targets of redirects before the lines are read. It accepts nil.
func (k *kept) prepare(r *run) {
	if k == nil {
		return
	}
	for _, target := range k.Targets {
		r.targets[target] = true
	}
	for _, text := range k.Proxies {
		if addr, err := netip.ParseAddr(text); err == nil {
			r.senders[senderKey(addr.As16())] = severalOperators
		}
	}
}

// apply sets the facts that the excerpts do not show. It accepts nil.
func (k *kept) apply(r *reading) {
	if k == nil {
		return
	}
	r.from, r.to = k.From.UnixMilli(), k.To.UnixMilli()
	for i, l := range k.Logs {
		if l.Users {
			r.takeUsers(i)
		}
		facts := newLogFacts(l.Name)
		facts.userOutages = r.logs[i].userOutages
		facts.lacksQueries, facts.lines, facts.unreadable = l.LacksQueries, l.Requests, l.Unreadable
		facts.isCopy = l.Copy
		if !l.First.IsZero() {
			facts.first, facts.last = l.First.UnixMilli(), l.Last.UnixMilli()
		}
		for hour, n := range l.Hours {
			facts.hours[hour.UnixMilli()/hourMillis] = &hourFacts{n.Requests, n.First.UnixMilli(), n.Last.UnixMilli()}
		}
		for _, name := range l.Sites {
			if o, err := origin.Of(name); name != "" && err == nil {
				facts.cover(r.number(o))
			} else if name == "" {
				facts.cover(0)
			}
		}
		r.logs[i] = facts
	}
	if len(r.Sites) == 0 {
		for _, name := range k.Sites {
			if o, err := origin.Of(name); err == nil {
				r.origins[r.number(o)].judged = true
			}
		}
	}
}

// place is a line of a log.
type place struct {
	log  int
	line int64
}

// readVerdicts reads which visits disobeyed. Other lines are there because they decide about these, so not all
// that would decide about them is kept.
func (k *Kept) readVerdicts() error {
	file, err := regular.Open(filepath.Join(k.folder, verdictsName))
	if err != nil {
		return err
	}
	defer file.Close()
	logs := map[string]int{}
	for i, l := range k.Logs {
		logs[l.Name] = i
	}
	k.verdicts = map[place]bool{}
	bounded := &bounds.Reader{From: file, Over: fmt.Errorf("a verdict is over %d MiB long", maxVerdictBytes>>20)}
	for rows := csv.NewReader(bounded); ; {
		bounded.Left = maxVerdictBytes
		cells, err := rows.Read()
		switch {
		case err == io.EOF:
			return nil
		case err == nil && len(k.verdicts) == maxVerdicts:
			err = fmt.Errorf("it has over %s verdicts", term.Thousands(maxVerdicts))
		case err == nil && len(cells) < 2:
			err = csv.ErrFieldCount
		}
		if err != nil {
			return term.Errorf("%s cannot be read: %v", verdictsName, term.Cause(err))
		}
		line, _ := strconv.ParseInt(cells[1], 10, 64) // no log has line 0
		if log, ok := logs[cells[0]]; ok {
			k.verdicts[place{log, line}] = true
		}
	}
}

// isToRepeat reports whether the verdict about a visit is to be repeated. It accepts nil.
func (k *kept) isToRepeat(v *visit) bool { return k == nil || k.verdicts[place{v.log, v.line}] }

// keptHistory has the files that a folder of evidence contains.
type keptHistory struct {
	k     *Kept
	terms history.Terms
}

func (h *keptHistory) Timeline(ctx context.Context, site string, _, _ time.Time,
	_ time.Duration) (*history.Timeline, error) {
	spans, err := h.Window(ctx, site, time.Time{}, time.Time{})
	return history.NewTimeline(spans, h.terms), err
}

func (h *keptHistory) Window(_ context.Context, site string, _, _ time.Time) (spans []history.Span, err error) {
	for _, s := range h.k.Spans {
		if s.Site != site {
			continue
		}
		span := history.Span{
			From: s.From, To: s.To, Certainty: s.Certainty, Observations: s.Observations,
			Sources: s.Sources, Lifetime: s.Lifetime,
			Version: history.Version{Status: s.Status, Fault: s.Fault, Truncated: s.Truncated, HasBody: s.SHA256 != ""},
		}
		if span.Version.HasBody {
			sum, err := hex.DecodeString(s.SHA256)
			if err != nil || len(sum) != sha256.Size {
				return nil, term.Errorf("%s has a digest that is not one", keptName)
			}
			span.Version.SHA256 = [sha256.Size]byte(sum)
		}
		spans = append(spans, span)
	}
	return spans, nil
}

func (h *keptHistory) Body(_ context.Context, sha [sha256.Size]byte) ([]byte, error) {
	return regular.Read(filepath.Join(h.k.folder, filesFolder, hex.EncodeToString(sha[:])+".txt"), maxKeptBytes)
}

// excerpted returns a line of an excerpt without its number.
func excerpted(line []byte) (number int64, text []byte) {
	begin, text, _ := bytes.Cut(line, []byte("\t"))
	number, _ = strconv.ParseInt(string(begin), 10, 64)
	return number, text
}
