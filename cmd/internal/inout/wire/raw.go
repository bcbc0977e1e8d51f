package wire

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// rawStrings returns the bytes of all strings in a value that are not UTF-8, by
// their JSON Pointers.
func rawStrings(value any) map[string][]byte {
	raw := make(map[string][]byte)
	eachString(reflect.ValueOf(value), "", func(pointer string, s reflect.Value) {
		if text := s.String(); !utf8.ValidString(text) {
			raw[pointer] = []byte(text)
		}
	})
	return raw
}

// restore puts bytes back into the strings of a value. It returns the number of
// pointers that lead to no string.
func restore(value any, raw map[string][]byte) (unused int) {
	unused = len(raw)
	if unused == 0 {
		return 0
	}
	eachString(reflect.ValueOf(value), "", func(pointer string, s reflect.Value) {
		if content, ok := raw[pointer]; ok && s.CanSet() {
			s.SetString(string(content))
			unused--
		}
	})
	return unused
}

// eachString calls do for each string of a value that encoding/json writes as a JSON
// string. It skips values with a MarshalJSON method, such as times and objects with
// their own field raw, and maps, which contain no text from files.
func eachString(v reflect.Value, pointer string, do func(pointer string, s reflect.Value)) {
	if v.IsValid() && writesItself(v.Type()) && pointer != "" {
		return
	}
	switch v.Kind() {
	case reflect.String:
		do(pointer, v)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachString(v.Elem(), pointer, do)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() != reflect.Uint8 { // encoding/json writes base64
			for i := range v.Len() {
				eachString(v.Index(i), pointer+"/"+strconv.Itoa(i), do)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			eachStringOfField(v, i, pointer, do)
		}
	}
}

func eachStringOfField(v reflect.Value, i int, pointer string, do func(pointer string, s reflect.Value)) {
	field := v.Type().Field(i)
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case name == "-" || !field.IsExported() && !field.Anonymous:
	case field.Anonymous && name == "":
		eachString(v.Field(i), pointer, do) // its fields are fields of the object
	default:
		if name == "" {
			name = field.Name
		}
		eachString(v.Field(i), pointer+"/"+name, do)
	}
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

func writesItself(t reflect.Type) bool {
	return t.Implements(jsonMarshaler) || t.Implements(textMarshaler)
}
