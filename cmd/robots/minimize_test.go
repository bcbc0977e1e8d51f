package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestMinimizeBinary: what is not text is refused, and nothing is printed.
func TestMinimizeBinary(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"minimize", "-"}, os.Getenv, strings.NewReader("Not\x00found\n"), &stdout, &stderr)
	if code != exitUnknown || stdout.Len() > 0 || !strings.Contains(stderr.String(), "standard input is not text") {
		t.Errorf("exit status %d, printed %q and %q", code, &stdout, &stderr)
	}
}
