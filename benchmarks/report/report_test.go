package main

import (
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/benchmarks"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// TestPages: each experiment is on one page, and there are no others.
func TestPages(t *testing.T) {
	sets := []benchmarks.Set{{Name: "a", Corpus: corpus.Generated(1)}}
	var known, shown []string
	for _, e := range benchmarks.Drivers(nil).Experiments(sets, corpus.DefaultSeed) {
		known = append(known, e.Name)
	}
	for _, p := range pages {
		shown = append(shown, p.experiments...)
	}
	slices.Sort(known)
	slices.Sort(shown)
	if !slices.Equal(known, shown) {
		t.Errorf("experiments %v, on pages %v", known, shown)
	}
	if _, err := choose("parse,nonsense"); err == nil {
		t.Error("a page that does not exist can be chosen")
	}
}

func TestNumbers(t *testing.T) {
	for want, got := range map[string]string{
		"0": number(0), "0.02": number(0.02), "9.99": number(9.99), "10.0": number(9.996), "100": number(99.96),
		"1,000": number(999.6), "1,234,568": number(1234567.8),
		"12.3 ns": duration(12.3), "1.23 µs": duration(1234), "350 ms": duration(350e6), "3.10 s": duration(3.1e9),
		"10 ns": round(10), "1 µs": round(1000), "100 s": round(1e11),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
