package origin_test

import (
	"fmt"
	"strings"
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
		// A delimiter that is not encoded.
		"http://me:p/w@h/ https://me:p?w@h //me:p#w@h":          "http://***:***/***@h/ https://***:***/***@h //***:***/***@h",
		`http:\\me:p\w@h http:/me:p/w@h http:me:p/w@h`:          `http:\\***:***/***@h http:/***:***/***@h http:***:***/***@h`,
		"me:p/w@h, http://me@x.example:p/w@h/":                  "me:***:***/***@h, http://***:***/***@h/",
		"http://me:99999/w@h http://[::1]:p/w@h":                "http://***:***/***@h http://***:***/***@h",
		"http://x.example/http://me:p/w@h/":                     "http://x.example/http://***:***/***@h/",
		`"http://me:p\"w@h/" and "http://me:p<w@h" and \"bot@h`: `"http://***:***/***@h/" and "http://***@h" and \"bot@h`,
		// No passwords.
		"http://h:8080/a@b http://[::1]:80/a@b":             "http://h:8080/a@b http://[::1]:80/a@b",
		"http:h:80/a@b h:8080/a@b //h:1?a@b":                "http:h:80/a@b h:8080/a@b //h:1?a@b",
		"Sitemap:https://h/a@b mailto:a/b@h":                "Sitemap:https://h/a@b mailto:a/b@h",
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

// TestDelimitersInPasswords: no error shows the password of a URL that browsers or net/http refuse because of it, and
// nothing accepts what is shown in its place.
func TestDelimitersInPasswords(t *testing.T) {
	for _, start := range []string{"http://", "https:", "//", `http:\\`, " ftp:///", "http://me@x.example:80", "foo://", ""} {
		for _, delimiter := range []string{"/", "?", "#", `\`, "%zz", "[", "\x01/", "@/", ":/", "\t/"} {
			raw := start + "me:qk" + delimiter + "vw@shop.example/x@y"
			u := origin.Text(raw)
			_, wrong := u.Origin()
			_, refused := origin.Of(raw)
			if (wrong == nil) != (refused == nil) {
				t.Errorf("%q: %v, but shown as %q: %v", raw, refused, u.Given(), wrong)
			}
			_, _, request := origin.ParseRequest(raw)
			message := origin.WithoutPasswords(fmt.Sprintf("cannot read %q", raw))
			for _, shown := range []string{u.Given(), fmt.Sprint(wrong, refused, request), message} {
				if strings.Contains(shown, "qk") || strings.Contains(shown, "vw") || strings.Contains(shown, "zz") {
					t.Errorf("%q: %s", raw, shown)
				}
			}
			if again := origin.Text(u.Given()).Given(); again != u.Given() {
				t.Errorf("%q is shown as %q and then as %q", raw, u.Given(), again)
			}
		}
	}
}

// TestComparedBesideHidden: what browsers do not take for a password is compared, although it is not shown.
func TestComparedBesideHidden(t *testing.T) {
	for text, want := range map[string]string{
		`/\?#@x`:            `/\/?`,
		"http://u:p/w@h/x":  "http://u:p/w@h/x",
		"//a:b/c@d":         "//a:b/c@d",
		"http://u:p@h:0x/y": "http://***@h:0x/y",
	} {
		u := origin.Text(text)
		if got := u.Compared(); got != want || strings.Contains(u.Given(), "w@") {
			t.Errorf("%q: compared as %q, want %q; shown as %q", text, got, want, u.Given())
		}
	}
	if got := origin.Sent("//a:b/c@d").Compared(); got != "//a:b/c@d" {
		t.Errorf("as sent: %q", got)
	}
}
