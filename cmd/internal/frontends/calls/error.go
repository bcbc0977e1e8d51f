package calls

import (
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Error is an error of a request. Its JSON form is what the WebAssembly module returns;
// a service returns it in the form of RFC 9457.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`         // one sentence without a final stop
	Hint    string `json:"hint,omitempty"`  // what to do
	Field   string `json:"field,omitempty"` // the field of the request that is wrong
	Limit   string `json:"limit,omitempty"` // the field of Limits that was exceeded
}

// Code is the kind of an error. The values are stable.
type Code string

// The codes.
const (
	CodeMalformed Code = "malformed-request" // not JSON, or with an unknown field
	CodeUnknown   Code = "unknown-call"      // there is no such call
	CodeInvalid   Code = "invalid-field"     // Field has a wrong value
	CodeLimit     Code = "limit-exceeded"    // Limit names the limit
	CodeMemory    Code = "out-of-memory"     // of the WebAssembly module
	CodeInternal  Code = "internal"          // a fault of this program
)

// Error returns the message, with the field if there is one.
func (e *Error) Error() string {
	if e.Field != "" {
		return e.Field + ": " + e.Message
	}
	return e.Message
}

// Invalid returns the error for a wrong value of a field. The hint of err is kept.
func Invalid(field string, err error) *Error {
	return &Error{Code: CodeInvalid, Field: field, Message: err.Error(), Hint: term.HintOf(err)}
}
