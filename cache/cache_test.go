package cache_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

func TestCheckKey(t *testing.T) {
	for key, ok := range map[string]bool{
		"":                                      false,
		"k":                                     true,
		"\x00":                                  true,
		strings.Repeat("k", cache.MaxKey):       true,
		strings.Repeat("é", cache.MaxKey/2):     true,
		strings.Repeat("k", cache.MaxKey+1):     false,
		strings.Repeat("é", cache.MaxKey/2+1):   false,
		strings.Repeat("\xff", 10*cache.MaxKey): false,
	} {
		checkInvalid(t, cache.CheckKey(key), ok, key)
	}
}

func TestEntryCheck(t *testing.T) {
	first, last := time.Unix(0, 0), time.Unix(0, 1<<63-1)
	for _, tt := range []struct {
		time time.Time
		ok   bool
	}{
		{time.Time{}, false},
		{first.Add(-1), false},
		{first, true},
		{first.In(time.FixedZone("west", -12*3600)), true},
		{time.Now(), true},
		{last, true},
		{last.Add(1), false},
		{time.Unix(1<<40, 0), false},
	} {
		checkInvalid(t, cache.Entry{FetchedAt: tt.time, Expires: last}.Check(), tt.ok, "FetchedAt "+tt.time.String())
		checkInvalid(t, cache.Entry{FetchedAt: first, Expires: tt.time}.Check(), tt.ok, "Expires "+tt.time.String())
	}
}

func checkInvalid(t *testing.T, err error, ok bool, what string) {
	t.Helper()
	if ok && err != nil || !ok && !errors.Is(err, cache.ErrInvalid) {
		t.Errorf("%.60q: err = %v, want valid = %v", what, err, ok)
	}
}
