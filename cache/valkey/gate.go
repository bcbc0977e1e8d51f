package valkey

import (
	"sync"
	"time"
)

const (
	// gates is into how many parts the slots of a Cluster are divided. If one
	// of its nodes is down, the others are asked as before.
	gates    = 16
	slots    = 1 << 14
	perGate  = slots / gates
	tripping = 5           // failures in a row that close a gate, if also none succeeded lately
	pause    = time.Second // for which a gate stays closed before it admits one command to try
)

// gate keeps commands from a server that does not answer: they would each wait
// for nothing.
type gate struct {
	mu        sync.Mutex
	closed    bool
	failures  int // since a success
	succeeded time.Time
	admitNext time.Time
}

// admits reports whether a command may try. A closed gate lets one pass in each
// pause.
func (g *gate) admits(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		return true
	}
	if now.Before(g.admitNext) {
		return false
	}
	g.admitNext = now.Add(pause)
	return true
}

// succeed opens the gate, and reports whether it was closed.
func (g *gate) succeed(now time.Time) (opened bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	opened = g.closed
	g.closed, g.failures, g.succeeded = false, 0, now
	return opened
}

// fail reports whether it closed the gate. It wants a time without a success,
// too: where nodes of a Cluster share a gate, failures of the one come in a row
// by chance.
func (g *gate) fail(now time.Time, lately time.Duration) (closed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failures++
	if g.closed || g.failures < tripping || now.Sub(g.succeeded) < lately {
		return false
	}
	g.closed, g.admitNext = true, now.Add(pause)
	return true
}

// gateOf returns the gate of the slot that a key is in.
func gateOf(key string) int {
	// The key stands in braces, whose content is hashed up to the first that
	// closes. A key that begins with one leaves nothing; such keys are no
	// origins, and any gate will do.
	for i := range len(key) {
		if key[i] == '}' {
			key = key[:i]
			break
		}
	}
	return int(crc16(key)) % slots / perGate
}

// crc16 is the CRC-16/XMODEM by which a Cluster places keys.
func crc16(s string) (sum uint16) {
	for i := range len(s) {
		sum = sum<<8 ^ crc16Table[byte(sum>>8)^s[i]]
	}
	return sum
}

var crc16Table = func() (table [256]uint16) {
	for i := range table {
		sum := uint16(i) << 8
		for range 8 {
			carry := sum >> 15
			sum = sum<<1 ^ 0x1021*carry
		}
		table[i] = sum
	}
	return table
}()
