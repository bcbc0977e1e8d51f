// Package fleet tests many clients that share a store while sites, the servers of the store,
// the clients and the clock fail. The clients are in the process of the test ([TestSoak]), or
// each is a "robots serve", built from the workspace, to which the tests talk HTTP: therefore
// the package is in this module, which also has the servers of package valkeytest. It contains
// only tests.
package fleet
