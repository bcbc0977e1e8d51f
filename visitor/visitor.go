// Package visitor checks whether a request is from the crawler that it names, with
// DNS and with the address lists that operators publish.
//
//	lists, err := visitor.OpenLists("/var/lib/lists")
//	if err != nil {
//		return err
//	}
//	err = lists.Fetch(ctx, client) // once a day
//	v := &visitor.Verifier{Lists: lists, Resolver: net.DefaultResolver}
//	id := v.Identify(ctx, visitor.Request{UserAgent: r.UserAgent(), Addr: addr, Time: time.Now()})
//	if id.State == visitor.Verified { … }
//
// Any client can send any User-Agent header, so a name alone is a claim. The address must
// be the client's own: behind a proxy or a CDN, the connection has a different address.
package visitor

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/crawlers"
)

// State is how much is known about the sender of a request.
type State string

// The states.
const (
	// None: the User-Agent header names no known crawler.
	None State = "none"
	// Claimed: the header names a crawler, and nothing shows whether the request is from it.
	Claimed State = "claimed"
	// Verified: the address is in a list of the crawler, or its name in DNS is one of the
	// crawler's.
	Verified State = "verified"
	// NotListed: no list of the crawler, nor another list of its operator, has the address, and
	// each of the crawler's lists was read both before the request and late enough after it.
	NotListed State = "not-listed"
	// Contradicted: the crawler has no list, and DNS, queried within 24 hours after the request,
	// surely has no host name of the crawler for the address.
	Contradicted State = "contradicted"
)

// By is how a sender was verified or contradicted.
type By string

// The ways.
const (
	ByList By = "list"
	ByDNS  By = "dns"
)

// Reason is why the sender of a request is only Claimed.
type Reason string

// The reasons.
const (
	NoAddress   Reason = "no-address"  // the address is unknown, or no client on the internet can have it
	Unpublished Reason = "unpublished" // the operator publishes neither lists nor host names
	NoList      Reason = "no-list"     // no list of the crawler is from the 30 days around the request
	FewLists    Reason = "few-lists"   // no list has the address, but lists from before and after the request are missing
	Moved       Reason = "moved"       // the list before the request has the address, but no later one does
	OtherList   Reason = "other-list"  // a list of another of the operator's programs has the address
	NoDNS       Reason = "no-dns"      // DNS was not asked or does not decide, and no list has the address
)

// Request contains the known facts about a request.
type Request struct {
	UserAgent string
	Addr      netip.Addr
	Time      time.Time
}

// Identity contains the known facts about the sender of a request. Its zero value
// is None.
type Identity struct {
	Crawler string // the product token of the named crawler; empty if no known crawler is named
	State   State  // "" is None
	By      By     // empty if the sender is neither verified nor contradicted
	Reason  Reason // empty if the sender is not Claimed

	// List is the URL of the deciding list, or empty if DNS decided. Date is when the list was
	// read, or when DNS was queried. If no list has the address, List is the crawler's first list.
	List string
	Date time.Time

	// Near reports whether a Verified sender had its address at the time of the request: a list read
	// in the 48 hours after it has the address, lists on both sides of it do that were each read within
	// 7 days, or DNS was queried within 48 hours after it. Otherwise the address might have changed
	// hands between the request and Date.
	Near bool
}

// A Verifier checks whether requests are from the crawlers they name. The zero value verifies no
// request. After its first use you must not copy it or change its fields.
type Verifier struct {
	Lists    *Lists
	Resolver Resolver // nil means that DNS is not asked

	// Remember is for how many addresses the answers of DNS are kept, for up to an hour.
	// Default 65,536.
	Remember int

	names names
}

// Identify returns the sender of a request. It is safe for concurrent use; without a
// Resolver it uses no network. It looks up an address at most once an hour, and at most
// 16 at a time.
//
// A sender is NotListed only if all lists of the crawler were read in the 24 hours before
// the request and again 24 to 48 hours after it, because operators update lists late. So only
// DNS can contradict a request that comes now, and only if the crawler has no list.
func (v *Verifier) Identify(ctx context.Context, r Request) Identity {
	token, ok := crawlers.Sender(r.UserAgent)
	if !ok {
		return Identity{State: None}
	}
	c, ok := crawlers.Find(token)
	if !ok {
		return Identity{State: None}
	}
	return v.IdentifyCrawler(ctx, &c, r.Addr, r.Time)
}

// IdentifyCrawler is Identify for a request whose header names c. If c is nil, the header
// names no known crawler.
func (v *Verifier) IdentifyCrawler(ctx context.Context, c *crawlers.Crawler, addr netip.Addr, t time.Time) Identity {
	if c == nil {
		return Identity{State: None}
	}
	id := Identity{Crawler: c.Token, State: Claimed}
	addr = addr.Unmap().WithZone("")
	switch {
	case !IsVerifiable(c):
		id.Reason = Unpublished
		return id
	case !IsGlobal(addr):
		id.Reason = NoAddress
		return id
	}
	var listed listing
	if v.Lists != nil {
		listed = v.Lists.find(c.IPRanges, addr, t)
	}
	var answer lookUp
	hasNames := len(c.ReverseDNS) > 0
	if hasNames && v.Resolver != nil && !listed.near {
		answer = v.names.answer(ctx, v.Resolver, v.Remember, addr)
	}
	isNamed := slices.ContainsFunc(answer.hosts, func(host string) bool { return fitsAny(c.ReverseDNS, host) })
	sinceThen := answer.at.Sub(t)
	isNear := sinceThen >= 0 && sinceThen <= lateReach
	if listed.found && !(isNamed && isNear) {
		return Identity{
			Crawler: c.Token, State: Verified, By: ByList, List: listed.url, Date: listed.date, Near: listed.near,
		}
	}
	if isNamed {
		return Identity{Crawler: c.Token, State: Verified, By: ByDNS, Date: answer.at, Near: isNear}
	}
	hasLists := len(c.IPRanges) > 0
	switch {
	case listed.moved:
		id.Reason = Moved
	case listed.complete && v.OfOperator(c.Operator, addr, t):
		id.Reason = OtherList
	case listed.complete:
		id.State, id.By, id.List, id.Date = NotListed, ByList, listed.url, listed.date
	case hasNames && !(answer.sure && sinceThen <= 24*time.Hour) && (v.Resolver != nil || listed.url != "" || !hasLists):
		id.Reason = NoDNS
	case hasLists && listed.url == "":
		id.Reason = NoList
	case hasLists:
		id.Reason = FewLists
	default:
		id.State, id.By, id.Date = Contradicted, ByDNS, answer.at
	}
	return id
}

// OfOperator reports whether a list of any program of an operator has an address near a time: the
// last list read before it, one read in the 48 hours after it, or the first one after it.
func (v *Verifier) OfOperator(operator string, addr netip.Addr, t time.Time) bool {
	if v.Lists == nil || operator == crawlers.Unknown {
		return false
	}
	return v.Lists.find(operatorLists()[operator], addr.Unmap().WithZone(""), t).any
}

// operatorLists has the URLs of all lists of each operator.
var operatorLists = sync.OnceValue(func() map[string][]string {
	urls := map[string][]string{}
	for c := range crawlers.All() {
		for _, url := range c.IPRanges {
			if !slices.Contains(urls[c.Operator], url) {
				urls[c.Operator] = append(urls[c.Operator], url)
			}
		}
	}
	return urls
})

// IsVerifiable reports whether there is a way to verify a crawler: a list or a mask of host names.
func IsVerifiable(c *crawlers.Crawler) bool {
	return c != nil && (len(c.IPRanges) > 0 || len(c.ReverseDNS) > 0)
}

// IsGlobal reports whether a client on the internet can have an address: it is not private,
// loopback, for documentation, or otherwise special.
func IsGlobal(addr netip.Addr) bool {
	if !addr.IsValid() {
		return false
	}
	addr = addr.Unmap()
	if addr.Is6() && !global6.Contains(addr) {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// global6 are the addresses of IPv6 that IANA gives to networks.
var global6 = netip.MustParsePrefix("2000::/3")

// special are the addresses that are not global, from IANA's registries. [RFC 6890]
var special = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}
