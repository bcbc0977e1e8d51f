package benchmarks

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// agent is the product token of all queries.
const agent = "Googlebot"

// LineScan is the entry that only searches for the end of each line. No parser
// that reads line by line can be faster.
const LineScan = "line scan"

// Lines is the entry that reads all lines and keeps nothing.
const Lines = "kosterhq, Lines"

// Parse reads every file of a corpus into the peer's parsed form.
func (d Drivers) Parse(name string, c *corpus.Corpus) Contest {
	contest := Contest{Name: name, Ops: len(c.Files), Bytes: c.Size(), Base: peers.Ours, Entries: []Entry{lineScan(c), lines(c)}}
	for _, p := range peers.All() {
		entry := Entry{Name: p.Name, Start: func() func() {
			return func() {
				for i := range c.Files {
					p.Parse(c.Files[i].Body) // Refused counts the errors
				}
			}
		}}
		if !p.Keeps {
			entry.Note = "reads only, keeps nothing"
		}
		contest.Entries = append(contest.Entries, entry)
	}
	contest.Entries = append(contest.Entries, d.entries(driver.Parse, c.Files)...)
	return contest
}

// OneShot reads every file of a corpus to answer one query.
func (d Drivers) OneShot(name string, c *corpus.Corpus) Contest {
	contest := Contest{Name: name, Ops: len(c.Files), Bytes: c.Size(), Base: peers.Ours, Entries: []Entry{lineScan(c)}}
	for _, p := range peers.All() {
		contest.Entries = append(contest.Entries, Entry{Name: p.Name, Start: func() func() {
			return func() {
				for i := range c.Files {
					p.Allowed(c.Files[i].Body, agent, c.Files[i].Paths[i%corpus.PathsPerFile])
				}
			}
		}})
	}
	contest.Entries = append(contest.Entries, d.entries(driver.OneShot, c.Files)...)
	return contest
}

// First reads every file of a corpus into the parsed form, finds the rules of an
// agent, and answers one query from them, like a crawler that keeps parsed files
// but visits one page of each site.
func (d Drivers) First(name string, c *corpus.Corpus) Contest {
	contest := Contest{Name: name, Ops: len(c.Files), Bytes: c.Size(), Base: peers.Ours}
	for _, p := range peers.All() {
		contest.Entries = append(contest.Entries, Entry{Name: p.Name, Start: func() func() {
			return func() {
				for i := range c.Files {
					at := i % corpus.PathsPerFile
					if file, err := p.Parse(c.Files[i].Body); err == nil {
						file.For(agent).Count(c.Files[i].Paths[at : at+1])
					}
				}
			}
		}})
	}
	contest.Entries = append(contest.Entries, d.entries(driver.OneShot, c.Files)...)
	return contest
}

func lineScan(c *corpus.Corpus) Entry {
	return Entry{Name: LineScan, Note: "bytes.IndexByte for each line", Start: func() func() {
		return func() {
			for i := range c.Files {
				rest := c.Files[i].Bytes
				for {
					end := bytes.IndexByte(rest, '\n')
					if end < 0 {
						break
					}
					rest = rest[end+1:]
				}
			}
		}
	}}
}

func lines(c *corpus.Corpus) Entry {
	return Entry{Name: Lines, Note: "every line with its key and value, nothing kept", Start: func() func() {
		return func() {
			for i := range c.Files {
				readLines(c.Files[i].Bytes)
			}
		}
	}}
}

func readLines(body []byte) {
	for line := range robotstxt.Lines(body) {
		_ = line
	}
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
