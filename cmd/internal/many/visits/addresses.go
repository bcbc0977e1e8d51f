package visits

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/visitor"
)

// Addresses counts the visits of each address. Its zero value is empty, and its methods accept nil.
type Addresses struct {
	counts map[addressKey]*addressCount
}

type addressKey struct {
	addr     netip.Addr
	crawler  string
	identity visitor.State
}

type addressCount struct{ visits, first, last int64 }

// AddressRow is the row of an address in the table of addresses.
type AddressRow struct {
	Address  string `parquet:"address" doc:"a whole address that a client on the internet can have"`
	Crawler  string `parquet:"crawler,dict" doc:"the crawler that the User-Agent header names"`
	Identity string `parquet:"identity,dict" doc:"verified, claimed, not-listed or contradicted"`
	Visits   int64  `parquet:"visits" doc:"requests from the address with this name and identity"`
	First    Millis `parquet:"first,timestamp(millisecond)" doc:"the first of these"`
	Last     Millis `parquet:"last,timestamp(millisecond)" doc:"the last of these"`
}

func (a *Addresses) add(v *visit, c *crawler, id visitor.Identity) {
	if a == nil || !v.addr.IsValid() {
		return
	}
	key := addressKey{v.addr, c.Token, id.State}
	n := a.counts[key]
	switch {
	case n == nil && len(a.counts) >= maxAddresses:
		return
	case n == nil:
		n = &addressCount{first: v.begin, last: v.begin}
		if a.counts == nil {
			a.counts = map[addressKey]*addressCount{}
		}
		a.counts[key] = n
	}
	n.visits++
	n.first, n.last = min(n.first, v.begin), max(n.last, v.begin)
}

// IsFull reports whether there were more addresses than the table has.
func (a *Addresses) IsFull() bool { return len(a.counts) >= maxAddresses }

// Rows returns the addresses in their order.
func (a *Addresses) Rows() (rows []*AddressRow) {
	keys := make([]addressKey, 0, len(a.counts))
	for key := range a.counts {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b addressKey) int {
		return cmp.Or(a.addr.Compare(b.addr), strings.Compare(a.crawler, b.crawler),
			cmp.Compare(a.identity, b.identity))
	})
	for _, key := range keys {
		n := a.counts[key]
		rows = append(rows, &AddressRow{
			Address: key.addr.String(), Crawler: key.crawler, Identity: string(key.identity),
			Visits: n.visits, First: Millis(n.first), Last: Millis(n.last),
		})
	}
	return rows
}
