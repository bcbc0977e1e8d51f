// Package golden helps tests to check files that are generated from the code, and
// to read files of cases.
package golden

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// Check compares a file with what a command writes, or writes it if update is true.
func Check(t testing.TB, update bool, name string, want []byte, command string) {
	t.Helper()
	if update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err == nil && bytes.Equal(got, want) {
		return
	}
	t.Errorf("%s is out of date (%v): run %s.\nonly in the file:\n%.2000s\nonly made:\n%.2000s",
		name, err, command, onlyIn(got, want), onlyIn(want, got))
}

func onlyIn(text, other []byte) []byte {
	others := map[string]bool{}
	for line := range bytes.Lines(other) {
		others[string(line)] = true
	}
	var only []byte
	for line := range bytes.Lines(text) {
		if !others[string(line)] {
			only = append(only, line...)
		}
	}
	return only
}

// Lines returns the values of a file with JSON on each line.
func Lines[T any](t testing.TB, name string) (values []T) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	return values
}
