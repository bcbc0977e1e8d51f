package wire

import (
	"encoding"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/golden"
	"github.com/kosterhq/robotstxt/permission"
)

//go:generate go test -run ^TestSchema$ -update

var update = flag.Bool("update", false, "write schema.json")

// lines are the objects that the tool prints and the API returns, by their names in the schema. They
// are the types without methods, whose fields are those of the JSON.
var lines = map[string]reflect.Type{
	"Answer":         reflect.TypeFor[answer](),
	"Explanation":    reflect.TypeFor[explanation](),
	"Check":          reflect.TypeFor[check](),
	"Site":           reflect.TypeFor[site](),
	"Findings":       reflect.TypeFor[findings](),
	"Statistic":      reflect.TypeFor[statistic](),
	"CatalogueEntry": reflect.TypeFor[catalogueEntry](),
	"Event":          reflect.TypeFor[event](),
	"CacheEntry":     reflect.TypeFor[cacheEntry](),
	"CacheStats":     reflect.TypeFor[cacheStats](),
	"GridRow":        reflect.TypeFor[gridRow](),
	"CrawlerCount":   reflect.TypeFor[crawlerCount](),
	"AIView":         reflect.TypeFor[aiView](),
	"Permit":         reflect.TypeFor[permit](),
	"SiteCount":      reflect.TypeFor[siteCount](),
	"LineCount":      reflect.TypeFor[lineCount](),
	"Audit":          reflect.TypeFor[audit](),
	"Comparison":     reflect.TypeFor[comparison](),
	"Crawler":        reflect.TypeFor[crawlers.Entry](),
	"CrawlerList":    reflect.TypeFor[crawlerList](),
	"Answers":        reflect.TypeFor[answers](),
	"Formatted":      reflect.TypeFor[formatted](),
	"Fetched":        reflect.TypeFor[fetched](),
	"URLs":           reflect.TypeFor[urls](),
	"Remarks":        reflect.TypeFor[remarks](),
	"Resources":      reflect.TypeFor[resources](),
	"Diagnostics":    reflect.TypeFor[diagnostics](),
	"Hover":          reflect.TypeFor[hover](),
	"Completions":    reflect.TypeFor[completions](),
	"Tokens":         reflect.TypeFor[tokens](),
	"Symbols":        reflect.TypeFor[symbols](),
	"FileOutline":    reflect.TypeFor[fileOutline](),
	"Generated":      reflect.TypeFor[generated](),
	"WatchMessage":   reflect.TypeFor[watchMessage](),
	"History":        reflect.TypeFor[history](),
	"HistoryAnswer":  reflect.TypeFor[historyAnswer](),
	"Visits":         reflect.TypeFor[visits](),
}

// crawlerList is the result of the call crawlers. Package editing of the API makes it,
// because this package does not import the data.
type crawlerList struct {
	Version  string           `json:"version"` // of the data
	Crawlers []crawlers.Entry `json:"crawlers"`
}

// TestSchema: schema.json is what the structs say.
func TestSchema(t *testing.T) {
	golden.Check(t, *update, "schema.json", newSchema(t).text(t), "go generate ./internal/inout/wire in cmd")
}

// schemaWriter makes a JSON Schema of structs.
type schemaWriter struct {
	words map[string][]string // the constants of each string type of this package
	defs  map[string]any
}

func newSchema(t *testing.T) *schemaWriter {
	t.Helper()
	return &schemaWriter{words: wordsOf(t), defs: map[string]any{}}
}

// text returns the schema, which is true of each line.
func (w *schemaWriter) text(t *testing.T) []byte {
	var alternatives []map[string]string
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		object := w.object(lines[name])
		properties := object["properties"].(map[string]map[string]any)
		properties["schema"] = map[string]any{"const": Schema}
		properties["raw"] = map[string]any{
			"type":                 "object",
			"propertyNames":        map[string]any{"format": "json-pointer"},
			"additionalProperties": map[string]any{"type": "string", "contentEncoding": "base64"},
		}
		object["required"] = append([]string{"schema"}, object["required"].([]string)...)
		w.defs[name] = object
		alternatives = append(alternatives, map[string]string{"$ref": "#/$defs/" + name})
	}
	text, err := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "A line of JSON output of robots, or a result of its API",
		"anyOf":   alternatives,
		"$defs":   w.defs,
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// object returns the schema of a struct.
func (w *schemaWriter) object(of reflect.Type) map[string]any {
	properties, required := map[string]map[string]any{}, []string{}
	w.fields(of, true, func(name string, field map[string]any, always bool) {
		properties[name] = field
		if always {
			required = append(required, name)
		}
	})
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

// fields calls do for each field of a struct and of those embedded in it; always
// says that every object has it.
func (w *schemaWriter) fields(of reflect.Type, always bool, do func(name string, field map[string]any, always bool)) {
	for i := range of.NumField() {
		field := of.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			embedded, isPointer := field.Type, field.Type.Kind() == reflect.Pointer
			if isPointer {
				embedded = embedded.Elem()
			}
			w.fields(embedded, always && !isPointer, do)
		case name != "-" && field.IsExported():
			optional := strings.HasPrefix(options, "omit") || of == reflect.TypeFor[robotstxt.Decision]() && name == "dialect"
			do(name, w.value(field.Type, optional), always && !optional)
		}
	}
}

// value returns the schema of a field. An optional one is left out rather than
// null.
func (w *schemaWriter) value(of reflect.Type, optional bool) map[string]any {
	switch {
	case of == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case of == reflect.TypeFor[robotstxt.Dialect]():
		return map[string]any{"enum": textsOf(robotstxt.Dialects())}
	case of == reflect.TypeFor[robotstxt.Reason]():
		return map[string]any{"enum": reasons()}
	case of == reflect.TypeFor[robotstxt.MatchedBy]():
		return map[string]any{"enum": []robotstxt.MatchedBy{robotstxt.MatchedByName, robotstxt.MatchedByFallback,
			robotstxt.MatchedByStar,
			robotstxt.MatchedByNone}}
	case of.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return map[string]any{"type": "string"}
	}
	switch of.Kind() {
	case reflect.String:
		if words := w.words[nameOf(of)]; words != nil && of.PkgPath() != reflect.TypeFor[crawlers.Entry]().PkgPath() {
			return map[string]any{"enum": words}
		}
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Array:
		return map[string]any{"type": "array", "items": w.value(of.Elem(), true), "minItems": of.Len(), "maxItems": of.Len()}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": w.value(of.Elem(), true)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": w.value(of.Elem(), true)}
	case reflect.Pointer:
		if optional {
			return w.value(of.Elem(), true)
		}
		return map[string]any{"anyOf": []any{w.value(of.Elem(), true), map[string]any{"type": "null"}}}
	case reflect.Struct:
		name := nameOf(of)
		if _, isLine := lines[name]; !isLine && w.defs[name] == nil {
			w.defs[name] = true // a struct may contain its own type
			w.defs[name] = w.object(of)
		}
		return map[string]any{"$ref": "#/$defs/" + name}
	}
	panic("no schema for " + of.String())
}

// nameOf returns the name of a type in the schema. Types of package permission have a prefix,
// because some have the name of another line.
func nameOf(of reflect.Type) string {
	if of.PkgPath() == reflect.TypeFor[permission.Answer]().PkgPath() {
		return "Permission" + of.Name()
	}
	return of.Name()
}

// wordsOf returns the values of the typed constants in words.go, of robotstxt.Body, semdiff.Extent,
// semdiff.Size and package permission.
func wordsOf(t *testing.T) map[string][]string {
	t.Helper()
	words := map[string][]string{}
	for _, source := range [][2]string{{"words.go", ""}, {"../../../../body.go", ""}, {"../../../../semdiff/extent.go", ""}, {"../../../../semdiff/site.go", ""}, {"../../../../permission/permission.go", "Permission"}} {
		name, prefix := source[0], source[1]
		for of, values := range constantsIn(t, name) {
			words[prefix+of] = append(words[prefix+of], values...)
		}
	}
	return words
}

// constantsIn returns the values of the typed constants in a file, by the names of their types.
func constantsIn(t *testing.T, name string) map[string][]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			values[of.Name] = append(values[of.Name], value)
		}
		return true
	})
	return values
}

// TestCauses: the causes are the reasons of package fetch.
func TestCauses(t *testing.T) {
	causes, reasons := constantsIn(t, "words.go")["Cause"], constantsIn(t, "../../../../fetch/reason.go")["Reason"]
	slices.Sort(causes)
	slices.Sort(reasons)
	if len(causes) < 13 || !slices.Equal(causes, reasons) {
		t.Errorf("the causes are %v, the reasons %v", causes, reasons)
	}
}

// reasons returns the names of all reasons of a decision.
func reasons() (names []string) {
	for r := robotstxt.Reason(0); !strings.Contains(r.String(), "("); r++ {
		names = append(names, r.String())
	}
	return names
}

func textsOf[T interface{ String() string }](values []T) (texts []string) {
	for _, v := range values {
		texts = append(texts, v.String())
	}
	return texts
}
