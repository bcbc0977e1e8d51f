package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
)

// TestCacheOnReadOnlyFileSystem shows a cache on a file system that is mounted
// read-only. A purge fails and says why.
func TestCacheOnReadOnlyFileSystem(t *testing.T) {
	dir := t.TempDir()
	mount := func(args ...string) {
		if out, err := exec.Command("mount", args...).CombinedOutput(); err != nil {
			t.Skipf("NOT TESTED: mount %q: %v: %s", args, err, out)
		}
	}
	mount("-t", "tmpfs", "-o", "size=8m", "tmpfs", dir)
	t.Cleanup(func() { _ = exec.Command("umount", dir).Run() })
	s, err := disk.Open(t.Context(), disk.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	entry := cache.Entry{FetchedAt: now, Expires: now.Add(time.Hour), Data: []byte("x")}
	if stored, err := s.PutIfNewer(t.Context(), "https://shop.example", entry); !stored || err != nil {
		t.Fatal(stored, err)
	}
	_ = s.Close()
	mount("-o", "remount,ro", dir)
	for _, tt := range []struct {
		command string
		code    int
		want    string
	}{
		{"list", 0, "  https://shop.example\n"},
		{"stats", 0, "entries   1, 0 of them expired\n"},
		{"purge --all", 2, "opened for reading only"},
	} {
		code, stdout, stderr := runTool(t, append(strings.Fields("cache "+tt.command), "--cache", dir)...)
		if code != tt.code || !strings.Contains(stdout+stderr, tt.want) {
			t.Errorf("robots cache %s: exit status %d, want %d\n%s%s", tt.command, code, tt.code, stdout, stderr)
		}
	}
}
