//go:build !unix && !windows

package fetch

import "errors"

// localErrors is empty where the errors of sockets have no known codes.
var localErrors []error

var noRouteToHost = errors.New("no route to host") // never returned
