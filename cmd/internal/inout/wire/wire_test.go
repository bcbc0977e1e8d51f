package wire_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
)

// values are empty values of all types that are lines.
func values() []any {
	return []any{
		new(wire.Answer), new(wire.Explanation), new(wire.Check), new(wire.Site), new(wire.Findings),
		new(wire.Statistic), new(wire.CatalogueEntry), new(wire.Event), new(wire.CacheEntry), new(wire.CacheStats),
		new(wire.Comparison),
		new(wire.GridRow), new(wire.CrawlerCount), new(wire.SiteCount),
		new(wire.LineCount), new(wire.AIView), new(wire.Permit),
		new(wire.Answers), new(wire.Formatted), new(wire.Fetched), new(wire.URLs), new(wire.Resources),
		new(wire.Diagnostics), new(wire.Hover), new(wire.Completions), new(wire.Tokens), new(wire.Symbols),
		new(wire.FileOutline),
	}
}

// FuzzRoundTrip: every value comes back as it was, whatever bytes its strings
// have, and its JSON is valid UTF-8 that the schema allows. AppendJSON appends the
// same.
func FuzzRoundTrip(f *testing.F) {
	for _, seed := range []string{"", "/cart?a=1&b=<2>", "a\xffb", "\ufffd", `\ufffd`, "\xed\xa0\x80", "\x00\u2028~/", "\xc3"} {
		f.Add(seed, 7)
	}
	schema := compiled(f)
	f.Fuzz(func(t *testing.T, text string, n int) {
		for _, want := range values() {
			fill(reflect.ValueOf(want).Elem(), text, n)
			line, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			if a, ok := want.(interface{ AppendJSON([]byte) ([]byte, error) }); ok {
				appended, err := a.AppendJSON([]byte("before"))
				alone, _ := want.(json.Marshaler).MarshalJSON()
				if err != nil || string(appended) != "before"+string(alone) {
					t.Errorf("AppendJSON appends %s, %v, want %s", appended, err, alone)
				}
			}
			got := reflect.New(reflect.TypeOf(want).Elem()).Interface()
			if err := json.Unmarshal(line, got); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v\nis written as %s\nand read as %+v", want, line, got)
			}
			_, wordsOnly := want.(*wire.Tokens) // which has no other strings
			if !utf8.Valid(line) || !wordsOnly && utf8.ValidString(text) == bytes.Contains(line, []byte(`"raw":`)) &&
				!strings.Contains(text, "raw") {
				t.Errorf("%q: got %s", text, line)
			}
			validate(t, schema, line)
		}
	})
}

// fill gives all strings of a value a text and all numbers one number. Words keep
// to their sets.
func fill(v reflect.Value, text string, n int) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(int64(uint32(n)), 7).UTC()))
		return
	case robotstxt.Dialect:
		v.Set(reflect.ValueOf(robotstxt.Dialects()[uint(n)%3]))
		return
	case robotstxt.Reason:
		v.Set(reflect.ValueOf(robotstxt.ReasonEmptyRule))
		return
	}
	words := map[string]string{"Verdict": "unknown", "MatchedBy": "none", "Body": "html", "Outcome": "local", "Source": "stale", "Cause": "network", "Extent": "partly", "Size": "most", "ChangeEffect": "opens",
		"TokenKind": "key", "ResourceKind": "style", "Says": "limit", "Strength": "draft", "Kind": "open"}
	switch v.Kind() {
	case reflect.String:
		if word := words[v.Type().Name()]; word != "" {
			text = word
		}
		v.SetString(text)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Float64:
		v.SetFloat(float64(n) / 4)
	case reflect.Bool:
		v.SetBool(n%2 == 0)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text, n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), text, n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), text, n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Type == reflect.SliceOf(v.Type()) || v.Type().Field(i).Tag.Get("json") == "-" {
				continue // a symbol contains symbols; a Decision's MatchedBy is not in its JSON
			}
			fill(v.Field(i), text, n)
		}
	}
}

func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(t *testing.T, schema *jsonschema.Schema, line []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// TestRaw shows the form: the bytes of a rule and of a nested object's header.
func TestRaw(t *testing.T) {
	a := wire.Answer{Rule: "Disallow: /\xff", Query: wire.Query{Tokens: []string{"a", "\xc3"}}}
	line, _ := json.Marshal(a)
	for _, want := range []string{
		`{"schema":1,"url":""`, `"rule":"Disallow: /\ufffd"`,
		`"raw":{"/rule":"RGlzYWxsb3c6IC//","/tokens/1":"ww=="}}`,
	} {
		if !strings.Contains(string(line), want) {
			t.Errorf("got %s\nwithout %s", line, want)
		}
	}
	e := wire.Explanation{Fetch: &wire.Site{Headers: []wire.Header{{Name: "Content-Type", Value: "\xff"}}}}
	line, _ = json.Marshal(e)
	if want := `"raw":{"/headers/0/value":"/w=="}}}`; !strings.HasSuffix(string(line), want) {
		t.Errorf("got %s, want at the end %s", line, want)
	}
}

// TestLine: a struct of another package gets the same fields.
func TestLine(t *testing.T) {
	c, _ := crawlers.Find("GPTBot") // whose lists are not nil
	want := crawlers.Entry{Crawler: c, Claims: crawlers.Claims(c.Token)}
	want.Token, want.Fallbacks, want.Claims[0].Quote = "Foo\xff", []string{"\xfe"}, "\xfd"
	line, err := json.Marshal(wire.Line{Object: want})
	if err != nil {
		t.Fatal(err)
	}
	validate(t, compiled(t), line)
	var got crawlers.Entry
	if err := json.Unmarshal(line, &wire.Line{Object: &got}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s is read as %+v (%v)", line, got, err)
	}
	if line, err := json.Marshal(wire.Line{Object: struct{}{}}); string(line) != `{"schema":1}` {
		t.Errorf("got %s (%v)", line, err)
	}
}

// TestUnmarshalErrors: an object of another schema, or whose raw does not fit, is
// refused rather than read in part.
func TestUnmarshalErrors(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"schema":2}`, `{"schema":"1"}`, `[]`,
		`{"schema":1,"raw":{"/nothing":"ww=="}}`,
		`{"schema":1,"raw":{"/line":"ww=="}}`,
		`{"schema":1,"raw":{"/rule":"?"}}`,
	} {
		if err := json.Unmarshal([]byte(text), new(wire.Answer)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

// TestDependencies: a program without a network can import the package. With
// net/http a WebAssembly program grows from 2.3 to 6.2 MB.
func TestDependencies(t *testing.T) {
	output, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(output))
	for _, unwanted := range []string{"net", "net/http", "os/exec", "text/template"} {
		if slices.Contains(deps, unwanted) {
			t.Errorf("the package depends on %s", unwanted)
		}
	}
	if !slices.Contains(deps, "github.com/kosterhq/robotstxt") {
		t.Error("go list does not report the engine")
	}
}
