package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
)

// settingsFile is what a settings file is called, and mostSettings how long it may
// be, in MiB.
const (
	settingsFile = ".robotslint.yaml"
	mostSettings = 1
)

// settingsInFile is a settings file.
type settingsInFile struct {
	settings
	folder    string // where it stands, absolute
	overrides []override
}

// override is what holds for some files only.
type override struct {
	settings
	files []string // patterns of names relative to the folder, with slashes
}

// matchesFile reports whether a name matches a pattern. A pattern without a slash
// is about files of that name in any folder, as in a .gitignore.
func matchesFile(pattern, name string) bool {
	if !strings.Contains(pattern, "/") {
		name = path.Base(name)
	}
	matches, err := path.Match(strings.TrimPrefix(pattern, "./"), name)
	return err == nil && matches
}

// parseSettings reads a settings file strictly: whoever misspells a key shall
// learn it before he relies on it.
func parseSettings(name string, text []byte) (*settingsInFile, error) {
	s := settingsReader{name: name}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		document = yaml.Node{} // nothing but comments
	case err != nil:
		return nil, s.notYAML(err)
	}
	if next := (yaml.Node{}); !errors.Is(decoder.Decode(&next), io.EOF) {
		return nil, s.errorf(&next, "write one document", "a second document starts here")
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, term.Errorf("", "cannot tell where %q is: %v", name, err)
	}
	file := &settingsInFile{folder: filepath.Dir(absolute)}
	if len(document.Content) == 0 || isNull(document.Content[0]) {
		return file, nil
	}
	keys := s.keysOf(&file.settings)
	keys["overrides"] = func(value *yaml.Node) error {
		return s.each(value, func(item *yaml.Node) error {
			o, err := s.override(item)
			file.overrides = append(file.overrides, o)
			return err
		})
	}
	return file, s.mapping(document.Content[0], keys)
}

// settingsReader walks a settings file, which says where an error is better than
// to decode it into a struct.
type settingsReader struct{ name string }

// keysOf returns what reads the settings, by their keys.
func (s settingsReader) keysOf(into *settings) map[string]func(*yaml.Node) error {
	into.severities = make(map[lint.Code]lint.Severity)
	return map[string]func(*yaml.Node) error{
		"profile": func(value *yaml.Node) error {
			into.profile = new(lint.Profile)
			return named(s, value, into.profile, profileNamed)
		},
		"fail-on": func(value *yaml.Node) error {
			into.failOn = new(lint.Severity)
			return named(s, value, into.failOn, severityNamed)
		},
		"url": func(value *yaml.Node) error {
			into.url = new(string)
			return named(s, value, into.url, servedAt)
		},
		"ignore": func(value *yaml.Node) error {
			return s.each(value, func(item *yaml.Node) error {
				var code lint.Code
				if err := named(s, item, &code, codeNamed); err != nil {
					return err
				}
				into.severities[code] = lint.Off
				return nil
			})
		},
		"severities": func(value *yaml.Node) error { return s.severities(value, into.severities) },
	}
}

// severities reads a mapping of codes to severities.
func (s settingsReader) severities(value *yaml.Node, into map[lint.Code]lint.Severity) error {
	return s.pairs(value, func(key, level *yaml.Node) error {
		var code lint.Code
		if err := named(s, key, &code, codeNamed); err != nil {
			return err
		}
		var severity lint.Severity
		err := named(s, level, &severity, severityNamed)
		into[code] = severity
		return err
	})
}

// override reads what holds for some files.
func (s settingsReader) override(node *yaml.Node) (o override, err error) {
	keys := s.keysOf(&o.settings)
	keys["files"] = func(value *yaml.Node) error {
		return s.each(value, func(item *yaml.Node) error {
			var pattern string
			o.files = append(o.files, item.Value)
			return named(s, item, &pattern, func(text string) (string, error) {
				_, err := path.Match(text, "")
				return text, err
			})
		})
	}
	if err = s.mapping(node, keys); err == nil && len(o.files) == 0 {
		err = s.errorf(node, `say for which: files: ["staging/*.txt"]`, "an override needs files")
	}
	return o, err
}

// named reads a value by its name.
func named[T any](s settingsReader, node *yaml.Node, into *T, read func(string) (T, error)) error {
	node = resolved(node)
	if node.Kind != yaml.ScalarNode || isNull(node) {
		return s.errorf(node, "", "want one word here, not %s", kindText(node))
	}
	value, err := read(node.Value)
	if err != nil {
		return s.errorf(node, "", "%v", err)
	}
	*into = value
	return nil
}

// mapping reads a mapping with known keys.
func (s settingsReader) mapping(node *yaml.Node, keys map[string]func(*yaml.Node) error) error {
	return s.pairs(node, func(key, value *yaml.Node) error {
		read := keys[key.Value]
		if read != nil {
			return read(value)
		}
		var known []string
		for name := range keys {
			known = append(known, name)
		}
		hint := "the keys are " + alphabetical(known)
		if near := term.Closest(key.Value, known); near != "" {
			hint = "did you mean " + near + "?"
		}
		return s.errorf(key, hint, "there is no setting %q", key.Value)
	})
}

// pairs yields the keys and values of a mapping, where no key may come twice.
func (s settingsReader) pairs(node *yaml.Node, do func(key, value *yaml.Node) error) error {
	node = resolved(node)
	if node.Kind != yaml.MappingNode {
		return s.errorf(node, "", "want keys and values here, not %s", kindText(node))
	}
	lines := make(map[string]int)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		if line := lines[key.Value]; line > 0 {
			return s.errorf(key, "leave one of them out", "%q is set on line %d already", key.Value, line)
		}
		lines[key.Value] = key.Line
		if err := do(key, node.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// each yields the items of a list. A single word is a list of one.
func (s settingsReader) each(node *yaml.Node, do func(*yaml.Node) error) error {
	node = resolved(node)
	items := node.Content
	switch {
	case node.Kind == yaml.ScalarNode && !isNull(node):
		items = []*yaml.Node{node}
	case node.Kind != yaml.SequenceNode:
		return s.errorf(node, "", "want a list here, not %s", kindText(node))
	}
	for _, item := range items {
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}

// resolved returns what an alias stands for.
func resolved(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

func isNull(node *yaml.Node) bool { return node.Tag == "!!null" }

func kindText(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.MappingNode:
		return "keys and values"
	case node.Kind == yaml.SequenceNode:
		return "a list"
	case isNull(node):
		return "nothing"
	}
	return fmt.Sprintf("%q", node.Value)
}

func (s settingsReader) errorf(node *yaml.Node, hint, format string, args ...any) error {
	return term.Errorf(hint, "%s:%d: %s", term.Escape(s.name), max(1, node.Line), fmt.Sprintf(format, args...))
}

// notYAML turns an error of the YAML reader into ours, which begins with the
// place.
func (s settingsReader) notYAML(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	node := yaml.Node{}
	if rest, found := strings.CutPrefix(text, "line "); found {
		if number, message, found := strings.Cut(rest, ": "); found {
			if line, err := strconv.Atoi(number); err == nil {
				node.Line, text = line, message
			}
		}
	}
	return s.errorf(&node, "", "it is no YAML: %s", term.Escape(text))
}

// alphabetical joins names in alphabetical order.
func alphabetical(names []string) string {
	return strings.Join(slices.Sorted(slices.Values(names)), ", ")
}
