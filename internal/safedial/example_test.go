package safedial_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/kosterhq/robotstxt/internal/safedial"
)

// A client for untrusted URLs does not connect to special-purpose addresses.
func Example() {
	dialer := safedial.Dialer{Timeout: 10 * time.Second}
	client := http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}

	_, err := client.Get("http://127.0.0.1:8080/robots.txt")
	var refused *safedial.RefusedError
	if errors.As(err, &refused) {
		fmt.Println(refused)
	}
	// Output:
	// refused to connect to 127.0.0.1:8080: 127.0.0.1 (loopback) is a special-purpose address, allowed only for a trusted host or in an allowed range
}

// In a network with NAT64, the guard checks the IPv4 address inside the IPv6
// address.
func ExampleGuard_Check() {
	guard := safedial.Guard{NAT64: []netip.Prefix{netip.MustParsePrefix("64:ff9b::/96")}}
	fmt.Println(guard.Check(netip.MustParseAddrPort("[64:ff9b::8.8.8.8]:443")))
	fmt.Println(guard.Check(netip.MustParseAddrPort("[64:ff9b::10.0.0.1]:443")))
	// Output:
	// <nil>
	// refused to connect to [64:ff9b::a00:1]:443: 10.0.0.1 (private network) is a special-purpose address, allowed only for a trusted host or in an allowed range
}

// Trust allows a private host on one port, for one request.
func ExampleTrust() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	defer listener.Close()

	var dialer safedial.Dialer
	port := listener.Addr().(*net.TCPAddr).AddrPort().Port()
	ctx := safedial.Trust(context.Background(), "127.0.0.1", port)
	conn, err := dialer.DialContext(ctx, "tcp", listener.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	conn.Close()
	fmt.Println("connected")
	// Output:
	// connected
}
