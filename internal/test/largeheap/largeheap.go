// Package largeheap lets the heap of a test binary that imports it, and of the programs that it is when it starts
// itself, grow to five times what is in use before garbage is collected: the heaps of tests are small, and collecting
// them takes a fifth of the processor's time. Benchmarks are as without it, and GOGC in the environment has precedence.
package largeheap

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

func init() {
	isBenchmark := slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "-test.bench=") })
	if os.Getenv("GOGC") == "" && !isBenchmark {
		debug.SetGCPercent(400)
	}
}
