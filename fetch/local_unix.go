//go:build unix

package fetch

import "syscall"

// localErrors are the errors of a connection attempt that only this machine causes:
// descriptors, memory or ports are exhausted, the network is down, or a rule of the
// local firewall forbids the connection.
var localErrors = []error{
	syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL,
	syscall.ENETDOWN, syscall.EPERM,
}

// routeErrors are those that this machine causes if it has no route, and that ICMP
// messages of a router cause as well. EACCES is a local route that prohibits, or
// "administratively prohibited" in ICMPv6. [RFC 792, RFC 4443 3.1]
var routeErrors = []error{syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.EACCES}
