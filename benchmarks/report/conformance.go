package main

import (
	"context"
	"runtime"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/board"
)

// conformance writes a page whose numbers are answers, not times.
func (r *report) conformance() error {
	questions, err := board.Questions()
	if err != nil {
		return err
	}
	b := board.Board{
		Date: time.Now().Format(time.DateOnly), Go: runtime.Version(),
		Scores: append(board.Go(questions), board.Foreign(context.Background(), questions)...),
	}
	text, err := b.JSON()
	if err != nil {
		return err
	}
	if err := r.write("conformance.json", string(text)); err != nil {
		return err
	}
	return r.write("conformance.md", b.Page(questions))
}
