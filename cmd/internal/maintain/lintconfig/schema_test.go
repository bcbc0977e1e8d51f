package lintconfig_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/internal/test/golden"
	"github.com/kosterhq/robotstxt/lint"
)

//go:generate go test -run ^TestSchemaFile$ -update .

var update = flag.Bool("update", false, "write docs/robotslint.schema.json")

// TestSchemaFile: the file in docs is the schema.
func TestSchemaFile(t *testing.T) {
	name := filepath.Join("..", "..", "..", "..", "docs", "robotslint.schema.json")
	want, err := lintconfig.Schema()
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, *update, name, want, "go generate ./cmd/internal/maintain/lintconfig")
}

// compiled returns the schema.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := lintconfig.Schema()
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("settings.json", value); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("settings.json")
}

// accepts reports whether the schema accepts a settings file.
func accepts(t *testing.T, schema *jsonschema.Schema, text string) bool {
	t.Helper()
	var document any
	err := yaml.Unmarshal([]byte(text), &document)
	asJSON, jsonErr := json.Marshal(document)
	if err := errors.Join(err, jsonErr); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return schema.Validate(value) == nil
}

// TestSchemaAgrees: the schema accepts a file if and only if the reader does. The values
// of each setting, right and wrong ones, are tried on both levels.
func TestSchemaAgrees(t *testing.T) {
	values := map[string][]string{
		"profile":    {"yandex", "", "Google2", "[google]", "{a: b}", "1"},
		"fail-on":    {"info", "off", "warn", "2", "[error]"},
		"url":        {"", "https://shop.example/robots.txt", "shop.example", "[]", "/robots.txt"},
		"ignore":     {"RX402", "", "byte-order-mark", "[RX402, RX301]", "[]", "[RX999]", "RX2", "{RX402: off}", "[[RX402]]", "nothing"},
		"severities": {"{}", "", "{RX402: error, joined-groups: off}", "[RX402]", "{RX402: [error]}", "{RX999: error}", "{RX402: fatal}", "RX402"},
		"exclude":    {"vendor", "", `["a/**", "*.txt"]`, "[]", `'a\b'`, "{a: b}", "[[a]]"},
		"files":      {`"*.txt"`, `["a/**", b.txt]`, "{a: b}", "[]"},
		"colour":     {"red"},
	}
	for _, e := range lint.Catalogue() {
		values["ignore"] = append(values["ignore"], string(e.Code), e.Name)
	}
	var texts []string
	for name, all := range values {
		for _, value := range all {
			texts = append(texts, fmt.Sprintf("%s: %s\n", name, value))
			if name == "files" {
				texts = append(texts, fmt.Sprintf("overrides:\n  - files: %s\n", value))
			} else {
				texts = append(texts, fmt.Sprintf("overrides:\n  - files: a.txt\n    %s: %s\n", name, value))
			}
		}
	}
	for _, p := range report.Profiles() {
		texts = append(texts, "profile: "+p+"\n")
	}
	for _, s := range report.Severities() {
		texts = append(texts, "fail-on: "+s+"\n", "severities: {RX402: "+s+"}\n")
	}
	texts = append(texts, "{}\n", "[]\n", "overrides: []\n", "overrides:\n", "overrides:\n  - files:\n", "overrides: {}\n", "overrides:\n  - profile: bing\n", "overrides: [a]\n")
	schema := compiled(t)
	accepted := 0
	for _, text := range texts {
		_, err := lintconfig.Parse("x.yaml", []byte(text))
		if got := accepts(t, schema, text); got != (err == nil) {
			t.Errorf("%q: the schema accepts it: %v, the reader says %v", text, got, err)
		}
		if err == nil {
			accepted++
		}
	}
	if accepted < 40 || len(texts)-accepted < 40 {
		t.Errorf("%d of %d texts are accepted", accepted, len(texts))
	}
}

// TestSchemaDescribes: each setting has a description.
func TestSchemaDescribes(t *testing.T) {
	text, err := lintconfig.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), `"description": ""`) {
		t.Error("a setting has no description")
	}
}
