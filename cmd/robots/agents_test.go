package main

import "testing"

func TestProduct(t *testing.T) {
	for agent, want := range map[string]string{
		"FooBot":              "FooBot",
		"FooBot/2.1":          "FooBot",
		"FooBot/2.1 (+http:)": "FooBot",
		"Foo Bar":             "Foo",
		"Mozilla/5.0 (compatible; FooBot/2.1; +https://foo.example/)":                 "FooBot",
		"Mozilla/5.0 (X11) Fetch/1 (KHTML, like Gecko; compatible; FooBot; a) Last/2": "FooBot",
		"Mozilla/5.0 (compatible;FooBot)":                                             "FooBot",
		"":                                                                            "",
	} {
		if got := product(agent); got != want {
			t.Errorf("product(%q) = %q, want %q", agent, got, want)
		}
	}
}
