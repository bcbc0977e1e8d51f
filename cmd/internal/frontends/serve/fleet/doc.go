// Package fleet tests many clients that share a store while sites, the store's servers, the
// clients and the clock fail. The clients are in the process of the test (TestSoak), or each
// is a "robots serve" process that the tests build and query over HTTP. It contains only
// tests.
package fleet
