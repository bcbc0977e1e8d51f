package main

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/files"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// fileFlags select local robots.txt files instead of those of the sites.
type fileFlags struct {
	files []string // names, folders and patterns
	excludeFlags
	limitFlags
}

func (f *fileFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.files, "file", "f", nil,
		"read the robots.txt from `FILE`, a folder or a pattern instead of fetching it; \"-\" is standard input; may be repeated")
	f.excludeFlags.define(cmd)
	f.limitFlags.defineForFiles(cmd)
}

// The limits for several files. All of them are in memory while the URLs are answered.
const (
	mostOfFiles = 256 // MiB together
	mostRemarks = 10  // that are printed about unusual files
)

// read reads all files. It prints the errors, and still reads the other files; trouble
// is then errShown. The error err means that there is nothing to answer from.
func (f *fileFlags) read(t *term.Terminal) (read []*answer.File, trouble, err error) {
	search, size, remarks := files.Robots(f.exclude...), 0, 0
	for name, err := range search.Files(f.files...) {
		var file *answer.File
		var unusual []remark
		if err == nil {
			file, unusual, err = readRemarked(t, name, f.limit)
		}
		if err != nil {
			t.PrintError(err)
			trouble = errShown
			continue
		}
		for _, r := range unusual {
			if remarks++; remarks <= mostRemarks {
				r.print(t)
			}
		}
		if size += len(file.Text); size > mostOfFiles<<20 {
			return nil, nil, term.Errorf("give fewer files at a time", "the files have over %d MiB", mostOfFiles)
		}
		read = append(read, file)
	}
	if remarks > mostRemarks {
		t.Note("%s more about files that are empty, cut off, no text or web pages; --json prints the body of each", term.Thousands(remarks-mostRemarks))
	}
	if len(read) == 0 {
		return nil, nil, errShown
	}
	return read, trouble, nil
}

// excludeFlags leave files out of folders and patterns.
type excludeFlags struct{ exclude patternsFlag }

func (f *excludeFlags) define(cmd *cobra.Command) {
	cmd.Flags().Var(&f.exclude, "exclude", "leave out files and folders that match `PATTERN`, such as vendor or \"old/**\"; may be repeated")
	complete(cmd, "exclude", nil)
}

// patternsFlag is a list of patterns of files.
type patternsFlag []string

func (p *patternsFlag) String() string { return strings.Join(*p, " ") }

func (*patternsFlag) Type() string { return "pattern" }

func (p *patternsFlag) Set(text string) error {
	if !doublestar.ValidatePattern(text) {
		return files.Malformed(text)
	}
	*p = append(*p, text)
	return nil
}
