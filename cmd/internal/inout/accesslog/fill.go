package accesslog

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// fill sets the request from the values of fields.
func (p *Parser) fill(e *Entry, values *[slots][]byte) error {
	e.Method = values[slotMethod]
	if method, _, found := bytes.Cut(e.Method, []byte(" ")); found {
		e.Method = method // of a request line
	}
	target := values[slotTarget]
	isText := p.Format != nil && p.Format.parts != nil
	isEscaped := isText && (hasEscape(target) || hasEscape(values[slotRequest]) || hasEscape(values[slotQuery]))
	if isText {
		target = p.unescape(target)
	}
	isLine := !isText && bytes.HasPrefix(lastField(target), []byte("HTTP/"))
	if isLine && bytes.IndexByte(target, ' ') >= 0 {
		values[slotRequest] = target
	}
	switch line := values[slotRequest]; {
	case line != nil:
		p.queries = true
		target = e.requestLine(p.unescapeIf(isText, line))
	case values[slotDecoded] != nil && target == nil:
		target, e.Decoded = values[slotDecoded], true
	case isText && p.Format.isMapped:
		path, _, _ := bytes.Cut(target, []byte("?"))
		e.Decoded, e.Mapped = isDecoded(path), true
	}
	if query := values[slotQuery]; query != nil {
		p.queries = true
		query = bytes.TrimPrefix(p.unescapeIf(isText, query), []byte("?"))
		if len(query) > 0 && string(query) != "-" && bytes.IndexByte(target, '?') < 0 {
			target = p.join(target, "?", query)
		}
	}
	if p.isNamed() {
		p.queries = true
		if p.Format.text == "akamai" && len(target) > 0 && target[0] != '/' {
			target = p.join([]byte("/"), "", target)
		}
	}
	isApart := values[slotQuery] != nil || p.Map["query"] != "" || p.isNamed()
	e.Bare = isApart && values[slotRequest] == nil && bytes.IndexByte(target, '?') < 0
	setTarget(e, target)
	e.Decoded = e.Decoded || isEscaped
	e.Agent = p.agent(p.unescapeIf(isText, values[slotAgent]), isText)
	e.Status = int(max(number(values[slotStatus]), 0))
	if values[slotBytes] == nil {
		e.setSent(values[slotSent])
	} else {
		e.setBytes(values[slotBytes])
		e.Headed = e.Sized && p.Map != nil
	}
	p.setHost(e, values)
	e.Addr = p.clientAddr(values[slotAddr], values[slotForwarded])
	return p.setTimes(e, values)
}

func (p *Parser) unescapeIf(is bool, text []byte) []byte {
	if is {
		return p.unescape(text)
	}
	return text
}

func lastField(text []byte) []byte { return text[bytes.LastIndexByte(text, ' ')+1:] }

// requestLine sets the method and returns the target of a request line, nil if it has none.
func (e *Entry) requestLine(line []byte) (target []byte) {
	method, target, found := bytes.Cut(line, []byte(" "))
	e.Method = method
	if !found {
		return nil
	}
	target = bytes.TrimSpace(target)
	if i := bytes.LastIndex(target, []byte(" HTTP/")); i >= 0 {
		target = target[:i]
	}
	return target
}

// setBytes sets the size of an answer. Servers write - for an answer without a body.
func (e *Entry) setBytes(text []byte) {
	size := number(text)
	e.Sized = size >= 0 || string(text) == "-"
	e.Bytes = max(size, 0)
}

// setSent sets the size of an answer with its headers. A - there says nothing.
func (e *Entry) setSent(text []byte) {
	size := number(text)
	e.Sized, e.Headed, e.Bytes = size >= 0, size >= 0, max(size, 0)
}

// isDecoded reports whether a path certainly had percent codes, or still has some.
func isDecoded(path []byte) bool {
	return bytes.ContainsFunc(path, func(r rune) bool { return r == '%' || r == '+' || r > 0x7e || r <= ' ' })
}

// agent returns the User-Agent header. CDNs write it with percent codes instead of its spaces.
func (p *Parser) agent(text []byte, isText bool) []byte {
	if string(text) == "-" {
		text = nil
	}
	if len(text) > 0 {
		p.agents = true
	}
	if isText || bytes.IndexByte(text, ' ') >= 0 || bytes.IndexByte(text, '%') < 0 {
		return text
	}
	return p.percentDecoded(p.percentDecoded(text))
}

func (p *Parser) setHost(e *Entry, values *[slots][]byte) {
	e.Host = values[slotHost]
	if e.Host == nil && values[slotConfigured] != nil {
		e.Host, e.Configured = values[slotConfigured], true
	}
	p.setPort(e, values[slotPort])
	if e.HasHost() && len(e.Port) > 0 {
		e.Scheme = e.PortScheme()
	}
	if tls := string(values[slotTLS]); tls != "" && tls != "-" && tls != "off" {
		e.Scheme = "https"
	}
	if scheme := strings.ToLower(string(values[slotScheme])); scheme == "http" || scheme == "https" {
		e.Scheme = scheme
	}
	e.Schemeless = e.Scheme == "" && (values[slotTLS] != nil || p.Map["scheme"] != "")
}

// PortScheme returns the scheme of Port if it is a default port, otherwise "".
func (e *Entry) PortScheme() string {
	switch string(e.Port) {
	case "443":
		return "https"
	case "80":
		return "http"
	}
	return ""
}

// setPort sets the port of the server, which is also that of a host without one.
func (p *Parser) setPort(e *Entry, text []byte) {
	if number(text) <= 0 {
		return
	}
	e.Port = text
	if e.HasHost() && len(portOf(e.Host)) == 0 {
		e.Host = p.join(e.Host, ":", e.Port)
	}
}

// clientAddr returns the client's address. If the connection came from a trusted proxy, that is the last
// address of X-Forwarded-For that is not a trusted proxy: clients can forge those before it.
func (p *Parser) clientAddr(connection, forwarded []byte) []byte {
	if len(p.Trusted) == 0 || !p.isTrusted(connection) {
		return connection
	}
	all := bytes.Split(forwarded, []byte(","))
	for _, field := range slices.Backward(all) {
		field = bytes.TrimSpace(field)
		if !p.isTrusted(field) {
			return field
		}
	}
	return nil
}

func (p *Parser) isTrusted(field []byte) bool {
	addr, ok := Address(field)
	return ok && slices.ContainsFunc(p.Trusted, func(prefix netip.Prefix) bool { return prefix.Contains(addr) })
}

// timedFormats log when the request came.
var timedFormats = []string{"alb", "envoy", "haproxy"}

func (p *Parser) setTimes(e *Entry, values *[slots][]byte) error {
	if p.Need&Time == 0 {
		return nil
	}
	text := values[slotTime]
	if bracketed := values[slotBracketed]; bracketed != nil {
		text = bytes.TrimSuffix(bytes.TrimPrefix(bracketed, []byte("[")), []byte("]"))
	}
	isZoned := false
	if date := values[slotDate]; date != nil {
		text, isZoned = p.join(date, " ", text), true // CloudFront's times are UTC
	}
	took := durationOf(values[slotTook])
	if n := number(values[slotTookMilli]); n > 0 {
		took = time.Duration(n) * time.Millisecond
	}
	if n := number(values[slotTookMicro]); n > 0 { // the finer of two
		took = time.Duration(n) * time.Microsecond
	}
	if values[slotBracketed] != nil {
		took, e.Timed = 0, true // %t is when the request came
		return p.setTime(e, text, isZoned, took)
	}
	e.Timed = len(values[slotTook]) > 0 || p.Format != nil && slices.Contains(timedFormats, p.Format.text)
	return p.setTime(e, text, isZoned, took)
}
