package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/folders"
	"github.com/kosterhq/robotstxt/internal/regular"
)

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
	// Provenance is written to Parquet tables. Set it before the first one. nil: none.
	Provenance *wire.AuditProvenance

	folder string
	config PartsConfig

	mu   sync.Mutex
	idle []*partTables // whose writers are used again: most parts of small inputs would be their setup
}

// PartsConfig describes the parts of an audit.
type PartsConfig struct {
	// Settings is any value with a JSON form. It must be the same each time, because
	// parts of different audits would make a wrong table.
	Settings any
	// Bodies is true if the parts have the third table.
	Bodies bool
	// Shard is recorded in the tables, so that a missing shard is noticed.
	Shard Shard
	// Files is the number of files in a part. Default: 20,000. A run that continues reads the
	// files of complete parts again, but does not analyse them.
	Files int
	// Order is the version of the order in which inputs yield files: parts of another one would be
	// continued in the wrong place. OpenParts sets it.
	Order int
	// Meaning is the version of the words in the tables: a table would call one thing by two. OpenParts sets it.
	Meaning int
	// Tool is the version of robots, which an error names. Parts of another one can be continued.
	Tool string
}

// order changes when an input yields other files, or in another order.
const order = 2

// meaning changes when a word in the tables means something else than before. Tables of versions before 1 call a group
// to which a crawler falls back one with its own token.
const meaning = 1

// meaningKey is the key of the metadata with the meaning in a Parquet file.
const meaningKey = "robotstxt.meaning"

const settingsName = "settings.json"

// maxSettings bounds in bytes the files of a folder of parts that are not tables.
const maxSettings = 64 << 20

// OpenParts opens a folder of parts, or creates it. A folder with other files is an error, because Remove would remove
// these too.
func OpenParts(folder string, config PartsConfig) (*Parts, error) {
	if config.Files <= 0 {
		config.Files = 20_000
	}
	config.Order, config.Meaning = order, meaning
	want, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := folders.Make(folder, 0o755); err != nil {
		return nil, err
	}
	name := filepath.Join(folder, settingsName)
	have, err := regular.Read(name, maxSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := checkUnused(folder); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name+".new", want, 0o644); err != nil {
			return nil, err
		}
		err = os.Rename(name+".new", name)
	case err == nil:
		err = continued(folder, have, want)
	}
	if err != nil {
		return nil, err
	}
	return &Parts{folder: folder, config: config}, nil
}

// continued returns an error if a folder has parts with other settings.
func continued(folder string, have, want []byte) error {
	var of PartsConfig
	settings := [2]map[string]any{}
	for i, text := range [][]byte{have, want} {
		if err := json.Unmarshal(text, &settings[i]); err != nil {
			return term.Errorf("%q is damaged: %v", filepath.Join(folder, settingsName), err).Hint("remove the folder to begin again")
		}
		delete(settings[i], "Tool")
	}
	_ = json.Unmarshal(have, &of) // what it has of a version
	switch {
	case of.Order != order || of.Meaning != meaning:
		version := "another version of robots"
		if of.Tool != "" {
			version = "robots " + term.Escape(of.Tool)
		}
		return term.Errorf("%q has the unfinished work of %s, whose rows this version cannot continue", folder, version).Hint("remove the folder to begin again, or continue with that version")
	case !reflect.DeepEqual(settings[0], settings[1]):
		return term.Errorf("%q has parts of an audit with other options or inputs", folder).Hint("remove the folder to begin again, or use the options and inputs of that run")
	}
	return nil
}

// checkUnused returns an error if a folder has files, apart from settings that a killed run has not finished.
func checkUnused(folder string) error {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if e.Name() != settingsName+".new" {
			return term.Errorf("%q has files, but not the unfinished work of an audit", folder).Hint("name a new folder with --parts")
		}
	}
	return err
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

// done returns how many parts of an input are complete, whether these are all its parts, its digest
// if the mark has it, and the error that ended its reading. If the input was replaced since that error,
// or is at a URL, there is no error, and it is read again. So is one at a URL that was not read to its end, because the
// server might have another file now.
func (p *Parts) done(name string, input int) (parts int, ended bool, digest *wire.AuditDigest,
	incomplete *InputError, err error) {
	for exists(p.name(input, parts, fileRows)) {
		parts++
	}
	text, err := regular.Read(p.endName(input), maxSettings)
	switch {
	case errors.Is(err, fs.ErrNotExist) && IsURL(name):
		return 0, false, nil, nil, p.forget(input, parts)
	case errors.Is(err, fs.ErrNotExist):
		return parts, false, nil, nil, nil
	case err != nil:
		return parts, false, nil, nil, err
	case len(text) > 0:
		var mark endMark
		if err := json.Unmarshal(text, &mark); err != nil {
			return parts, false, nil, nil, term.Errorf("%q cannot be read: %v", p.endName(input), err).Hint("remove the folder to begin again")
		}
		if mark.Error == "" {
			return parts, true, mark.Digest, nil, nil
		}
		if mark.Size != sizeOf(name) || IsURL(name) {
			return 0, false, nil, nil, p.forget(input, parts)
		}
		incomplete = &InputError{name, mark.Files, errors.New(mark.Error)}
		if mark.EndsEarly {
			incomplete.Err = &endError{mark.Error}
		}
	}
	return parts, true, nil, incomplete, nil
}

// endMark is the mark of a finished input that is not complete or has a digest; others have an empty mark.
type endMark struct {
	Files     int    `json:"files"`
	Error     string `json:"error"` // empty if it is complete
	EndsEarly bool   `json:"ends_early"`
	Size      int64  `json:"size"` // of the input; see sizeOf

	Digest *wire.AuditDigest `json:"digest,omitempty"` // of a complete input at a URL
}

// sizeOf returns the size of an input, and -1 if it is not a file.
func sizeOf(name string) int64 {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return -1
}

// forget removes the parts of an input, and then its mark, so that a run that is killed
// meanwhile leaves no part without a mark.
func (p *Parts) forget(input, parts int) error {
	for part := parts - 1; part >= 0; part-- {
		for _, t := range slices.Backward(kindsOf(p.config.Bodies)) {
			if err := os.Remove(p.name(input, part, t)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if err := os.Remove(p.endName(input)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (p *Parts) end(input int, of Source, incomplete *InputError) (err error) {
	var text []byte
	var mark endMark
	if incomplete != nil {
		mark = endMark{Files: incomplete.Files, Error: incomplete.Err.Error(), EndsEarly: incomplete.EndsEarly(),
			Size: sizeOf(incomplete.Input)}
	} else if at, ok := of.(*remote); ok {
		mark.Digest = new(at.digest())
	}
	if mark != (endMark{}) {
		text, err = json.Marshal(mark)
		if err != nil {
			return err
		}
	}
	name := p.endName(input)
	if err := os.WriteFile(name+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func kindsOf(bodies bool) []tableKind {
	if bodies {
		return []tableKind{fileRows, crawlerRows, bodyRows}
	}
	return []tableKind{fileRows, crawlerRows}
}

type partTables struct {
	to       []io.Closer
	files    *tableWriter[File]
	crawlers *tableWriter[Crawler]
	bodies   *tableWriter[Body] // nil without bodies
	count    int                // files
}

func (t *partTables) write(rows *Rows) error {
	t.count++
	if err := t.files.write([]File{rows.File}); err != nil {
		return err
	}
	if rows.Body != nil && t.bodies != nil {
		if err := t.bodies.write([]Body{*rows.Body}); err != nil {
			return err
		}
	}
	return t.crawlers.write(rows.Crawlers)
}

func (t *partTables) complete() error {
	err := errors.Join(t.files.complete(), t.crawlers.complete())
	if t.bodies != nil {
		err = errors.Join(err, t.bodies.complete())
	}
	return errors.Join(err, t.closeFiles())
}

func (t *partTables) closeFiles() (err error) {
	for _, file := range t.to {
		err = errors.Join(err, file.Close())
	}
	return err
}

func (p *Parts) create(input, part int) (*partTables, error) {
	var to [3]io.Writer
	t := p.unused()
	for i, kind := range kindsOf(p.config.Bodies) {
		file, err := os.Create(p.name(input, part, kind) + ".new")
		if err != nil {
			_ = t.closeFiles() // the tables are still empty
			return nil, err
		}
		to[i] = file
		t.to = append(t.to, file)
	}
	if t.files != nil {
		t.reset(to)
		return t, nil
	}
	t.files = newTable[File](to[0], p.config.Shard, nil)
	t.crawlers = newTable[Crawler](to[1], p.config.Shard, nil)
	if p.config.Bodies {
		t.bodies = newTable[Body](to[2], p.config.Shard, nil)
	}
	return t, nil
}

// unused returns tables that were completed, else new ones without writers.
func (p *Parts) unused() *partTables {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return &partTables{}
	}
	t := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	return t
}

func (t *partTables) reset(to [3]io.Writer) {
	t.count = 0
	t.files.reset(to[0])
	t.crawlers.reset(to[1])
	if t.bodies != nil {
		t.bodies.reset(to[2])
	}
}

// complete completes the tables of a part. The first one is renamed last.
func (p *Parts) complete(t *partTables, input, part int) error {
	err := t.complete()
	tables := kindsOf(p.config.Bodies)
	for i := len(tables) - 1; i >= 0 && err == nil; i-- {
		name := p.name(input, part, tables[i])
		err = os.Rename(name+".new", name)
	}
	if err == nil {
		t.to = t.to[:0]
		p.mu.Lock()
		defer p.mu.Unlock()
		p.idle = append(p.idle, t)
	}
	return err
}
