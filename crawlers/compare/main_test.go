package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompare compares with a small list that is made up.
func TestCompare(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "robots.json")
	if err := os.WriteFile(name, []byte(`{
		"gptbot": {"operator": "OpenAI", "respect": "Yes", "function": "x", "description": "y"},
		"Brightbot 1.0": {"respect": "Unclear at this time."},
		"ChatGPT-User": {"respect": "[Yes](https://foo.example/)"},
		"FooBot": {"operator": "Foo\nInc", "function": "AI foo"}
	}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, name} {
		list, err := read(path)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if !compare(&out, list) {
			t.Error("there are no differences")
		}
		for _, want := range []string{
			"4 names in the list, 1 missing in the data\n\nmissing in the data:\n  \"FooBot\": operator \"Foo\\nInc\", function \"AI foo\"\n",
			"\ncited, but not in the list any more:\n",
			"\n  \"CCBot\"\n",
			"\nlist and data disagree:\n  \"ChatGPT-User\": respect is \"[Yes](https://foo.example/)\", obeys is \"none\"\n",
		} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in\n%s", want, out.String())
			}
		}
		if strings.Contains(out.String(), "GPTBot\"") || strings.Contains(out.String(), "Brightbot\"") {
			t.Errorf("crawlers of the list are reported:\n%s", out.String())
		}
	}
}

// TestRead checks that files that are no list are errors.
func TestRead(t *testing.T) {
	folder := t.TempDir()
	if _, err := read(folder); err == nil {
		t.Error("a folder without robots.json is read")
	}
	for _, text := range []string{"", "[]", "{}", `{"FooBot": 1}`} {
		name := filepath.Join(folder, "list.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if list, err := read(name); err == nil {
			t.Errorf("%q is read as %v", text, list)
		}
	}
}
