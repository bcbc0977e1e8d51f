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
	known map[[2][sha256.Size]byte]meaning
}

// meaning is what two files have in common.
type meaning uint8

const (
	differ      meaning = iota
	sameVerdict         // only sitemaps or extension lines differ
	sameMeaning         // nothing that a parser reads
)

const (
	maxMeanings  = 4096
	meaningSteps = semdiff.DefaultSteps / 4
)

// meaning returns what two observations have in common that are at most Config.MaxGap apart and differ only in
// their files. It is proved: the files have the same verdicts for every crawler in every dialect and, unless
// only the verdicts are the same, the same sitemaps and extension lines.
func (s *Store) meaning(ctx context.Context, before, after *Seen) (meaning, error) {
	if after.Time.Sub(before.Time).Milliseconds() > s.maxGap {
		return differ, nil
	}
	a, b := before.Version, after.Version
	files := [2][sha256.Size]byte{a.SHA256, b.SHA256}
	b.SHA256, b.Size = a.SHA256, a.Size
	if !a.HasBody || a.Truncated || !a.Equal(b) {
		return differ, nil
	}
	s.meanings.mu.Lock()
	common, ok := s.meanings.known[files]
	s.meanings.mu.Unlock()
	if ok {
		return common, nil
	}
	common, err := s.compare(ctx, files)
	if err != nil {
		return differ, err
	}
	s.meanings.mu.Lock()
	defer s.meanings.mu.Unlock()
	if s.meanings.known == nil || len(s.meanings.known) == maxMeanings {
		s.meanings.known = map[[2][sha256.Size]byte]meaning{}
	}
	s.meanings.known[files] = common
	return common, nil
}

// compare compares two files. If the comparison is undecided, they differ.
func (s *Store) compare(ctx context.Context, files [2][sha256.Size]byte) (meaning, error) {
	var bodies [2][]byte
	for i := range files {
		body, err := s.Body(ctx, files[i])
		if err != nil {
			return differ, ctx.Err() // dropped meanwhile, or damaged
		}
		bodies[i] = body
	}
	common := sameMeaning
	for _, d := range robotstxt.Dialects() {
		report, err := semdiff.Compare(ctx, d.Parse(bodies[0]), d.Parse(bodies[1]), semdiff.Config{Steps: meaningSteps})
		switch {
		case err != nil:
			return differ, err
		case !report.Equal():
			return differ, nil
		case len(report.Other) > 0:
			common = sameVerdict
		}
	}
	return common, nil
}

// presume makes the time between two files that mean the same Presumed, if it is not too long, and its
// verdicts if only they are the same.
func (s *Store) presume(ctx context.Context, spans []Span) error {
	for i := range spans {
		gap := &spans[i]
		if gap.Certainty != Possible || gap.Dropped {
			continue
		}
		common, err := s.meaning(ctx, &Seen{gap.From, gap.Version}, &Seen{gap.To, *gap.Next})
		if err != nil {
			return err
		}
		if common != differ {
			gap.Verdicts = Presumed
		}
		if common == sameMeaning {
			gap.Certainty = Presumed
		}
	}
	return nil
}
