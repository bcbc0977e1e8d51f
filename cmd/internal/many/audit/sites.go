package audit

import (
	"cmp"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
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

// Rule returns a sentence about the captures that are counted. schemes reports that a host has several origins.
func (b By) Rule(schemes bool) string {
	switch b {
	case ByOrigin:
		return "The latest capture of each origin is counted. Redirects are followed to other captures."
	case ByDomain:
		return "The latest capture of each origin is counted. For a domain, robots counts the domain itself or www, the first that has a file after redirects, else a status below 500, else an unknown answer; else other hosts in the same order, and last those with a status of 500 or above, or without an answer. Redirects are followed to other captures."
	case ByCapture:
		return "Each capture is counted."
	}
	if !schemes {
		return "The latest capture of each host is counted. Redirects are followed to other captures."
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

// compareSchemes orders the captures of different origins of a host: a negative result means
// that x is counted, not y.
func compareSchemes(x, y *entry, facts []facts) int {
	answered := facts[x.facts].answered()
	switch {
	case answered == facts[y.facts].answered():
		return cmp.Compare(schemeOrder(x.origin, answered), schemeOrder(y.origin, answered))
	case answered:
		return -1
	}
	return 1
}

// schemeOrder orders the origins of a host that have all answered, or have not.
func schemeOrder(from string, answered bool) int {
	switch scheme, _, _ := strings.Cut(from, "://"); {
	case scheme == "ftp":
		return 2
	case (scheme == "https") == answered:
		return 0
	}
	return 1
}

// hostRank is the order of the hosts of a domain: the lowest one is counted.
type hostRank struct {
	level int // of the answer, see rankOf
	place int // the domain itself, www, others
	host  string
}

func (r hostRank) compare(o hostRank) int {
	return cmp.Or(cmp.Compare(r.level, o.level), cmp.Compare(r.place, o.place), cmp.Compare(r.host, o.host))
}

// levelFault is the level of hosts that gave a fault.
const levelFault = 6

// rankOf returns the rank of a host with its outcome: the domain itself and www first, with a file, a status that
// decides, or an answer that is not known.
func rankOf(domain, host string, f *facts) hostRank {
	r := hostRank{place: hostOrder(domain, host), host: host}
	switch {
	case !f.answered():
		r.level = levelFault
		return r
	case !f.known():
		r.level = 2
	case f.outcome != wire.OutcomeRules:
		r.level = 1
	}
	if r.place == 2 {
		r.level += 3
	}
	return r
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
