// Package fleet holds tests of what the packages make together: many processes,
// each with a robots client, that share a store on a server. It has no code of
// its own.
package fleet
