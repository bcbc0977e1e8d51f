package surfaces

import (
	_ "embed"
	"iter"
	"strings"

	"github.com/kosterhq/robotstxt/conformance"
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

// Declared yields the headers, and texts that programs state about themselves, each with the product
// token of the program, or "" if it names none. Every surface to which a program or its operator names
// itself reads them alike.
func Declared() iter.Seq2[string, string] {
	return func(yield func(text, token string) bool) {
		for header, token := range Headers() {
			if !yield(header, token) {
				return
			}
		}
		cases, err := conformance.NameCases()
		if err != nil {
			panic(err)
		}
		for _, c := range cases {
			for _, text := range c.Texts {
				token := ""
				if text.Declared != nil {
					token = *text.Declared
				}
				if !yield(text.Text, token) {
					return
				}
			}
		}
	}
}
