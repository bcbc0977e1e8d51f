package accesslog

import (
	"bytes"
	"strconv"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// directive begins the line that names the columns of a W3C log. It can come again.
var directive = []byte("#Fields:")

type columns struct {
	at    map[string]int // by name, the first of equal ones; nil before the first directive
	n     int
	host  string   // the field with the host
	cells [][]byte // of the latest line
}

func (c *columns) read(p *Parser, line []byte) error {
	rest, is := bytes.CutPrefix(line, directive)
	if !is {
		return nil
	}
	c.at = map[string]int{}
	c.n = 0
	for name := range bytes.FieldsSeq(rest) {
		if !c.has(string(name)) {
			c.at[string(name)] = c.n
		}
		c.n++
	}
	c.host = "cs-host"
	if c.has("x-host-header") || c.has("x-edge-location") {
		c.host = "x-host-header"
	}
	for _, needed := range []struct {
		field Field
		name  string
	}{
		{0, "cs-uri-stem"}, {0, "cs-uri-query"}, {Time, "date"}, {Time, "time"}, {Addr, "c-ip"}, {Host, c.host}, {Agent, "cs(User-Agent)"}, {Method, "cs-method"}, {Status, "sc-status"},
	} {
		if !c.has(needed.name) && (needed.field == 0 || p.Need&needed.field != 0) {
			hint := "let the server log this field"
			if needed.field == Host {
				hint = "name the site: --site https://shop.example"
			}
			return term.Errorf("%s has no field %s", p.Name, needed.name).Hint(hint)
		}
	}
	p.agents = p.agents || c.has("cs(User-Agent)")
	return nil
}

func (c *columns) has(name string) bool {
	_, has := c.at[name]
	return has
}

// cell returns a field of the latest line, nil if it is absent or has no value.
func (c *columns) cell(name string) []byte {
	i, has := c.at[name]
	if !has || string(c.cells[i]) == "-" {
		return nil
	}
	return c.cells[i]
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
	for rest, more := line, true; more && len(c.cells) <= c.n; {
		var cell []byte
		cell, rest, more = bytes.Cut(rest, []byte{separator})
		c.cells = append(c.cells, cell)
	}
	if len(c.cells) != c.n || !p.takeForm(form) {
		return ErrUnreadable
	}
	e.Addr = c.cell("c-ip")
	e.Host = c.cell(c.host)
	e.Method = c.cell("cs-method")
	e.Status = int(max(number(c.cell("sc-status")), 0))
	e.setSent(c.cell("sc-bytes"))
	e.Timed = len(c.cell("time-taken")) > 0
	if form == CloudFront {
		e.Scheme = "https" // even for web sockets
		if string(c.cell("cs-protocol")) == "http" {
			e.Scheme = "http"
		}
		e.Agent = p.percentDecoded(p.percentDecoded(c.cell("cs(User-Agent)")))
	} else {
		p.setPort(e, c.cell("s-port"))
		if e.HasHost() {
			setScheme(e)
		}
		e.Agent = p.withBlanks(c.cell("cs(User-Agent)"))
	}
	target := c.cell("cs-uri-stem")
	if form == IIS {
		e.Decoded, e.Mapped = isDecoded(target) || bytes.IndexByte(target, '?') >= 0, true
	}
	if query := c.cell("cs-uri-query"); len(query) > 0 {
		target = p.join(target, "?", query)
	} else {
		e.Bare = true
	}
	setTarget(e, target)
	if p.Need&Time == 0 {
		return nil
	}
	return p.setTime(e, p.join(c.cell("date"), " ", c.cell("time")), true, tookOf(c.cell("time-taken"), form))
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

func (p *Parser) join(a []byte, between string, b []byte) []byte {
	begin := len(p.scratch)
	p.scratch = append(append(append(p.scratch, a...), between...), b...)
	return p.scratch[begin:]
}

// withBlanks returns a text with spaces where IIS wrote +.
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

func (p *Parser) percentDecoded(text []byte) []byte {
	if bytes.IndexByte(text, '%') < 0 {
		return text
	}
	begin := len(p.scratch)
	p.scratch = ascii.AppendDecoded(p.scratch, text)
	return p.scratch[begin:]
}
