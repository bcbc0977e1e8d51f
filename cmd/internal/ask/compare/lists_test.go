package compare_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
)

// TestWithList compares with small lists that are made up, as files and as checkouts.
func TestWithList(t *testing.T) {
	for _, test := range []struct {
		file, text              string
		names                   int
		missing, gone, disagree string // lines, or a part of them
	}{
		{"robots.json", `{
			"gptbot": {"operator": "OpenAI", "respect": "Yes", "function": "x", "description": "y"},
			"Brightbot 1.0": {"respect": "Unclear at this time."},
			"ChatGPT-User": {"respect": "[Yes](https://foo.example/)"},
			"FooBot": {"operator": "Foo\nInc", "function": "AI foo"}
		}`, 4, `"FooBot": operator "Foo\nInc", function "AI foo"`, `"CCBot"`,
			`"ChatGPT-User": respect is "[Yes](https://foo.example/)", obeys is "none"`},
		{"crawler-user-agents.json", `[
			{"pattern": "Bark[rR]owler", "instances": ["Mozilla/5.0 (compatible; Barkrowler/0.9)"]},
			{"pattern": "^CCBot\\/", "instances": []},
			{"pattern": "FooBot\\/", "instances": ["FooBot/1.0"], "description": "Foo", "tags": ["seo"]}
		]`, 3, `"FooBot\\/": "Foo", tags ["seo"]`, `"GPTBot"`, ""},
		{"regexes/bots.yml", "# bots\n- regex: 'Foo(?:Bot)?(?!x)|Yandex(?:Direct|Bo[tT]/.+)'\n  name: 'Some'\n- regex: 'Foo.*Bar'\n  name: 'FooBar'\n  producer:\n    name: 'GPTBot'\n- regex: '(?:bing(?:bot|x){9'\n  name: 'BingBot'\n",
			3, `"Foo.*Bar": "FooBar"`, `"GPTBot"`, ""},
		{"robots.txt", "\xef\xbb\xbfUser-agent: *\nUser-agent: GPTBot\nUser-agent: FooBot # x\nDisallow: /\n", 2, `"FooBot"`, "", ""},
	} {
		folder := t.TempDir()
		name := filepath.Join(folder, filepath.FromSlash(test.file))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{folder, name} {
			list, err := compare.ReadList(path)
			if err != nil {
				t.Fatal(err)
			}
			d := compare.WithList(list)
			if got := strings.Join(d.Missing, "\n"); got != test.missing || d.Names != test.names || d.Equal() {
				t.Errorf("%s: %d names, missing %s", test.file, d.Names, got)
			}
			if gone := "\n" + strings.Join(d.Gone, "\n") + "\n"; test.gone == "" && gone != "\n\n" || !strings.Contains(gone, test.gone) {
				t.Errorf("%s: gone %s, want %s", test.file, gone, test.gone)
			}
			if got := strings.Join(d.Disagree, "\n"); got != test.disagree {
				t.Errorf("%s: disagree %s, want %s", test.file, got, test.disagree)
			}
		}
	}
}

// TestReadList checks that files that are no list are errors.
func TestReadList(t *testing.T) {
	folder := t.TempDir()
	if _, err := compare.ReadList(folder); err == nil {
		t.Error("an empty folder is read")
	}
	for _, text := range []string{"", "[]", "{}", `{"FooBot": 1}`, `[{"pattern": 1}]`, "[", "User-agent: *\nDisallow: /\n"} {
		name := filepath.Join(folder, "list")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if list, err := compare.ReadList(name); err == nil {
			t.Errorf("%q is read as %+v", text, list)
		}
	}
}
