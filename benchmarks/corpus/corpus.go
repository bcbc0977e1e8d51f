// Package corpus provides the input of the benchmarks: real robots.txt files,
// generated ones, extreme ones, and paths to match.
package corpus

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"unsafe"
)

// Body is one robots.txt as bytes and as a string over the same memory, so that
// no parser has to convert it. It must not be modified.
type Body struct {
	Bytes []byte
	Text  string
}

// NewBody returns a body over bytes, which must not be modified afterwards.
func NewBody(bytes []byte) Body {
	return Body{bytes, unsafe.String(unsafe.SliceData(bytes), len(bytes))}
}

// File is a body with the paths that are matched against it.
type File struct {
	Body
	Paths []string
}

// Corpus is a list of files.
type Corpus struct {
	Files  []File
	Origin string // where the files are from, for readers of a result
}

// DefaultSeed is the default seed of the generated corpus and of all paths.
const DefaultSeed = 9309

// PathsPerFile is the number of paths of each file. Files from Typical have more.
const PathsPerFile = 10

// Half is a half of a folder, or all of it. The engine is optimised with one half.
// The figures of the other half show whether it is also faster with files that
// were not used for that.
type Half string

// The halves. A hash of its name decides in which half a file is.
const (
	All     Half = "all"
	Work    Half = "work"
	Closing Half = "closing"
)

// String returns the name of the half, Work for the zero value.
func (h Half) String() string { return string(cmp.Or(h, Work)) }

// Set parses the name of a half, so that a Half can be the value of a flag.
func (h *Half) Set(name string) error {
	if half := Half(name); half == All || half == Work || half == Closing {
		*h = half
		return nil
	}
	return fmt.Errorf("%q is neither %s, %s nor %s", name, Work, Closing, All)
}

func (h Half) has(name string) bool {
	hash := fnv.New32a()
	hash.Write([]byte(filepath.Base(name)))
	switch even := hash.Sum32()>>16%2 == 0; h {
	case All:
		return true
	case Closing:
		return !even
	default:
		return even
	}
}

// Load reads the files *.txt of half a folder. Their paths come from seed.
func Load(folder string, half Half, seed uint64) (*Corpus, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !half.has(name) })
	if len(names) == 0 {
		return nil, fmt.Errorf("corpus: no *.txt in %s", folder)
	}
	var bodies [][]byte
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, body)
	}
	origin := "real files from a folder"
	if half != All {
		origin += fmt.Sprintf(", the half named %q", half)
	}
	return newCorpus(bodies, seed, origin), nil
}

// Generated returns 1,000 files that Generate makes.
func Generated(seed uint64) *Corpus {
	return newCorpus(Generate(seed, generatedFiles), seed, fmt.Sprintf("generated from seed %d", seed))
}

func newCorpus(bodies [][]byte, seed uint64, origin string) *Corpus {
	c := &Corpus{Origin: origin}
	for i, body := range bodies {
		f := File{Body: NewBody(body)}
		f.Paths = Paths(seed+uint64(i), f.Body, PathsPerFile)
		c.Files = append(c.Files, f)
	}
	return c
}

// Size returns the total size of all bodies, in bytes.
func (c *Corpus) Size() (size int) {
	for _, f := range c.Files {
		size += len(f.Bytes)
	}
	return size
}

// String returns the number of files, their sizes and their origin in words.
func (c *Corpus) String() string {
	sizes := make([]int, 0, len(c.Files))
	for _, f := range c.Files {
		sizes = append(sizes, len(f.Bytes))
	}
	slices.Sort(sizes)
	at := func(share float64) int { return sizes[int(share*float64(len(sizes)-1))] }
	return fmt.Sprintf("%d files, %.1f MB, %s; mean %d B, median %d B, 90%% below %d B, largest %d B",
		len(sizes), float64(c.Size())/1e6, c.Origin, c.Size()/len(sizes), at(0.5), at(0.9), at(1))
}

// Typical returns up to 200 files of 0.8 to 1.25 KB, with 100 paths each.
func (c *Corpus) Typical(seed uint64) *Corpus {
	typical := &Corpus{Origin: "those of 0.8 to 1.25 KB of the corpus"}
	for i, f := range c.Files {
		if n := len(f.Bytes); n < 800 || n > 1250 || len(typical.Files) == 200 {
			continue
		}
		f.Paths = Paths(seed+uint64(i), f.Body, 100)
		typical.Files = append(typical.Files, f)
	}
	return typical
}

// Small returns the files of at most 600 bytes, which are more than half of all
// files on the web. Their time is mostly the fixed cost of a call.
func (c *Corpus) Small() *Corpus {
	small := c.Without(func(body Body) bool { return len(body.Bytes) > 600 })
	small.Origin = "those of at most 600 bytes of the corpus"
	return small
}

// Without returns the corpus without the files for which drop returns true.
func (c *Corpus) Without(drop func(Body) bool) *Corpus {
	return &Corpus{slices.DeleteFunc(slices.Clone(c.Files), func(f File) bool { return drop(f.Body) }), c.Origin}
}

// Largest returns the file with the longest body.
func (c *Corpus) Largest() File {
	return slices.MaxFunc(c.Files, func(a, b File) int { return cmp.Compare(len(a.Bytes), len(b.Bytes)) })
}
