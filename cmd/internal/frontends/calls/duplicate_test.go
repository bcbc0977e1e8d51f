package calls_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
)

// TestDuplicateFields: a field that a request has twice is an error, however its name is written,
// and nothing else is.
func TestDuplicateFields(t *testing.T) {
	for text, field := range map[string]string{
		`{"body":"a","body":"b"}`:                          "body",
		`{"body":"a","urls":["/"],"Body":"b"}`:             "Body",
		`{"urls":["/"],"url\u0073":["/x"]}`:                "urls",
		`{"urls":["/"],"ur` + "l\u017f" + `":["/x"]}`:      "ur" + "l\u017f",
		"{\"body\" : \"a\" ,\n \"body\"\t: \"b\" }":        "body",
		`{"body":"a","urls":["body","body"]}`:              "",
		`{"body":"\",\"body\":\"","urls":["{","\\","\""]}`: "",
		`{"urls":[]}`: "",
	} {
		var r calls.CheckRequest
		err := calls.Read([]byte(text), &r)
		if field == "" {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if e, ok := err.(*calls.Error); !ok || e.Code != calls.CodeMalformed || e.Field != field ||
			!strings.Contains(e.Message, "twice") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzDuplicateFields: no valid text makes the search panic, and it finds what a decoder that
// counts keys finds.
func FuzzDuplicateFields(f *testing.F) {
	for _, text := range []string{`{"a":1,"a":2}`, `{"a":{"a":1},"b":[{"a":2}]}`, `{"\u0061":"\\\"","A":1}`, `[[],{}]`, `"x"`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var to any
		err := calls.Read([]byte(text), &to)
		if !json.Valid([]byte(text)) {
			return
		}
		if want := hasDuplicate(json.NewDecoder(strings.NewReader(text))); want != (err != nil) {
			t.Errorf("%q: %v, want a duplicate: %v", text, err, want)
		}
	})
}

// hasDuplicate reports whether an object in the next value has a key twice.
func hasDuplicate(d *json.Decoder) bool {
	token, _ := d.Token()
	if token != json.Delim('{') && token != json.Delim('[') {
		return false
	}
	found := false
	var keys []string
	for d.More() {
		if token == json.Delim('{') {
			key, _ := d.Token()
			for _, known := range keys {
				found = found || strings.EqualFold(known, key.(string))
			}
			keys = append(keys, key.(string))
		}
		found = hasDuplicate(d) || found
	}
	_, _ = d.Token()
	return found
}
