package main

import (
	"runtime/debug"
	"testing"
)

// TestBuildFacts has what Go 1.26 writes for each way to build.
func TestBuildFacts(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	for _, tt := range []struct {
		way      string
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"go install …@v0.1.0", "v0.1.0", nil, "v0.1.0 (go1.26.8)"},
		{"go build at a tag", "v0.1.0", []debug.BuildSetting{revision}, "v0.1.0 (commit 0123456789ab, go1.26.8)"},
		{"go build after changes", "v0.0.0-20261122031553-0123456789ab+dirty", []debug.BuildSetting{revision}, "v0.0.0-20261122031553-0123456789ab+dirty (commit 0123456789ab, go1.26.8)"},
		{"go run", "(devel)", nil, "devel (go1.26.8)"},
		{"go test", "", nil, "devel (go1.26.8)"},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: tt.version}, Settings: tt.settings}
		if got := factsOf(info).long(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.way, got, tt.want)
		}
	}
	if got := factsOf(nil).long(); got != devel {
		t.Errorf("nothing known: got %q", got)
	}
}
