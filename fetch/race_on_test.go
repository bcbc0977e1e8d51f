//go:build race

package fetch_test

// raceDetector says that the race detector is on, under which some of the
// standard library allocates twice.
const raceDetector = true
