package accesslog

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// unwrap returns the line of a server that is in a line of a log service, or nil. It is valid until the
// next call.
type unwrap func(p *Parser, line []byte) []byte

// findWraps decides what log services did with the lines: the rest of the first line must then be a line
// of a log.
func (p *Parser) findWraps(line []byte) {
	isOwn := bytes.HasPrefix(line, []byte("{")) || p.Format != nil && p.Format.parts != nil
	if isOwn && p.reads(line) {
		return
	}
	for _, wraps := range [][]unwrap{{withoutPrefix}, {fromShipper}, {withoutPrefix, fromShipper}} {
		text := line
		for _, unwrap := range wraps {
			if text != nil {
				text = unwrap(p, text)
			}
		}
		if text != nil && p.reads(text) {
			p.unwraps = wraps
			return
		}
	}
}

// reads reports whether a line without anything around it is a request, or what a server writes about itself.
func (p *Parser) reads(line []byte) bool {
	try := Parser{Name: p.Name, Map: p.Map, Format: p.Format, Zone: time.UTC, isInner: true}
	var e Entry
	ok, err := try.Parse(line, &e)
	isMessage := !ok && try.sample != nil
	return err == nil && (isMessage || ok && (len(e.Target) > 0 || line[0] != '{'))
}

func withoutPrefix(_ *Parser, line []byte) []byte {
	if n := prefixOf(line); n > 0 {
		return line[n:]
	}
	return nil
}

// fromShipper returns the line that the JSON of a program that collects logs contains.
func fromShipper(p *Parser, line []byte) []byte {
	line = bytes.TrimSpace(line)
	if !bytes.HasPrefix(line, []byte("{")) || !json.Valid(line) {
		return nil
	}
	p.shipped.paths = shippedPaths
	p.shipped.read(line)
	if value := p.shipped.values[slotOther]; len(value) == 0 || value[0] != '"' {
		return nil
	}
	return bytes.TrimRight(p.shipped.text(slotOther), "\r\n")
}

// prefixOf returns the length of what a log service wrote before the line of a server: syslog, Docker
// Compose, or Kubernetes.
func prefixOf(line []byte) int {
	for _, length := range []func([]byte) int{syslogLength, composeLength, kubernetesLength} {
		if n := length(line); n > 0 {
			return n
		}
	}
	return 0
}

// syslogLength is for "Nov 10 09:00:00 host program[1]: ", and for RFC 5424, both with or without <priority>.
func syslogLength(line []byte) int {
	rest := line
	if after, is := bytes.CutPrefix(rest, []byte("<")); is {
		n, after, found := bytes.Cut(after, []byte(">"))
		if !found || number(n) < 0 {
			return 0
		}
		rest = after
		if after, is := bytes.CutPrefix(rest, []byte("1 ")); is {
			return len(line) - len(afterRFC5424(after))
		}
	}
	const stamp = "Nov 10 09:00:00 "
	if len(rest) < len(stamp) || rest[3] != ' ' || rest[6] != ' ' || rest[9] != ':' || rest[12] != ':' ||
		rest[15] != ' ' || !bytes.Contains([]byte("JanFebMarAprMayJunJulAugSepOctNovDec"), rest[:3]) || !ascii.IsDigit(rest[5]) || !ascii.IsDigit(rest[14]) {
		return 0
	}
	_, rest, found := bytes.Cut(rest[len(stamp):], []byte(" ")) // the host
	program, rest, isTagged := bytes.Cut(rest, []byte(": "))
	if !found || !isTagged || bytes.IndexByte(program, ' ') >= 0 {
		return 0
	}
	return len(line) - len(rest)
}

// afterRFC5424 returns the message after the time, host, program, process, identifier and data of RFC 5424,
// or the whole text if it is not such a header.
func afterRFC5424(text []byte) []byte {
	rest := text
	for range 5 {
		_, after, found := bytes.Cut(rest, []byte(" "))
		if !found {
			return text
		}
		rest = after
	}
	if after, is := bytes.CutPrefix(rest, []byte("- ")); is {
		return after
	}
	if _, after, found := bytes.Cut(rest, []byte("] ")); found && rest[0] == '[' {
		return after
	}
	return text
}

// composeLength is for "web-1  | ".
func composeLength(line []byte) int {
	name, rest, found := bytes.Cut(line, []byte(" | "))
	name = bytes.TrimRight(name, " ")
	if !found || len(name) == 0 || len(name) > 100 || bytes.ContainsAny(name, " \"[]{}<>:/") {
		return 0
	}
	return len(line) - len(rest)
}

// kubernetesLength is for "2026-11-10T09:00:00Z stdout F ".
func kubernetesLength(line []byte) int {
	at, rest, found := bytes.Cut(line, []byte(" "))
	if !found || len(at) < len("2026-11-10T09:00:00Z") || at[10] != 'T' || at[4] != '-' {
		return 0
	}
	for _, stream := range []string{"stdout F ", "stderr F "} {
		if after, is := bytes.CutPrefix(rest, []byte(stream)); is {
			return len(line) - len(after)
		}
	}
	return 0
}
