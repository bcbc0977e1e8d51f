package table

import (
	"errors"
	"slices"
	"strings"
)

// Format is an output format of rows. It is the value of a flag: it has the methods
// String, Set and Type.
type Format string

// The formats. A Writer writes all of them except JSON, which has the fields of its
// objects instead of columns.
const (
	Text     Format = "table" // columns of text, for people
	CSV      Format = "csv"
	TSV      Format = "tsv"
	JSON     Format = "json" // an object on each line
	Markdown Format = "markdown"
)

// Formats returns all formats.
func Formats() []Format { return []Format{Text, CSV, TSV, JSON, Markdown} }

// Names returns the names of all formats.
func Names() (names []string) {
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return names
}

// String returns the name of the format.
func (f *Format) String() string { return string(*f) }

// Type returns the kind of value, for the help of a flag.
func (*Format) Type() string { return "format" }

// Set sets the format by its name.
func (f *Format) Set(name string) error {
	if !slices.Contains(Formats(), Format(name)) {
		return errors.New("the formats are " + strings.Join(Names(), ", "))
	}
	*f = Format(name)
	return nil
}
