package board

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

//go:embed node/ask.mjs node/package.json node/package-lock.json python/ask.py
var scripts embed.FS

// foreigners returns the parsers in other languages, those that the environment
// names last.
func foreigners() []driver.Program {
	return append([]driver.Program{
		{
			Name: "robots-parser", Keeps: true, Text: true, Files: script("node"),
			Prepare: []string{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"}, Command: []string{"node", "ask.mjs"},
		},
		{Name: "urllib.robotparser", Keeps: true, Text: true, Files: script("python"), Command: []string{"python3", "ask.py"}},
	}, driver.Named()...)
}

func script(folder string) fs.FS {
	files, err := fs.Sub(scripts, folder)
	if err != nil {
		panic(fmt.Sprintf("board: %v", err)) // the folder is embedded above
	}
	return files
}

// Foreign puts the questions to the parsers in other languages. Where one
// cannot be run, its score says why.
func Foreign(ctx context.Context, questions []Question) (scores []Score) {
	for _, program := range foreigners() {
		score, err := foreignScore(ctx, program, questions)
		if err != nil {
			score = Score{Name: program.Name, NotRun: err.Error()}
		}
		scores = append(scores, score)
	}
	return scores
}

func foreignScore(ctx context.Context, program driver.Program, questions []Question) (Score, error) {
	installed, err := program.Install(ctx)
	if err != nil {
		return Score{}, err
	}
	defer installed.Remove()
	p, err := installed.Start(ctx)
	if err != nil {
		return Score{}, err
	}
	defer func() { p.Close() }()
	score := Score{Name: program.Name, Version: p.Version}
	var broken error
	score.put(questions, func(q Question) (bool, error) {
		if program.Text && (!utf8.ValidString(q.URL) || !utf8.ValidString(q.Agent)) {
			return false, peers.ErrInexpressible
		}
		allowed, _, err := p.Ask(q.Body, []string{q.Agent}, q.URL)
		if errors.Is(err, driver.ErrTimeOut) || errors.Is(err, io.ErrUnexpectedEOF) {
			p.Close()
			next, startErr := installed.Start(ctx)
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
