//go:build race

package benchmarks_test

// raceDetector is true if the race detector is on. Under it sync.Pool drops
// values at random.
const raceDetector = true
