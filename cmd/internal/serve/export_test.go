package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

// What the tests outside of the package need of it.

const (
	ShortFile  = shortFile
	SmallCheck = `{"body":"User-agent: *\nDisallow: /\n","urls":["/cart"]}`
)

// ClientN returns a client.
func ClientN(n int) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, byte(n)}) }

// Shares are what is used of the budgets of a server.
type Shares struct{ Memory, Requests, Streams, Work, Short int64 }

// InUse returns what a client uses.
func (s *Server) InUse(client int) Shares {
	at := ClientN(client)
	return s.shares(func(b *budget) int64 { return b.clients[at] })
}

// Used returns what all clients use.
func (s *Server) Used() Shares { return s.shares(func(b *budget) int64 { return b.used }) }

func (s *Server) shares(of func(*budget) int64) Shares {
	locked := func(b *budget) int64 {
		b.mu.Lock()
		defer b.mu.Unlock()
		return of(b)
	}
	return Shares{locked(s.memory), locked(s.underway), locked(s.streams), locked(&s.work.budget), locked(&s.all.budget)}
}

// Waiting returns how many requests wait for a turn.
func (s *Server) Waiting() (n int) {
	s.work.mu.Lock()
	defer s.work.mu.Unlock()
	for _, in := range []*queues{&s.work.first, &s.work.later} {
		for _, queue := range in.of {
			n += len(queue)
		}
	}
	return n
}

// TakeTurn takes a turn of long requests until the result is called.
func (s *Server) TakeTurn(ctx context.Context, client int) (leave func(), err error) {
	at := ClientN(client)
	return func() { s.work.leave(at) }, s.work.enter(ctx, at, true, 0)
}

// Amplifying returns a request whose answers are a thousand times as long.
func Amplifying(t *testing.T, urls, agents int) string {
	t.Helper()
	r := map[string]any{"body": "User-agent: *\nDisallow: /p" + strings.Repeat("*", 430) + "\n"}
	var names, paths []string
	for i := range agents {
		names = append(names, fmt.Sprintf("%c%c%c", 'a'+i/100, 'a'+i/10%10, 'a'+i%10))
	}
	for i := range urls {
		paths = append(paths, fmt.Sprintf("/p%d", i))
	}
	r["agents"], r["urls"] = names, paths
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
