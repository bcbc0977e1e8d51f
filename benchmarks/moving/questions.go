package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
)

// question is a question about a real file, and the answer of this project.
type question struct {
	body    []byte
	agent   string // a product token, without a version
	url     string
	allowed bool
}

const (
	filesAsked = 1500
	perFile    = 14
	perAgent   = 5
	site       = "https://shop.example"
	otherAgent = "FigTree" // no file names it
	maxPaths   = 60
	maxBytes   = 64 << 10 // of a file: some parsers take seconds for longer ones
	maxNamed   = 3
)

// These match tokens and paths that every parser can read. Codes and characters outside ASCII
// are rare in URLs that crawlers find, and would dominate the differences.
var (
	ordinaryToken = regexp.MustCompile(`^[A-Za-z][A-Za-z_-]*$`)
	ordinaryPath  = regexp.MustCompile(`^/[A-Za-z0-9/_.?=&-]*$`)
)

// readQuestions returns questions about files of a folder: for some crawlers that a file names and one
// other, paths at which a rule begins or ceases to match.
func readQuestions(folder string) ([]question, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []question
	files := 0
	for i := 0; i < len(names) && files < filesAsked; i++ {
		body, err := os.ReadFile(names[i])
		if err != nil {
			return nil, err
		}
		if len(body) > maxBytes || !utf8.Valid(body) || robotstxt.BodyOf(body) != robotstxt.BodyText {
			continue
		}
		if of := questionsOf(body); len(of) > 0 {
			files++
			all = append(all, of...)
		}
	}
	return all, nil
}

func questionsOf(body []byte) (all []question) {
	robots := robotstxt.Parse(body)
	agents := []string{otherAgent}
	for line := range robotstxt.Lines(body) {
		named := string(line.Value)
		if line.Kind == robotstxt.KindUserAgent && ordinaryToken.MatchString(named) && len(agents) <= maxNamed &&
			!slices.Contains(agents, named) {
			agents = append(agents, named)
		}
	}
	for _, agent := range agents {
		rules := robots.Rules(agent)
		var patterns []string
		for rule := range rules.All() {
			patterns = append(patterns, rule.Pattern)
		}
		n := 0
		for path := range witness.Paths(patterns, maxPaths) {
			isOrdinary := path != "/robots.txt" && ordinaryPath.MatchString(path) && !strings.HasPrefix(path, "//")
			if isOrdinary && n < perAgent && len(all) < perFile {
				url := site + path
				all = append(all, question{body, agent, url, rules.Allowed(url)})
				n++
			}
		}
	}
	return all
}

// canonical returns a file whose groups and rules are written as every parser reads them, but are those of
// body as this project reads it.
func canonical(body []byte) []byte {
	var b strings.Builder
	for group := range robotstxt.Parse(body).Groups() {
		for agent := range group.Agents() {
			b.WriteString("User-agent: " + agent.Token + "\n")
		}
		for rule := range group.Rules() {
			writeRule(&b, rule)
		}
		b.WriteString("\n")
	}
	return []byte(b.String())
}

// chosen returns a file with the rules of the groups that apply to a crawler, for all crawlers.
func chosen(body []byte, agent string) []byte {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for rule := range robotstxt.Parse(body).Rules(agent).All() {
		writeRule(&b, rule)
	}
	return []byte(b.String())
}

func writeRule(b *strings.Builder, rule robotstxt.Rule) {
	if rule.Folder {
		return // of an index page, whose rule is written
	}
	key := "Disallow: "
	if rule.Allow {
		key = "Allow: "
	}
	b.WriteString(key + rule.Pattern + "\n")
}
