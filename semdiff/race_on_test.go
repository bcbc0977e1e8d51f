//go:build race

package semdiff_test

// raceDetector is true if the race detector is on. Under it sync.Pool drops values at
// random, so allocations have no fixed number.
const raceDetector = true
