package wire

import _ "embed"

//go:embed schema.json
var jsonSchema []byte

// JSONSchema returns the JSON Schema of all objects, schema.json. It must not be changed.
func JSONSchema() []byte { return jsonSchema }
