package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// tableKind is a table: the suffix of the names of its files.
type tableKind string

const (
	fileRows    tableKind = "files"
	crawlerRows tableKind = "crawlers"
	bodyRows    tableKind = "bodies"
)

// Parts is a folder with the rows of an audit. Each input has a sequence of parts, each
// with the rows of up to PartsConfig.Files files in all tables, and after the last part a
// mark that the input is finished. A part is renamed when it is complete, so a run that
// was killed leaves only complete parts.
type Parts struct {
	folder string
	config PartsConfig
}

// PartsConfig describes the parts of an audit.
type PartsConfig struct {
	// Settings is any value with a JSON form. It must be the same each time, because
	// parts of different audits would make a wrong table.
	Settings any
	// Bodies is true if the parts have the third table.
	Bodies bool
	// Shard is noted in the tables, so that a missing one is noticed.
	Shard Shard
	// Files is how many files a part has. Default: 20,000. A run that continues reads the
	// files of complete parts again, but does not analyse them.
	Files int
}

// settingsName is the file with the settings of the audit that the parts belong to.
const settingsName = "settings.json"

// OpenParts opens a folder of parts, or creates it.
func OpenParts(folder string, config PartsConfig) (*Parts, error) {
	if config.Files <= 0 {
		config.Files = 20_000
	}
	want, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	name := filepath.Join(folder, settingsName)
	have, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.WriteFile(name+".new", want, 0o644); err != nil {
			return nil, err
		}
		err = os.Rename(name+".new", name)
	case err == nil && !bytes.Equal(have, want):
		err = term.Errorf("remove the folder to begin again, or use the options and inputs of that run",
			"%q has parts of an audit with other options or inputs", folder)
	}
	if err != nil {
		return nil, err
	}
	return &Parts{folder, config}, nil
}

// Folder returns the folder.
func (p *Parts) Folder() string { return p.folder }

// Remove removes the parts.
func (p *Parts) Remove() error { return os.RemoveAll(p.folder) }

func (p *Parts) name(input, part int, t tableKind) string {
	return filepath.Join(p.folder, fmt.Sprintf("%06d-%06d.%s.parquet", input, part, t))
}

func (p *Parts) endName(input int) string {
	return filepath.Join(p.folder, fmt.Sprintf("%06d.end", input))
}

// done returns how many parts of an input are complete, and whether they are all.
func (p *Parts) done(input int) (parts int, ended bool) {
	for exists(p.name(input, parts, fileRows)) {
		parts++
	}
	return parts, exists(p.endName(input))
}

func (p *Parts) end(input int) error { return os.WriteFile(p.endName(input), nil, 0o644) }

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// kindsOf returns the tables of an audit, with or without bodies.
func kindsOf(bodies bool) []tableKind {
	if bodies {
		return []tableKind{fileRows, crawlerRows, bodyRows}
	}
	return []tableKind{fileRows, crawlerRows}
}

// Tables writes the rows of files to the tables of an audit.
type Tables struct {
	files    *tableWriter[File]
	crawlers *tableWriter[Crawler]
	bodies   *tableWriter[Body] // nil without bodies
	count    int                // files
}

// NewTables returns a writer of tables, which create creates by their kinds: "files",
// "crawlers" and, with bodies, "bodies".
func NewTables(bodies bool, shard Shard, create func(kind string) (io.WriteCloser, error)) (*Tables, error) {
	var to [3]io.WriteCloser
	for i, kind := range kindsOf(bodies) {
		table, err := create(string(kind))
		if err != nil {
			for _, created := range to[:i] {
				created.Close() // nothing is written to it
			}
			return nil, err
		}
		to[i] = table
	}
	t := &Tables{files: newTable[File](to[0], shard), crawlers: newTable[Crawler](to[1], shard)}
	if bodies {
		t.bodies = newTable[Body](to[2], shard)
	}
	return t, nil
}

// Write writes the rows of a file.
func (t *Tables) Write(rows *Rows) error {
	t.count++
	if err := t.files.write(&rows.File); err != nil {
		return err
	}
	if rows.Body != nil && t.bodies != nil {
		if err := t.bodies.write(rows.Body); err != nil {
			return err
		}
	}
	for i := range rows.Crawlers {
		if err := t.crawlers.add(&rows.Crawlers[i], len(rows.repeats) > 0 && rows.repeats[i]); err != nil {
			return err
		}
	}
	return nil
}

// Close completes the tables.
func (t *Tables) Close() error {
	err := errors.Join(t.files.Close(), t.crawlers.Close())
	if t.bodies != nil {
		err = errors.Join(err, t.bodies.Close())
	}
	return err
}

// create creates the tables of a part.
func (p *Parts) create(input, part int) (*Tables, error) {
	return NewTables(p.config.Bodies, p.config.Shard, func(kind string) (io.WriteCloser, error) {
		return os.Create(p.name(input, part, tableKind(kind)) + ".new")
	})
}

// complete completes the tables of a part. The first one is renamed last.
func (p *Parts) complete(t *Tables, input, part int) error {
	err := t.Close()
	tables := kindsOf(p.config.Bodies)
	for i := len(tables) - 1; i >= 0 && err == nil; i-- {
		name := p.name(input, part, tables[i])
		err = os.Rename(name+".new", name)
	}
	return err
}
