package term

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// PrintJSON prints a value as JSON on one line. The line is safe to print on a
// terminal and in the log of a CI server.
//
// The value can encode itself, as a [json.Marshaler] or with AppendJSON, which
// appends the same text and is faster. Its JSON must have no line ends.
func PrintJSON(out io.Writer, value any) error {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	line, err := appendJSON((*buffer)[:0], value)
	if err != nil {
		return err
	}
	if cap(line) <= largestBuffer {
		*buffer = line
	}
	_, err = out.Write(escapeJSON(line))
	return err
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

const largestBuffer = 1 << 16

// appendJSON appends a value as JSON and a line end. It calls a Marshaler directly,
// because encoding/json parses and copies the result, which takes longer than making it.
func appendJSON(to []byte, value any) (_ []byte, err error) {
	switch v := value.(type) {
	case interface{ AppendJSON([]byte) ([]byte, error) }:
		to, err = v.AppendJSON(to)
	case json.Marshaler:
		to, err = v.MarshalJSON()
	default:
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false) // URLs are full of '&'
		err = encoder.Encode(value)
		return b.Bytes(), err
	}
	return append(to, '\n'), err
}

// escapeJSON escapes what could still control a terminal, such as DEL, C1
// controls and direction marks, as \uHHHH, and the commands that withoutOrders
// escapes. They occur in strings only, so the JSON keeps its meaning.
func escapeJSON(line []byte) []byte {
	if bytes.Contains(line, []byte("##")) {
		line = []byte(ordersInJSON.Replace(string(line)))
	}
	if isPlain(line[:len(line)-1]) {
		return line
	}
	safe := make([]byte, 0, len(line)+64)
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		switch {
		case r == '\n' || unicode.IsPrint(r):
			safe = append(safe, line[i:i+size]...)
		case r > 0xffff:
			// JSON writes these as a surrogate pair.
			r -= 0x10000
			safe = fmt.Appendf(safe, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			safe = fmt.Appendf(safe, `\u%04x`, r)
		}
		i += size
	}
	return safe
}

var ordersInJSON = strings.NewReplacer("##[", `#\u0023[`, "##vso[", `#\u0023vso[`, "##teamcity[", `#\u0023teamcity[`)
