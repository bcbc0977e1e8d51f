package page_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

// TestGermanTitles: the German page has a title for each kind of problem, and for no other. The compiler
// checks that each cause of a fetch has a German text.
func TestGermanTitles(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("src", "titles.de.json"))
	if err != nil {
		t.Fatal(err)
	}
	titles := map[string]string{}
	if err := json.Unmarshal(text, &titles); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, entry := range lint.Catalogue() {
		title := titles[string(entry.Code)]
		if !strings.HasSuffix(title, ".") || title == entry.Title || used[title] {
			t.Errorf("%s, %s has the German title %q", entry.Code, entry.Title, title)
		}
		used[title] = true
		delete(titles, string(entry.Code))
	}
	for code, title := range titles {
		t.Errorf("there is no %s: %s", code, title)
	}
}
