package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/origin"
)

// input is an open file, standard input, or a fetched body.
type input struct {
	io.Reader
	shown string // its name in errors
	close func()
}

const noteOfRobots = "reading the robots.txt from the terminal; Ctrl-D ends it"

// openInput opens a file, or standard input for "-". If that is a terminal, it prints
// the note first. The caller closes the input.
func openInput(t *term.Terminal, name, note string) (*input, error) {
	if name != "-" {
		return openFileInput(name)
	}
	if term.IsTerminal(t.In) {
		t.Note("%s", note)
	}
	return &input{t.In, "standard input", func() {}}, nil
}

// openFileInput is openInput, but "-" is an ordinary name.
func openFileInput(name string) (*input, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	return &input{file, fmt.Sprintf("%q", name), func() { file.Close() }}, nil
}

// readFile reads a file to its end, see input.whole.
func readFile(name string, maxMiB int64, hint string) ([]byte, error) {
	in, err := openFileInput(name)
	if err != nil {
		return nil, err
	}
	defer in.close()
	return in.whole(maxMiB, hint)
}

// head reads up to most bytes.
func (in *input) head(most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, most))
	if err != nil {
		return nil, in.unreadable(err)
	}
	return text, nil
}

func (in *input) unreadable(err error) error {
	return term.Errorf("cannot read %s: %v", in.shown, term.Cause(err))
}

// whole reads the input to its end. If the input has more than the given number of MiB, it
// returns an error with the hint, because some inputs never end.
func (in *input) whole(maxMiB int64, hint string) ([]byte, error) {
	text, err := in.head(maxMiB<<20 + 1)
	if int64(len(text)) > maxMiB<<20 {
		return nil, term.Errorf("%s is over %d MiB long", in.shown, maxMiB).Hint(hint)
	}
	return text, err
}

// maxWhole is the limit of a file that is read whole, in MiB. Crawlers read only a
// small part of such a file.
const maxWhole = 64

// readWhole reads a robots.txt to its end, because lines after the limit of crawlers
// matter when the file is edited.
func readWhole(t *term.Terminal, name string) ([]byte, error) {
	in, err := openRobots(t, name)
	if err != nil {
		return nil, err
	}
	defer in.close()
	return in.whole(maxWhole, "it is not a robots.txt: crawlers read only the first 500 KiB")
}

// longestLine is the number of bytes of a line that Google's parser reads, including its end
// [G9].
const longestLine = 16_663 + len("\r\n")

// readHead reads limit bytes of a robots.txt and, if it is longer, about a line more.
// truncated is true if the file continues.
func readHead(t *term.Terminal, name string, limit int) (head []byte, truncated bool, err error) {
	in, err := openRobots(t, name)
	if err != nil {
		return nil, false, err
	}
	defer in.close()
	return in.lines(limit)
}

// lines is readHead for an open file.
func (in *input) lines(limit int) (head []byte, truncated bool, err error) {
	most := limit + longestLine
	head, err = in.head(int64(most) + 1)
	return head[:min(len(head), most)], len(head) > most, err
}

func openRobots(t *term.Terminal, name string) (*input, error) {
	if err := typedSite(name); err != nil {
		return nil, err
	}
	return openInput(t, name, noteOfRobots)
}

// typedSite returns the error for a host, perhaps with a path, that is given where a file or a URL is meant, nil for
// any other name.
func typedSite(name string) error {
	if !isSiteURL(name) && isSite(name) {
		return term.Errorf("there is no file %q", origin.Text(name).Given()).Hint("did you mean " + term.Escape(origin.Text("https://"+name).Given()) + "?")
	}
	return nil
}

// isHost reports whether a name is not a file but might be the host of a site.
func isHost(name string) bool {
	_, err := os.Lstat(name)
	_, wrong := origin.Of("https://" + name)
	return errors.Is(err, fs.ErrNotExist) && wrong == nil && hasHostForm(name) && !strings.ContainsAny(name, `/\*?[`) &&
		filepath.Ext(name) != ".txt"
}

// hasHostForm reports whether a name has a dot or a port, or is this machine's.
func hasHostForm(name string) bool {
	_, port, hasPort := strings.Cut(name, ":")
	return strings.Contains(name, ".") || name == "localhost" || hasPort && answer.IsPort(port) || strings.HasPrefix(name, "[")
}

// readBody reads the named robots.txt; "-" is standard input. It reads any content, as
// crawlers do, but warns if the file does not look like a robots.txt.
func readBody(t *term.Terminal, name string, limit byteLimit) (*answer.File, error) {
	file, remarks, err := readRemarked(t, name, limit)
	for _, r := range remarks {
		r.print(t)
	}
	return file, err
}

// readRemarked is readBody, but returns the remarks instead of printing them.
func readRemarked(t *term.Terminal, name string, limit byteLimit) (*answer.File, []remark, error) {
	in, err := openInput(t, name, noteOfRobots)
	if err != nil {
		return nil, nil, err
	}
	defer in.close()
	return in.remarked(name, limit)
}

// readBoth is readBody for a caller that also checks the file: text is what a check with any profile reads of it.
func readBoth(t *term.Terminal, name string, limit byteLimit) (file *answer.File, text []byte, err error) {
	in, err := openInput(t, name, noteOfRobots)
	if err != nil {
		return nil, nil, err
	}
	defer in.close()
	const all = maxOfFiles<<20 + 1
	most := all
	if limit >= 0 && limit < all {
		most = min(max(int(limit), robotstxt.DefaultBodyLimit)+longestLine+1, all)
	}
	text, err = in.head(int64(most))
	if err != nil {
		return nil, nil, err
	}
	in.Reader = bytes.NewReader(text)
	file, remarks, err := in.remarked(name, limit)
	for _, r := range remarks {
		r.print(t)
	}
	return file, text, err
}

// remarked is readRemarked for an open file.
func (in *input) remarked(name string, limit byteLimit) (*answer.File, []remark, error) {
	// Its first bytes show the kind of a body even if the limit leaves nothing of it.
	start := bufio.NewReaderSize(in, robotstxt.BodyHead)
	head, err := start.Peek(robotstxt.BodyHead)
	body := io.Reader(start)
	if err == io.EOF {
		body = bytes.NewReader(head) // a terminal can be read again after its end
	} else if err != nil {
		return nil, nil, in.unreadable(err)
	}
	head = slices.Clone(head)
	if limit < 0 {
		body = io.LimitReader(body, maxOfFiles<<20+1) // some inputs never end
	}
	text, truncated, err := robotstxt.ReadBody(body, int(limit))
	if err != nil {
		return nil, nil, in.unreadable(err)
	}
	if len(text) > maxOfFiles<<20 {
		return nil, nil, term.Errorf("%s is over %d MiB long", in.shown, maxOfFiles).Hint("it is not a robots.txt: crawlers read only the first 500 KiB")
	}
	file := answer.NewFile(text)
	file.Name, file.Truncated = name, truncated
	if len(text) > 0 {
		head = text
	}
	return file, remarksOn(in.shown, head, file, limit), nil
}

// remark is a note or a warning about an unusual body.
type remark struct {
	warning bool
	text    string
}

func (r remark) print(t *term.Terminal) {
	if r.warning {
		t.Warn("%s", r.text)
	} else {
		t.Note("%s", r.text)
	}
}

// remarksOn returns notes and warnings about a file. The first bytes show the kind of the
// file even if the limit leaves nothing of it.
func remarksOn(shown string, head []byte, file *answer.File, limit byteLimit) (remarks []remark) {
	kind := robotstxt.BodyOf(head)
	if what := answer.NotRules(kind, head); what != "" {
		remarks = append(remarks, remark{true, shown + " is " + what + ": crawlers find no rules in it, and everything is allowed"})
	} else if kind == robotstxt.BodyEmpty {
		remarks = append(remarks, remark{false, shown + " is empty: everything is allowed"})
	}
	switch {
	case file.Truncated && len(file.Text) == 0:
		remarks = append(remarks, remark{true, fmt.Sprintf("%s has no complete line within its first %s bytes: everything is allowed; --limit sets the number of bytes", shown, limit)})
	case file.Truncated:
		remarks = append(remarks, remark{true, fmt.Sprintf("%s was read up to the last line within its first %s bytes; --limit sets the number of bytes", shown, limit)})
	}
	return remarks
}

// byteLimit is the value of --limit, as ReadBody takes it.
type byteLimit int

func (l byteLimit) String() string {
	if l < 0 {
		return "none"
	}
	return strconv.Itoa(int(l))
}

func readLimit(text string) (byteLimit, error) {
	n, err := strconv.Atoi(text)
	if text == "none" || err == nil && n == -1 {
		return -1, nil
	}
	if err != nil || n <= 0 {
		return 0, errors.New(`use a number of bytes above 0, or "none"`)
	}
	return byteLimit(n), nil
}

type fileFlags struct {
	files []string // names, folders and patterns
	excludeFlags
	limitFlags
}

func (f *fileFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.files, "file", "f", nil,
		"read the robots.txt from `FILE`, a folder or a pattern instead of fetching it; \"-\" is standard input; can be repeated")
	f.excludeFlags.define(cmd)
	f.limitFlags.defineForFiles(cmd)
}

// The limits for several files. All of them are in memory while the URLs are answered.
const (
	maxOfFiles = 256 // MiB of all files together
	maxRemarks = 10  // remarks about unusual files that are printed
)

// read reads all files. It prints the errors, and still reads the other files; trouble
// is then errShown. The error err means that there is nothing to answer from.
func (f *fileFlags) read(t *term.Terminal) (read []*answer.File, trouble, err error) {
	search := files.Robots(f.exclude...)
	if err := separateFound(nil, t, yields(search.Files(f.files...))); err != nil {
		return nil, nil, err
	}
	size := 0
	remarks := 0
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
			remarks++
			if remarks <= maxRemarks {
				r.print(t)
			}
		}
		size += len(file.Text)
		if size > maxOfFiles<<20 {
			return nil, nil, term.Errorf("the files are over %d MiB long in total", maxOfFiles).Hint("give fewer files at a time")
		}
		read = append(read, file)
	}
	if remarks > maxRemarks {
		t.Note("%s more about files that are empty, cut off, not text, or web pages; --json prints the body of each", term.Thousands(remarks-maxRemarks))
	}
	if len(read) == 0 {
		return nil, nil, errShown
	}
	return read, trouble, nil
}

type excludeFlags struct{ exclude []string }

func (f *excludeFlags) define(cmd *cobra.Command) {
	cmd.Flags().Func("exclude", "skip files and folders that match `PATTERN`, such as vendor or \"old/**\"; can be repeated", f.addPattern)
	complete(cmd, "exclude", nil)
}

func (f *excludeFlags) addPattern(text string) error {
	if !doublestar.ValidatePattern(text) {
		return files.Malformed(text)
	}
	f.exclude = append(f.exclude, text)
	return nil
}
