package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestCrawlersSchema validates crawlers.json with its JSON Schema, and checks that the
// schema refuses entries without a fact.
func TestCrawlersSchema(t *testing.T) {
	folder := filepath.Join("..", "..", "crawlers")
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(folder, "crawlers.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, filepath.Join(folder, "crawlers.json"))
	validate := func(text string) error {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(value)
	}
	if err := validate(text); err != nil {
		t.Error(err)
	}
	for _, change := range [][2]string{
		{`"obeys": "all"`, `"obeys": ""`},
		{`"status": "unknown",`, ``},
		{`"verified": []`, `"verified": false`},
		{`"ai-training"`, `"ai-learning"`},
		{`"first_seen": "unknown"`, `"first_seen": "long ago"`},
	} {
		if err := validate(strings.Replace(text, change[0], change[1], 1)); err == nil {
			t.Errorf("the schema accepts %s instead of %s", change[1], change[0])
		}
	}
}
