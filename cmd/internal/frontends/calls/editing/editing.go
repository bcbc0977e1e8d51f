// Package editing has the calls of the API that need the linter or the data of crawlers:
// findings and fixes, the layout of a file, the AI view, what crawlers may do with a
// URL, and the features of a text editor. Like package calls it uses no network.
package editing

import "github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"

// Calls returns the calls of this package by name.
func Calls() map[string]calls.Call {
	return map[string]calls.Call{
		"lint":        calls.Of(Lint),
		"format":      calls.Of(Format),
		"ai":          calls.Of(AI),
		"permit":      calls.Of(Permit),
		"generate":    calls.Of(Generate),
		"crawlers":    calls.Of(Crawlers),
		"diagnostics": calls.Of(Diagnostics),
		"hover":       calls.Of(Hover),
		"complete":    calls.Of(Complete),
		"tokens":      calls.Of(Tokens),
		"symbols":     calls.Of(Symbols),
		"resources":   calls.Of(Resources),
		"urls":        calls.Of(URLs),
		"remarks":     calls.Of(Remarks),
	}
}
