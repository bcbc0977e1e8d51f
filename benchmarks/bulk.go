package benchmarks

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// Entries of Bulk that are not peers, and names of its contests.
const (
	Gunzip   = "gunzip only"
	OneCore  = "one core"
	TwoCores = "two cores"
)

// Bulk reads archived files: one gzip member per file in memory, unpacked, parsed and
// queried for 10 paths. It shows how much time a parser adds to gunzip's, and whether
// two cores do twice the work.
func Bulk(s Set) []Contest {
	c := s.Corpus
	members := sync.OnceValue(func() [][]byte { return compress(c) })
	contest := Contest{Name: s.Named(OneCore), Ops: len(c.Files), Bytes: c.Size(), Base: Gunzip, Entries: []Entry{
		{Name: Gunzip, Start: func() func() { return unpacking(members(), c, 1, nil) }},
	}}
	for _, p := range peers.All() {
		contest.Entries = append(contest.Entries, Entry{Name: p.Name, Start: func() func() {
			return unpacking(members(), c, 1, p)
		}})
	}
	ours := peers.Named(peers.Ours)
	both := Contest{Name: s.Named(TwoCores), Ops: len(c.Files), Bytes: c.Size(), Base: OneCore, Entries: []Entry{
		{Name: OneCore, Start: func() func() { return unpacking(members(), c, 1, ours) }},
		{Name: TwoCores, Start: func() func() { return unpacking(members(), c, 2, ours) }},
		{Name: Gunzip + ", one core", Start: func() func() { return unpacking(members(), c, 1, nil) }},
		{Name: Gunzip + ", two cores", Note: "the limit of this machine", Start: func() func() { return unpacking(members(), c, 2, nil) }},
	}}
	return []Contest{contest, both}
}

func compress(c *corpus.Corpus) [][]byte {
	members := make([][]byte, len(c.Files))
	for i, f := range c.Files {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		_, err := w.Write(f.Bytes)
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			panic(err) // a bytes.Buffer does not fail
		}
		members[i] = out.Bytes()
	}
	return members
}

// unpacking returns a function that unpacks all members on the given number of
// cores, and parses and queries them if p is not nil.
func unpacking(members [][]byte, c *corpus.Corpus, cores int, p *peers.Peer) func() {
	workers := make([]unpacker, cores)
	return func() {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		var next atomic.Int64
		var wait sync.WaitGroup
		for i := range workers {
			wait.Go(func() {
				for {
					// Sixteen at a time, so that workers do not wait for the counter.
					from := int(next.Add(16)) - 16
					if from >= len(members) {
						return
					}
					for k := from; k < min(from+16, len(members)); k++ {
						workers[i].audit(members[k], c.Files[k].Paths, p)
					}
				}
			})
		}
		wait.Wait()
	}
}

// unpacker has the buffers that a worker reuses for each member.
type unpacker struct {
	source bytes.Reader
	gzip   gzip.Reader
	out    bytes.Buffer
}

func (u *unpacker) audit(member []byte, paths []string, p *peers.Peer) {
	u.source.Reset(member)
	u.out.Reset()
	err := u.gzip.Reset(&u.source)
	if err == nil {
		_, err = io.Copy(&u.out, &u.gzip)
	}
	if err != nil {
		panic(err) // we have packed it ourselves
	}
	if p == nil {
		return
	}
	if file, err := p.Parse(corpus.NewBody(u.out.Bytes())); err == nil {
		file.For(agent).Count(paths)
	}
}
