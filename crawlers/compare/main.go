// Command compare compares the known crawlers with a checkout of the repository
// ai-robots-txt/ai.robots.txt:
//
//	go run ./crawlers/compare CHECKOUT
//
// It prints the names in robots.json that are neither a token nor an alias in the data,
// the names that claims cite and that the list does not contain any more, and the
// crawlers about which list and data disagree. Its exit status is 0 if there are none,
// 1 if there are some, and 2 if the list cannot be read.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/crawlers"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./crawlers/compare CHECKOUT, a folder with robots.json, or that file")
		os.Exit(2)
	}
	list, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if compare(os.Stdout, list) {
		os.Exit(1)
	}
}

// agent is an entry of robots.json. Its texts are written by people.
type agent struct {
	Operator    string `json:"operator"`
	Respect     string `json:"respect"`
	Function    string `json:"function"`
	Description string `json:"description"`
}

// read reads robots.json in a folder, or a file.
func read(path string) (list map[string]agent, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "robots.json")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no agents", path)
	}
	return list, nil
}

// compare prints the differences, and reports whether there are some.
func compare(out io.Writer, list map[string]agent) (different bool) {
	var missing, disagree []string
	listed := map[string]bool{} // tokens
	for _, name := range slices.Sorted(maps.Keys(list)) {
		c, ok := crawlers.Find(name)
		if !ok {
			a := list[name]
			missing = append(missing, fmt.Sprintf("%q: operator %q, function %q", name, a.Operator, a.Function))
			continue
		}
		listed[c.Token] = true
		if text := disagreement(c, list[name]); text != "" {
			disagree = append(disagree, fmt.Sprintf("%q: %s", name, text))
		}
	}
	var gone []string
	for c := range crawlers.All() {
		if !listed[c.Token] && slices.ContainsFunc(crawlers.Claims(c.Token), citesList) {
			gone = append(gone, fmt.Sprintf("%q", c.Token))
		}
	}
	fmt.Fprintf(out, "%d names in the list, %d missing in the data\n", len(list), len(missing))
	for _, part := range []struct {
		title string
		lines []string
	}{{"missing in the data", missing}, {"cited, but not in the list any more", gone}, {"list and data disagree", disagree}} {
		if len(part.lines) > 0 {
			fmt.Fprintf(out, "\n%s:\n  %s\n", part.title, strings.Join(part.lines, "\n  "))
			different = true
		}
	}
	return different
}

// citesList reports whether a claim cites the list itself, not one of its old versions.
func citesList(c crawlers.Claim) bool {
	return strings.Contains(c.URL, "/ai-robots-txt/ai.robots.txt/blob/")
}

// respects matches the answer in the text of respect, which may be a link.
var respects = regexp.MustCompile(`^\[?(Yes|No)\b`)

// disagreement returns what list and data say differently about obeying robots.txt.
func disagreement(c crawlers.Crawler, a agent) string {
	answer := respects.FindStringSubmatch(a.Respect)
	if answer == nil || c.Obeys == crawlers.Unknown || (answer[1] == "Yes") == (c.Obeys != crawlers.ObeysNone) {
		return ""
	}
	return fmt.Sprintf("respect is %q, obeys is %q", a.Respect, c.Obeys)
}
