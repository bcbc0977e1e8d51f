package valkeytest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// This file is the part of RESP2, the protocol of Valkey, that tests need. A client library
// would be a requirement of the root module, which every importer inherits.

// writeCommand writes a command as an array of strings.
func writeCommand(w io.Writer, arguments []string) error {
	var frame strings.Builder
	fmt.Fprintf(&frame, "*%d\r\n", len(arguments))
	for _, argument := range arguments {
		fmt.Fprintf(&frame, "$%d\r\n%s\r\n", len(argument), argument)
	}
	_, err := io.WriteString(w, frame.String())
	return err
}

// readReply reads a reply: a string, int64, []any or nil. An error that the server reports
// is the error.
func readReply(r *bufio.Reader) (any, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	line = strings.TrimSuffix(line, "\r\n")
	if line == "" {
		return nil, errors.New("an empty line instead of a reply")
	}
	kind, rest := line[0], line[1:]
	switch kind {
	case '+':
		return rest, nil
	case '-':
		return nil, errors.New(rest)
	}
	n, err := strconv.ParseInt(rest, 10, 64)
	switch {
	case err != nil:
		return nil, fmt.Errorf("unexpected reply %q", line)
	case kind == ':':
		return n, nil
	case kind == '$' && n < 0, kind == '*' && n < 0:
		return nil, nil
	case kind == '$':
		text := make([]byte, n+int64(len("\r\n")))
		if _, err := io.ReadFull(r, text); err != nil {
			return nil, err
		}
		return string(text[:n]), nil
	case kind == '*':
		replies := make([]any, n)
		for i := range replies {
			replies[i], err = readReply(r)
			if err != nil {
				return nil, err
			}
		}
		return replies, nil
	}
	return nil, fmt.Errorf("unexpected reply %q", line)
}
