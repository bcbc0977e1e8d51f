package origin_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/origin"
)

var (
	label63 = strings.Repeat("a", 63)
	name253 = label63 + "." + label63 + "." + label63 + "." + label63[:61]
)

// spellings are pairs of a URL and the text of its origin.
var spellings = []struct{ rawURL, want string }{
	// Scheme.
	{"HTTP://example.com/", "http://example.com"},
	{"hTtPs://example.com/", "https://example.com"},
	{"FTP://example.com:21/", "ftp://example.com"},
	{"ftp://example.com:22/", "ftp://example.com:22"},

	// White space around the URL is removed, tabs and line breaks everywhere.
	{" \t\r\n http://example.com/ \n", "http://example.com"},
	{"\x00\x1f http://example.com\x00", "http://example.com"},
	{"ht\ntp\t:\r/\n/exa\tmple\n.com:8\n0\t80/", "http://example.com:8080"},

	// Slashes.
	{`http:\\example.com\path`, "http://example.com"},
	{`http:/\example.com`, "http://example.com"},
	{"http:example.com", "http://example.com"},
	{"https:/example.com/a", "https://example.com"},
	{`http:\/\/example.com`, "http://example.com"},
	{"http:me:secret@example.com", "http://example.com"},
	{"http:8080", "http://0.0.31.144"}, // not a port
	{`http://good.example\@evil.example/`, "http://good.example"},
	{`http://good.example\.evil.example/`, "http://good.example"},

	// Only scheme and authority matter.
	{"http://example.com", "http://example.com"},
	{"http://example.com?a@b", "http://example.com"},
	{"http://example.com#a@b", "http://example.com"},
	{"http://example.com/a@b:99999", "http://example.com"},
	{"http://example.com/%zz", "http://example.com"},
	{"http://example.com/a b", "http://example.com"},
	{"http://example.com/\x00\xff", "http://example.com"},

	// User name and password.
	{"http://user@example.com/", "http://example.com"},
	{"http://user:pass@example.com:8080/", "http://example.com:8080"},
	{"http://a@b@example.com/", "http://example.com"},
	{"http://good.example:80@evil.example/", "http://evil.example"},
	{"http://[::1]@example.com/", "http://example.com"},
	{"http://@example.com/", "http://example.com"},

	// Ports.
	{"http://example.com:80/", "http://example.com"},
	{"https://example.com:443", "https://example.com"},
	{"https://example.com:80", "https://example.com:80"},
	{"http://example.com:/", "http://example.com"},
	{"http://example.com:0080/", "http://example.com"},
	{"http://example.com:00000000000008080/", "http://example.com:8080"},
	{"http://example.com:65535/", "http://example.com:65535"},

	// Names.
	{"http://EXAMPLE.Com/", "http://example.com"},
	{"http://example.com./", "http://example.com"},
	{"http://example.com.:8080/", "http://example.com:8080"},
	{"http://localhost/", "http://localhost"},
	{"http://a_b._tcp.example.com/", "http://a_b._tcp.example.com"},
	{"http://-a-.r3---sn-apo3qvuoxuxbt-j5pe.example.com/", "http://-a-.r3---sn-apo3qvuoxuxbt-j5pe.example.com"},
	{"http://a!$&'()*+,=~.example/", "http://a!$&'()*+,=~.example"},
	{"http://%65x%61mple%2Ecom/", "http://example.com"},
	{"http://" + label63 + ".com/", "http://" + label63 + ".com"},
	{"http://" + name253 + "./", "http://" + name253},

	// International names.
	{"http://exämple.com/", "http://xn--exmple-cua.com"},
	{"http://EXÄMPLE.COM/", "http://xn--exmple-cua.com"},
	{"http://exa\u0308mple.com/", "http://xn--exmple-cua.com"},
	{"http://ex%C3%A4mple.com/", "http://xn--exmple-cua.com"},
	{"http://XN--Exmple-CUA.com/", "http://xn--exmple-cua.com"},
	{"http://www.exämple.xn--exmple-cua.com/", "http://www.xn--exmple-cua.xn--exmple-cua.com"},
	{"http://münchen。example．com｡/", "http://xn--mnchen-3ya.example.com"},
	{"http://ｅｘａｍｐｌｅ.com/", "http://example.com"},
	{"http://exa\u00admple.com/", "http://example.com"},
	{"http://exa" + strings.Repeat("\u00ad", 300) + "mple.com/", "http://example.com"},
	{"http://faß.de/", "http://xn--fa-hia.de"},
	{"http://نامه\u200cای.com/", "http://xn--mgba3gch31f060k.com"},
	{"http://_a.-ü-.example/", "http://_a.xn-----xka.example"},
	{"http://пример.испытание/", "http://xn--e1afmkfd.xn--80akhbyknj4f"},
	{"http://例え.テスト:8080/", "http://xn--r8jz45g.xn--zckzah:8080"},

	// The punycode of ASCII hosts is not validated.
	{"http://xn--/", "http://xn--"},
	{"http://XN--A/", "http://xn--a"},
	{"http://xn--abc-.example/", "http://xn--abc-.example"},

	// IPv4 as resolvers read it.
	{"http://127.0.0.1/", "http://127.0.0.1"},
	{"http://127.0.0.1./", "http://127.0.0.1"},
	{"http://2130706433/", "http://127.0.0.1"},
	{"http://0x7f.1/", "http://127.0.0.1"},
	{"http://0X7F000001:8080/", "http://127.0.0.1:8080"},
	{"http://0177.0.0.1/", "http://127.0.0.1"},
	{"http://017700000001/", "http://127.0.0.1"},
	{"http://127.1/", "http://127.0.0.1"},
	{"http://192.168.257/", "http://192.168.1.1"},
	{"http://10.16777215/", "http://10.255.255.255"},
	{"http://4294967295/", "http://255.255.255.255"},
	{"http://0/", "http://0.0.0.0"},
	{"http://0x/", "http://0.0.0.0"},
	{"http://0x.0x.0/", "http://0.0.0.0"},
	{"http://%31%32%37.1/", "http://127.0.0.1"},
	{"http://１２７.０．0。1/", "http://127.0.0.1"},
	{"http://①②⑦.1/", "http://127.0.0.1"},
	{"http://0x" + strings.Repeat("0", 300) + "7f.1/", "http://127.0.0.1"},
	{"http://1.2.3.4a/", "http://1.2.3.4a"}, // a name: its last label is not a number
	{"http://1.2.3.x4/", "http://1.2.3.x4"},
	{"http://0xg/", "http://0xg"},
	{"http://1.example/", "http://1.example"},

	// IPv6.
	{"http://[0:0:0:0:0:0:0:1]/", "http://[::1]"},
	{"http://[2001:DB8::00Aa]:80/", "http://[2001:db8::aa]"},
	{"http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]"},
	{"http://[1:0:2:3:4:5:6:7]/", "http://[1:0:2:3:4:5:6:7]"},
	{"http://[::127.0.0.1]/", "http://[::7f00:1]"},
	{"http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]"},
	{"http://[::FFFF:7F00:0001]:8080/", "http://[::ffff:7f00:1]:8080"},
	{"http://user@[::]:/", "http://[::]"},
}

func TestSpellings(t *testing.T) {
	for _, tt := range spellings {
		if o, err := origin.Of(tt.rawURL); err != nil || o.String() != tt.want {
			t.Errorf("Of(%q) = %q, %v, want %q", tt.rawURL, o, err, tt.want)
		}
	}
}

// mistakes are URLs without an origin, and a part of the error.
var mistakes = []struct{ rawURL, says string }{
	{"", "is empty"},
	{" \n", "is empty"},
	{"example.com/x", "has no scheme: write http://example.com/x or https://"},
	{"example.com:8080/x", "has no scheme: write http://example.com:8080/x or"},
	{"localhost:8080", "has no scheme: write http://localhost:8080 or"},
	{"127.0.0.1:80/", "has no scheme: write http://127.0.0.1:80/ or"},
	{"[::1]/", "has no scheme: write http://[::1]/ or"},
	{"exa\x1bmple.com", `has no scheme: write http://exa\x1bmple.com or`},
	{"//example.com/x", "has no scheme: resolve it against"},
	{`\\example.com\x`, "has no scheme: resolve it against"},
	{"/x", "has no scheme: resolve it against"},
	{"?x", "has no scheme: resolve it against"},
	{"#x", "has no scheme: resolve it against"},
	{"://example.com", "does not begin with a scheme"},
	{"ht tp://example.com", "does not begin with a scheme"},
	{"\ufeffhttp://example.com", "does not begin with a scheme"},
	{"mailto:a@example.com", `has the scheme "mailto": only http, https and ftp`},
	{"me:a@example.com", `has the scheme "me": only http, https and ftp have a robots.txt; a user name and password need a scheme before them`},
	{"ws://example.com/", `has the scheme "ws"`},
	{"file:///etc/passwd", `has the scheme "file"`},
	{"httpsx://example.com/", `has the scheme "httpsx"`},

	{"https:", "has no host"},
	{"http:?x", "has no host"},
	{"http:/", "has no host"},
	{"http://", "has no host"},
	{"http:///", "has no host"},
	{"http://?x", "has no host"},
	{"http://user@/x", "has no host"},
	{"http://:80/", "has no host"},
	{"http://./", "has no host"},
	{"http://\u00ad/", "has no host"},

	{"http://example.com:0/", "has the port 0"},
	{"http://example.com:65536/", "has the port 65536"},
	{"http://example.com:18446744073709551696/", "ports go from 1 to 65535"}, // 80 modulo 1<<64
	{"http://example.com:8o/", `has the port "8o"`},
	{"http://example.com:-1/", `has the port "-1"`},
	{"http://example.com:80:80/", `has the port "80:80"`},
	{"http://::1/", "has the port"},

	{"http://a..b/", "an empty label"},
	{"http://.a/", "an empty label"},
	{"http://a../", "an empty label"},
	{"http://exa mple.com/", "has the character ' ' in its host"},
	{"http://exa\x00mple.com/", `has the character '\x00' in its host`},
	{"http://exa%09mple.com/", `has the character '\t' in its host`},
	{"http://exa\x7fmple.com/", `has the character '\x7f' in its host`},
	{"http://exa%0d%0ample.com/", `has the character '\r' in its host`},
	{"http://a%2Fb/", "has the character '/' in its host"},
	{"http://a%40b/", "has the character '@' in its host"},
	{"http://a%3A80/", "has the character ':' in its host"},
	{"http://%5B::1%5D/", "has the port"},
	{"http://%2565xample.com/", "has the character '%' in its host"}, // decoded once
	{"http://a%zz/", "has the character '%' in its host"},
	{"http://a%2/", "has the character '%' in its host"},
	{"http://a;b/", "has the character ';' in its host"},
	{"http://a<b/", "has the character '<' in its host"},
	{"http://a{b}/", "has the character '{' in its host"},
	{"http://a]/", "has the character ']' in its host"},
	{"http://a／b/", "has the character '/' in its host"}, // full width
	{"http://" + label63 + "a.com/", "more than 63 bytes"},
	{"http://" + name253 + "a/", "254 bytes: at most 253"},
	{"http://" + strings.Repeat("ä", 600) + "/", "1200 bytes: at most 253"},
	{"http://" + strings.Repeat("ä", 62) + ".com/", "more than 63 bytes"},
	{"http://" + strings.Repeat("ä", 250) + ".com/", "more than 63 bytes"},
	{"http://" + strings.Repeat("a", 5000) + "/", "5000 bytes: at most 253"},

	{"http://\xff.com/", "is not valid UTF-8"},
	{"http://%C3.com/", "is not valid UTF-8"},
	{"http://\ufffd.com/", "not a valid international domain name"},
	{"http://\u0378.com/", "not a valid international domain name"}, // not assigned
	{"http://ü.xn--a/", "not a valid international domain name"},
	{"http://a\u200cb.com/", "not a valid international domain name"}, // joiner out of place
	{"http://אa.com/", "not a valid international domain name"},       // two directions

	{"http://1.2.3.4.5/", "is not an IPv4 address"},
	{"http://256.1.1.1/", "is not an IPv4 address"},
	{"http://1.2.3.256/", "is not an IPv4 address"},
	{"http://4294967296/", "is not an IPv4 address"},
	{"http://0x100000000/", "is not an IPv4 address"},
	{"http://18446744073709551617/", "is not an IPv4 address"},
	{"http://08/", "is not an IPv4 address"},
	{"http://1..2/", "is not an IPv4 address"},
	{"http://example.1/", "is not an IPv4 address"},
	{"http://example.0x1/", "is not an IPv4 address"},

	{"http://[::1/", "[ without ]"},
	{"http://[::1]x/", "after the ]"},
	{"http://[[::1]]/", "after the ]"},
	{"http://[[::1]/", "in brackets: only IPv6"},
	{"http://[]/", "in brackets: only IPv6"},
	{"http://[127.0.0.1]/", "in brackets: only IPv6"},
	{"http://[example.com]/", "in brackets: only IPv6"},
	{"http://[::127.0.0.01]/", "in brackets: only IPv6"},
	{"http://[1:2:3:4:5:6:7:8:9]/", "in brackets: only IPv6"},
	{"http://[::00001]/", "in brackets: only IPv6"},
	{"http://[fe80::1%eth0]/", "has a zone"},
	{"http://[fe80::1%25eth0]/", "has a zone"},
}

func TestErrors(t *testing.T) {
	for _, tt := range mistakes {
		o, err := origin.Of(tt.rawURL)
		var e *origin.Error
		if !errors.As(err, &e) || !strings.Contains(e.Reason, tt.says) {
			t.Errorf("Of(%q) = %q, %v, want an error that says %q", tt.rawURL, o, err, tt.says)
			continue
		}
		checkError(t, o, err)
	}
}

func TestErrorKeepsPasswords(t *testing.T) {
	for _, rawURL := range []string{
		"http://me:secret@example.com:0/",
		"http://me:s@secret@example.com:0/",
		"htt\np:/\t/me:secret@example.com:0/",
		`http:\\me:secret@example.com:0/`,
		"http:me:secret@example.com:0/",
		"http:/me:secret@example.com:0/",
		"http:////me:secret@example.com:0/",
		"gopher://me:secret@example.com/",
		"//me:secret@example.com/",
		"me:secret@example.com/",
		"example.com:secret@host/",
		"http://me:secret@" + strings.Repeat("x", 5000),
		"http://me:secret@[::1%eth0]/",
	} {
		_, err := origin.Of(rawURL)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("Of(%q): %v", rawURL, err)
		}
	}
}

// TestDistinctOrigins checks that spellings stay different if DNS or browsers
// distinguish them.
func TestDistinctOrigins(t *testing.T) {
	seen := map[origin.Origin]string{}
	for _, rawURL := range []string{
		"http://fass.de/", "http://faß.de/",
		"http://127.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://[::127.0.0.1]/", "http://localhost/",
		"http://example.com/", "http://example.com:443/", "https://example.com/", "https://example.com:80/", "ftp://example.com/",
		"http://example.com.example.com/", "http://xn--example-.com/",
	} {
		o := mustOf(t, rawURL)
		if other, ok := seen[o]; ok {
			t.Errorf("%s and %s both have the origin %v", other, rawURL, o)
		}
		seen[o] = rawURL
	}
}
