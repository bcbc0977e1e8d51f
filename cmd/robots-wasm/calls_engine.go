//go:build wasip1 && !full

package main

import "github.com/kosterhq/robotstxt/cmd/internal/api"

// calls returns the calls of the engine alone.
func calls() map[string]api.Call { return api.Calls() }
