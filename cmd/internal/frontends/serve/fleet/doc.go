// Package fleet tests many clients that share a store while sites, the store's servers, the
// clients and the clock fail. The clients are in the process of the test ([TestSoak]), or each
// is a "robots serve" that the tests build and talk HTTP to. It contains only tests.
package fleet
