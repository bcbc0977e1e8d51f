// Package wire is the JSON form of answers, explanations, sites, findings and
// events, for every front end: the tool, a service, a page. docs/json.md describes
// it, and schema.json is its JSON Schema, generated from the types here.
//
// The types are plain structs. Besides the standard library, the package imports
// only the engine, so that a program without a network can use it too; package
// answer fills the structs.
//
// Each object begins with the field schema, see [Schema]. Strings that are not
// UTF-8, such as the bytes of a rule, have U+FFFD for each wrong byte, and their
// bytes are in the object's field raw, see [Line].
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// Schema is the value of the field schema of every object. It changes if a field
// gets another meaning, but not if a field is added.
const Schema = 1

// Line is an object whose type is not in this package: a struct, to which the fields
// schema and raw are added. The field raw maps the JSON Pointer (RFC 6901) of each
// string that is not UTF-8 to its bytes in base64. It is absent if there are no such
// strings.
type Line struct{ Object any }

// MarshalJSON returns the object with the fields schema and raw.
func (l Line) MarshalJSON() ([]byte, error) { return encode(l.Object) }

// UnmarshalJSON reads an object into l.Object, a pointer to a struct.
func (l *Line) UnmarshalJSON(text []byte) error { return decode(text, l.Object) }

// opening is the beginning of every object. Its fields follow.
const opening = `{"schema":1`

// encode returns a struct, or a pointer to one, as an object with the fields schema
// and raw. It does not call the struct's own MarshalJSON if value has a type
// without methods.
func encode(value any) ([]byte, error) { return appendTo(nil, value) }

// appendTo appends what encode returns.
func appendTo(to []byte, value any) ([]byte, error) {
	e := encoders.Get().(*encoder)
	defer func() {
		if e.text.Cap() <= largestBuffer {
			encoders.Put(e)
		}
	}()
	e.text.Reset()
	if err := e.json.Encode(value); err != nil {
		return nil, err
	}
	fields := bytes.TrimSuffix(bytes.TrimPrefix(e.text.Bytes(), []byte("{")), []byte("}\n"))
	to = append(slices.Grow(to, len(opening)+len(fields)+2), opening...)
	if len(fields) > 0 {
		to = append(append(to, ','), fields...)
	}
	if mayLackBytes(fields) {
		if raw := rawStrings(value); len(raw) > 0 {
			text, err := json.Marshal(raw)
			if err != nil {
				return nil, err
			}
			to = append(append(to, `,"raw":`...), text...)
		}
	}
	return append(to, '}'), nil
}

const largestBuffer = 1 << 16

// encoder is an encoder with its output. Encoders are reused, because allocating one
// takes longer than encoding an answer.
type encoder struct {
	text bytes.Buffer
	json *json.Encoder
}

var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.json = json.NewEncoder(&e.text)
	e.json.SetEscapeHTML(false) // URLs are full of '&'
	return e
}}

// mayLackBytes reports whether JSON can contain a replacement character, escaped
// or not. Without one no string has lost bytes, and none need be looked at.
func mayLackBytes(text []byte) bool {
	return bytes.Contains(text, []byte(`\ufffd`)) || bytes.Contains(text, []byte("\ufffd"))
}

// decode is the reverse of encode. An object of another schema is an error.
func decode(text []byte, to any) error {
	var envelope struct {
		Schema int               `json:"schema"`
		Raw    map[string][]byte `json:"raw"`
	}
	if err := json.Unmarshal(text, &envelope); err != nil {
		return err
	}
	if envelope.Schema != Schema {
		return fmt.Errorf("wire: schema %d is not %d, the only one known", envelope.Schema, Schema)
	}
	if err := json.Unmarshal(text, to); err != nil {
		return err
	}
	if unused := restore(to, envelope.Raw); unused > 0 {
		return fmt.Errorf("wire: %d fields of raw are not strings of the object", unused)
	}
	return nil
}
