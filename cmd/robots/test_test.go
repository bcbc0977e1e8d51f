package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// runTool runs the tool in this process, as if in a terminal without anything
// set.
func runTool(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(context.Background(), args, func(string) string { return "" }, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// TestConformanceVectors tests the vectors of the kit as a site owner would.
func TestConformanceVectors(t *testing.T) {
	vectors, err := filepath.Glob(filepath.Join("..", "..", "conformance", "vectors", "*", "*.txt"))
	if err != nil || len(vectors) < 300 {
		t.Fatalf("%d vectors, error %v", len(vectors), err)
	}
	code, stdout, stderr := runTool(t, append([]string{"test"}, vectors...)...)
	if code != exitAllowed || !strings.HasSuffix(stdout, " passed, 0 failed\n") || stderr != "" {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
}
