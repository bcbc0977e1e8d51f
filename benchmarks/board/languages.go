package board

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

//go:embed node/driver.mjs node/package.json node/package-lock.json python/driver.py python/others.py
//go:embed java/build java/pom.xml java/Driver.java rust/build rust/Cargo.toml rust/main.rs
var scripts embed.FS

// programs returns the parsers in other languages, of which some are installed from package indexes; those
// with a checkout named by the environment are last.
func programs() []driver.Program {
	programs := append(bundled(), installed()...)
	programs = append(programs, driver.Program{
		Name: "texting_robots", Keeps: true, Text: true, Files: script("rust"),
		Prepare: []string{"bash", "build"}, Command: []string{"./driver"},
	})
	if newer := os.Getenv(newerVariable); newer != "" {
		programs = append(programs, driver.Program{
			Name: "urllib.robotparser (RFC 9309)", Keeps: true, Text: true, Files: script("python"), Command: []string{"python3", "driver.py", newer},
		})
	}
	return append(programs, driver.Named()...)
}

// bundled returns the parsers that come with Python, or with the folder of their driver.
func bundled() []driver.Program {
	return []driver.Program{
		{
			Name: "robots-parser", Keeps: true, Text: true, Files: script("node"),
			Prepare: []string{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"}, Command: []string{"node", "driver.mjs"},
		},
		{Name: "urllib.robotparser", Keeps: true, Text: true, Files: script("python"), Command: []string{"python3", "driver.py"}},
	}
}

// installed returns the parsers that are installed from the package indexes of Python and Java.
func installed() []driver.Program {
	pip := []string{"python3", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target", ".", "Protego==0.7.0", "robotspy==0.13.0"}
	return []driver.Program{
		{Name: "Protego", Keeps: true, Text: true, Files: script("python"), Prepare: pip, Command: []string{"python3", "others.py", "protego"}},
		{Name: "robotspy", Keeps: true, Text: true, Files: script("python"), Prepare: pip, Command: []string{"python3", "others.py", "robotspy"}},
		{
			Name: "crawler-commons", Keeps: true, Text: true, Files: script("java"),
			Prepare: []string{"bash", "build"}, Command: []string{"java", "-cp", "jars/*:.", "Driver"},
		},
	}
}

// Movers returns the parsers in other languages that people move from.
func Movers() []driver.Program {
	return append(installed(), bundled()...)
}

// newerVariable names the file Lib/urllib/robotparser.py of CPython from May 2026 on, which
// follows RFC 9309. Earlier versions follow Koster's 1996 draft.
const newerVariable = "ROBOTSTXT_URLLIB"

func script(folder string) fs.FS {
	files, err := fs.Sub(scripts, folder)
	if err != nil {
		panic(fmt.Sprintf("board: %v", err)) // the folder is embedded above
	}
	return files
}

// OtherLanguages runs the parsers in other languages. If one cannot be run, its
// score has the reason.
func OtherLanguages(ctx context.Context, checks []Check) (scores []Score) {
	for _, program := range programs() {
		score, err := languageScore(ctx, program, checks)
		if err != nil {
			score = Score{Name: program.Name, NotRun: err.Error()}
		}
		scores = append(scores, score)
	}
	return scores
}

func languageScore(ctx context.Context, program driver.Program, checks []Check) (Score, error) {
	p, err := program.Start(ctx)
	if err != nil {
		return Score{}, err
	}
	defer p.Close()
	score := Score{Name: program.Name, Version: p.Version}
	var broken error
	score.run(checks, func(q Check) (bool, error) {
		if program.Text && (!utf8.ValidString(q.URL) || !utf8.ValidString(q.Agent)) {
			return false, peers.ErrInexpressible
		}
		allowed, _, err := p.Query(q.Body, []string{q.Agent}, q.URL)
		if errors.Is(err, driver.ErrTimeOut) || errors.Is(err, io.ErrUnexpectedEOF) {
			if restartErr := p.Restart(ctx); restartErr != nil {
				broken = restartErr
			}
		}
		return allowed, err
	})
	return score, broken
}
