package fetch

import (
	"errors"
	"net"
	"net/netip"
	"strings"

	"github.com/kosterhq/robotstxt/internal/faulttext"
	"github.com/kosterhq/robotstxt/internal/safedial"
)

// The texts of errors contain addresses of this network: addresses that the guard
// refuses, addresses of proxies and name servers, and this machine's own. With
// Network.HideAddresses the texts that leave the client contain none of them; the
// Logger receives the whole texts, as the libraries word them.

func (c *Client) newKeptError(err error) *keptError {
	if kept, ok := err.(*keptError); ok {
		return kept
	}
	kept := newKeptError(err)
	if p := (panicError{}); errors.As(err, &p) {
		kept.whole = oneLine("panic while reading the response: " + p.value)
		return kept
	}
	if c.config.Network.HideAddresses {
		kept.whole = oneLine(err.Error())
		kept.text = keep(err, faulttext.Words{WithoutAddresses: true, Own: hidingWords}).text
		if containsAddress(kept.text) {
			kept.text = faultOfKind(kept.kind)
		}
	}
	return kept
}

func wholeText(err error) string {
	var kept *keptError
	if errors.As(err, &kept) && kept.whole != "" {
		return kept.whole
	}
	return err.Error()
}

func faultOfKind(kind string) string { return "the request failed (" + kind + ")" }

// ownWords words the errors of this package.
func ownWords(err error) (text string, ok bool) {
	if kept, ok := err.(*keptError); ok {
		return kept.text, true
	}
	return "", false
}

// hidingWords is ownWords without the addresses in the errors.
func hidingWords(err error) (text string, ok bool) {
	switch e := err.(type) {
	case *safedial.RefusedError:
		if e.NotPublic {
			return "refused to connect: the address of the host is not public", true
		}
		return "refused to connect: " + e.Reason, true
	case *net.OpError:
		switch {
		case isProxyTrouble(e):
			return "the proxy cannot be used", true
		case e.Op == socksOp:
			return "the proxy cannot connect to the site", true
		}
	case *net.AddrError:
		return e.Err, true
	case *busyError:
		return "other fetches use the address of the host", true
	}
	return ownWords(err)
}

func containsAddress(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" ()<>,;'\"/=", r) }) {
		word = strings.Trim(word, ":.-")
		if _, err := netip.ParseAddr(strings.Trim(word, "[]")); err == nil {
			return true
		}
		if _, err := netip.ParseAddrPort(word); err == nil {
			return true
		}
	}
	return false
}

// hideStored hides the addresses in a fault of the store, which another program
// could have written without Network.HideAddresses.
func (c *Client) hideStored(s *state) {
	if c.config.Network.HideAddresses && s.fault != nil && containsAddress(s.fault.Text) {
		s.fault.Text = faultOfKind(s.fault.Kind)
	}
}
