package accesslog

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// directive begins the line that names the columns of a W3C log. It can come again.
var directive = []byte("#Fields:")

// columns are where the fields of a W3C log are.
type columns struct {
	names []string // nil before the first directive
	cells [][]byte // of the latest line

	date, time, took, addr, host, port, scheme, method, stem, query, agent, status, size int // -1: none
}

// read reads a directive or another comment.
func (c *columns) read(p *Parser, line []byte) error {
	rest, is := bytes.CutPrefix(line, directive)
	if !is {
		return nil
	}
	c.names = []string{}
	for name := range bytes.FieldsSeq(rest) {
		c.names = append(c.names, string(name))
	}
	c.date, c.time, c.took = c.find("date"), c.find("time"), c.find("time-taken")
	c.addr, c.host, c.port, c.scheme = c.find("c-ip"), c.find("x-host-header"), c.find("s-port"), c.find("cs-protocol")
	c.method, c.stem, c.query = c.find("cs-method"), c.find("cs-uri-stem"), c.find("cs-uri-query")
	c.agent, c.status, c.size = c.find("cs(User-Agent)"), c.find("sc-status"), c.find("sc-bytes")
	isCloudFront := c.host >= 0 || c.find("x-edge-location") >= 0
	hostName := "x-host-header"
	if !isCloudFront {
		hostName = "cs-host"
		c.host, c.scheme = c.find(hostName), -1
	}
	for _, needed := range []struct {
		field  Field
		column int
		name   string
	}{
		{0, c.stem, "cs-uri-stem"}, {0, c.query, "cs-uri-query"}, {Time, c.date, "date"}, {Time, c.time, "time"}, {Addr, c.addr, "c-ip"},
		{Host, c.host, hostName}, {Agent, c.agent, "cs(User-Agent)"}, {Method, c.method, "cs-method"}, {Status, c.status, "sc-status"},
	} {
		if needed.column < 0 && (needed.field == 0 || p.Need&needed.field != 0) {
			hint := "let the server log this field"
			if needed.field == Host {
				hint = "name the site: --site https://shop.example"
			}
			return term.Errorf("%s has no field %s", p.Name, needed.name).Hint(hint)
		}
	}
	p.agents = p.agents || c.agent >= 0
	return nil
}

func (c *columns) find(name string) int { return slices.Index(c.names, name) }

// cell returns a field of the latest line, nil if it is absent or has no value.
func (c *columns) cell(column int) []byte {
	if column < 0 || string(c.cells[column]) == "-" {
		return nil
	}
	return c.cells[column]
}

// record reads a line with the columns of the latest directive: CloudFront separates columns
// with tabs, IIS with spaces.
func (p *Parser) record(line []byte, e *Entry) error {
	c := &p.columns
	form, separator := IIS, byte(' ')
	if bytes.IndexByte(line, '\t') >= 0 {
		form, separator = CloudFront, '\t'
	}
	c.cells = c.cells[:0]
	for rest, more := line, true; more && len(c.cells) <= len(c.names); {
		var cell []byte
		cell, rest, more = bytes.Cut(rest, []byte{separator})
		c.cells = append(c.cells, cell)
	}
	if len(c.cells) != len(c.names) || !p.is(form) {
		return ErrUnreadable
	}
	e.Addr, e.Host, e.Method = c.cell(c.addr), c.cell(c.host), c.cell(c.method)
	e.Status, e.Bytes = int(max(number(c.cell(c.status)), 0)), max(number(c.cell(c.size)), 0)
	if form == CloudFront {
		e.Scheme = "https" // even of web sockets
		if string(c.cell(c.scheme)) == "http" {
			e.Scheme = "http"
		}
		e.Agent = p.percentDecoded(p.percentDecoded(c.cell(c.agent)))
	} else {
		if port := c.cell(c.port); len(e.Host) > 0 && len(port) > 0 && len(portOf(e.Host)) == 0 {
			e.Host = p.join(e.Host, ":", port)
		}
		setScheme(e)
		e.Agent = p.withBlanks(c.cell(c.agent))
	}
	target := c.cell(c.stem)
	e.Decoded = form == IIS && bytes.ContainsFunc(target, func(r rune) bool { return r == '%' || r == '+' || r > 0x7e })
	if query := c.cell(c.query); len(query) > 0 {
		target = p.join(target, "?", query)
	}
	setTarget(e, target)
	if p.Need&Time == 0 {
		return nil
	}
	return p.setTime(e, p.join(c.cell(c.date), " ", c.cell(c.time)), true, tookOf(c.cell(c.took), form))
}

// tookOf returns a duration in the unit of a form: seconds or milliseconds.
func tookOf(text []byte, form Form) time.Duration {
	if len(text) == 0 {
		return 0
	}
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(n > 0 && n < 1e9) {
		return 0
	}
	unit := time.Second
	if form == IIS {
		unit = time.Millisecond
	}
	return time.Duration(n * float64(unit))
}

// join returns two texts with a third one between them.
func (p *Parser) join(a []byte, between string, b []byte) []byte {
	begin := len(p.scratch)
	p.scratch = append(append(append(p.scratch, a...), between...), b...)
	return p.scratch[begin:]
}

// withBlanks returns a text in which IIS wrote + for blanks.
func (p *Parser) withBlanks(text []byte) []byte {
	begin := len(p.scratch)
	p.scratch = append(p.scratch, text...)
	for i, c := range p.scratch[begin:] {
		if c == '+' {
			p.scratch[begin+i] = ' '
		}
	}
	return p.scratch[begin:]
}

// percentDecoded returns a text with the octets of its percent codes.
func (p *Parser) percentDecoded(text []byte) []byte {
	if bytes.IndexByte(text, '%') < 0 {
		return text
	}
	begin := len(p.scratch)
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if octet, ok := ascii.Unhex(text[i+1:]); ok {
				p.scratch = append(p.scratch, octet)
				i += 2
				continue
			}
		}
		p.scratch = append(p.scratch, text[i])
	}
	return p.scratch[begin:]
}
