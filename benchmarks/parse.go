package benchmarks

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

const agent = "Googlebot"

// LineScan is the entry that only searches for the end of each line. No parser
// that reads line by line can be faster.
const LineScan = "line scan"

// Lines is the entry that reads all lines and keeps nothing.
const Lines = "kosterhq, Lines"

// Parse reads every file of a corpus into the peer's parsed form.
func (d Drivers) Parse(name string, c *corpus.Corpus) Contest {
	contest := d.eachFile(name, c, driver.Parse, "reads only, keeps nothing", func(p *peers.Peer, f *corpus.File, _ int) {
		p.Parse(f.Body) // Refused counts the errors
	})
	contest.Entries = slices.Insert(contest.Entries, 0, lineScan(c), lines(c))
	return contest
}

// OneShot reads every file of a corpus to answer one query.
func (d Drivers) OneShot(name string, c *corpus.Corpus) Contest {
	contest := d.eachFile(name, c, driver.OneShot, "", func(p *peers.Peer, f *corpus.File, i int) {
		p.Allowed(f.Body, agent, f.Paths[i%corpus.PathsPerFile])
	})
	contest.Entries = slices.Insert(contest.Entries, 0, lineScan(c))
	return contest
}

// First reads every file of a corpus into the parsed form, finds the rules of an
// agent, and answers one query from them, like a crawler that keeps parsed files
// but visits one page of each site.
func (d Drivers) First(name string, c *corpus.Corpus) Contest {
	return d.eachFile(name, c, driver.OneShot, "", func(p *peers.Peer, f *corpus.File, i int) {
		at := i % corpus.PathsPerFile
		if file, err := p.Parse(f.Body); err == nil {
			file.For(agent).Count(f.Paths[at : at+1])
		}
	})
}

// eachFile returns a contest in which the peers, and the drivers with such work, do something with
// each file of a corpus. The note is for peers that keep no parsed form.
func (d Drivers) eachFile(
	name string, c *corpus.Corpus, work driver.Work, note string, do func(p *peers.Peer, f *corpus.File, i int),
) Contest {
	contest := Contest{Name: name, Ops: len(c.Files), Bytes: c.Size(), Base: peers.Ours}
	for _, p := range peers.All() {
		entry := overFiles(c, p.Name, "", func(f *corpus.File, i int) { do(p, f, i) })
		if !p.Keeps {
			entry.Note = note
		}
		contest.Entries = append(contest.Entries, entry)
	}
	contest.Entries = append(contest.Entries, d.entries(work, c.Files)...)
	return contest
}

func overFiles(c *corpus.Corpus, name, note string, do func(f *corpus.File, i int)) Entry {
	return Entry{Name: name, Note: note, Start: func() func() {
		return func() {
			for i := range c.Files {
				do(&c.Files[i], i)
			}
		}
	}}
}

func lineScan(c *corpus.Corpus) Entry {
	return overFiles(c, LineScan, "bytes.IndexByte for each line", func(f *corpus.File, _ int) {
		for rest := f.Bytes; ; {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				break
			}
			rest = rest[end+1:]
		}
	})
}

func lines(c *corpus.Corpus) Entry {
	return overFiles(c, Lines, "every line with its key and value, nothing kept", func(f *corpus.File, _ int) {
		for line := range robotstxt.Lines(f.Bytes) {
			_ = line
		}
	})
}

// Refusals counts the files that a peer cannot parse.
type Refusals struct{ Errors, Panics int }

// Refused parses all files and counts those that the peer cannot parse.
func Refused(p *peers.Peer, c *corpus.Corpus) (r Refusals) {
	for i := range c.Files {
		_, err := p.Parse(c.Files[i].Body)
		r.count(err)
	}
	return r
}

func (r *Refusals) count(err error) {
	switch {
	case err == nil:
	case errors.Is(err, peers.ErrPanic):
		r.Panics++
	default:
		r.Errors++
	}
}

// String returns the counts in words, "" if there are none.
func (r Refusals) String() string {
	switch {
	case r.Errors > 0 && r.Panics > 0:
		return fmt.Sprintf("panics on %d files, refuses %d", r.Panics, r.Errors)
	case r.Panics > 0:
		return fmt.Sprintf("panics on %d files", r.Panics)
	case r.Errors > 0:
		return fmt.Sprintf("refuses %d files", r.Errors)
	}
	return ""
}
