package report

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

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
