package table

// Format is an output format of rows.
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
