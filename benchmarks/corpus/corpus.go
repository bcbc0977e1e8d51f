// Package corpus holds what the benchmarks read and ask: real or generated
// robots.txt files, made ones of extreme shape, and paths to ask about.
package corpus

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unsafe"
)

// Body is one robots.txt in both forms that parsers take, over the same bytes,
// so that none pays for a conversion. Nobody may change it.
type Body struct {
	Bytes []byte
	Text  string
}

// NewBody returns a body over bytes.
func NewBody(bytes []byte) Body {
	return Body{bytes, unsafe.String(unsafe.SliceData(bytes), len(bytes))}
}

// File is a body with the paths that are asked about it.
type File struct {
	Body
	Paths []string
}

// Corpus is a list of files.
type Corpus struct {
	Files  []File
	Size   int    // of all bodies, in bytes
	Origin string // what it is, for readers of a result
}

// DefaultSeed is that of the generated corpus and of all paths.
const DefaultSeed = 9309

// PathsPerFile is how many paths each file has. A typical file has more.
const PathsPerFile = 10

// Load reads all files *.txt of a folder, or generates a corpus if folder is
// empty. The paths come from seed in both cases.
func Load(folder string, seed uint64) (*Corpus, error) {
	var bodies [][]byte
	c := &Corpus{}
	if folder == "" {
		bodies = Generate(seed, generatedFiles)
		c.Origin = fmt.Sprintf("generated from seed %d", seed)
	} else {
		names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("corpus: no *.txt in %s", folder)
		}
		for _, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			bodies = append(bodies, body)
		}
		c.Origin = "real files from a folder"
	}
	for i, body := range bodies {
		f := File{Body: NewBody(body)}
		f.Paths = Paths(seed+uint64(i), f.Body, PathsPerFile)
		c.Files = append(c.Files, f)
		c.Size += len(body)
	}
	return c, nil
}

// Write puts the bodies into a folder, for programs that read one.
func (c *Corpus) Write(folder string) error {
	for i, f := range c.Files {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d.txt", i)), f.Bytes, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// String says how large the corpus is and where it comes from.
func (c *Corpus) String() string {
	sizes := make([]int, 0, len(c.Files))
	for _, f := range c.Files {
		sizes = append(sizes, len(f.Bytes))
	}
	slices.Sort(sizes)
	at := func(share float64) int { return sizes[int(share*float64(len(sizes)-1))] }
	return fmt.Sprintf("%d files, %.1f MB, %s; mean %d B, median %d B, 90 %% below %d B, largest %d B",
		len(sizes), float64(c.Size)/1e6, c.Origin, c.Size/len(sizes), at(0.5), at(0.9), at(1))
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
		typical.Size += len(f.Bytes)
	}
	return typical
}

// Without returns the corpus without the files that refused reports true for.
func (c *Corpus) Without(refused func(Body) bool) *Corpus {
	kept := &Corpus{Origin: c.Origin}
	for _, f := range c.Files {
		if !refused(f.Body) {
			kept.Files = append(kept.Files, f)
			kept.Size += len(f.Bytes)
		}
	}
	return kept
}

// Largest returns the file with the longest body.
func (c *Corpus) Largest() File {
	return slices.MaxFunc(c.Files, func(a, b File) int { return cmp.Compare(len(a.Bytes), len(b.Bytes)) })
}
