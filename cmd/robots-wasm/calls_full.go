//go:build wasip1 && full

package main

import (
	"maps"

	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/api/editing"
)

// calls returns all calls.
func calls() map[string]api.Call {
	all := api.Calls()
	maps.Copy(all, editing.Calls())
	return all
}
