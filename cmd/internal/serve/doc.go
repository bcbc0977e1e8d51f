// Package serve is the HTTP service of the tool: the functions of package api as JSON
// over HTTP, streams of verdicts, the files of sites, and the page in the browser. It is
// for strangers: every request is checked, bounded and counted before it is read.
//
// [Config] is the manual. The files, in the order in which a request meets them:
//
//	conns.go      connections: how many, and which is closed if there are too many
//	server.go     listeners, start and end
//	handler.go    the way of a request through the checks below to its handler
//	guard.go      names, origins, tokens: which requests are answered at all
//	clients.go    clients by address, and the limits of each
//	problem.go    errors (RFC 9457)
//	operation.go  the operations: request, function, result, example
//	openapi.go    their description
//	sites.go      the files of sites, for the operations that fetch
//	stream.go     streams of URLs
//	admin.go      health, metrics and profiles, on a listener of their own
package serve
