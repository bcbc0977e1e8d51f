package prose_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/permission"
)

// TestPlace: places are in words, and name their document if it is not the response.
func TestPlace(t *testing.T) {
	const page = "https://shop.example/tea"
	for want, p := range map[string]permission.Place{
		"on line 3 of robots.txt":                                    {URL: "https://shop.example/robots.txt", Line: 3},
		"on line 4 of robots.txt":                                    {Line: 4},
		"in robots.txt":                                              {URL: "https://shop.example/robots.txt"},
		"on line 2 of the page":                                      {URL: page, Line: 2, Offset: 80},
		"at byte 80 of the page":                                     {URL: page, Offset: 80},
		"in the response field Content-Usage":                        {Header: "Content-Usage"},
		"in the response field X-Robots-Tag number 2":                {Header: "X-Robots-Tag", Index: 1},
		"in entry 3 of https://shop.example/.well-known/tdmrep.json": {URL: "https://shop.example/.well-known/tdmrep.json", Pointer: "/2"},
		"in https://shop.example/.well-known/tdmrep.json":            {URL: "https://shop.example/.well-known/tdmrep.json"},
	} {
		if got := prose.Place(language.English, p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}
