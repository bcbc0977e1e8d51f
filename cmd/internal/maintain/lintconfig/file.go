package lintconfig

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Name is the name of a settings file.
const Name = ".robotslint.yaml"

// File is a settings file. A nil File has no settings.
type File struct {
	Settings
	folder    string   // of the file, absolute
	exclude   []string // patterns of names relative to the folder, with slashes
	overrides []override
}

type override struct {
	Settings
	files []string // patterns of names relative to the folder, with slashes
}

// MaxBytes bounds the size of a settings file: the time to read one grows with the
// square of the depth of its values.
const MaxBytes = 1 << 14

// Parse parses a settings file. Messages contain its name, and the patterns in it are
// relative to its folder. An error is a *term.Error that begins with the name, the
// line, the column and the field, and has a hint.
func Parse(name string, text []byte) (*File, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, term.Errorf("cannot determine the folder of %q: %v", name, err)
	}
	if len(text) > MaxBytes {
		return nil, term.Errorf("%s: it is over %d KiB long", term.Escape(name), MaxBytes>>10).Hint("give a settings file")
	}
	var d document
	var node, next yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	err = decoder.Decode(&node)
	if err == nil && !errors.Is(decoder.Decode(&next), io.EOF) {
		return nil, term.Errorf("%s: there is a second document", term.Escape(name)).Hint("keep one document and remove the line ---")
	}
	if err == nil {
		err = checkFields(node.Content[0], append(slices.Clone(fieldNames), "exclude", "overrides")...)
	}
	if err == nil {
		err = node.Decode(&d)
	}
	if err != nil && !errors.Is(err, io.EOF) { // the file has only comments
		return nil, inFile(name, &node, err)
	}
	file := &File{Settings: d.All.settings(), folder: filepath.Dir(absolute), exclude: patterns(d.Exclude)}
	for _, o := range d.Overrides {
		if len(o.Files) == 0 {
			return nil, term.Errorf("%s: overrides: an override has no files", term.Escape(name)).Hint(`name them: files: ["staging/**/*.txt"]`)
		}
		file.overrides = append(file.overrides, override{o.Some.settings(), patterns(o.Files)})
	}
	return file, nil
}

// Excludes reports whether a file, given by its absolute name, or a folder that contains
// it, matches one of the patterns of the setting exclude.
func (f *File) Excludes(name string) bool {
	if f == nil || len(f.exclude) == 0 {
		return false
	}
	inside, err := filepath.Rel(f.folder, name)
	if err != nil || !filepath.IsLocal(inside) {
		return false
	}
	for ; inside != "."; inside = filepath.Dir(inside) {
		if slices.ContainsFunc(f.exclude,
			func(pattern string) bool { return files.Match(pattern, inside, filepath.Separator) }) {
			return true
		}
	}
	return false
}

// For returns the settings of a file, given by its absolute name. Overrides whose
// patterns match the name take precedence, later ones over earlier ones.
func (f *File) For(name string) Settings {
	if f == nil {
		return Settings{}
	}
	all := f.Settings
	inside, err := filepath.Rel(f.folder, name)
	if err != nil {
		return all // on another drive
	}
	for _, o := range f.overrides {
		if slices.ContainsFunc(o.files,
			func(pattern string) bool { return files.Match(pattern, inside, filepath.Separator) }) {
			all = o.over(all)
		}
	}
	return all
}
