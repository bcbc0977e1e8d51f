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
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/files"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// input is an open file, standard input, or what is fetched.
type input struct {
	io.Reader
	shown string // its name in errors
	close func()
}

// noteOfRobots is the note of openInput for a robots.txt.
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
func readFile(name string, mostMiB int64, hint string) ([]byte, error) {
	in, err := openFileInput(name)
	if err != nil {
		return nil, err
	}
	defer in.close()
	return in.whole(mostMiB, hint)
}

// head reads at most so many bytes.
func (in *input) head(most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, most))
	if err != nil {
		return nil, in.unreadable(err)
	}
	return text, nil
}

func (in *input) unreadable(err error) error {
	return term.Errorf("", "cannot read %s: %v", in.shown, term.Cause(err))
}

// whole reads the input to its end. It returns an error with the hint if the input has
// more than so many MiB, because some inputs never end.
func (in *input) whole(mostMiB int64, hint string) ([]byte, error) {
	text, err := in.head(mostMiB<<20 + 1)
	if int64(len(text)) > mostMiB<<20 {
		return nil, term.Errorf(hint, "%s is over %d MiB long", in.shown, mostMiB)
	}
	return text, err
}

// mostWhole is the limit of a file that is read whole, in MiB. Crawlers read only a
// small part of such a file.
const mostWhole = 64

// readWhole reads a robots.txt to its end, because lines after the limit of crawlers
// matter when the file is edited.
func readWhole(t *term.Terminal, name string) ([]byte, error) {
	in, err := openRobots(t, name)
	if err != nil {
		return nil, err
	}
	defer in.close()
	return in.whole(mostWhole, "it is not a robots.txt: crawlers read only the first 500 KiB")
}

// longestLine is how much of a line Google's parser reads, and its end [G9].
const longestLine = 16_663 + len("\r\n")

// readHead reads so many bytes of a robots.txt and, if it is longer, about a line more.
// truncated is true if the file continues.
func readHead(t *term.Terminal, name string, limit int) (head []byte, truncated bool, err error) {
	in, err := openRobots(t, name)
	if err != nil {
		return nil, false, err
	}
	defer in.close()
	most := limit + longestLine
	head, err = in.head(int64(most) + 1)
	return head[:min(len(head), most)], len(head) > most, err
}

// openRobots opens a robots.txt. The caller closes it.
func openRobots(t *term.Terminal, name string) (*input, error) {
	if isHost(name) {
		return nil, term.Errorf("did you mean "+term.Escape(origin.Text("https://"+name).Given())+"?", "there is no file %q", origin.Text(name).Given())
	}
	return openInput(t, name, noteOfRobots)
}

// isHost reports whether a name is not a file but may be the host of a site.
func isHost(name string) bool {
	_, err := os.Lstat(name)
	_, wrong := origin.Of("https://" + name)
	return errors.Is(err, fs.ErrNotExist) && wrong == nil && hasHostForm(name) && !strings.ContainsAny(name, `/\*?[`) &&
		filepath.Ext(name) != ".txt"
}

// hasHostForm reports whether a name has a dot or a port, or is that of this machine.
func hasHostForm(name string) bool {
	_, port, hasPort := strings.Cut(name, ":")
	return strings.Contains(name, ".") || name == "localhost" || hasPort && port != "" && strings.Trim(port, "0123456789") == "" ||
		strings.HasPrefix(name, "[")
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
	// Its first bytes show the kind of a body even if the limit leaves nothing of it.
	start := bufio.NewReaderSize(in, wire.BodyHead)
	head, err := start.Peek(wire.BodyHead)
	body := io.Reader(start)
	if err == io.EOF {
		body = bytes.NewReader(head) // a terminal is read on after its end
	} else if err != nil {
		return nil, nil, in.unreadable(err)
	}
	kind := wire.BodyOf(head)
	text, truncated, err := robotstxt.ReadBody(body, int(limit))
	if err != nil {
		return nil, nil, in.unreadable(err)
	}
	file := answer.NewFile(text)
	file.Name, file.Truncated = name, truncated
	return file, remarksOn(in.shown, kind, file, limit), nil
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

// remarksOn returns notes and warnings about a body of a kind.
func remarksOn(shown string, kind wire.Body, file *answer.File, limit byteLimit) (remarks []remark) {
	switch kind {
	case wire.BodyEmpty:
		remarks = append(remarks, remark{false, shown + " is empty: everything is allowed"})
	case wire.BodyBinary:
		remarks = append(remarks, remark{true, shown + " is not text; it is read anyway, as crawlers do"})
	case wire.BodyHTML:
		remarks = append(remarks, remark{true, shown + " looks like a web page; it is read anyway, as crawlers do"})
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
		return 0, errors.New(`want a number of bytes above 0, or "none"`)
	}
	return byteLimit(n), nil
}

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
type excludeFlags struct{ exclude []string }

func (f *excludeFlags) define(cmd *cobra.Command) {
	cmd.Flags().Func("exclude", "leave out files and folders that match `PATTERN`, such as vendor or \"old/**\"; may be repeated", f.addPattern)
	complete(cmd, "exclude", nil)
}

func (f *excludeFlags) addPattern(text string) error {
	if !doublestar.ValidatePattern(text) {
		return files.Malformed(text)
	}
	f.exclude = append(f.exclude, text)
	return nil
}
