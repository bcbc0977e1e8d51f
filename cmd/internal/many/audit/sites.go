package audit

import (
	"cmp"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// By is the definition of a site in a count. An origin is a scheme, a host and a port. An
// input without URLs has the files of https origins.
type By string

// The definitions of a site.
const (
	ByHost    By = "host"    // its origins are http and https; a port other than the default one makes a separate host
	ByOrigin  By = "origin"  // an origin
	ByDomain  By = "domain"  // a registrable domain of the public suffix list, with its hosts and their ports
	ByCapture By = "capture" // each file of the input
)

// Rule returns a sentence about the captures that are counted.
func (b By) Rule() string {
	switch b {
	case ByOrigin:
		return "The latest capture of each origin is counted. Redirects are followed to other captures."
	case ByDomain:
		return "The latest capture of each origin is counted. For a domain, robots counts the domain itself, else www, else the first host, but a host with a status below 500 before all others, and https before http. Redirects are followed to other captures."
	case ByCapture:
		return "Each capture is counted."
	}
	return "The latest capture of each origin is counted. For a host, robots counts https if its status is below 500, else http. Redirects are followed to other captures."
}

// key returns the site of an origin such as "http://www.shop.example:8080".
func (b By) key(from string) string {
	_, host, _ := strings.Cut(from, "://")
	switch b {
	case ByOrigin:
		return from
	case ByDomain:
		name := withoutPort(host)
		if domain, err := publicsuffix.EffectiveTLDPlusOne(name); err == nil {
			return domain
		}
		return name
	}
	return host
}

func withoutPort(host string) string {
	if at := strings.LastIndexByte(host, ':'); at > strings.LastIndexByte(host, ']') {
		return host[:at]
	}
	return host
}

// originOf returns the origin of a host in a table, with the scheme of a URL.
func originOf(host, url string) string {
	scheme, _, ok := strings.Cut(url, "://")
	if !ok {
		scheme = "https"
	}
	return strings.ToLower(scheme) + "://" + host
}

// canonicalHost returns a host in the form of origins, with its port unless it is the
// default one of the URL's scheme. The host can be a URL. A text without a host stays as
// it is.
func canonicalHost(host, url string) string {
	host = strings.TrimSpace(host)
	text := host
	if !strings.Contains(text, "://") {
		text = originOf(text, url)
	}
	if site, _, err := splitURL(text); err == nil {
		return site
	}
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		return host[at+1:] // without user name and password
	}
	return host
}

// compare orders the captures of different origins of a site: a negative result means
// that a is counted, not b.
func (b By) compare(site string, x, y *entry, facts []facts) int {
	answered := func(e *entry) bool { return facts[e.facts].answered() }
	schemes := func(e *entry) int {
		switch scheme, _, _ := strings.Cut(e.origin, "://"); {
		case scheme == "ftp":
			return 2
		case (scheme == "https") == answered(x):
			return 0
		}
		return 1
	}
	switch {
	case answered(x) != answered(y) && answered(x):
		return -1
	case answered(x) != answered(y):
		return 1
	}
	_, hostX, _ := strings.Cut(x.origin, "://")
	_, hostY, _ := strings.Cut(y.origin, "://")
	return cmp.Or(cmp.Compare(hostOrder(site, hostX), hostOrder(site, hostY)), cmp.Compare(hostX, hostY),
		cmp.Compare(schemes(x), schemes(y)))
}

// hostOrder orders the hosts of a domain.
func hostOrder(domain, host string) int {
	switch host {
	case domain:
		return 0
	case "www." + domain:
		return 1
	}
	return 2
}
