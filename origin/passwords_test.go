package origin_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/origin"
)

func TestWithoutPasswords(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"https://shop.example/a@b c@d": "https://shop.example/a@b c@d",
		`"https://me:pw@shop.example/" is not a number`:      `"https://***@shop.example/" is not a number`,
		`cannot read http://me@h: http://me:pw@h/?a@b`:       `cannot read http://***@h: http://***@h/?a@b`,
		`"https:\\\\me:pw@h/": "https:/me:pw@h"`:             `"https:\\\\***@h/": "https:/***@h"`,
		"me:pw@shop.example":                                 "me:***@shop.example",
		`"https://me:my pw@h/" and "https://a b@c/"`:         `"https://***@h/" and "https://***@c/"`,
		"<https://me:pw@h>;rel=x https://h/?u=http://me:p@h": "<https://***@h>;rel=x https://h/?u=http://***@h",
		"https://me:pw@h/http://me:pw@h/":                    "https://***@h/http://***@h/",
		"https://me:p@w@h":                                   "https://***@h",
		`https://http:\\me:pw@h/`:                            `https://http:\\***@h/`,
		// No passwords.
		"FooBot/1.0 (+https://foo.example;bot@foo.example)": "FooBot/1.0 (+https://foo.example;bot@foo.example)",
		`"bot@foo.example", mailto:bot@foo.example`:         `"bot@foo.example", mailto:bot@foo.example`,
		`"User-agent: bot@foo.example"`:                     `"User-agent: bot@foo.example"`,
		"git@github.com:kosterhq/robotstxt, a@":             "git@github.com:kosterhq/robotstxt, a@",
		"@ \"@\" :@ ://@":                                   "@ \"@\" :@ ://@",
	} {
		if got := origin.WithoutPasswords(text); got != want {
			t.Errorf("%s\nis %s,\nnot %s", text, got, want)
		}
	}
}
