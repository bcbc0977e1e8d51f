package safedial_test

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
)

// names is a Resolver. A name has a list of answers: the first lookup gets the first one, and
// so on; the last answer repeats. An answer is a list of addresses with blanks between.
type names struct {
	answers map[string][]string

	mu      sync.Mutex
	lookups map[string]int
}

func (n *names) LookupNetIP(_ context.Context, _, host string) (ips []netip.Addr, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	answers := n.answers[host]
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if n.lookups == nil {
		n.lookups = make(map[string]int)
	}
	for ip := range strings.FieldsSeq(answers[min(n.lookups[host], len(answers)-1)]) {
		ips = append(ips, netip.MustParseAddr(ip))
	}
	n.lookups[host]++
	return ips, nil
}
