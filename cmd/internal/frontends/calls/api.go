// Package calls answers requests of programs about robots.txt files: the HTTP service and
// the WebAssembly module call it, so that both give the same results. Requests and
// results are plain structs with JSON names; most results are structs of package wire,
// in the same form as the JSON of the tool.
//
// This package has the calls of the engine: check, explain, diff, outline. Package editing has
// the calls that need the linter and the data of crawlers. Neither uses a network; a front end
// that fetches does so itself, and calls [CheckRequest.Question] and [Question.Answers].
//
// Every request is bounded by [Limits]. Errors are of type [*Error], except the
// context's.
package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Call answers a request in JSON with a result in JSON. The result is an object on one
// line, without a line end. The error is an [*Error], or ctx's error if ctx ends.
type Call func(ctx context.Context, request []byte, limits Limits) ([]byte, error)

// Calls returns the calls of this package by name.
func Calls() map[string]Call {
	return map[string]Call{
		"check":   Of(Check),
		"explain": Of(Explain),
		"diff":    Of(Diff),
		"outline": Of(Outline),
	}
}

// Of returns a function of this API as a Call. A field that the request does not have is
// an error, because it is a mistake of the caller.
func Of[Request, Result any](answer func(context.Context, *Request, Limits) (Result, error)) Call {
	return func(ctx context.Context, text []byte, limits Limits) ([]byte, error) {
		var request Request
		if err := Read(text, &request); err != nil {
			return nil, err
		}
		result, err := answer(ctx, &request, limits)
		if err != nil {
			return nil, err
		}
		return write(result)
	}
}

// Read reads a request in JSON into a struct. The error is an [*Error].
func Read(text []byte, to any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(to)
	if err == nil {
		if _, more := decoder.Token(); more != io.EOF {
			err = errors.New("the object is followed by more text")
		}
	}
	if err == nil {
		if key, twice := duplicateKey(text); twice {
			return &Error{Code: CodeMalformed, Field: key, Message: "the request has this field twice"}
		}
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return &Error{Code: CodeInvalid, Field: wrong.Field, Message: "it must be " + kindOf(wrong) + ", not " + wrong.Value}
	}
	message := "the request is not the expected JSON: " + term.Reason(err)
	if err == io.EOF {
		message = "the request is empty"
	}
	return &Error{Code: CodeMalformed, Message: message, Hint: "/openapi.json of robots serve lists the fields of each request"}
}

// kindOf returns the kind of value that a field has, in the words of JSON.
func kindOf(wrong *json.UnmarshalTypeError) string {
	switch kind := wrong.Type.Kind().String(); kind {
	case "slice", "array":
		return "a list"
	case "struct", "map":
		return "an object"
	case "bool":
		return "true or false"
	case "string":
		return "a string"
	default:
		return "a number"
	}
}

// write returns a result as JSON, in which '&', '<' and '>' are not escaped.
func write(result any) ([]byte, error) {
	if m, ok := result.(json.Marshaler); ok {
		return m.MarshalJSON()
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(result)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
