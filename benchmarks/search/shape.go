package main

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// shape is a short description of a file and a path. The lines are repeated up to
// bodySize, the piece up to pathSize. The byte counter is replaced by three letters
// that differ from line to line, because equal rules may be merged.
type shape struct {
	lines        []string
	start, piece string // of the path
}

const (
	bodySize = 100_000
	pathSize = 2000
	maxLines = 12
	maxText  = 120 // of a line and of a piece
	counter  = "\x01"
)

// starts returns the shapes with which the search begins.
func starts() []shape {
	path := func(lines ...string) shape { return shape{lines, "/", "ab"} }
	return []shape{
		path("User-agent: a"+counter, "Disallow: /"),
		path("User-agent: *", "Disallow: /*a*b", "Allow: /a*"+counter),
		path("Disallow: /é", "Allow:", "disalow: x", "Disallow /a%2f$"),
		path("Disallow: /*a*a*a*a*c", "Allow: *"+counter+"c"),
		path("Disallow: /abababab" + counter),
	}
}

// file returns the file with its path.
func (s shape) file() corpus.File {
	var body bytes.Buffer
	body.WriteString("User-agent: *\n")
	for i := 0; body.Len() < bodySize; i++ {
		// 17 is prime to 26, so that neighbours differ in all three letters.
		letters := []byte{byte('a' + i*17%26), byte('a' + i/26%26), byte('a' + i/676%26)}
		line := s.lines[i%len(s.lines)]
		body.WriteString(strings.ReplaceAll(line, counter, string(letters)))
		body.WriteByte('\n')
	}
	path := s.start + strings.Repeat(s.piece, max(0, pathSize-len(s.start))/len(s.piece))
	return corpus.File{Body: corpus.NewBody(body.Bytes()), Paths: []string{path}}
}

// mutator changes shapes at random.
type mutator struct{ *rand.Rand }

func newMutator(seed uint64) mutator { return mutator{rand.New(rand.NewPCG(seed, 20))} }

// change returns a shape with one to three changes.
func (m mutator) change(s shape) shape {
	s.lines = slices.Clone(s.lines)
	for range 1 + m.IntN(3) {
		at := m.IntN(len(s.lines))
		switch m.IntN(8) {
		case 0:
			s.piece = m.text(s.piece, s.lines[at])
		case 1:
			s.start = "/" + strings.TrimPrefix(m.text(s.start, s.piece), "/")
		case 2:
			s.lines = slices.Insert(s.lines, at, s.lines[m.IntN(len(s.lines))])
		case 3:
			s.lines = slices.Delete(s.lines, at, at+1)
		case 4:
			s.lines[at] = keys[m.IntN(len(keys))] + s.lines[at][strings.IndexByte(s.lines[at], ':')+1:]
		default:
			s.lines[at] = m.text(s.lines[at], s.piece)
		}
		if len(s.lines) == 0 {
			s.lines = []string{"Disallow: /*" + s.piece}
		}
		s.lines = s.lines[:min(len(s.lines), maxLines)]
	}
	return s
}

var keys = []string{"Disallow:", "Allow:", "User-agent:", "User-agent: ", "Disallow: ", "disalow:", "Sitemap:", "Crawl-delay:", "x:", ""}

// letters are the bytes that have a meaning in files or URLs, and a few others.
const letters = "aaabbc***$/%2Fé\r\t :#?Z-_.\x00" + counter

// text changes s, which is not empty: it removes, repeats or adds bytes, or copies
// some from the other text.
func (m mutator) text(s, other string) string {
	from := m.IntN(len(s) + 1)
	to := from + m.IntN(min(len(s)-from, 8)+1)
	switch m.IntN(5) {
	case 0: // remove a part
		s = s[:from] + s[to:]
	case 1: // repeat a part
		s = s[:from] + strings.Repeat(s[from:to], 1+m.IntN(12)) + s[to:]
	case 2: // insert a part of the other text
		if other == "" {
			break
		}
		start := m.IntN(len(other))
		s = s[:from] + other[start:start+m.IntN(min(len(other)-start, 12)+1)] + s[from:]
	default:
		at := m.IntN(len(letters))
		s = s[:from] + letters[at:at+1] + s[to:]
	}
	if s == "" {
		s = "a"
	}
	return s[:min(len(s), maxText)]
}
