package lintconfig

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
)

// object is a JSON object.
type object = map[string]any

// descriptions are the texts that editors show, by setting.
var descriptions = map[string]string{
	"profile":    "The crawlers for which the files are written, or the kind of site.",
	"fail-on":    "The lowest severity that fails a run; off for none. Default: warning.",
	"url":        "The URL at which the file is served.",
	"ignore":     "Kinds of findings that are not reported, by code or name.",
	"pedantic":   "Report also what is right but unusual. Default: false.",
	"severities": "Severities of kinds of findings, by code or name.",
	"exclude":    "Files and folders that are left out of folders and patterns: patterns relative to this file. ** matches any folders.",
	"overrides":  "Settings of some files. Later ones take precedence.",
	"files":      "Patterns of files, relative to this file. ** matches any folders; a pattern without a slash matches in any folder.",
}

// Schema returns docs/robotslint.schema.json, the JSON Schema of settings files. It is made of the structs
// that the reader fills. The reader also ignores the case of codes and names. The schema does
// not check the brackets of patterns.
func Schema() ([]byte, error) {
	entry := reflect.TypeFor[document]()
	overrides, _ := entry.FieldByName("Overrides")
	override := schemaOf(overrides.Type.Elem())
	override["required"] = []string{"files"}
	override["properties"].(object)["files"] = object{
		"description": descriptions["files"],
		"anyOf":       []any{object{"$ref": "#/$defs/glob"}, object{"type": "array", "minItems": 1, "items": object{"$ref": "#/$defs/glob"}}},
	}
	schema := schemaOf(entry)
	schema["properties"].(object)["overrides"] = object{
		"description": descriptions["overrides"], "type": []string{"array", "null"}, "items": override,
	}
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = Name
	schema["description"] = "Settings of robots lint."
	schema["$defs"] = object{
		"profile":  object{"enum": report.Profiles()},
		"severity": object{"enum": report.Severities()},
		"address":  object{"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9+.-]*://"},
		"code":     object{"anyOf": codes()},
		"glob":     object{"type": "string", "pattern": `^[^\\]*$`},
	}
	text, err := json.MarshalIndent(schema, "", "  ")
	return append(text, '\n'), err
}

// codes returns a schema for each kind of finding, with its title.
func codes() (all []any) {
	for _, e := range lint.Catalogue() {
		all = append(all, object{"enum": []string{string(e.Code), e.Name}, "description": e.Title})
	}
	return all
}

// schemaOf returns the schema of a struct.
func schemaOf(structure reflect.Type) object {
	properties := make(object)
	addProperties(properties, structure)
	return object{"type": "object", "additionalProperties": false, "properties": properties}
}

func addProperties(properties object, structure reflect.Type) {
	for i := range structure.NumField() {
		field := structure.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if options == "inline" {
			addProperties(properties, field.Type)
			continue
		}
		if value := valueSchema(field.Type); value != nil {
			// A setting without a value is not set.
			properties[name] = object{"description": descriptions[name], "anyOf": append(value, object{"type": "null"})}
		}
	}
}

// valueSchema returns the forms of a value, nil for overrides.
func valueSchema(t reflect.Type) []any {
	reference := func(t reflect.Type) object { return object{"$ref": "#/$defs/" + t.Name()} }
	switch {
	case t == reflect.TypeFor[severities]():
		return []any{object{"type": "object", "propertyNames": reference(reflect.TypeFor[code]()), "additionalProperties": reference(reflect.TypeFor[severity]())}}
	case t == reflect.TypeFor[globs](), t == reflect.TypeFor[codeList]():
		return []any{reference(t.Elem()), object{"type": "array", "items": reference(t.Elem())}}
	case t == reflect.TypeFor[*bool]():
		return []any{object{"type": "boolean"}}
	case t.Kind() == reflect.Pointer:
		return []any{reference(t.Elem())}
	}
	return nil
}
