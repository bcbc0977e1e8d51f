package cachetest_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
)

// The one test that a store of one's own needs for the contract.
func ExampleTestStore() {
	_ = func(t *testing.T) { // func TestContract(t *testing.T)
		cachetest.TestStore(t, func(t *testing.T) cache.Store {
			return cache.NewMemory(cache.MemoryConfig{})
		})
	}
}
