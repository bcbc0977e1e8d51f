package answer_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
)

// TestCompared: URLs are compared in the form in which browsers request them.
func TestCompared(t *testing.T) {
	for url, want := range map[string]string{
		"/a b/c":                                 "/a%20b/c",
		`/a"<b>{c}^` + "`d" + `?q='"<a b>{^#x y`: `/a%22%3Cb%3E%7Bc%7D%5E%60d?q=%27%22%3Ca%20b%3E{^#x y`,
		"/café/%c3%a9'":                          "/caf%C3%A9/%C3%A9'",
		"https://Bücher.example:443/ä b":         "https://xn--bcher-kva.example/%C3%A4%20b",
		"http://münchen.example:8080?x y":        "http://xn--mnchen-3ya.example:8080?x%20y",
		"https://shop.example":                   "https://shop.example",
		"HTTPS://Shop.Example/a%20b?c=d":         "HTTPS://Shop.Example/a%20b?c=d",
		"https://xn--.example é/a b":             "https://xn--.example %C3%A9/a%20b",
		"/redirect?to=https://ü.example/":        "/redirect?to=https://%C3%BC.example/",
		"":                                       "",
	} {
		if got := answer.Compared(url); got != want {
			t.Errorf("%q is compared as %q, want %q", url, got, want)
		}
		if again := answer.Compared(want); again != want {
			t.Errorf("%q changes again, to %q", want, again)
		}
	}
}
