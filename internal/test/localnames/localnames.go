// Package localnames is the resolver of tests: it answers as a name server does, but knows only
// localhost. No test depends on the names that a machine knows, or waits for its resolver.
package localnames

import (
	"context"
	"encoding/binary"
	"io"
	"net"

	"golang.org/x/net/dns/dnsmessage"
)

// Resolver returns a resolver of package net whose name server is this package.
func Resolver() *net.Resolver { return &net.Resolver{PreferGo: true, Dial: dial} }

// Use makes Resolver the resolver of the whole process, for tests of programs that choose none.
func Use() { net.DefaultResolver = Resolver() }

// dial returns a connection to the name server. It is not a net.PacketConn, so messages have
// their length before them, as over TCP. It opens no socket.
func dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	go serve(server)
	return client, nil
}

func serve(conn net.Conn) {
	defer conn.Close()
	for {
		var length [2]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(conn, query); err != nil {
			return
		}
		reply, err := answer(query)
		if err != nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

// answer returns the reply to a query: 127.0.0.1 for localhost, and "no such name" for any
// other.
func answer(query []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil || len(m.Questions) != 1 {
		return nil, io.ErrUnexpectedEOF
	}
	m.Response, m.Authoritative, m.RecursionAvailable, m.Additionals = true, true, true, nil
	q := m.Questions[0]
	switch {
	case q.Name.String() != "localhost.":
		m.RCode = dnsmessage.RCodeNameError
	case q.Type == dnsmessage.TypeA:
		header := dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET}
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}}}
	}
	return m.Pack()
}
