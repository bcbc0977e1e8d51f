// Package fleet tests many processes, each with a robots client, that share a store on
// a server. It contains only tests.
package fleet
