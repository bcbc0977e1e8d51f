package fetch

// FaultKind returns the kind of a Result's error.
func FaultKind(err error) string { return faultKind(err) }

// AddressesInUse returns how many addresses the limit of a client counts.
func AddressesInUse(c *Client) int {
	c.limits.addresses.mu.Lock()
	defer c.limits.addresses.mu.Unlock()
	return len(c.limits.addresses.byIP)
}

// The rigs that tests inside and outside the package share.
var (
	NewTestClient = newTestClient
	Answering     = answering
	Respond       = respond
)

type RoundTrip = roundTrip

const (
	Me      = me
	TheFile = theFile
	Hour    = hour
)
