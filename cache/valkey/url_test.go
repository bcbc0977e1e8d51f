package valkey_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/valkey"
)

func TestParseURL(t *testing.T) {
	for text, want := range map[string]valkey.Config{
		"valkey://localhost":                 {Addresses: []string{"localhost:6379"}},
		"redis://h:1":                        {Addresses: []string{"h:1"}},
		"VALKEY://h,[::1],[::2]:7,127.0.0.1": {Addresses: []string{"h:6379", "[::1]:6379", "[::2]:7", "127.0.0.1:6379"}},
		"valkey://u:p@a:1,b:2/3?prefix=x:":   {Addresses: []string{"a:1", "b:2"}, Username: "u", Password: "p", Database: 3, Prefix: "x:"},
		"valkey://:p%40%2f@a/":               {Addresses: []string{"a:6379"}, Password: "p@/"},
		"valkey://a@b:c:d@h":                 {Addresses: []string{"h:6379"}, Username: "a@b", Password: "c:d"},
		"valkey://a,b?sentinel=m&sentinel_user=u&sentinel_password=p&timeout=80ms": {
			Addresses: []string{"a:26379", "b:26379"}, Sentinel: "m", SentinelUsername: "u", SentinelPassword: "p", Timeout: 80 * time.Millisecond},
	} {
		if got, err := valkey.ParseURL(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("ParseURL(%q) =\n%+v, %v; want\n%+v", text, got, err, want)
		}
	}
	cfg, err := valkey.ParseURL("rediss://h?tls_name=name")
	if err != nil || cfg.TLS == nil || cfg.TLS.ServerName != "name" || cfg.TLS.InsecureSkipVerify {
		t.Errorf("ParseURL of rediss = %+v, %v", cfg, err)
	}
}

func TestParseURLErrors(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                                   "form",
		"localhost:6379":                     "form",
		"http://localhost":                   "scheme",
		"valkey://":                          "has no host",
		"valkey://a,,b":                      "has no host",
		"valkey://:s3cret@":                  "has no host",
		"valkey://u:s3cret%zz@h":             "%25",
		"valkey://u@h":                       "has no password",
		"valkey://u:s3cret@h/x":              "number of a database",
		"valkey://u:s3cret@h/-1":             "number of a database",
		"valkey://u:s3cret@h/0/1":            "number of a database",
		"valkey://h?a=%zz":                   "not valid",
		"valkey://h/%zz":                     "not valid",
		"valkey://h?master=m":                "unknown parameter",
		"valkey://h?prefix=a&prefix=b":       "one value",
		"valkey://h?prefix=":                 "one value",
		"valkey://h?prefix={a}":              "brace",
		"valkey://h?timeout=50":              "50ms",
		"valkey://h?timeout=-1s":             "50ms",
		"valkey://h?timeout=1us":             "too short",
		"valkey://h?sentinel_password=x":     "master",
		"valkey://h?tls_name=x":              "valkeys://",
		"valkeys://h?tls_cert=x":             "must be set together",
		"valkeys://h?tls_ca=/nowhere":        "tls_ca",
		"valkeys://h?tls_ca=" + empty:        "no certificate",
		"valkeys://h?tls_cert=/a&tls_key=/b": "tls_cert",
	} {
		_, err := valkey.ParseURL(text)
		if err == nil || !strings.HasPrefix(err.Error(), "valkey: ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("ParseURL(%q): err = %v, want one with %q and no password", text, err, want)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	for _, c := range []struct {
		cfg  valkey.Config
		want string
	}{
		{valkey.Config{}, "no address"},
		{valkey.Config{Addresses: []string{"localhost"}}, "host:port"},
		{valkey.Config{Addresses: []string{":6379"}}, "host:port"},
		{valkey.Config{Addresses: []string{"h:1"}, Database: -1}, "negative"},
		{valkey.Config{Addresses: []string{"h:1"}, Timeout: -1}, "too short"},
		{valkey.Config{Addresses: []string{"h:1"}, Prefix: strings.Repeat("p", 300)}, "300 bytes"},
		{valkey.Config{Addresses: []string{"h:1"}, SentinelUsername: "u"}, "has no password"},
	} {
		if _, err := valkey.Open(t.Context(), c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Open(%+v): err = %v, want one with %q", c.cfg, err, c.want)
		}
	}
}
