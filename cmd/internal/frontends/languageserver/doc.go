// Package languageserver serves the Language Server Protocol for robots.txt files over two
// streams. It translates between the protocol and packages lint/editor, fix and compare,
// which decide everything about a file.
//
// Messages are answered in their order. Serve reads ahead, so that a client can cancel
// requests that wait or run, and so that the diagnostics of a text are not computed if a
// newer one is waiting. A message, a document and the number of documents are bounded.
package languageserver
