package fetch

import "syscall"

// localErrors are the errors of a connection attempt that only this machine causes:
// descriptors, memory or ports are exhausted, the network is down, or the local
// firewall forbids the connection. Sockets return WSA codes, which package syscall
// does not name and does not equate with the codes of Unix.
var localErrors = []error{
	syscall.Errno(4),     // ERROR_TOO_MANY_OPEN_FILES
	syscall.Errno(8),     // ERROR_NOT_ENOUGH_MEMORY
	syscall.Errno(10013), // WSAEACCES
	syscall.Errno(10024), // WSAEMFILE
	syscall.Errno(10049), // WSAEADDRNOTAVAIL
	syscall.Errno(10050), // WSAENETDOWN
	syscall.Errno(10055), // WSAENOBUFS
}

// routeErrors are those that this machine causes if it has no route, and that ICMP
// messages of a router cause as well. [RFC 792, RFC 4443 3.1]
var routeErrors = []error{
	syscall.Errno(10051), // WSAENETUNREACH
	syscall.Errno(10065), // WSAEHOSTUNREACH
}
