package main

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
)

// TestSARIF holds whole logs, with what could not be checked, against the
// standard's schema. What is in a result is tested in package report.
func TestSARIF(t *testing.T) {
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var logs []string
	for name, body := range map[string]string{
		"a b:%é.txt": "User-agent: *\nDisallow: a\x1b[31m*\n",
		"empty.txt":  "",
		"bytes.txt":  "User-agent: \xff\nDisallow: a\xff*\n",
	} {
		write(t, name, body)
		code, text, stderr := runTool(t, "lint", "--format", "sarif", "--", name, "missing\x1b.txt")
		if code != exitUnknown {
			t.Errorf("%s: exit code %d, want %d: %s", name, code, exitUnknown, stderr)
		}
		logs = append(logs, text)
		run := decode[report.SARIFLog](t, []byte(text)).Runs[0]
		if how := run.Invocations[0]; how.ExecutionSuccessful || len(how.Notifications) != 1 ||
			(len(run.Results) == 0) != (body == "") {
			t.Errorf("%s: %d results, invocation %+v", name, len(run.Results), how)
		}
		for _, result := range run.Results {
			uri := result.Locations[0].PhysicalLocation.ArtifactLocation.URI
			if u, err := url.Parse(uri); err != nil || filepath.Clean(u.Path) != name {
				t.Errorf("%s: the URI is %q (%v)", name, uri, err)
			}
		}
	}
	t.Chdir(folder)
	for i, reason := range invalid(t, filepath.Join("..", "internal", "show", "report", "testdata", "sarif-schema-2.1.0.json"), logs...) {
		t.Errorf("%s: %s", reason, logs[i])
	}
}
