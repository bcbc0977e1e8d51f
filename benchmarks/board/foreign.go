package board

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// Parsers in other languages are behind a script each, which is asked over its
// standard input and output.
//
//go:embed node/ask.mjs node/package.json node/package-lock.json python/ask.py
var scripts embed.FS

// foreign is a parser in another language.
type foreign struct {
	name    string
	folder  string   // in scripts
	prepare []string // a command that installs it, or nil
	command []string
}

var foreigners = []foreign{
	{"robots-parser", "node", []string{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"}, []string{"node", "ask.mjs"}},
	{"urllib.robotparser", "python", nil, []string{"python3", "ask.py"}},
}

// Foreign puts the questions to the parsers in other languages. Where one
// cannot be run, its score says why.
func Foreign(ctx context.Context, questions []Question) (scores []Score) {
	for _, f := range foreigners {
		score, err := f.score(ctx, questions)
		if err != nil {
			score = Score{Name: f.name, NotRun: err.Error()}
		}
		scores = append(scores, score)
	}
	return scores
}

func (f foreign) score(ctx context.Context, questions []Question) (Score, error) {
	folder, err := os.MkdirTemp("", "board")
	if err != nil {
		return Score{}, err
	}
	defer os.RemoveAll(folder)
	if err := f.install(ctx, folder); err != nil {
		return Score{}, err
	}
	p, err := f.start(ctx, folder)
	if err != nil {
		return Score{}, err
	}
	defer func() { p.end() }()
	score := Score{Name: f.name, Version: p.version}
	var broken error
	score.put(questions, func(q Question) (bool, error) {
		// These languages hand over text, and know no other.
		if !utf8.ValidString(q.URL) || !utf8.ValidString(q.Agent) {
			return false, peers.ErrInexpressible
		}
		allowed, err := p.ask(q)
		if errors.Is(err, errTimeOut) || errors.Is(err, io.ErrUnexpectedEOF) {
			p.end()
			next, startErr := f.start(ctx, folder)
			if startErr != nil {
				broken = startErr
				next = p
			}
			p = next
		}
		return allowed, err
	})
	return score, broken
}

func (f foreign) install(ctx context.Context, folder string) error {
	for _, command := range [][]string{f.prepare, f.command} {
		if command == nil {
			continue
		}
		if _, err := exec.LookPath(command[0]); err != nil {
			return fmt.Errorf("%s is not installed", command[0])
		}
	}
	entries, err := scripts.ReadDir(f.folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		text, err := scripts.ReadFile(f.folder + "/" + entry.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, entry.Name()), text, 0o644); err != nil {
			return err
		}
	}
	if f.prepare == nil {
		return nil
	}
	install := exec.CommandContext(ctx, f.prepare[0], f.prepare[1:]...)
	install.Dir = folder
	if err := install.Run(); err != nil {
		return fmt.Errorf("%s cannot install it: %w", f.prepare[0], err)
	}
	return nil
}

// process is a running script.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	answers chan answer
	version string
}

type answer struct {
	Version string `json:"version"`
	Allowed bool   `json:"allowed"`
	Error   string `json:"error"`
}

func (f foreign) start(ctx context.Context, folder string) (*process, error) {
	p := &process{command: exec.CommandContext(ctx, f.command[0], f.command[1:]...), answers: make(chan answer)}
	p.command.Dir = folder
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
	go func() {
		defer close(p.answers)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var a answer
			if json.Unmarshal(lines.Bytes(), &a) != nil {
				return
			}
			p.answers <- a
		}
	}()
	hello, err := p.next()
	if err != nil {
		p.end()
		return nil, fmt.Errorf("%s does not begin: %w", f.command[0], err)
	}
	p.version = hello.Version
	return p, nil
}

func (p *process) ask(q Question) (allowed bool, err error) {
	// Bytes are base64 in JSON, so that nothing is lost on the way.
	question := struct {
		Body  []byte `json:"body"`
		Agent []byte `json:"agent"`
		URL   []byte `json:"url"`
	}{q.Body, []byte(q.Agent), []byte(q.URL)}
	if question.Body == nil {
		question.Body = []byte{}
	}
	if err := json.NewEncoder(p.in).Encode(question); err != nil {
		return false, fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	}
	a, err := p.next()
	if err != nil {
		return false, err
	}
	if a.Error != "" {
		return false, errors.New(a.Error)
	}
	return a.Allowed, nil
}

func (p *process) next() (answer, error) {
	select {
	case a, open := <-p.answers:
		if !open {
			return answer{}, io.ErrUnexpectedEOF
		}
		return a, nil
	case <-time.After(patience):
		return answer{}, errTimeOut
	}
}

// end stops the script, whatever it is at. How it ends does not matter.
func (p *process) end() {
	p.command.Process.Kill()
	p.in.Close()
	for range p.answers {
	}
	p.command.Wait()
}
