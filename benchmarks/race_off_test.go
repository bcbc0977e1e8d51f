//go:build !race

package benchmarks_test

const raceDetector = false
