package repository

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPackageTemplates checks the form of the templates of a Homebrew formula and a Scoop
// manifest, and that each file that they name is one that .ci/binaries makes, with its checksum.
func TestPackageTemplates(t *testing.T) {
	t.Chdir(root)
	manifest := readFile(t, "deploy/packages/robots.json.in")
	var decoded struct {
		Architecture map[string]struct{ URL, Hash string }
	}
	if err := json.Unmarshal([]byte(manifest), &decoded); err != nil || len(decoded.Architecture) != 2 {
		t.Errorf("robots.json.in: %v, %+v", err, decoded)
	}
	formula := readFile(t, "deploy/packages/robots.rb.in")
	file := regexp.MustCompile(`releases/download/@VERSION@/robots_@VERSION@_(\w+)\.tar\.gz",?\s+"?(?:hash|sha256)"?:? "@SHA256_(\w+)@"`)
	var platforms []string
	for _, m := range file.FindAllStringSubmatch(manifest+formula, -1) {
		if m[1] != m[2] {
			t.Errorf("the file of %s has the checksum of %s", m[1], m[2])
		}
		platforms = append(platforms, m[1])
	}
	slices.Sort(platforms)
	want := []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}
	if !slices.Equal(platforms, want) || !strings.Contains(readFile(t, ".ci/binaries"), "{linux,darwin,windows}/{amd64,arm64}") {
		t.Errorf("the templates name %q, .ci/binaries makes %q", platforms, want)
	}
	ruby, err := exec.LookPath("ruby")
	if err != nil {
		t.Skip(err)
	}
	if out, err := exec.Command(ruby, "-c", "deploy/packages/robots.rb.in").CombinedOutput(); err != nil {
		t.Errorf("robots.rb.in: %v\n%s", err, out)
	}
}
