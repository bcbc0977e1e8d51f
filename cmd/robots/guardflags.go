package main

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// guardFlags configure which addresses the tool connects to.
type guardFlags struct {
	allowPrivate bool
	ranges       prefixFlag
	ports        portFlag
	nat64        prefixFlag
}

// guardFlagNames are the flags of guardFlags.
var guardFlagNames = []string{"allow-private", "allow-range", "allow-ports", "nat64"}

func (f *guardFlags) defineGuard(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.BoolVar(&f.allowPrivate, "allow-private", false, "connect to private and loopback addresses in lists and redirects too; hosts named on the command line are always allowed")
	f.defineExceptions(cmd, flags)
}

// defineExceptions defines the flags without --allow-private, which is for the user's own
// requests.
func (f *guardFlags) defineExceptions(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.Var(&f.ranges, "allow-range", "connect to addresses in these private `RANGES`, such as 10.1.0.0/16,fd00::/8")
	flags.Var(&f.ports, "allow-ports", "connect to these `PORTS` only, such as 80,443, and to those named on the command line")
	flags.Var(&f.nat64, "nat64", "the network translates these IPv6 `RANGES` to IPv4, such as 64:ff9b::/96")
	for _, name := range guardFlagNames[1:] {
		complete(cmd, name, nil)
	}
}

// guard returns the configured address guard.
func (f *guardFlags) guard() fetch.Guard {
	return fetch.Guard{Allow: f.ranges, Ports: f.ports, NAT64: f.nat64}
}

// typedSites are the sites that the user named on the command line. The address
// guard is off for their hosts.
type typedSites struct {
	mu  sync.Mutex
	set map[origin.Origin]bool
}

// add adds the sites of URLs. It ignores invalid URLs, which are reported elsewhere.
func (s *typedSites) add(urls ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.set == nil {
		s.set = make(map[origin.Origin]bool)
	}
	for _, url := range urls {
		if o, err := origin.Of(url); err == nil {
			s.set[o] = true
		}
	}
}

func (s *typedSites) contains(o origin.Origin) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set[o]
}

// prefixFlag is a list of address ranges.
type prefixFlag []netip.Prefix

func (p *prefixFlag) String() string {
	var texts []string
	for _, prefix := range *p {
		texts = append(texts, prefix.String())
	}
	return strings.Join(texts, ",")
}

func (*prefixFlag) Type() string { return "ranges" }

// Set adds ranges. A single address is a range too.
func (p *prefixFlag) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		prefix, err := netip.ParsePrefix(part)
		if addr, notAddr := netip.ParseAddr(part); notAddr == nil && addr.Zone() == "" {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return errors.New("want address ranges such as 10.1.0.0/16, separated by commas")
		}
		*p = append(*p, prefix)
	}
	return nil
}

// portFlag is a list of ports.
type portFlag []uint16

func (p *portFlag) String() string {
	var texts []string
	for _, port := range *p {
		texts = append(texts, strconv.Itoa(int(port)))
	}
	return strings.Join(texts, ",")
}

func (*portFlag) Type() string { return "ports" }

// Set adds ports.
func (p *portFlag) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		port, err := strconv.ParseUint(part, 10, 16)
		if err != nil || port == 0 {
			return fmt.Errorf("want ports such as 80,443, each from 1 to 65535")
		}
		*p = append(*p, uint16(port))
	}
	return nil
}
