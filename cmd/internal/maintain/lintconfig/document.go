package lintconfig

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
)

// document is the YAML form of a settings file.
type document struct {
	All       fields `yaml:",inline"`
	Exclude   globs  `yaml:"exclude"`
	Overrides []struct {
		Some  fields `yaml:",inline"`
		Files globs  `yaml:"files"`
	} `yaml:"overrides"`
}

// fields are the settings of both levels: for all files and for some.
type fields struct {
	Profile    *profile   `yaml:"profile"`
	FailOn     *severity  `yaml:"fail-on"`
	URL        *address   `yaml:"url"`
	Pedantic   *bool      `yaml:"pedantic"`
	Ignore     codeList   `yaml:"ignore"`
	Severities severities `yaml:"severities"`
}

var fieldNames = []string{"fail-on", "ignore", "pedantic", "profile", "severities", "url"}

func (f *fields) settings() Settings {
	s := Settings{
		Profile: (*lint.Profile)(f.Profile), FailOn: (*lint.Severity)(f.FailOn), URL: (*string)(f.URL),
		Pedantic: f.Pedantic,
	}
	s.set(f.Severities)
	for _, c := range f.Ignore {
		s.Severities[lint.Code(c)] = lint.Off
	}
	return s
}

// The types of values. They are checked while the YAML is read, because the library
// then knows their locations.
type (
	profile    lint.Profile
	severity   lint.Severity
	address    string
	glob       string
	code       lint.Code
	severities map[lint.Code]lint.Severity

	codeList = list[code, *code]
	globs    = list[glob, *glob]
)

func (p *profile) UnmarshalYAML(node *yaml.Node) error {
	return scalar(node, (*lint.Profile)(p), report.ProfileNamed)
}

func (s *severity) UnmarshalYAML(node *yaml.Node) error {
	return scalar(node, (*lint.Severity)(s), report.SeverityNamed)
}

func (a *address) UnmarshalYAML(node *yaml.Node) error {
	return scalar(node, (*string)(a), report.ServedAt)
}

func (c *code) UnmarshalYAML(node *yaml.Node) error {
	return scalar(node, (*lint.Code)(c), report.CodeNamed)
}

func (g *glob) UnmarshalYAML(node *yaml.Node) error {
	return scalar(node, (*string)(g), func(text string) (string, error) {
		switch {
		case strings.Contains(text, `\`):
			return "", term.Errorf("the pattern %q has a backslash", text).Hint(fmt.Sprintf("write %q: patterns have slashes on every system", strings.ReplaceAll(text, `\`, "/")))
		case !doublestar.ValidatePattern(text):
			return "", files.Malformed(text)
		}
		return text, nil
	})
}

func (s *severities) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return &valueError{node, term.Errorf("must be a mapping").Hint("write codes and severities: {RX402: off}")}
	}
	*s = make(severities)
	for i := 0; i < len(node.Content); i += 2 {
		var c code
		var level severity
		if err := c.UnmarshalYAML(node.Content[i]); err != nil {
			return err
		}
		if err := level.UnmarshalYAML(node.Content[i+1]); err != nil {
			return err
		}
		(*s)[lint.Code(c)] = lint.Severity(level)
	}
	return nil
}

type list[T any, P interface {
	*T
	UnmarshalYAML(*yaml.Node) error
}] []T

func (l *list[T, P]) UnmarshalYAML(node *yaml.Node) error {
	items := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		items = node.Content
	}
	for _, item := range items {
		var value T
		if err := P(&value).UnmarshalYAML(item); err != nil {
			return err
		}
		*l = append(*l, value)
	}
	return nil
}

func patterns(all globs) (texts []string) {
	for _, g := range all {
		texts = append(texts, string(g))
	}
	return texts
}

func scalar[T any](node *yaml.Node, into *T, read func(string) (T, error)) error {
	var err error
	value := node
	if node.Kind == yaml.AliasNode {
		value = node.Alias
	}
	switch {
	case value.Kind == yaml.MappingNode:
		err = term.Errorf("must be one value, not a mapping").Hint("write one word")
	case value.Kind == yaml.SequenceNode:
		err = term.Errorf("must be one value, not a list").Hint("write one word")
	case value.ShortTag() == "!!null", strings.TrimSpace(value.Value) == "":
		err = term.Errorf("must have a value").Hint("write one word, or remove the setting")
	default:
		*into, err = read(value.Value)
	}
	if err != nil {
		return &valueError{node, err}
	}
	return nil
}

type valueError struct {
	node *yaml.Node
	err  error
}

func (e *valueError) Error() string { return e.err.Error() }
func (e *valueError) Unwrap() error { return e.err }

// checkFields returns an error about the first setting that does not exist or is repeated,
// because the library reports only their lines.
func checkFields(node *yaml.Node, names ...string) error {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind != yaml.MappingNode {
		if node.ShortTag() == "!!null" {
			return nil
		}
		return &valueError{node, term.Errorf("must be a mapping").Hint("write settings and values: profile: google")}
	}
	seen := make(map[string]int) // lines
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case key.Tag == "!!merge": // merged settings have their own place
			continue
		case !slices.Contains(names, key.Value):
			return &valueError{key, term.Errorf("there is no setting %q", key.Value).Hint(knownFields(key.Value, names))}
		case seen[key.Value] > 0:
			return &valueError{key, term.Errorf("the setting %q is already on line %d", key.Value, seen[key.Value]).Hint("keep one of them")}
		}
		seen[key.Value] = key.Line
		if key.Value == "overrides" {
			if value.Kind != yaml.SequenceNode && value.ShortTag() != "!!null" {
				return &valueError{value, term.Errorf("must be a list").Hint("name the files and their settings: [{files: [a.txt], profile: bing}]")}
			}
			for _, item := range value.Content {
				if err := checkFields(item, append(slices.Clone(fieldNames), "files")...); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// place returns the path of a node below another one: "overrides[0].files", and "" for a key.
func place(below, node *yaml.Node) (path string, found bool) {
	if below == node {
		return "", true
	}
	for i, child := range below.Content {
		step := ""
		switch {
		case below.Kind == yaml.SequenceNode:
			step = "[" + strconv.Itoa(i) + "]"
		case below.Kind == yaml.MappingNode && i%2 == 1:
			step = "." + below.Content[i-1].Value
		}
		if path, found := place(child, node); found {
			return step + path, true
		}
	}
	return "", false
}

var libraryMessage = regexp.MustCompile(`(?s)^(?:yaml: )?(?:unmarshal errors:\n *)?(?:line (\d+): )?([^\n]*)`)

// inFile adds the location to an error of the library or of a value in a document, and a hint.
func inFile(name string, document *yaml.Node, err error) error {
	if value := (*valueError)(nil); errors.As(err, &value) {
		message := err.Error()
		if field, _ := place(document, value.node); field != "" {
			message = strings.TrimPrefix(field, ".") + ": " + message
		}
		return term.Errorf("%s:%d:%d: %s", term.Escape(name), value.node.Line, value.node.Column,
			term.Escape(message)).Hint(term.HintOf(err))
	}
	parts := libraryMessage.FindStringSubmatch(err.Error())
	return term.Errorf("%s:%s:1: %s", term.Escape(name), cmp.Or(parts[1], "1"), term.Escape(parts[2]))
}

// knownFields suggests the closest setting, or lists all settings of the level.
func knownFields(text string, names []string) string {
	if near := term.Closest(text, names); near != "" {
		return "did you mean " + near + "?"
	}
	return "the settings are " + strings.Join(slices.Sorted(slices.Values(names)), ", ")
}
