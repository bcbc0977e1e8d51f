package safedial_test

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer answers address queries over UDP on loopback. A name has a list of
// answers: the first query of a type gets the first one, and so on; the last
// answer repeats. An answer is a list of addresses or one "=alias".
type nameServer struct {
	conn    net.PacketConn
	answers map[string][][]string

	mu      sync.Mutex
	queries map[string]int
}

// resolverFor starts a nameServer and returns a resolver that uses only it.
func resolverFor(t *testing.T, answers map[string][][]string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &nameServer{conn: conn, answers: answers, queries: make(map[string]int)}
	var serving sync.WaitGroup
	serving.Go(s.serve)
	t.Cleanup(func() {
		conn.Close()
		serving.Wait()
	})
	return &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "udp4", conn.LocalAddr().String())
		},
	}
}

func (s *nameServer) serve() {
	packet := make([]byte, 4096)
	for {
		n, from, err := s.conn.ReadFrom(packet)
		if err != nil {
			return
		}
		if reply := s.reply(packet[:n]); reply != nil {
			_, _ = s.conn.WriteTo(reply, from)
		}
	}
}

func (s *nameServer) reply(packet []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(packet) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	answer, known := s.next(q)
	if !known {
		m.RCode = dnsmessage.RCodeNameError
	}
	name := q.Name
	for _, a := range answer {
		header := dnsmessage.ResourceHeader{Name: name, Class: dnsmessage.ClassINET}
		if alias, ok := strings.CutPrefix(a, "="); ok {
			name = dnsmessage.MustNewName(alias)
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.CNAMEResource{CNAME: name}})
			continue
		}
		ip := netip.MustParseAddr(a)
		switch {
		case q.Type == dnsmessage.TypeA && ip.Is4():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: ip.As4()}})
		case q.Type == dnsmessage.TypeAAAA && ip.Is6():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}})
		}
	}
	reply, err := m.Pack()
	if err != nil {
		return nil
	}
	return reply
}

func (s *nameServer) next(q dnsmessage.Question) (answer []string, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	host := strings.ToLower(q.Name.String())
	answers, known := s.answers[host]
	if !known {
		return nil, false
	}
	question := q.Type.String() + " " + host
	at := min(s.queries[question], len(answers)-1)
	s.queries[question]++
	return answers[at], true
}
