package fetch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jlaffaye/ftp"
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// tryFTP gets a robots.txt by anonymous RETR (Page: file location and range of
// validity), over EPSV or else PASV.
func (c *Client) tryFTP(ctx context.Context, o origin.Origin) attempt {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil) // closes both connections
	s := &ftpSession{client: c, ctx: ctx, cancel: cancel}
	a := s.retrieve(o)
	if a.err != nil {
		a.err = explain(ctx, a.err)
	}
	return a
}

// ftpSession is the two connections of one fetch. They are closed when its
// context ends, so that no deadline is needed on them.
type ftpSession struct {
	client  *Client
	ctx     context.Context
	cancel  context.CancelCauseFunc
	control *controlConn
	trusted context.Context // for the data connection
}

// retrieve logs in and gets the file.
func (s *ftpSession) retrieve(o origin.Origin) attempt {
	a := attempt{url: o.RobotsURL()}
	if err := s.dialControl(o); err != nil {
		return a.fail(err)
	}
	server, err := ftp.Dial(o.Addr(), ftp.DialWithDialFunc(s.dial), ftp.DialWithShutTimeout(s.client.config.FirstByteTimeout))
	if err != nil {
		return s.refused(a, err)
	}
	if err := server.Login("anonymous", "anonymous"); err != nil {
		return s.refused(a, err)
	}
	response, err := server.Retr("robots.txt")
	if err != nil {
		return s.refused(a, err)
	}
	if err := s.client.readBody(response, &a); err != nil {
		return a.fail(err)
	}
	a.status, a.class, a.delimited = ftp.StatusClosingDataConnection, classFile, true
	if a.truncated {
		return a // the rest, and the server's last word on it, is dropped
	}
	// Only that word tells a whole file from one that broke off.
	err = response.Close()
	if err != nil && s.control.code != ftp.StatusRequestedFileActionOK {
		return s.broken(a, err)
	}
	_ = server.Quit() // we have what we came for
	return a
}

// dialControl connects to the server itself. A host that is trusted is trusted
// for its data connections as well.
func (s *ftpSession) dialControl(o origin.Origin) error {
	s.trusted = s.ctx
	if s.client.trusts(o) {
		s.trusted = safedial.Trust(s.ctx, o.Host())
	}
	conn, err := dialerFor(s.client.config)(s.trusted, "tcp", o.Addr())
	if err != nil {
		return err
	}
	context.AfterFunc(s.ctx, func() { conn.Close() })
	s.control = newControlConn(conn, s.client.config.FirstByteTimeout)
	if s.client.trusts(o) {
		if host, _, err := net.SplitHostPort(conn.RemoteAddr().String()); err == nil {
			s.trusted = safedial.Trust(s.ctx, host)
		}
	}
	return nil
}

// dial gives the library its connections, first the one for control. The
// library dials the data connection to that one's address, whatever address the
// server names (RFC 2577 3: the bounce attack), and the guard is asked again.
func (s *ftpSession) dial(network, address string) (net.Conn, error) {
	if !s.control.handedOut {
		s.control.handedOut = true
		return s.control, nil
	}
	conn, err := dialerFor(s.client.config)(s.trusted, network, address)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(s.ctx, func() { conn.Close() })
	return &dataConn{conn, newWire(conn, s.client.wireBudget(), s.client.config.MinRate, s.cancel)}, nil
}

// refused gives an error before the transfer the class of its reply. A file is
// unavailable only if that is what RETR was told.
func (s *ftpSession) refused(a attempt, err error) attempt {
	a = s.broken(a, err)
	for _, r := range ftpStatuses {
		if a.status < r.first || a.status > r.last || r.class == classUnavailable && s.control.command != "RETR" {
			continue
		}
		a.class, a.err = r.class, nil
	}
	return a
}

// broken is a fault that the server may have given a code for. Not all of the
// library's errors have it.
func (s *ftpSession) broken(a attempt, err error) attempt {
	a.status, a.body, a.delimited = 0, nil, false
	if code := s.control.code; code >= 400 || code == ftp.StatusLoginNeedAccount {
		a.status = code
		err = statusError{"FTP", code, s.control.text}
	}
	return a.fail(err)
}

// dataConn watches a data connection as the body of a response is watched.
type dataConn struct {
	net.Conn
	wire *wire
}

func (d *dataConn) Read(p []byte) (int, error) { return d.wire.Read(p) }

func (d *dataConn) Close() error {
	d.wire.stop()
	return d.Conn.Close()
}

// The bounds of a control connection: on all that a server says, on each line of
// it, and on how much of a line the library gets to see.
const (
	controlBudget = 64 << 10
	controlLine   = 4 << 10
	controlText   = 512
)

// controlConn stands between an FTP server and the library, which would read
// lines of any length and replies of any number of lines, at a cost that grows
// with their square. It passes the last line of each reply, which is the one that counts
// (RFC 959 4.2), notes its code, and gives the server limited time for it.
type controlConn struct {
	net.Conn
	lines     *bufio.Reader
	rest      []byte // of a line, not handed out yet
	wait      time.Duration
	handedOut bool

	command string // the last one sent
	code    int    // of the reply to it, 0 before
	text    string
}

func newControlConn(conn net.Conn, wait time.Duration) *controlConn {
	c := &controlConn{Conn: conn, wait: wait, lines: bufio.NewReaderSize(&budgetReader{conn, controlBudget}, controlLine)}
	c.expectReply()
	return c
}

// expectReply fails only on a closed connection, as reading will then.
func (c *controlConn) expectReply() { _ = c.Conn.SetReadDeadline(time.Now().Add(c.wait)) }

// Write sends a command; the library writes each as a whole. To QUIT no reply
// is awaited.
func (c *controlConn) Write(p []byte) (int, error) {
	if command, _, _ := strings.Cut(strings.TrimSpace(string(p)), " "); command != "QUIT" {
		c.command, c.code = command, 0
		c.expectReply()
	}
	return c.Conn.Write(p)
}

func (c *controlConn) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		if err := c.readReply(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// readReply reads up to the line with a code and no hyphen behind it; all lines
// in between belong to the reply, whatever they begin with, other codes too.
func (c *controlConn) readReply() error {
	first := ""
	for {
		line, err := c.lines.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			return errors.New("an FTP reply with an endless line")
		}
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		code, text, final := splitReply(string(line))
		switch {
		case first == "" && code == "":
			return fmt.Errorf("%.40q is no FTP reply", line)
		case first == "" && !final:
			first = code
		case final && (first == "" || first == code):
			c.code, _ = strconv.Atoi(code)
			c.text = text[:min(len(text), controlText)]
			c.rest = []byte(code + " " + c.text + "\r\n")
			return nil
		}
	}
}

// splitReply takes a line apart: code, text, and whether nothing follows. A
// code alone is a reply too.
func splitReply(line string) (code, text string, final bool) {
	line = strings.TrimRight(line, "\r\n")
	if len(line) < 3 || strings.Trim(line[:3], "0123456789") != "" || len(line) > 3 && line[3] != ' ' && line[3] != '-' {
		return "", "", false
	}
	if len(line) == 3 {
		return line, "", true
	}
	return line[:3], line[4:], line[3] == ' '
}
