package surfaces

import (
	_ "embed"
	"iter"
	"strings"
)

//go:embed headers.tsv
var headers string

// Headers yields User-Agent headers, each with its product token, or "" if no crawler sends
// it. Every surface reads them alike.
func Headers() iter.Seq2[string, string] {
	return func(yield func(header, token string) bool) {
		for line := range strings.Lines(headers) {
			at := strings.LastIndexByte(line, '\t')
			if strings.HasPrefix(line, "#") {
				continue
			}
			header := strings.ReplaceAll(line[:at], `\t`, "\t")
			token := strings.Trim(line[at:], "\t\n")
			if !yield(header, strings.TrimPrefix(token, "-")) {
				return
			}
		}
	}
}
