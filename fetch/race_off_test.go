//go:build !race

package fetch_test

const raceDetector = false
