package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/benchmarks"
)

// scanShare measures only the scanner, in turns with the line scan. The scanner is
// internal to the root package, so this runs a benchmark of that package, which
// measures both.
func (r *report) scanShare() (benchmarks.Spread, error) {
	work, err := os.MkdirTemp("", "report")
	if err != nil {
		return benchmarks.Spread{}, err
	}
	defer os.RemoveAll(work)
	if err := r.sets[0].Write(work); err != nil {
		return benchmarks.Spread{}, err
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/kosterhq/robotstxt").Output()
	if err != nil {
		return benchmarks.Spread{}, fmt.Errorf("go list: %w", err)
	}
	binary := filepath.Join(work, "root.test")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Dir = strings.TrimSpace(string(root))
	if output, err := build.CombinedOutput(); err != nil {
		return benchmarks.Spread{}, fmt.Errorf("go test -c: %w\n%s", err, output)
	}
	var lines, scans []float64
	for range r.pace.Rounds {
		bench := exec.Command(binary, "-test.run=^$", "-test.bench=^BenchmarkCorpus$/^(LineScan|Scan)$", "-test.benchtime=20x", "-test.cpu=1")
		bench.Dir = build.Dir
		bench.Env = append(os.Environ(), "ROBOTSTXT_CORPUS="+work)
		output, err := bench.Output()
		if err != nil {
			return benchmarks.Spread{}, fmt.Errorf("go test -bench: %w", err)
		}
		line, scan := perOp(output, "LineScan"), perOp(output, "Scan")
		if line == 0 || scan == 0 {
			return benchmarks.Spread{}, errors.New("the root package has no such benchmark")
		}
		lines, scans = append(lines, line), append(scans, scan)
	}
	return benchmarks.Ratio(lines, scans), nil
}

// perOp returns the time of a benchmark in the output, 0 if it is missing.
func perOp(output []byte, name string) float64 {
	found := regexp.MustCompile(`(?m)^BenchmarkCorpus/` + name + `\s+\d+\s+([\d.]+) ns/op`).FindSubmatch(output)
	if found == nil {
		return 0
	}
	ns, _ := strconv.ParseFloat(string(found[1]), 64) // digits and a point
	return ns
}
