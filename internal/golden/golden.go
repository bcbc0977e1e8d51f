// Package golden compares files that are made from the code with what they should be, for tests.
package golden

import (
	"bytes"
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
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is out of date (%v): run %s", name, err, command)
	}
}
