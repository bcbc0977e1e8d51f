package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kosterhq/robotstxt/cmd/internal/sarif"
)

// TestSARIF holds whole logs, with what could not be checked, against the
// standard's schema. What is in a result is the matter of package sarif.
func TestSARIF(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(filepath.Join("..", "internal", "sarif", "testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, body := range map[string]string{
		"a b:%é.txt": "User-agent: *\nDisallow: a\x1b[31m*\n",
		"empty.txt":  "",
		"bytes.txt":  "User-agent: \xff\nDisallow: a\xff*\n",
	} {
		if err := os.WriteFile(name, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		code, text, stderr := runTool(t, "lint", "--format", "sarif", "--", name, "missing\x1b.txt")
		if code != exitUnknown {
			t.Errorf("%s: exit code %d, want %d: %s", name, code, exitUnknown, stderr)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var log sarif.Log
		if err := json.Unmarshal([]byte(text), &log); err != nil {
			t.Fatal(err)
		}
		run := log.Runs[0]
		if how := run.Invocations[0]; how.ExecutionSuccessful || len(how.Notifications) != 1 || (len(run.Results) == 0) != (body == "") {
			t.Errorf("%s: %d results, invocation %+v", name, len(run.Results), how)
		}
		for _, result := range run.Results {
			uri := result.Locations[0].PhysicalLocation.ArtifactLocation.URI
			if u, err := url.Parse(uri); err != nil || filepath.Clean(u.Path) != name {
				t.Errorf("%s: the URI is %q (%v)", name, uri, err)
			}
		}
	}
}

func TestSARIFURI(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"robots.txt":                           "robots.txt",
		"./a/../public/robots.txt":             "public/robots.txt",
		"../robots.txt":                        "../robots.txt",
		"a b%/c:d.txt":                         "a%20b%25/c:d.txt",
		"c:d.txt":                              "./c:d.txt",
		"\xff\x1b.txt":                         "%FF%1B.txt",
		filepath.Join(here, "x", "robots.txt"): "x/robots.txt",
		"-":                                    "stdin",
		"https://u:secret@shop.example/robots.txt": "https://shop.example/robots.txt",
	} {
		got := sarifURI(name)
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
		if _, err := url.Parse(got); err != nil {
			t.Error(err)
		}
	}
	if got := sarifURI(filepath.Join(filepath.Dir(filepath.Dir(here)), "robots.txt")); !strings.HasPrefix(got, "file:///") {
		t.Errorf("a file outside is %q, want a file URI", got)
	}
}
