//go:build wasip1 && full

package main

import (
	"maps"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls/editing"
)

// moduleCalls returns all calls.
func moduleCalls() map[string]calls.Call {
	all := calls.Calls()
	maps.Copy(all, editing.Calls())
	return all
}
