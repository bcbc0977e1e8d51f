//go:build !linux

package git

// limitMemory does nothing: other systems cannot limit the memory of a process that runs.
func limitMemory(int) {}
