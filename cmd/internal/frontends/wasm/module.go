package wasm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
)

// Module is the state of an instance of the WebAssembly module.
type Module struct {
	calls map[string]calls.Call
	in    []byte
	out   []byte
	files table[*file]
	rules table[*rules]
}

// New returns a module with calls, by name.
func New(calls map[string]calls.Call) *Module { return &Module{calls: calls} }

// MostInput is the size of the largest input in bytes. It leaves room for the result in
// a module's memory of at most 4 GiB.
const MostInput = 256 << 20

// largestKept is the size of the largest buffer that is kept for the next call.
const largestKept = 4 << 20

// Input returns a buffer for the next input of a size. It is valid until the next call
// of Input. The result is nil if the size is not possible.
func (m *Module) Input(size int32) []byte {
	if size < 0 || size > MostInput {
		return nil
	}
	if int(size) > cap(m.in) || cap(m.in) > largestKept && int(size) <= largestKept {
		m.in = make([]byte, max(int(size), 4096))
	}
	m.in = m.in[:cap(m.in)]
	return m.in
}

// Output returns the output of the last function. It is valid until the next one.
func (m *Module) Output() []byte { return m.out }

// Call answers a request of the API. The input is the name of the call and then the
// request in JSON. The result is the size of the output, which is the result in JSON.
func (m *Module) Call(nameSize, requestSize int32) (size int32) {
	defer m.recovered(&size)
	name, request, err := m.split(nameSize, requestSize)
	if err != nil {
		return m.fail(err)
	}
	call := m.calls[string(name)]
	if call == nil {
		return m.fail(&calls.Error{Code: calls.CodeUnknown, Message: fmt.Sprintf("there is no call %q in this module", name),
			Hint: "the module without the linter has only check, explain, diff and outline"})
	}
	result, err := call(context.Background(), request, calls.Unlimited())
	if err != nil {
		return m.fail(err)
	}
	return m.put(result)
}

func (m *Module) split(first, second int32) ([]byte, []byte, error) {
	if first < 0 || second < 0 || int(first)+int(second) > len(m.in) {
		return nil, nil, &calls.Error{Code: calls.CodeInternal, Message: "the input is smaller than its declared sizes"}
	}
	return m.in[:first], m.in[first : first+second], nil
}

// put makes a text the output.
func (m *Module) put(text []byte) int32 {
	m.out = text
	return int32(len(text))
}

// fail makes an error the output.
func (m *Module) fail(err error) int32 {
	e, ok := errors.AsType[*calls.Error](err)
	if !ok {
		e = &calls.Error{Code: calls.CodeInternal, Message: err.Error()}
	}
	text, _ := json.Marshal(e) // a struct of strings has no error
	return -m.put(text)
}

// recovered turns a panic into an error. It must be deferred.
func (m *Module) recovered(result *int32) {
	if cause := recover(); cause != nil {
		*result = m.fail(&calls.Error{Code: calls.CodeInternal, Message: fmt.Sprint(cause), Hint: "this is a bug in the module: please report it"})
	}
}
