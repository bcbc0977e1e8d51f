package lintconfig

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/kosterhq/robotstxt/cmd/internal/files"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
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

// fieldNames are the names of the settings, for suggestions. The first and the last two
// exist on one of the two levels only.
var fieldNames = []string{"files", "fail-on", "ignore", "pedantic", "profile", "severities", "url", "exclude", "overrides"}

func (f *fields) settings() Settings {
	s := Settings{
		Profile: (*lint.Profile)(f.Profile), FailOn: (*lint.Severity)(f.FailOn), URL: (*string)(f.URL),
		Pedantic: f.Pedantic, Severities: make(map[lint.Code]lint.Severity),
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

func (p *profile) UnmarshalYAML(node ast.Node) error {
	return scalar(node, (*lint.Profile)(p), report.ProfileNamed)
}

func (s *severity) UnmarshalYAML(node ast.Node) error {
	return scalar(node, (*lint.Severity)(s), report.SeverityNamed)
}

func (a *address) UnmarshalYAML(node ast.Node) error {
	return scalar(node, (*string)(a), report.ServedAt)
}

func (c *code) UnmarshalYAML(node ast.Node) error {
	return scalar(node, (*lint.Code)(c), report.CodeNamed)
}

func (g *glob) UnmarshalYAML(node ast.Node) error {
	return scalar(node, (*string)(g), func(text string) (string, error) {
		switch {
		case strings.Contains(text, `\`):
			return "", term.Errorf(fmt.Sprintf("write %q: patterns have slashes on every system", strings.ReplaceAll(text, `\`, "/")),
				"the pattern %q has a backslash", text)
		case !doublestar.ValidatePattern(text):
			return "", files.Malformed(text)
		}
		return text, nil
	})
}

func (s *severities) UnmarshalYAML(node ast.Node) error {
	mapping, ok := node.(ast.MapNode)
	if !ok {
		return &valueError{node, term.Errorf("write codes and severities: {RX201: off}", "want a mapping")}
	}
	*s = make(severities)
	for each := mapping.MapRange(); each.Next(); {
		var c code
		var level severity
		if err := c.UnmarshalYAML(each.Key()); err != nil {
			return err
		}
		if err := level.UnmarshalYAML(each.Value()); err != nil {
			return err
		}
		(*s)[lint.Code(c)] = lint.Severity(level)
	}
	return nil
}

// list is a sequence of values, or one value.
type list[T any, P interface {
	*T
	UnmarshalYAML(ast.Node) error
}] []T

func (l *list[T, P]) UnmarshalYAML(node ast.Node) error {
	items := []ast.Node{node}
	if sequence, ok := node.(*ast.SequenceNode); ok {
		items = sequence.Values
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

// patterns returns the texts of patterns.
func patterns(all globs) (texts []string) {
	for _, g := range all {
		texts = append(texts, string(g))
	}
	return texts
}

// scalar reads a value by its name.
func scalar[T any](node ast.Node, into *T, read func(string) (T, error)) error {
	var err error
	switch n := node.(type) {
	case *ast.StringNode:
		*into, err = read(n.Value)
	case *ast.MappingKeyNode, ast.MapNode, *ast.SequenceNode, *ast.NullNode:
		err = term.Errorf("write one word", "want one value, not %s", kinds[node.Type()])
	default: // "off" is a word, but "1" is a number to YAML
		*into, err = read(node.GetToken().Value)
	}
	if err != nil {
		return &valueError{node, err}
	}
	return nil
}

var kinds = map[ast.NodeType]string{
	ast.MappingType: "a mapping", ast.MappingValueType: "a mapping", ast.MappingKeyType: "a mapping",
	ast.SequenceType: "a list", ast.NullType: "nothing",
}

// valueError is an error about a value.
type valueError struct {
	node ast.Node
	err  error
}

func (e *valueError) Error() string { return e.err.Error() }
func (e *valueError) Unwrap() error { return e.err }

// inFile adds the location to an error of the library or of a value, and a hint.
func inFile(name string, err error) error {
	message, hint := err.Error(), ""
	if e := (*term.Error)(nil); errors.As(err, &e) {
		hint = e.Hint
	}
	line, column, field := 1, 1, ""
	unknown, value, library := (*yaml.UnknownFieldError)(nil), (*valueError)(nil), yaml.Error(nil)
	switch {
	case errors.As(err, &value):
		position := value.node.GetToken().Position
		line, column, field = position.Line, position.Column, strings.TrimPrefix(value.node.GetPath(), "$.")
	case errors.As(err, &library):
		token := library.GetToken()
		line, column, message = token.Position.Line, token.Position.Column, library.GetMessage()
		if errors.As(err, &unknown) {
			message, hint = fmt.Sprintf("there is no setting %q", token.Value), knownFields(token.Value, column)
		}
	}
	if field != "" {
		message = field + ": " + message
	}
	return term.Errorf(hint, "%s:%d:%d: %s", term.Escape(name), line, column, term.Escape(message))
}

// knownFields suggests the closest setting, or lists all settings of the level.
func knownFields(text string, column int) string {
	if near := term.Closest(text, fieldNames); near != "" {
		return "did you mean " + near + "?"
	}
	known := fieldNames[1:]
	if column > 1 {
		known = fieldNames[:len(fieldNames)-2]
	}
	return "the settings are " + strings.Join(slices.Sorted(slices.Values(known)), ", ")
}
