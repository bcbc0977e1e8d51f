package cachetest_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
)

// A test of a store calls TestStore with a function that opens an empty one.
func ExampleTestStore() {
	_ = func(t *testing.T) { // func TestContract(t *testing.T)
		cachetest.TestStore(t, func(t *testing.T) cache.Store { return new(cachetest.Memory) })
	}
}
