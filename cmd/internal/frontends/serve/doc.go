// Package serve is the HTTP service of the tool: the functions of package calls as JSON
// over HTTP, streams of verdicts, the files of sites, and the page in the browser. Its
// clients can be strangers: every request is checked, bounded and counted before its body
// is read.
//
// [Config] documents the settings. The files, in the order in which a request reaches
// them:
//
//	conns.go      connections: how many, and which is closed if there are too many
//	server.go     listeners, start and end
//	handler.go    the way of a request through the checks below to its handler
//
// guard.go names, origins, tokens: which requests are answered
//
//	clients.go    clients by address, and the rates of each
//	budget.go     what clients share: memory, requests, streams, turns; turns.go who is next
//	transfer.go   bodies that arrive and answers that are sent, at a least rate
//	problem.go    errors (RFC 9457)
//	answers.go    answers of any length
//	operation.go  the operations: request, function, result, example
//	openapi.go    their description
//	outgoing.go   each request to a site, counted for its client and the site
//	sites.go      the files of sites, for the operations that fetch
//	stream.go     streams of URLs
//
// admin.go health, metrics and profiles, on a separate listener
package serve
