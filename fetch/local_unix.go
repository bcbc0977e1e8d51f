//go:build unix

package fetch

import "syscall"

// localErrors are the errors of a connection attempt that this machine causes:
// descriptors, memory or ports are exhausted, the network is down, or a rule of the
// local firewall forbids the connection.
var localErrors = []error{
	syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL,
	syscall.ENETUNREACH, syscall.ENETDOWN, syscall.EPERM, syscall.EACCES,
}

const noRouteToHost = syscall.EHOSTUNREACH
