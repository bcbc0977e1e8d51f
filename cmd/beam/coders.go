package main

import (
	"encoding/json"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// Workers exchange values as JSON. Beam finds a type's functions by their names.
func init() {
	beam.RegisterCoder(reflect.TypeFor[object](), encodeObject, decodeObject)
	beam.RegisterCoder(reflect.TypeFor[audit.Rows](), encodeRows, decodeRows)
	beam.RegisterCoder(reflect.TypeFor[capture](), encodeCapture, decodeCapture)
	beam.RegisterCoder(reflect.TypeFor[link](), encodeLink, decodeLink)
	beam.RegisterCoder(reflect.TypeFor[ended](), encodeEnded, decodeEnded)
	beam.RegisterCoder(reflect.TypeFor[tally](), encodeTally, decodeTally)
}

func decoded[T any](text []byte) (value T, err error) {
	err = json.Unmarshal(text, &value)
	return value, err
}

func encodeObject(value object) ([]byte, error) { return json.Marshal(value) }
func decodeObject(text []byte) (object, error)  { return decoded[object](text) }

func encodeRows(value audit.Rows) ([]byte, error) { return json.Marshal(value) }
func decodeRows(text []byte) (audit.Rows, error)  { return decoded[audit.Rows](text) }

func encodeCapture(value capture) ([]byte, error) { return json.Marshal(value) }
func decodeCapture(text []byte) (capture, error)  { return decoded[capture](text) }

func encodeLink(value link) ([]byte, error) { return json.Marshal(value) }
func decodeLink(text []byte) (link, error)  { return decoded[link](text) }

func encodeEnded(value ended) ([]byte, error) { return json.Marshal(value) }
func decodeEnded(text []byte) (ended, error)  { return decoded[ended](text) }

func encodeTally(value tally) ([]byte, error) { return json.Marshal(value) }
func decodeTally(text []byte) (tally, error)  { return decoded[tally](text) }
