package valkey_test

import (
	"net/url"
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
		"valkey://u:S3cret%23%3F@h":          {Addresses: []string{"h:6379"}, Username: "u", Password: "S3cret#?"},
		"valkey://a,b?sentinel=m&sentinel_user=u&sentinel_password=p&timeout=80ms": {
			Addresses: []string{"a:26379", "b:26379"}, Sentinel: "m", SentinelUsername: "u", SentinelPassword: "p",
			Timeout: 80 * time.Millisecond},
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
		"":                        "form",
		"localhost:6379":          "form",
		"http://localhost":        "scheme",
		"valkey://":               "has no host",
		"valkey://a,,b":           "has no host",
		"valkey://:s3cret@":       "has no host",
		"valkey://u:s3cret%zz@h":  "%25",
		"valkey://u@h":            "needs a password",
		"valkey://u:s3cret@h/x":   "must be a database number",
		"valkey://u:s3cret@h/-1":  "must be a database number",
		"valkey://u:s3cret@h/0/1": "must be a database number",
		"valkey://h?a=%zz":        "not valid",
		"valkey://h/%zz":          "not valid",
		"valkey://u:s3cret#@h":    "%23",
		"valkey://u:s3cret/@h":    "%2F",
		"valkey://h#":             "fragment",
		"valkey://u:s3cret":       "host:port",
		"valkey://u:x@y:s3cret":   "host:port",
		"u:s3cret@valkey://h":     "scheme",
		"valkey://h?sentinel=m&sentinel_password=a&s3cret":    "unknown parameter",
		"valkey://h/0?timeout=s3cret":                         "50ms",
		"valkey://u:p@h?password_env=X":                       "more than one",
		"valkey://h?password_env=s3cret":                      "environment variable is unset or empty",
		"valkey://h?password_file=/s3cret":                    "password_file: no such file",
		"valkey://h?password_file=" + empty:                   "is empty",
		"valkeys://h?tls_ca=/s3cret":                          "tls_ca: no such file",
		"valkey://h?master=m":                                 "unknown parameter",
		"valkey://h?prefix=a&prefix=b":                        "one value",
		"valkey://h?prefix=":                                  "one value",
		"valkey://h?prefix={a}":                               "brace",
		"valkey://h?timeout=50":                               "50ms",
		"valkey://h?timeout=-1s":                              "50ms",
		"valkey://h?timeout=1us":                              "too short",
		"valkey://h?sentinel_password=x":                      "master",
		"valkey://h?tls_name=x":                               "valkeys://",
		"valkeys://h?tls_cert=x":                              "must be set together",
		"valkeys://h?tls_ca=/nowhere":                         "tls_ca",
		"valkeys://h?tls_ca=" + empty:                         "no certificate",
		"valkeys://h?tls_cert=/a&tls_key=/b":                  "tls_cert",
		"valkeys://h?tls_cert=" + empty + "&tls_key=" + empty: "tls_cert: tls: failed to find",
	} {
		_, err := valkey.ParseURL(text)
		if err == nil || !strings.HasPrefix(err.Error(), "valkey: ") || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "s3cret") {
			t.Errorf("ParseURL(%q): err = %v, want one with %q and no password", text, err, want)
		}
	}
}

// TestPasswordSources reads passwords from files and from the environment.
func TestPasswordSources(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("S3 cret#\r\nnot the password\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TEST_PASSWORD", "of@the/environment")
	escaped := url.QueryEscape(file)
	for text, want := range map[string]valkey.Config{
		"valkey://h?password_file=" + escaped:                     {Password: "S3 cret#"},
		"valkey://u@h?password_env=TEST_PASSWORD":                 {Username: "u", Password: "of@the/environment"},
		"valkey://h?sentinel=m&sentinel_password_file=" + escaped: {Sentinel: "m", SentinelPassword: "S3 cret#"},
		"valkey://u@h?password_env=TEST_PASSWORD&sentinel=m&sentinel_user=v&sentinel_password_file=" + escaped: {
			Username: "u", Password: "of@the/environment", Sentinel: "m", SentinelUsername: "v", SentinelPassword: "S3 cret#"},
	} {
		got, err := valkey.ParseURL(text)
		got.Addresses = nil
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("ParseURL(%q) =\n%+v, %v; want\n%+v", text, got, err, want)
		}
	}
}

// TestEndlessFiles: a file that never ends, such as a device, is an error.
func TestEndlessFiles(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	for _, text := range []string{
		"valkey://h?password_file=/dev/zero", "valkey://h?sentinel=m&sentinel_password_file=/dev/zero", "valkeys://h?tls_ca=/dev/zero",
		"valkeys://h?tls_cert=/dev/zero&tls_key=/dev/zero",
	} {
		if _, err := valkey.ParseURL(text); err == nil || !strings.Contains(err.Error(), "bytes long") {
			t.Errorf("ParseURL(%q): err = %v", text, err)
		}
	}
}

// FuzzParseURL checks that no error of ParseURL or Open repeats a password, however
// it is written: with characters that end the authority, without a host, twice.
func FuzzParseURL(f *testing.F) {
	for _, seed := range [][2]string{
		{"valkey://u:", "@h"}, {"valkey://u:", "#@h"}, {"valkey://u:", "/@h"}, {"valkey://:", "?@h/0"}, {"valkey:", "@h"}, {"u:", "@valkey://h"},
		{"valkey://u:", ""}, {"valkey://h,u:", ",i"}, {"valkey://h:1?sentinel=m&sentinel_password=", "&b"}, {"valkey://h?sentinel_password=a&", "=b"},
		{"valkey://u:%zz", "@h"}, {"valkeys://h?tls_ca=/", ""}, {"valkeys://h?tls_cert=/&tls_key=/", ""}, {"valkey://h?timeout=", ""}, {"valkey://h?prefix={", "}"},
		{"valkey://u@h?password_file=/", ""}, {"valkey://h?password_env=", ""}, {"valkey://[", "]@h"}, {"valkey://h/", "/1"}, {"", "://h"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		const secret = "S3cretS3cret"
		for _, text := range []string{before + secret + after, before + "x#" + secret + after,
			before + "x/" + secret + "@" + after} {
			cfg, err := valkey.ParseURL(text)
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("ParseURL(%q): %v", text, err)
			}
			if err == nil {
				cfg.Addresses = append(cfg.Addresses, secret+"@h:1", "h:"+secret)
			} else {
				cfg = valkey.Config{Addresses: []string{text, text + ":1"}}
			}
			if store, err := valkey.Open(t.Context(), cfg); err == nil || strings.Contains(err.Error(), secret) {
				if err == nil {
					_ = store.Close()
				}
				t.Errorf("Open of %q: %v", text, err)
			}
		}
	})
}

func TestConfigErrors(t *testing.T) {
	for _, c := range []struct {
		cfg  valkey.Config
		want string
	}{
		{valkey.Config{}, "no address"},
		{valkey.Config{Addresses: []string{"localhost"}}, "host:port"},
		{valkey.Config{Addresses: []string{":6379"}}, "host:port"},
		{valkey.Config{Addresses: []string{"h:1", "h:x"}}, "address 2"},
		{valkey.Config{Addresses: []string{"u:p@h:1"}}, "host:port"},
		{valkey.Config{Addresses: []string{"h:1"}, Database: -1}, "negative"},
		{valkey.Config{Addresses: []string{"h:1"}, Timeout: -1}, "too short"},
		{valkey.Config{Addresses: []string{"h:1"}, Prefix: strings.Repeat("p", 300)}, "300 bytes"},
		{valkey.Config{Addresses: []string{"h:1"}, SentinelUsername: "u"}, "needs a password"},
	} {
		if _, err := valkey.Open(t.Context(), c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Open(%+v): err = %v, want one with %q", c.cfg, err, c.want)
		}
	}
}
