//go:build !race

package semdiff_test

const raceDetector = false
