//go:build !unix && !windows

package fetch

// Both are empty where the errors of sockets have no known codes.
var localErrors, routeErrors []error
