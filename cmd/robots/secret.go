package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// maxSecret is the limit in bytes of the line with a secret, because the file can be a device or a
// pipe that never ends.
const maxSecret = 4 << 10

// readSecret returns the first line of the file that a flag names.
func readSecret(flag, name string) (string, error) {
	in, err := openFileInput(name)
	if err != nil {
		return "", term.Prefixed("--"+flag+": ", err)
	}
	defer in.close()
	line, err := firstLine(in)
	secret := strings.TrimSpace(string(line))
	switch {
	case errors.Is(err, errLongSecret):
		return "", term.Errorf("--%s: the first line of %q is over %d bytes long", flag, name, maxSecret).Hint("write the secret into its first line")
	case err != nil:
		return "", term.Prefixed("--"+flag+": ", in.unreadable(err))
	case secret == "":
		return "", term.Errorf("--%s: the first line of %q is empty", flag, name).Hint("write the secret into it")
	}
	return secret, nil
}

var errLongSecret = errors.New("the first line is too long")

// firstLine returns the bytes before the first line feed. The error is errLongSecret if there are
// more than maxSecret.
func firstLine(in io.Reader) ([]byte, error) {
	line, err := bufio.NewReaderSize(in, maxSecret+1).ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, errLongSecret
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	}
	return bytes.TrimSuffix(line, []byte("\n")), nil
}
