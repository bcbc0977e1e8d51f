package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
)

// hostsAt resolves every host: those that begin with "crowd" to 127.0.0.1, "two" to
// 127.0.0.3 and 127.0.0.1, others to 127.0.0.2.
type hostsAt struct{}

func (hostsAt) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if strings.HasPrefix(host, "crowd") {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	if strings.HasPrefix(host, "two") {
		return []netip.Addr{netip.MustParseAddr("127.0.0.3"), netip.MustParseAddr("127.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
}

// TestMaxFetchesPerAddress calls a client for 40 sites of one address and 10 of
// another. No more than 2 requests to an address are under way, none of the waiting
// fetches times out, and those of the second address do not wait for the first,
// although MaxFetches is small. One site redirects to the crowded address.
func TestMaxFetchesPerAddress(t *testing.T) {
	var mu sync.Mutex
	requests, most := 0, 0 // to the crowded address
	var others, pair sync.WaitGroup
	others.Add(10)
	pair.Add(2)
	arrived := 0 // at the crowded address
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count := func(n int) {
			mu.Lock()
			defer mu.Unlock()
			if strings.HasPrefix(r.Host, "crowd") {
				requests += n
				most = max(most, requests)
				arrived += max(n, 0)
				if n > 0 && arrived <= 2 {
					pair.Done()
				}
			}
		}
		count(1)
		defer count(-1)
		switch {
		case strings.HasPrefix(r.Host, "crowd"):
			// Two are admitted at once, and others get their files meanwhile, or this test ends
			// by a timeout.
			pair.Wait()
			others.Wait()
		case strings.HasPrefix(r.Host, "other"):
			defer others.Done()
		}
		if strings.HasPrefix(r.Host, "moved") {
			http.Redirect(w, r, "http://crowd0.example/robots.txt", http.StatusFound)
			return
		}
		fmt.Fprint(w, file)
	}))
	defer server.Close()
	client := newClient(t, fetch.Config{
		Limits:  fetch.Limits{MaxFetches: 4, MaxFetchesPerAddress: 2, Timeout: 30 * time.Second},
		Network: fetch.Network{Resolver: hostsAt{}, Dial: dialTo(server.Listener.Addr())},
	})
	var callers sync.WaitGroup
	for i := range 51 {
		host := fmt.Sprintf("crowd%d.example", i)
		switch {
		case i == 50:
			host = "moved.example"
		case i >= 40:
			host = fmt.Sprintf("other%d.example", i)
		}
		callers.Go(func() {
			fetch.Expect(t, client, "http://"+host+"/", "rules")
		})
	}
	callers.Wait()
	if most != 2 {
		t.Errorf("%d requests at once", most)
	}
	if left := fetch.AddressesInUse(client); left != 0 {
		t.Errorf("%d addresses are still counted", left)
	}
}

// TestMaxFetchesPerAddressAndFault calls a client for a host with two addresses: one
// refuses connections, and the other is busy. The fetch waits for the busy one.
func TestMaxFetchesPerAddressAndFault(t *testing.T) {
	leave := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, "crowd") {
			<-leave
		}
		fmt.Fprint(w, file)
	}))
	defer site.Close()
	connected := make(chan struct{}, 2)
	client := newClient(t, fetch.Config{Limits: fetch.Limits{MaxFetchesPerAddress: 1}, Network: fetch.Network{
		Resolver: hostsAt{},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if strings.HasPrefix(address, "127.0.0.3:") {
				return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
			}
			connected <- struct{}{}
			return dialTo(site.Listener.Addr())(ctx, network, address)
		},
	}})
	go func() { _, _ = client.Robots(context.Background(), "http://crowd.example/") }()
	<-connected
	time.AfterFunc(50*time.Millisecond, func() { close(leave) })
	fetch.Expect(t, client, "http://two.example/", "rules")
}

// TestBusyTarget: if a redirect leads to a busy address, Network.Request is still called once
// for each request that a site gets.
func TestBusyTarget(t *testing.T) {
	leave := make(chan struct{})
	free := sync.OnceFunc(func() { close(leave) })
	var mu sync.Mutex
	called, got := map[string]int{}, map[string]int{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		got[r.Host]++
		mu.Unlock()
		switch r.Host {
		case "moved.example":
			http.Redirect(w, r, "http://crowd.example/other.txt", http.StatusFound)
			return
		case "crowd0.example":
			<-leave
		}
		fmt.Fprint(w, file)
	}))
	defer site.Close()
	connected := make(chan struct{}, 9)
	client := newClient(t, fetch.Config{Limits: fetch.Limits{MaxFetchesPerAddress: 1}, Network: fetch.Network{
		Resolver: hostsAt{},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			connected <- struct{}{}
			return dialTo(site.Listener.Addr())(ctx, network, address)
		},
		Request: func(_ context.Context, r fetch.Request) error {
			mu.Lock()
			defer mu.Unlock()
			called[r.Origin.Host()]++
			if r.Origin.Host() == "crowd.example" {
				time.AfterFunc(50*time.Millisecond, free) // meanwhile the address is busy
			}
			return nil
		},
	}})
	go func() { _, _ = client.Robots(context.Background(), "http://crowd0.example/") }()
	<-connected
	fetch.Expect(t, client, "http://moved.example/", "rules")
	if !maps.Equal(called, got) || got["crowd.example"] != 1 {
		t.Errorf("called for %v; the sites got %v", called, got)
	}
}

// TestMaxFetchesPerAddressAndClose checks that fetches that wait for an address end
// with the client.
func TestMaxFetchesPerAddressAndClose(t *testing.T) {
	s := listen(t, answer(hold))
	client := newClient(t, fetch.Config{Limits: fetch.Limits{MaxFetches: 1, MaxFetchesPerAddress: 1},
		Network: fetch.Network{Resolver: hostsAt{}}})
	_, port, _ := net.SplitHostPort(s.Addr().String())
	var callers sync.WaitGroup
	for i := range 5 {
		callers.Go(func() {
			if _, err := client.Robots(context.Background(), fmt.Sprintf("http://crowd%d.example:%s/", i, port)); !errors.Is(err, fetch.ErrClosed) {
				t.Error(err)
			}
		})
	}
	for s.accepted.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	client.Close()
	callers.Wait()
	for fetch.AddressesInUse(client) > 0 {
		time.Sleep(time.Millisecond)
	}
}
