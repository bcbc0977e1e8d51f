// Package editing has the calls of the API that need the linter or the data of
// crawlers: findings and fixes, the layout of a file, the AI view, and what a text editor
// shows. Like package api it uses no network.
package editing

import "github.com/kosterhq/robotstxt/cmd/internal/api"

// Calls returns the calls of this package by name.
func Calls() map[string]api.Call {
	return map[string]api.Call{
		"lint":        api.Of(Lint),
		"format":      api.Of(Format),
		"ai":          api.Of(AI),
		"generate":    api.Of(Generate),
		"crawlers":    api.Of(Crawlers),
		"diagnostics": api.Of(Diagnostics),
		"hover":       api.Of(Hover),
		"complete":    api.Of(Complete),
		"tokens":      api.Of(Tokens),
		"symbols":     api.Of(Symbols),
		"resources":   api.Of(Resources),
		"urls":        api.Of(URLs),
		"remarks":     api.Of(Remarks),
	}
}
