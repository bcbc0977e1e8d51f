package valkey

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync/atomic"
)

// errNotValkey says that what is at an address is something else.
var errNotValkey = errors.New("what answers there is no Valkey or Redis server")

const (
	maxBulk     = 16 << 20 // of a string in a reply; an entry has some 2 MiB at most
	maxElements = 1 << 20  // of an array in a reply; the greatest are those about a Cluster
	maxDepth    = 16
	maxLine     = 64 << 10
)

// checkedConn ends with an error where a server says what no Valkey says: a
// reply that nobody asked for, or a length that no reply has. Either would make
// valkey-go panic, and end a process because of a wrong port in a setting.
type checkedConn struct {
	net.Conn
	asked   atomic.Int64 // commands without a reply so far
	written frames
	read    frames
}

func dial(ctx context.Context, address string, dialer *net.Dialer, config *tls.Config) (net.Conn, error) {
	var conn net.Conn
	var err error
	if config != nil {
		conn, err = (&tls.Dialer{NetDialer: dialer, Config: config}).DialContext(ctx, "tcp", address)
	} else {
		conn, err = dialer.DialContext(ctx, "tcp", address)
	}
	if err != nil {
		return nil, err
	}
	return &checkedConn{Conn: conn}, nil
}

// Write counts the commands in p before it writes them, or their replies might
// come first.
func (c *checkedConn) Write(p []byte) (int, error) {
	if err := c.written.follow(p, func(byte) bool { c.asked.Add(1); return true }); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// Read returns nothing of what holds something wrong.
func (c *checkedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err := c.read.follow(p[:n], c.expects); err != nil {
		return 0, err
	}
	return n, err
}

// expects reports whether a message of this kind may come now. Pushes may
// always: sentinels tell of changes with them.
func (c *checkedConn) expects(kind byte) bool {
	return kind == '>' || c.asked.Add(-1) >= 0
}

// frames follows a stream of messages in RESP3, to know where each begins. The
// parts of the protocol that no server uses with us are errors.
type frames struct {
	line []byte // the header of the element so far, if it came in parts
	skip int    // bytes of a string that are still to come
	left []int  // elements that are still to come, of each array that is open
}

// follow reads on. It calls begin with the kind of each message, and returns
// an error if that reports false.
func (f *frames) follow(p []byte, begin func(kind byte) bool) error {
	for len(p) > 0 {
		if f.skip > 0 {
			n := min(f.skip, len(p))
			p = p[n:]
			if f.skip -= n; f.skip == 0 {
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
			return fmt.Errorf("%w: it sends a line of more than %d bytes", errNotValkey, maxLine)
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

// header reads the line that an element begins with, or consists of.
func (f *frames) header(line []byte, begin func(kind byte) bool) error {
	if len(line) < 3 || line[len(line)-2] != '\r' {
		return fmt.Errorf("%w: it sends %.20q", errNotValkey, line)
	}
	kind := line[0]
	if len(f.left) == 0 && !begin(kind) {
		return fmt.Errorf("%w: it sends %.20q without being asked", errNotValkey, line)
	}
	switch kind {
	case '+', '-', ':', '_', '#', ',', '(':
		f.elementDone()
		return nil
	case '$', '=', '!', '*', '~', '>', '%':
	default:
		return fmt.Errorf("%w: it sends %.20q", errNotValkey, line)
	}
	n, err := strconv.Atoi(string(line[1 : len(line)-2]))
	isString := kind == '$' || kind == '=' || kind == '!'
	switch {
	case err != nil || n < -1 || isString && n > maxBulk || n > maxElements && !isString || len(f.left) == maxDepth:
		return fmt.Errorf("%w: it sends %.20q", errNotValkey, line)
	case n < 0, n == 0 && !isString: // nothing, or nothing in it
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

// elementDone closes the arrays whose last element it was.
func (f *frames) elementDone() {
	for len(f.left) > 0 {
		last := len(f.left) - 1
		if f.left[last]--; f.left[last] > 0 {
			return
		}
		f.left = f.left[:last]
	}
}
