package chart_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/benchmarks/chart"
)

var figure = chart.Figure{Title: "A & B", Text: "1 < 2", Note: "note"}

func plain(v float64) string { return fmt.Sprint(v) }

func check(t *testing.T, svg []byte, want ...string) {
	t.Helper()
	for decoder := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range append(want, "A &amp; B</title>", "1 &lt; 2</desc>", "prefers-color-scheme: dark", `class="page"`) {
		if !strings.Contains(string(svg), text) {
			t.Errorf("%q is missing in\n%s", text, svg)
		}
	}
}

func TestLines(t *testing.T) {
	panel := chart.Lines{Title: "panel", X: "rules", Y: "time", Tick: plain, Series: []chart.Series{
		{Name: "one", X: []float64{10, 1000}, Y: []float64{20, 90}},
		{Name: "two", Color: 1, X: []float64{10, 1000}, Y: []float64{20, 2000}},
	}}
	// 90 lies between 10 and 10,000, nearer to the bottom than to the top.
	check(t, figure.Draw(panel), "rules (log scale)", "time (log scale)", ">1,000</text>", ">10000</text>", `class="line s1"`)
}
