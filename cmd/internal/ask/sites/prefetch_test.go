package sites

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/origin"
)

func TestOtherNames(t *testing.T) {
	for site, want := range map[string]string{
		"https://shop.example":      "https://www.shop.example http://shop.example http://www.shop.example",
		"http://www.shop.example":   "https://shop.example https://www.shop.example http://shop.example",
		"https://www.example":       "https://www.www.example http://www.example http://www.www.example",
		"https://shop.example:8443": "",
		"http://127.0.0.1":          "",
		"https://[::1]":             "",
		"http://localhost":          "",
		"ftp://shop.example":        "",
	} {
		o, err := origin.Of(site)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, other := range otherNames(o) {
			got = append(got, other.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", site, got, want)
		}
	}
}
