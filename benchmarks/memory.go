package benchmarks

import (
	"bytes"
	"runtime"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// Kept is the memory of a parsed corpus: how much larger the heap is with it.
type Kept struct {
	Name, Note string
	PerFile    float64 // bytes
	OfSource   float64 // share of the size of the bodies
}

// Indexed is the row for files with an index.
const Indexed = "kosterhq+index"

// Memory parses all files, keeps the results, and measures the heap. For peers
// without a parsed form it keeps the text. Size is the sum of Robots.Size.
func Memory(c *corpus.Corpus) (rows []Kept, size int) {
	for _, p := range peers.All() {
		if !p.Keeps {
			rows = append(rows, kept(c, p.Name, "keeps the text itself", func(f corpus.File) any {
				return bytes.Clone(f.Bytes)
			}))
			continue
		}
		var refused Refusals
		row := kept(c, p.Name, "", func(f corpus.File) any {
			file, err := p.Parse(f.Body)
			refused.count(err)
			return file
		})
		row.Note = refused.String()
		rows = append(rows, row)
		if p.Name == peers.Ours {
			rows = append(rows, kept(c, Indexed, "after 200 queries for the same agent", queriedOften))
		}
	}
	for _, f := range c.Files {
		size += robotstxt.Parse(f.Bytes).Size()
	}
	return rows, size
}

func queriedOften(f corpus.File) any {
	robots := robotstxt.Parse(f.Bytes)
	rules := robots.Rules(agent)
	for range queriesForIndex {
		rules.Allowed("/a/path")
	}
	return robots
}

func kept(c *corpus.Corpus, name, note string, parse func(corpus.File) any) Kept {
	results := make([]any, len(c.Files))
	before := heap()
	for i, f := range c.Files {
		results[i] = parse(f)
	}
	grown := float64(heap() - before)
	runtime.KeepAlive(results)
	return Kept{name, note, grown / float64(len(c.Files)), grown / float64(c.Size())}
}

// heap returns the bytes in use. The second collection frees what finalizers and
// pools kept during the first.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
