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
	"cmp"
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

// Process is a program that is built and runs. It is not safe for concurrent use.
type Process struct {
	Program
	Version  string
	Patience time.Duration // of a query; 0 is the constant Patience
	folder   string
	command  *exec.Cmd
	in       io.WriteCloser
	replies  chan reply
	job      *Job // the last job it was given
}

// Start builds a program in a temporary folder and starts it. Close ends the process and deletes
// the folder.
func (p Program) Start(ctx context.Context) (*Process, error) {
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
	started := &Process{Program: p, folder: folder}
	if err = started.build(ctx); err == nil {
		err = started.Restart(ctx)
	}
	if err != nil {
		started.Close()
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return started, nil
}

func (p *Process) build(ctx context.Context) error {
	if err := os.CopyFS(p.folder, p.Files); err != nil {
		return err
	}
	if p.Prepare == nil {
		return nil
	}
	command := exec.CommandContext(ctx, p.Prepare[0], p.Prepare[1:]...)
	command.Dir = p.folder
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", p.Prepare[0], err, output)
	}
	return nil
}

// reply has the fields of all kinds of replies.
type reply struct {
	Version string `json:"version"`
	Allowed bool   `json:"allowed"`
	Line    *int   `json:"line"`
	NS      int64  `json:"ns"`
	Error   string `json:"error"`
}

// Restart starts the program, again if it has been started before.
func (p *Process) Restart(ctx context.Context) error {
	p.kill()
	name := p.Command[0]
	if name[0] == '.' {
		name = filepath.Join(p.folder, name)
	}
	command := exec.CommandContext(ctx, name, p.Command[1:]...)
	command.Dir = p.folder
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	in, err := command.StdinPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	p.command = command
	p.in = in
	p.replies = make(chan reply)
	go p.read(out)
	hello, err := p.next(Patience)
	if err != nil {
		return fmt.Errorf("it does not start: %w", err)
	}
	p.Version = hello.Version
	return nil
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
// none. After ErrTimeOut and io.ErrUnexpectedEOF the process must be restarted.
func (p *Process) Query(body []byte, agents []string, url string) (allowed bool, line int, err error) {
	request := struct {
		Body   []byte   `json:"body"`
		Agents [][]byte `json:"agents"`
		URL    []byte   `json:"url"`
	}{append([]byte{}, body...), [][]byte{}, []byte(url)} // null is not base64
	for _, agent := range agents {
		request.Agents = append(request.Agents, []byte(agent))
	}
	r, err := p.send(request, cmp.Or(p.Patience, Patience))
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

// kill ends the process, if it has been started.
func (p *Process) kill() {
	if p.command == nil {
		return
	}
	p.command.Process.Kill()
	p.in.Close()
	for range p.replies {
	}
	p.command.Wait()
	p.command = nil
}

// Close kills the process and deletes its folder.
func (p *Process) Close() {
	p.kill()
	os.RemoveAll(p.folder)
}
