package fleet_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// siteFaults are the ways in which an origin fails. They are those of the fault table of
// package fetch that make robots.txt unreachable. They are whole responses, because net/http
// would not send most of these.
var siteFaults = []func(net.Conn){
	hold,
	func(net.Conn) {}, // closed without a response
	reset(""),
	reset("HTTP/1.1 20"),
	reset("HTTP/1.1 200 OK\r\nContent-Le"),
	reset("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\n"),
	reset("HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n"),
	respond("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\n"),
	respond("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nUser-agent: *\n"),
	respond("HTTP/1.1 200 OK\r\nContent-Length: 14\r\nContent-Length: 9\r\n\r\nUser-agent: *\n"),
	respond("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nUser-agent: *\n\r\n0\r\n\r\n"),
	respond("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\nUser-agent: *\n"),
	respond("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ne\r\nUser-agent: *\n\r\n"),
	endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", "0123456789abcdef"),
	endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-Y: zzzz\r\n"),
	respond("User-agent: *\n"),
	respond(strings.Repeat("\xff\x00\x1b[", 1000)),
	respond("HTTP/1.1 abc OK\r\n\r\n"),
	respond("HTTP/1.1 2000 OK\r\n\r\n"),
	respond("HTTP/1.1 200 OK\r\nnonsense\r\n\r\nUser-agent: *\n"),
	endless("HTTP/1.1 200 OK\r\nX-Y: ", "0123456789abcdef"),
	endless("HTTP/1.1 200 OK\r\n", "X-Y: zzzz\r\n"),
	endless("HTTP/1.1 200 ", "0123456789abcdef"),
	endless("", "HTTP/1.1 103 Early Hints\r\n\r\n"),
	respond(whole("206 Partial Content", "User-agent: *\n", "Content-Range: bytes 0-13/100")),
	respond(head("304 Not Modified") + "\r\n"),
	respond(whole("429 Slow Down", "")),
	respond(whole("500 Oops", "<h1>Oops")),
	respond(whole("503 Later", "")),
	respond(whole("503 Later", "", "Retry-After: 90")),
	respond(whole("999 No", "")),
	respond(whole("200 OK", "not gzip", "Content-Encoding: gzip")),
	respond(whole("200 OK", gzipped("User-agent: *\n")[:20], "Content-Encoding: gzip")),
	respond(whole("200 OK", "what?", "Content-Encoding: br")),
	respond(whole("302 Found", "", "Location: http://127.0.0.1:1/robots.txt")), // a port that refuses
}

// hold waits until the client closes the connection.
func hold(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

func respond(response string) func(net.Conn) {
	return func(conn net.Conn) { say(conn, response) }
}

// reset sends a part of a response, and ends the connection with RST.
func reset(part string) func(net.Conn) {
	return func(conn net.Conn) {
		say(conn, part)
		time.Sleep(10 * time.Millisecond)
		_ = conn.(*net.TCPConn).SetLinger(0)
	}
}

// endless repeats a part until the client ends the connection.
func endless(first, part string) func(net.Conn) {
	part = strings.Repeat(part, 4<<10/len(part))
	return func(conn net.Conn) {
		for ok := say(conn, first); ok; ok = say(conn, part) {
		}
	}
}

// head returns the beginning of a response. Each connection serves one request.
func head(status string, headers ...string) string {
	return "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + strings.Join(append(headers, ""), "\r\n")
}

// whole returns a response.
func whole(status, body string, headers ...string) string {
	return head(status, append(headers, "Content-Length: "+strconv.Itoa(len(body)))...) + "\r\n" + body
}

// say writes a text, and reports whether the client took it.
func say(conn net.Conn, text string) bool {
	_, err := conn.Write([]byte(text))
	return err == nil
}

// gzipped returns a compressed text.
func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text)) // a buffer has no errors
	_ = w.Close()
	return b.String()
}
