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
	isEdge  bool // the URL is where a rule begins or ceases to match
}

const (
	filesAsked = 1500
	perFile    = 14 // of each kind
	perAgent   = 5  // at edges of rules
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

// pages are paths that many sites have.
var pages = []string{
	"/", "/index.html", "/about", "/contact/", "/blog/2025/10/tea-and-time", "/products/tea?id=42", "/search?q=tea", "/images/logo.png",
	"/en/news/", "/category/tea/page/2", "/wp-content/themes/tea/style.css", "/login", "/sitemap.xml", "/user/123", "/feed/", "/tags/tea",
}

// readQuestions returns questions about files of a folder, for some crawlers that a file names and one
// other: ordinary URLs, which are pages that many sites have and pages in folders that rules name, and paths
// at which a rule begins or ceases to match.
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
		if of := questionsOf(body, files); len(of) > 0 {
			files++
			all = append(all, of...)
		}
	}
	return all, nil
}

func questionsOf(body []byte, turn int) (all []question) {
	robots := robotstxt.Parse(body)
	agents := []string{otherAgent}
	for line := range robotstxt.Lines(body) {
		named := string(line.Value)
		if line.Kind == robotstxt.KindUserAgent && ordinaryToken.MatchString(named) && len(agents) <= maxNamed &&
			!slices.Contains(agents, named) {
			agents = append(agents, named)
		}
	}
	var edges []question
	for i, agent := range agents {
		rules := robots.Rules(agent)
		ask := func(path string, isEdge bool) question {
			return question{body, agent, site + path, rules.Allowed(site + path), isEdge}
		}
		var patterns []string
		for rule := range rules.All() {
			patterns = append(patterns, rule.Pattern)
		}
		n := 0
		for path := range witness.Paths(patterns, maxPaths) {
			if isOrdinary(path) && n < perAgent && len(edges) < perFile {
				edges = append(edges, ask(path, true))
				n++
			}
		}
		for _, path := range ordinaryPaths(patterns, turn+i, (perFile+len(agents)-1-i)/len(agents)) {
			all = append(all, ask(path, false))
		}
	}
	if len(edges) == 0 {
		return nil
	}
	return append(all, edges...)
}

func isOrdinary(path string) bool {
	return path != "/robots.txt" && ordinaryPath.MatchString(path) && !strings.HasPrefix(path, "//")
}

// ordinaryPaths returns n paths: up to half are pages in folders that rules name, the others pages that many
// sites have. Each turn has others.
func ordinaryPaths(patterns []string, turn, n int) (paths []string) {
	for i := range patterns {
		path := strings.ReplaceAll(strings.TrimSuffix(patterns[(turn+i)%len(patterns)], "$"), "*", "tea")
		if strings.HasSuffix(path, "/") {
			path += "tea.html"
		}
		if isOrdinary(path) && len(paths) < (n+1)/2 && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for i := len(paths); i < n; i++ {
		paths = append(paths, pages[(turn*5+i)%len(pages)])
	}
	return paths
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
