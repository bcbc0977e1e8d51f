package main

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
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

func TestChart(t *testing.T) {
	p := panel{title: "panel", rules: []float64{10, 1000}, lines: []line{{"one", []float64{20, 90}}, {"two", []float64{20, 2000}}}}
	svg := figure{title: "A & B", text: "1 < 2", note: "note"}.draw(p)
	for decoder := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	// 90 lies between 10 and 10,000, nearer to the bottom than to the top.
	for _, text := range []string{
		"A &amp; B</title>", "1 &lt; 2</desc>", "prefers-color-scheme: dark", `class="page"`, "rules in the file (log scale)",
		"time of a query (log scale)", ">1,000</text>", ">10 µs</text>", `class="line s1"`,
	} {
		if !strings.Contains(svg, text) {
			t.Errorf("%q is missing in\n%s", text, svg)
		}
	}
	if got, want := p.words(), "panel, time of a query with the fewest and the most rules: one 20.0 ns and 90.0 ns; two 20.0 ns and 2.00 µs."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
