// Package driver runs parsers that are written in other languages. Each is a
// program that answers queries and measures its own time, so that the times do not
// include the start of the process and the pipe to it.
//
// A program reads one JSON object per line from its standard input and writes one
// for each to its standard output, in this order:
//
//	(start)                                      {"version":"…"}
//	{"body":"…","agents":["…"],"url":"…"}        {"allowed":true,"line":3}
//	{"work":"match","corpus":"…"}                {}
//	{"goes":100}                                 {"ns":123456}
//
// or {"error":"…"}. Body, agents, URL and the name of the corpus file are bytes in
// base64. Agents are product tokens in order: the first one that a group names
// decides. A program that cannot report the deciding line leaves it out. Only
// programs that are timed need to know work and goes, the number of repetitions;
// the function write in work.go defines the format of the corpus file.
package driver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Program is how a parser in another language is built and started.
type Program struct {
	Name    string
	Keeps   bool     // keeps a parsed form; otherwise it reads the text for each query
	Timed   bool     // knows work and goes
	Text    bool     // takes agents and URLs as text, in UTF-8
	Files   fs.FS    // the files of the program, in one folder
	Prepare []string // the command that builds or installs it in its folder, nil for none
	Command []string // the command that starts it there
}

// Patience is the time limit for a query, workPatience that for timed work.
const (
	Patience     = 10 * time.Second
	workPatience = 5 * time.Minute
)

// ErrTimeOut means that a program did not answer in time.
var ErrTimeOut = errors.New("no answer in time")

// Installed is a program that is built and can be started.
type Installed struct {
	Program
	folder string
}

// Install builds a program in a temporary folder. Remove deletes the folder.
func (p Program) Install(ctx context.Context) (*Installed, error) {
	for _, command := range [][]string{p.Prepare, p.Command} {
		if command == nil || command[0][0] == '.' { // a file that Prepare builds
			continue
		}
		if _, err := exec.LookPath(command[0]); err != nil {
			return nil, fmt.Errorf("%s is not installed", command[0])
		}
	}
	folder, err := os.MkdirTemp("", "driver")
	if err != nil {
		return nil, err
	}
	installed := &Installed{p, folder}
	if err := installed.build(ctx); err != nil {
		installed.Remove()
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return installed, nil
}

func (i *Installed) build(ctx context.Context) error {
	if err := os.CopyFS(i.folder, i.Files); err != nil {
		return err
	}
	if i.Prepare == nil {
		return nil
	}
	command := exec.CommandContext(ctx, i.Prepare[0], i.Prepare[1:]...)
	command.Dir = i.folder
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", i.Prepare[0], err, output)
	}
	return nil
}

// Remove deletes the program's folder.
func (i *Installed) Remove() { os.RemoveAll(i.folder) }

// Process is a running program. It is not safe for concurrent use.
type Process struct {
	Program
	Version string
	command *exec.Cmd
	in      io.WriteCloser
	replies chan reply
	job     *Job // the last job it was given
}

// reply has the fields of all kinds of replies.
type reply struct {
	Version string `json:"version"`
	Allowed bool   `json:"allowed"`
	Line    *int   `json:"line"`
	NS      int64  `json:"ns"`
	Error   string `json:"error"`
}

// Start starts the program. Close ends the process.
func (i *Installed) Start(ctx context.Context) (*Process, error) {
	name := i.Command[0]
	if name[0] == '.' {
		name = filepath.Join(i.folder, name)
	}
	p := &Process{Program: i.Program, command: exec.CommandContext(ctx, name, i.Command[1:]...), replies: make(chan reply)}
	p.command.Dir = i.folder
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	go p.read(out)
	hello, err := p.next(Patience)
	if err != nil {
		p.Close()
		return nil, fmt.Errorf("%s does not start: %w", i.Name, err)
	}
	p.Version = hello.Version
	return p, nil
}

func (p *Process) read(out io.Reader) {
	defer close(p.replies)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var r reply
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			return
		}
		p.replies <- r
	}
}

// AnyLine is the line of an answer without a line.
const AnyLine = -1

// Query returns the verdict for a URL and the number of the deciding line, 0 for
// none. After ErrTimeOut and io.ErrUnexpectedEOF the process cannot be used again.
func (p *Process) Query(body []byte, agents []string, url string) (allowed bool, line int, err error) {
	request := struct {
		Body   []byte   `json:"body"`
		Agents [][]byte `json:"agents"`
		URL    []byte   `json:"url"`
	}{append([]byte{}, body...), [][]byte{}, []byte(url)} // null is not base64
	for _, agent := range agents {
		request.Agents = append(request.Agents, []byte(agent))
	}
	r, err := p.send(request, Patience)
	if err != nil {
		return false, 0, err
	}
	if r.Line == nil {
		return r.Allowed, AnyLine, nil
	}
	return r.Allowed, *r.Line, nil
}

func (p *Process) send(request any, patience time.Duration) (reply, error) {
	if err := json.NewEncoder(p.in).Encode(request); err != nil {
		return reply{}, fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	}
	r, err := p.next(patience)
	if err == nil && r.Error != "" {
		err = errors.New(r.Error)
	}
	return r, err
}

func (p *Process) next(patience time.Duration) (reply, error) {
	select {
	case r, open := <-p.replies:
		if !open {
			return reply{}, io.ErrUnexpectedEOF
		}
		return r, nil
	case <-time.After(patience):
		return reply{}, ErrTimeOut
	}
}

// Close kills the process.
func (p *Process) Close() {
	p.command.Process.Kill()
	p.in.Close()
	for range p.replies {
	}
	p.command.Wait()
}
