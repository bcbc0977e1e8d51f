//go:build wasip1 && !full

package main

import "github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"

// moduleCalls returns the calls of the engine alone.
func moduleCalls() map[string]calls.Call { return calls.Calls() }
