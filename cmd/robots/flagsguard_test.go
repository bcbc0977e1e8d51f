package main

import (
	"testing"

	"github.com/kosterhq/robotstxt/origin"
)

// TestTypedSites checks that only the site that was typed is trusted: neither its other
// names, which lint asks as well, nor its other ports and schemes.
func TestTypedSites(t *testing.T) {
	typed := newTyped("http://staging.example/page", "not a URL", "https://www.shop.example:443/")
	for _, url := range []string{"http://staging.example/other", "http://STAGING.example:80", "https://www.shop.example"} {
		o, err := origin.Of(url)
		if err != nil || !typed.set[o] {
			t.Errorf("%s is not trusted, %v", url, err)
		}
	}
	for _, url := range []string{"http://staging.example:8080", "https://staging.example", "ftp://staging.example",
		"http://www.staging.example", "https://www.staging.example", "https://shop.example", "http://www.shop.example", "http://example"} {
		if o, err := origin.Of(url); err != nil || typed.set[o] {
			t.Errorf("%s is trusted, %v", url, err)
		}
	}
}
