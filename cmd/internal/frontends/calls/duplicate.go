package calls

import (
	"encoding/json"
	"strings"
	"unicode"
)

// duplicateKey returns the first key that an object in a text has twice. The text must be valid
// JSON. encoding/json silently takes the last value, so a proxy that reads the first one would
// see another request. Names of fields are compared as encoding/json does, without case.
func duplicateKey(text []byte) (key string, found bool) {
	var objects []map[string]bool // the keys of each open object, nil for a list
	isKey := false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			objects, isKey = append(objects, map[string]bool{}), true
		case '[':
			objects, isKey = append(objects, nil), false
		case '}', ']':
			objects, isKey = objects[:len(objects)-1], false
		case ',':
			isKey = objects[len(objects)-1] != nil
		case ':':
			isKey = false
		case '"':
			end := i + stringEnd(text[i:])
			if isKey {
				var name string
				_ = json.Unmarshal(text[i:end], &name) // valid
				keys, folded := objects[len(objects)-1], strings.Map(fold, name)
				if keys[folded] {
					return name, true
				}
				keys[folded] = true
			}
			i = end - 1
		}
	}
	return "", false
}

// stringEnd returns the length of the JSON string that a text begins with.
func stringEnd(text []byte) int {
	for i := 1; ; i++ {
		switch text[i] {
		case '"':
			return i + 1
		case '\\':
			i++ // the character after it
		}
	}
}

// fold returns the smallest of the letters that differ only in case.
func fold(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}
