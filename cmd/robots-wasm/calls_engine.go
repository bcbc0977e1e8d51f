//go:build wasip1 && !full

package main

import "github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"

// moduleCalls returns only the calls of the engine.
func moduleCalls() map[string]calls.Call { return calls.Calls() }
