package crawlers_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
)

// TestSchema checks that crawlers.schema.json names the fields of the structs, and the
// purposes. Tests of the tool validate crawlers.json with it.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile("crawlers.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	type object struct {
		Required   []string                   `json:"required"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var schema struct {
		Defs struct {
			Crawler, Claim object
		} `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		object object
		fields []string
	}{
		{schema.Defs.Crawler, append(jsonNames(reflect.TypeFor[crawlers.Crawler]()), "claims")},
		{schema.Defs.Claim, jsonNames(reflect.TypeFor[crawlers.Claim]())},
	} {
		if !slices.Equal(test.object.Required, test.fields) {
			t.Errorf("the schema requires %q, want %q", test.object.Required, test.fields)
		}
		if len(test.object.Properties) != len(test.fields) {
			t.Errorf("the schema has %d properties, want %d", len(test.object.Properties), len(test.fields))
		}
	}
	var purposes struct {
		Items struct{ Enum []crawlers.Purpose }
	}
	if err := json.Unmarshal(schema.Defs.Crawler.Properties["purposes"], &purposes); err != nil ||
		!slices.Equal(purposes.Items.Enum, crawlers.Purposes()) {
		t.Errorf("the schema has the purposes %q, want %q (%v)", purposes.Items.Enum, crawlers.Purposes(), err)
	}
}

func jsonNames(of reflect.Type) (names []string) {
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
