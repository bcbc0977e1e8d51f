package valkey

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync/atomic"
)

// errNotValkey means that another kind of server is at an address.
var errNotValkey = errors.New("the server there is not Valkey or Redis")

// The limits of replies. They are larger than any reply to this package.
const (
	maxBulk     = 16 << 20 // bytes of a string; an entry has about 2 MiB at most
	maxElements = 1 << 20  // elements of an array; the largest ones describe a Cluster
	maxDepth    = 16       // nested arrays
	maxLine     = 64 << 10 // bytes of a header line
)

// checkedConn is a connection that returns an error if the server violates the
// protocol: with a reply to no command, or with an impossible length. Either makes
// valkey-go panic, so a wrong port in a configuration would end the process. It leaves
// its set when it is closed.
type checkedConn struct {
	net.Conn
	set     *connections
	pending atomic.Int64 // commands without a reply so far
	written frames
	read    frames
}

func (c *checkedConn) Close() error {
	c.set.mu.Lock()
	delete(c.set.open, c)
	c.set.mu.Unlock()
	return c.Conn.Close()
}

// Write counts the commands in p before it writes them, because their replies can
// arrive before Write returns.
func (c *checkedConn) Write(p []byte) (int, error) {
	if err := c.written.follow(p, func(byte) bool { c.pending.Add(1); return true }); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// Read returns no bytes of a read that contains an error.
func (c *checkedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err := c.read.follow(p[:n], c.countMessage); err != nil {
		return 0, err
	}
	return n, err
}

// countMessage counts a message from the server, and returns false if no command waits for one.
// Push messages are always allowed; sentinels announce changes with them.
func (c *checkedConn) countMessage(kind byte) bool {
	return kind == '>' || c.pending.Add(-1) >= 0
}

// frames finds the start of each message in a RESP3 stream. It rejects features of
// the protocol that servers do not use with this package.
type frames struct {
	line []byte // the start of a header line that is not complete yet
	skip int    // remaining bytes of a string
	left []int  // remaining elements of each open array
}

// follow processes the next bytes of the stream. It calls begin with the kind of each
// message, and returns an error if begin returns false.
func (f *frames) follow(p []byte, begin func(kind byte) bool) error {
	for len(p) > 0 {
		if f.skip > 0 {
			n := min(f.skip, len(p))
			p = p[n:]
			f.skip -= n
			if f.skip == 0 {
				f.elementDone()
			}
			continue
		}
		line, _, whole := bytes.Cut(p, []byte{'\n'})
		line = p[:min(len(line)+1, len(p))]
		p = p[len(line):]
		if !whole || len(f.line) > 0 {
			f.line = append(f.line, line...)
			line = f.line
		}
		if len(line) > maxLine {
			return fmt.Errorf("%w: it sent a line of more than %d bytes", errNotValkey, maxLine)
		}
		if !whole {
			return nil
		}
		if err := f.header(line, begin); err != nil {
			return err
		}
		f.line = f.line[:0]
	}
	return nil
}

// header processes the first, or only, line of an element.
func (f *frames) header(line []byte, begin func(kind byte) bool) error {
	if len(line) < 3 || line[len(line)-2] != '\r' {
		return fmt.Errorf("%w: it sent %.20q", errNotValkey, line)
	}
	kind := line[0]
	if len(f.left) == 0 && !begin(kind) {
		return fmt.Errorf("%w: it sent %.20q without a command", errNotValkey, line)
	}
	switch kind {
	case '+', '-', ':', '_', '#', ',', '(':
		f.elementDone()
		return nil
	case '$', '=', '!', '*', '~', '>', '%':
	default:
		return fmt.Errorf("%w: it sent %.20q", errNotValkey, line)
	}
	n, ok := f.length(line)
	isString := isString(kind)
	switch {
	case !ok:
		return fmt.Errorf("%w: it sent %.20q", errNotValkey, line)
	case n < 0, n == 0 && !isString: // null or empty
		f.elementDone()
	case isString:
		f.skip = n + len("\r\n")
	case kind == '%':
		f.left = append(f.left, 2*n)
	default:
		f.left = append(f.left, n)
	}
	return nil
}

// length returns the length in a line: bytes of a string, or elements of an array, and -1
// for null. ok is false if it is invalid or too large.
func (f *frames) length(line []byte) (n int, ok bool) {
	most := maxElements
	if isString(line[0]) {
		most = maxBulk
	}
	n, err := strconv.Atoi(string(line[1 : len(line)-2]))
	return n, err == nil && -1 <= n && n <= most && len(f.left) < maxDepth
}

func isString(kind byte) bool { return kind == '$' || kind == '=' || kind == '!' }

// elementDone records the end of an element, and of the arrays that end with it.
func (f *frames) elementDone() {
	for len(f.left) > 0 {
		last := len(f.left) - 1
		if f.left[last]--; f.left[last] > 0 {
			return
		}
		f.left = f.left[:last]
	}
}
