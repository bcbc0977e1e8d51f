package repository

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	markdownLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	codeSpan     = regexp.MustCompile("``[^`]+``|`[^`]+`")
	htmlAnchor   = regexp.MustCompile(`<a id="([^"]+)"></a>`)
	linkText     = regexp.MustCompile(`\[([^\]]*)\]\([^()]*\)`)
	// docLink is a link in a Go comment to a name of the same package.
	docLink = regexp.MustCompile(`\[\*?([A-Z][a-z]\w*)(?:\.\w+)?\]`)
)

// TestLinks checks that the targets of the links in all Markdown files exist: files
// and folders of the repository, and in Markdown files the heading or the anchor.
// Links to other sites are not followed.
func TestLinks(t *testing.T) {
	t.Chdir(root)
	files := map[string]string{}
	eachFile(t, ".", func(name string) error {
		if path.Ext(name) == ".md" {
			files[name] = readFile(t, name)
		}
		return nil
	})
	links := 0
	for name, text := range files {
		for _, target := range linkTargets(text) {
			links++
			if problem := checkLink(files, name, target); problem != "" {
				t.Errorf("%s: %s", name, problem)
			}
		}
	}
	if links < 100 {
		t.Errorf("%d links in %d files, want more: is the folder complete?", links, len(files))
	}
}

// TestDocLinks checks that the links of Go documentation to names of the same package have a target.
// After a renaming, pkg.go.dev would show them in brackets.
func TestDocLinks(t *testing.T) {
	t.Chdir(root)
	declaredIn := map[string]map[string]bool{}
	eachSource(t, ".", func(folder, _ string, file *ast.File) {
		if declaredIn[folder] == nil {
			declaredIn[folder] = map[string]bool{}
		}
		for _, decl := range file.Decls {
			for _, name := range declared(decl, "") {
				declaredIn[folder][name] = true
			}
		}
	})
	links := 0
	eachSource(t, ".", func(folder, name string, file *ast.File) {
		for _, group := range file.Comments {
			for _, link := range docLink.FindAllStringSubmatch(group.Text(), -1) {
				links++
				if !declaredIn[folder][link[1]] {
					t.Errorf("%s: the package has no %s, to which %s is a link", name, link[1], link[0])
				}
			}
		}
	})
	if links < 100 {
		t.Errorf("%d links in all comments, want more: is the folder complete?", links)
	}
}

// linkTargets returns the targets of the links in a text, except those with a scheme.
func linkTargets(text string) (targets []string) {
	for _, line := range proseLines(text) {
		for _, match := range markdownLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), -1) {
			if !strings.Contains(match[1], ":") {
				targets = append(targets, match[1])
			}
		}
	}
	return targets
}

// proseLines returns the lines of a text that are not in fenced blocks.
func proseLines(text string) (lines []string) {
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		} else if !fenced {
			lines = append(lines, strings.TrimRight(line, "\r\n"))
		}
	}
	return lines
}

// checkLink returns the problem with a link in the file of the given name, or "".
func checkLink(files map[string]string, name, target string) string {
	file, anchor, _ := strings.Cut(target, "#")
	if file == "" {
		file = name
	} else {
		file = path.Join(path.Dir(name), file)
	}
	if _, err := os.Stat(filepath.FromSlash(file)); err != nil {
		return fmt.Sprintf("there is no %s", file)
	}
	if text, ok := files[file]; ok && anchor != "" && !anchors(text)[anchor] {
		return fmt.Sprintf("there is no #%s in %s", anchor, file)
	}
	return ""
}

// anchors returns the anchors of a Markdown text: those that GitHub makes from the
// headings, and those in HTML.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, line := range proseLines(text) {
		if heading := strings.TrimLeft(line, "#"); heading != line && strings.HasPrefix(heading, " ") {
			found[headingAnchor(heading)] = true
		}
		for _, match := range htmlAnchor.FindAllStringSubmatch(line, -1) {
			found[match[1]] = true
		}
	}
	return found
}

// headingAnchor returns the anchor of a heading: lower case, hyphens instead of
// spaces, no other punctuation.
func headingAnchor(heading string) string {
	heading = strings.TrimSpace(linkText.ReplaceAllString(heading, "$1"))
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// TestCheckLink checks that checkLink finds missing files and anchors.
func TestCheckLink(t *testing.T) {
	t.Chdir(root)
	files := map[string]string{"docs/spec.md": "# The `G` clauses, 1–3\n| <a id=\"g1\"></a>G1 |\n```\n# code\n```\n"}
	for _, c := range []struct{ target, problem string }{
		{"spec.md", ""},
		{"../README.md", ""},
		{"../conformance", ""},
		{"#g1", ""},
		{"spec.md#the-g-clauses-13", ""},
		{"spec.md#g2", "there is no #g2 in docs/spec.md"},
		{"#code", "there is no #code in docs/spec.md"},
		{"missing.md", "there is no docs/missing.md"},
	} {
		if got := checkLink(files, "docs/spec.md", c.target); got != c.problem {
			t.Errorf("%s: got %q, want %q", c.target, got, c.problem)
		}
	}
	if got := linkTargets("[a](b.md) `[c](d.md)` [e](https://example.com/)\n```\n[f](g.md)\n```\n[`h`](i.md#j)"); strings.Join(got, " ") != "b.md i.md#j" {
		t.Errorf("linkTargets returned %q", got)
	}
}
