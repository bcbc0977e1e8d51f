package main

import (
	"context"
	"runtime"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/board"
)

// conformance writes the page of package board, which counts verdicts and measures
// no times.
func (r *report) conformance() error {
	checks, err := board.Checks()
	if err != nil {
		return err
	}
	b := board.Board{
		Date: time.Now().Format(time.DateOnly), Go: runtime.Version(),
		Scores: append(board.Go(checks), board.OtherLanguages(context.Background(), checks)...),
	}
	text, err := b.JSON()
	if err != nil {
		return err
	}
	if err := r.write("conformance.json", string(text)); err != nil {
		return err
	}
	return r.write("conformance.md", b.Page(checks))
}
