package history

import (
	"context"
	"crypto/sha256"
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

type meanings struct {
	mu    sync.Mutex
	known map[[2][sha256.Size]byte]bool
}

const (
	maxMeanings  = 4096
	meaningSteps = semdiff.DefaultSteps / 4
)

// sameMeaning reports whether two observations are at most Config.MaxGap apart and differ only in
// their files, and it is proved that these mean the same: they have the same verdicts for every
// crawler in every dialect, and the same sitemaps and extension lines.
func (s *Store) sameMeaning(ctx context.Context, before, after *Seen) (bool, error) {
	if after.Time.Sub(before.Time).Milliseconds() > s.maxGap {
		return false, nil
	}
	a, b := before.Version, after.Version
	files := [2][sha256.Size]byte{a.SHA256, b.SHA256}
	b.SHA256, b.Size = a.SHA256, a.Size
	if !a.HasBody || a.Truncated || !a.Equal(b) {
		return false, nil
	}
	s.meanings.mu.Lock()
	same, ok := s.meanings.known[files]
	s.meanings.mu.Unlock()
	if ok {
		return same, nil
	}
	same, err := s.proveSame(ctx, files)
	if err != nil {
		return false, err
	}
	s.meanings.mu.Lock()
	defer s.meanings.mu.Unlock()
	if s.meanings.known == nil || len(s.meanings.known) == maxMeanings {
		s.meanings.known = map[[2][sha256.Size]byte]bool{}
	}
	s.meanings.known[files] = same
	return same, nil
}

// proveSame compares two files. If the comparison is undecided, they are not
// the same.
func (s *Store) proveSame(ctx context.Context, files [2][sha256.Size]byte) (bool, error) {
	var bodies [2][]byte
	for i := range files {
		body, err := s.Body(ctx, files[i])
		if err != nil {
			return false, ctx.Err() // dropped meanwhile, or damaged
		}
		bodies[i] = body
	}
	for _, d := range robotstxt.Dialects() {
		report, err := semdiff.Compare(ctx, d.Parse(bodies[0]), d.Parse(bodies[1]), semdiff.Config{Steps: meaningSteps})
		if err != nil {
			return false, err
		}
		if !report.Equal() || len(report.Other) > 0 {
			return false, nil
		}
	}
	return true, nil
}

// presume makes the time between two files that mean the same Presumed, if it is not too long.
func (s *Store) presume(ctx context.Context, spans []Span) error {
	for i := range spans {
		gap := &spans[i]
		if gap.Certainty != Possible || gap.Dropped {
			continue
		}
		same, err := s.sameMeaning(ctx, &Seen{gap.From, gap.Version}, &Seen{gap.To, *gap.Next})
		if err != nil {
			return err
		}
		if same {
			gap.Certainty = Presumed
		}
	}
	return nil
}
