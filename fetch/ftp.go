package fetch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/jlaffaye/ftp"
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// tryFTP fetches robots.txt by anonymous RETR, over EPSV or PASV. [Page: file
// location and range of validity]
func (c *Client) tryFTP(ctx context.Context, o origin.Origin) attempt {
	if err := requestPermission(ctx, origin.Origin{}, o); err != nil {
		return attemptAt(o.RobotsURL()).fail(err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil) // closes both connections
	s := &ftpSession{client: c, ctx: ctx, cancel: cancel}
	a := s.retrieve(o)
	if a.err != nil {
		a.err = withCause(ctx, a.err)
	}
	return a
}

// ftpSession has the control and the data connection of one fetch. Both are closed
// when ctx ends, so they need no deadline for the whole fetch.
type ftpSession struct {
	client  *Client
	ctx     context.Context
	cancel  context.CancelCauseFunc
	control *controlConn
}

func (s *ftpSession) retrieve(o origin.Origin) attempt {
	a := attemptAt(o.RobotsURL())
	if err := s.dialControl(o); err != nil {
		return a.fail(err)
	}
	conn, err := ftp.Dial(o.Addr(), ftp.DialWithDialFunc(s.dial),
		ftp.DialWithShutTimeout(s.client.config.Limits.FirstByteTimeout))
	if err == nil {
		err = conn.Login("anonymous", "anonymous")
	}
	var response *ftp.Response
	if err == nil {
		response, err = conn.Retr("robots.txt")
	}
	if err != nil {
		return s.refused(a, err)
	}
	if err := s.client.readBody(response, &a); err != nil {
		return a.fail(err)
	}
	a.Status = ftp.StatusClosingDataConnection
	a.Class = classFile
	a.Delimited = true
	if a.Truncated {
		return a // the rest of the file and the final reply are not needed
	}
	// Only the final reply shows whether the file is complete.
	err = response.Close()
	if err != nil && s.control.code != ftp.StatusRequestedFileActionOK {
		return s.broken(a, err)
	}
	_ = conn.Quit() // the file is complete, so an error does not matter
	return a
}

func (s *ftpSession) dialControl(o origin.Origin) error {
	if err := s.client.checkFTPProxy(s.ctx, o); err != nil {
		return err
	}
	ctx, _ := s.client.trust(s.ctx, o)
	conn, err := s.connect(ctx, o.Addr())
	if err == nil {
		s.control = newControlConn(conn, s.client.config.Limits.FirstByteTimeout)
	}
	return err
}

// connect opens a connection, which is closed when the session ends.
func (s *ftpSession) connect(ctx context.Context, address string) (net.Conn, error) {
	conn, err := s.client.dialer.DialContext(ctx, "tcp", address)
	if err == nil {
		context.AfterFunc(s.ctx, func() { conn.Close() })
	}
	return conn, err
}

// dial returns the connections that the FTP library requests: first the control
// connection, then the data connection. The library dials the data connection to
// the address of the control connection, whatever address the reply contains.
func (s *ftpSession) dial(_, address string) (net.Conn, error) {
	if !s.control.handedOut {
		s.control.handedOut = true
		return s.control, nil
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		_, port, _ := net.SplitHostPort(address)
		return nil, fmt.Errorf("the FTP server chose %.40q as its data port", port)
	}
	if err := checkDataConn(at.Addr(), s.control.named, at.Port()); err != nil {
		return nil, err
	}
	// The guard has accepted this address for the control connection.
	ctx := safedial.Trust(s.ctx, at.Addr().String(), at.Port())
	conn, err := s.connect(ctx, address)
	if err != nil {
		return nil, err
	}
	return &dataConn{conn, newWire(conn, s.client.wireBudget(), s.client.config.Limits.MinRate, s.cancel)}, nil
}

// refused classifies an error before the transfer by the server's reply. Only a reply to
// RETR can make the file unavailable.
func (s *ftpSession) refused(a attempt, err error) attempt {
	a = s.broken(a, err)
	if c := classIn(ftpStatuses, a.Status); c == classForbidden || c == classUnavailable && s.control.command == "RETR" {
		a.Class, a.err = c, nil
	}
	return a
}

// broken returns a failed attempt with the code of the last reply, if that is an
// error. Some errors of the library do not contain the code.
func (s *ftpSession) broken(a attempt, err error) attempt {
	a.Status = 0
	a.body = nil
	a.Delimited = false
	if code := s.control.code; code >= 400 || code == ftp.StatusLoginNeedAccount {
		a.Status = code
		err = statusError{"FTP", code, s.control.text}
	}
	return a.fail(err)
}

type dataConn struct {
	net.Conn
	wire *wire
}

func (d *dataConn) Read(p []byte) (int, error) { return d.wire.Read(p) }

// The bounds of a control connection, in bytes.
const (
	controlBudget = 64 << 10 // all replies
	controlLine   = 4 << 10  // one line
	controlText   = 512      // the part of a line that the library receives
)

// controlConn filters the replies of an FTP server for the library. The library
// would read lines of any length and replies of any number of lines, in quadratic
// time. controlConn passes on only the last line of each reply, which contains the
// result, records its code, and limits the time for each reply. [RFC 959 4.2]
type controlConn struct {
	net.Conn
	lines     *bufio.Reader
	rest      []byte // the part of a line that has not been read yet
	wait      time.Duration
	handedOut bool

	command string     // the last command sent
	code    int        // code of the reply to it, 0 before the reply
	text    string     // text of that reply
	named   netip.Addr // the address in a reply to PASV; invalid if it contains none
}

func newControlConn(conn net.Conn, wait time.Duration) *controlConn {
	c := &controlConn{Conn: conn, wait: wait,
		lines: bufio.NewReaderSize(&budgetReader{conn, controlBudget}, controlLine)}
	c.expectReply()
	return c
}

// expectReply sets the deadline for the next reply. It can fail only on a closed
// connection, and then reading fails too.
func (c *controlConn) expectReply() { _ = c.Conn.SetReadDeadline(time.Now().Add(c.wait)) }

// Write sends a command. The library writes each command in one call. The reply to
// QUIT is not needed.
func (c *controlConn) Write(p []byte) (int, error) {
	if command, _, _ := strings.Cut(strings.TrimSpace(string(p)), " "); command != "QUIT" {
		c.command, c.code, c.named = command, 0, netip.Addr{}
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

// readReply reads up to the line with a code that is not followed by a hyphen. All
// lines before it belong to the reply, even if they begin with another code.
func (c *controlConn) readReply() error {
	first := ""
	for {
		line, err := c.lines.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			return fmt.Errorf("FTP reply with a line of more than %d bytes", controlLine)
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
			return fmt.Errorf("%.40q is not an FTP reply", line)
		case first == "" && !final:
			first = code
		case final && (first == "" || first == code):
			c.code, _ = strconv.Atoi(code)
			c.text = text[:min(len(text), controlText)]
			return c.passOn()
		}
	}
}

// passOn hands the recorded reply to the library, which panics at some addresses of data
// connections. So it receives an address only in the one form that readPassive accepts.
func (c *controlConn) passOn() (err error) {
	text := c.text
	if c.command == "PASV" && c.code == ftp.StatusPassiveMode {
		text, c.named, err = readPassive(c.text)
		if err != nil {
			return err
		}
	}
	c.rest = fmt.Appendf(nil, "%03d %s\r\n", c.code, text)
	return nil
}

// readPassive returns the six numbers in the text of a reply to PASV, in brackets, and the
// address that the first four are, which is invalid if they are none. [RFC 959 4.1.2]
func readPassive(text string) (list string, named netip.Addr, err error) {
	_, list, _ = strings.Cut(text, "(")
	list = list[:max(strings.LastIndexByte(list, ')'), 0)]
	numbers := strings.Split(list, ",")
	isAddress := len(numbers) == 6
	for _, port := range numbers[min(4, len(numbers)):] {
		_, err := strconv.ParseUint(port, 10, 8)
		isAddress = isAddress && err == nil
	}
	if !isAddress {
		return "", named, fmt.Errorf("the FTP reply %.60q to PASV contains no address of a data connection", text)
	}
	named, _ = netip.ParseAddr(strings.Join(numbers[:4], "."))
	return "(" + list + ")", named, nil
}

// splitReply splits a line into code and text. final reports that it is the last
// line of a reply. A code without text is valid too.
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
