package valkey

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

func sample(text string) cache.Entry {
	return cache.Entry{FetchedAt: time.Unix(0, 1_700_000_000_123_456_789).UTC(),
		Expires: time.Unix(0, math.MaxInt64).UTC(), Data: []byte(text)}
}

func TestValue(t *testing.T) {
	for _, text := range []string{"", "a", "User-agent: *\nDisallow: /\n", strings.Repeat("Disallow: /shop/\n", 100)} {
		e := sample(text)
		value := encode("key", e)
		if !strings.HasPrefix(value, "117000000001234567899223372036854775807") {
			t.Errorf("the value begins with %q", value[:headWidth])
		}
		if len(value) > minValue+len(text) {
			t.Errorf("%d bytes have a value of %d", len(text), len(value))
		}
		got, err := decode("key", value)
		if err != nil || got.FetchedAt != e.FetchedAt || got.Expires != e.Expires || !bytes.Equal(got.Data, e.Data) {
			t.Errorf("decode(encode(%.20q)) = %v, %v", text, got, err)
		}
	}
}

// TestDamagedValue changes each bit of a value, cuts the value at each byte,
// and moves it to another key.
func TestDamagedValue(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("Disallow: /shop/\n", 20)} {
		value := encode("key", sample(text))
		for i := range len(value) * 8 {
			b := []byte(value)
			b[i/8] ^= 1 << (i % 8)
			if e, err := decode("key", string(b)); err == nil {
				t.Errorf("with bit %d changed: decoded as %v", i, e)
			}
		}
		for i := range len(value) {
			if e, err := decode("key", value[:i]); err == nil {
				t.Errorf("cut to %d bytes: decoded as %v", i, e)
			}
		}
		if e, err := decode("another key", value); err == nil {
			t.Errorf("under another key: decoded as %v", e)
		}
	}
}

// TestHugeValue decodes a short value with a large decoded size.
func TestHugeValue(t *testing.T) {
	e := sample("")
	e.Data = make([]byte, maxData+1)
	if _, err := decode("key", encode("key", e)); err == nil {
		t.Error("data beyond the limit was unpacked")
	}
	e.Data = e.Data[:maxData]
	if _, err := decode("key", encode("key", e)); err != nil {
		t.Errorf("data at the limit: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("key", encode("key", sample("text")), "text")
	f.Add("", "", "")
	f.Fuzz(func(t *testing.T, key, value, text string) {
		_, _ = decode(key, value) // does not panic
		if e, err := decode(key, encode(key, sample(text))); err != nil || string(e.Data) != text {
			t.Errorf("decode(encode(%q)) = %q, %v", text, e.Data, err)
		}
	})
}
