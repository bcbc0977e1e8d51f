// Package soak runs a fleet of robots clients for a long time while sites fail, the
// store dies, clients are replaced and the clock jumps, and compares every answer with
// a plain model. It contains only tests.
package soak
