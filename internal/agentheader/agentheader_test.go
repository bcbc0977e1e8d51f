package agentheader_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/internal/agentheader"
)

func TestIsHeader(t *testing.T) {
	for value, want := range map[string]bool{
		"": false, "FooBot": false, "FooBot/1.0": false, " FooBot/1.0\t": false, "Foo Bot": false, "FooBot,BarBot/2.0": false,
		"FooBot/1.0 BarBot": true, "FooBot/1.0\tBarBot/2.0": true, "FooBot (x)": true, "FooBot(": true,
		"FooBot/1.0, BarBot/2.0": false, "FooBot/1.0; BarBot/2.0": false, "FooBot/1.0;\tBarBot/2.0": false,
		"FooBot/1.0;BarBot/2.0": true, "FooBot/1.0;": true, "FooBot;BarBot": false, "https://foo.example": true, "FooBot,https://foo.example": true, "FooBot/1.0, BarBot (x)": true,
	} {
		if got := agentheader.IsHeader(value); got != want {
			t.Errorf("IsHeader(%q) = %v", value, got)
		}
	}
}
