package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCrawlersSchema validates crawlers.json with its JSON Schema, and checks that the
// schema refuses entries without a fact.
func TestCrawlersSchema(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "..", "crawlers")
	text := read(t, filepath.Join(folder, "crawlers.json"))
	values := []string{text}
	changes := [][2]string{
		{`"obeys": "all"`, `"obeys": ""`},
		{`"status": "unknown",`, ``},
		{`"verified": []`, `"verified": false`},
		{`"ai-training"`, `"ai-learning"`},
		{`"first_seen": "unknown"`, `"first_seen": "long ago"`},
	}
	for _, change := range changes {
		values = append(values, strings.Replace(text, change[0], change[1], 1))
	}
	wrong := invalid(t, filepath.Join(folder, "crawlers.schema.json"), values...)
	if reason := wrong[0]; reason != "" {
		t.Error(reason)
	}
	for i, change := range changes {
		if wrong[i+1] == "" {
			t.Errorf("the schema accepts %s instead of %s", change[1], change[0])
		}
	}
}
