package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// What the tests outside of the package need of it.

const (
	// Patience is how long a test waits for what happens at once on an idle machine. Only a
	// defect reaches it.
	Patience = 2 * time.Minute

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
	return Shares{locked(s.memory), locked(s.underway), locked(s.streams.budget), locked(s.work), locked(s.all)}
}

// take, give and enter are those of a loan, for tests that keep none.
func (b *budget) take(client netip.Addr, n int64) error {
	return (&loan{of: b, client: client}).take(n)
}

func (b *budget) give(client netip.Addr, n int64) {
	(&loan{of: b, client: client, taken: n}).give(n)
}

func (b *budget) enter(ctx context.Context, client netip.Addr, isFirst bool, wait time.Duration) error {
	return (&loan{of: b, client: client}).await(ctx, 1, isFirst, wait)
}

// waiting returns a request of a client that waits for one.
func (b *budget) waiting(client netip.Addr) *waiter {
	return &waiter{loan: &loan{of: b, client: client}, n: 1, ready: make(chan struct{})}
}

// Waiting returns how many requests wait for a turn.
func (s *Server) Waiting() int {
	s.work.mu.Lock()
	defer s.work.mu.Unlock()
	return len(s.work.first) + len(s.work.later)
}

// TakeTurn takes a turn of long requests until the result is called.
func (s *Server) TakeTurn(ctx context.Context, client int) (leave func(), err error) {
	at := ClientN(client)
	return func() { s.work.give(at, 1) }, s.work.enter(ctx, at, true, 0)
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

// SetFetches lets each client cause n requests to sites, and no more ever.
func (s *Server) SetFetches(n int) { s.fetches = newRates[netip.Addr](1e-9, float64(n)) }

// Charged returns how many of them a client has caused.
func (s *Server) Charged(client int) int {
	return s.fetches.burst - int(math.Round(s.fetches.of(ClientN(client)).Tokens()))
}

// OperationRequests returns the name and the example of each operation.
func OperationRequests() map[string]string {
	all := make(map[string]string)
	for _, o := range operations() {
		all[o.name] = o.example
	}
	return all
}
