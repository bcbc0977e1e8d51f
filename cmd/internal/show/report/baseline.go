package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/lint"
)

// Baseline has the known findings of files.
type Baseline struct {
	folder string // of the baseline, absolute
	files  map[string]baselineCounts
	// Gone is the number of known findings that were not found again, in the files for which
	// Unknown was called.
	Gone int
}

// baselineCounts has the number of findings of a file, by code and digest of the line.
type baselineCounts map[lint.Code]map[string]int

type baselineDocument struct {
	Schema int                       `json:"schema"`
	Files  map[string]baselineCounts `json:"files"`
}

const baselineSchema = 1

// NewBaseline returns an empty baseline that will be written to a file with the given name.
// Names of files in it are relative to its folder.
func NewBaseline(name string) (*Baseline, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, term.Errorf("cannot determine the folder of %q: %v", name, err)
	}
	return &Baseline{folder: filepath.Dir(absolute), files: make(map[string]baselineCounts)}, nil
}

// ParseBaseline parses the baseline in a file with the given name. An error is a
// [*term.Error].
func ParseBaseline(name string, text []byte) (*Baseline, error) {
	b, err := NewBaseline(name)
	if err != nil {
		return nil, err
	}
	const hint = "write it again with --write-baseline"
	d := baselineDocument{Files: b.files}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return nil, term.Errorf("%q is not a baseline: %s", name, term.Printable(err)).Hint(hint)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, term.Errorf("%q is not a baseline: there is text after it", name).Hint(hint)
	}
	if d.Schema != baselineSchema {
		return nil, term.Errorf("%q is a baseline of another version: %d", name, d.Schema).Hint(hint)
	}
	if d.Files != nil {
		b.files = d.Files
	}
	return b, nil
}

// Unknown returns the findings of a file that are not known, and the number of findings that
// are. If the earlier run had two equal findings, two are known, and a third is not.
func (b *Baseline) Unknown(name string, body []byte, findings []lint.Finding) (unknown []lint.Finding, known int) {
	expected := b.files[b.key(name)]
	unknown = []lint.Finding{}
	for i, d := range lineDigests(body, findings) {
		if d.Nth <= expected[d.Code][d.Line] {
			known++
		} else {
			unknown = append(unknown, findings[i])
		}
	}
	b.Gone += expected.sum() - known
	return unknown, known
}

// Set makes the findings of a file the known ones.
func (b *Baseline) Set(name string, body []byte, findings []lint.Finding) {
	known := make(baselineCounts)
	for _, d := range lineDigests(body, findings) {
		if known[d.Code] == nil {
			known[d.Code] = make(map[string]int)
		}
		known[d.Code][d.Line]++
	}
	delete(b.files, b.key(name))
	if len(known) > 0 {
		b.files[b.key(name)] = known
	}
}

// Prune removes files that no longer exist.
func (b *Baseline) Prune() {
	for key := range b.files {
		if isPath(key) {
			if _, err := os.Lstat(filepath.Join(b.folder, filepath.FromSlash(key))); errors.Is(err, fs.ErrNotExist) {
				delete(b.files, key)
			}
		}
	}
}

// Len returns the number of known findings.
func (b *Baseline) Len() (n int) {
	for _, c := range b.files {
		n += c.sum()
	}
	return n
}

// Text returns the baseline as a file, with a line for each finding, in a fixed order.
func (b *Baseline) Text() ([]byte, error) {
	text, err := json.MarshalIndent(baselineDocument{baselineSchema, b.files}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("a baseline: %w", err)
	}
	return append(text, '\n'), nil
}

func (c baselineCounts) sum() (n int) {
	for _, lines := range c {
		for _, count := range lines {
			n += max(count, 0)
		}
	}
	return n
}

func isPath(name string) bool { return name != "-" && !strings.Contains(name, "://") }

// key returns the name of a file in the baseline: relative to its folder, with slashes.
func (b *Baseline) key(name string) string {
	if !isPath(name) {
		return name
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	inside, err := filepath.Rel(b.folder, absolute)
	if err != nil {
		return filepath.ToSlash(absolute) // on another drive
	}
	return filepath.ToSlash(inside)
}
