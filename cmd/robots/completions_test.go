package main

import (
	"runtime"
	"testing"
)

// TestCommandsKeepNothing: a command that has ended leaves nothing in memory, although cobra keeps each flag whose
// completions are registered. Tests run thousands of commands in one process.
func TestCommandsKeepNothing(t *testing.T) {
	inUse := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	runTool(t, "policy", "google")
	before := inUse()
	for range 50 {
		runTool(t, "policy", "google")
	}
	if kept := inUse() - before; kept > 1<<20 {
		t.Errorf("50 commands keep %d bytes", kept)
	}
}
