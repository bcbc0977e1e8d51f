package safedial

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"time"
)

// fallbackDelay is how long the family of the first address is tried alone, as in
// package net. [RFC 8305 5]
const fallbackDelay = 300 * time.Millisecond

// minAttempt is the least time for one address of several, if that much is left.
const minAttempt = 2 * time.Second

// dialAny returns the first connection to one of addrs. It dials the addresses of the first
// one's family one after the other. It dials the other family's addresses at the same time,
// after fallbackDelay or as soon as the first ones have failed.
func (d *Dialer) dialAny(ctx context.Context, addrs []netip.AddrPort) (net.Conn, error) {
	var first, second []netip.AddrPort
	for _, a := range addrs {
		if a.Addr().Is4() == addrs[0].Addr().Is4() {
			first = append(first, a)
		} else {
			second = append(second, a)
		}
	}
	if len(second) == 0 {
		return d.dialEach(ctx, first)
	}
	return d.race(ctx, first, second)
}

// race dials both families. If both fail, it returns the error of first.
func (d *Dialer) race(ctx context.Context, first, second []netip.AddrPort) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	over := make(chan struct{})
	defer close(over)
	type outcome struct {
		conn    net.Conn
		err     error
		isFirst bool
	}
	outcomes := make(chan outcome)
	dial := func(addrs []netip.AddrPort, isFirst bool) {
		conn, err := d.dialEach(ctx, addrs)
		select {
		case outcomes <- outcome{conn, err, isFirst}:
		case <-over:
			if conn != nil {
				conn.Close()
			}
		}
	}
	go dial(first, true)
	startSecond := sync.OnceFunc(func() { go dial(second, false) })
	timer := time.AfterFunc(fallbackDelay, startSecond)
	defer timer.Stop()
	var firstErr error
	for range 2 {
		o := <-outcomes
		if o.err == nil {
			return o.conn, nil
		}
		if o.isFirst {
			firstErr = o.err
			startSecond()
		}
	}
	return nil, firstErr
}

// dialEach dials addrs one after the other and shares the time until the deadline among them.
// If all fail, it returns the first one's error.
func (d *Dialer) dialEach(ctx context.Context, addrs []netip.AddrPort) (net.Conn, error) {
	var firstErr error
	for i, addr := range addrs {
		conn, err := d.dialOne(ctx, addr, len(addrs)-i)
		if err == nil {
			return conn, nil
		}
		if firstErr == nil {
			firstErr = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, firstErr
}

func (d *Dialer) dialOne(ctx context.Context, addr netip.AddrPort, remaining int) (net.Conn, error) {
	if deadline, ok := ctx.Deadline(); ok && remaining > 1 {
		left := time.Until(deadline)
		share := max(left/time.Duration(remaining), min(left, minAttempt))
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, share)
		defer cancel()
	}
	if d.Dial != nil {
		conn, err := d.Dial(ctx, "tcp", addr.String())
		if err != nil {
			return nil, err
		}
		return dialedConn{conn, addr}, nil
	}
	return From(d.LocalAddr).DialContext(ctx, "tcp", addr.String())
}

// From returns a dialer without a guard that connects from a local address; the zero
// Addr leaves the choice to the system.
func From(local netip.Addr) *net.Dialer {
	if !local.IsValid() {
		return new(net.Dialer)
	}
	return &net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(local, 0))}
}

// dialedConn is a connection of Dialer.Dial. Its remote address is the one that was
// dialled, even if the function went through a proxy.
type dialedConn struct {
	net.Conn
	addr netip.AddrPort
}

func (c dialedConn) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(c.addr) }
