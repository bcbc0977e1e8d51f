package cachetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

func checkRoundTrip(ctx context.Context, s cache.Store) error {
	return putAndWant(ctx, s, key, entryAt(0, "User-agent: *\nDisallow: /\n"))
}

func checkNotFound(ctx context.Context, s cache.Store) error {
	return errors.Join(
		wantAbsent(ctx, s, key),
		putAndWant(ctx, s, key, entryAt(0, "present")),
		wantAbsent(ctx, s, "https://example.com:444"),
	)
}

func checkNanoseconds(ctx context.Context, s cache.Store) error {
	e := entryAt(0, "precise")
	e.FetchedAt = e.FetchedAt.Truncate(time.Second).Add(123_456_789)
	e.Expires = e.Expires.Truncate(time.Second).Add(999_999_999)
	// A float64 cannot represent the last nanosecond of the 64-bit range.
	last := cache.Entry{FetchedAt: time.Unix(0, 1), Expires: time.Unix(0, 1<<63-1), Data: []byte("ends")}
	return errors.Join(putAndWant(ctx, s, key, e), putAndWant(ctx, s, "ends", last))
}

// checkZones puts times in different zones, and checks the order of entries across
// zones.
func checkZones(ctx context.Context, s cache.Store) error {
	east, west := time.FixedZone("east", 14*3600), time.FixedZone("", -12*3600-1800)
	older, newer := entryAt(0, "older, its clock shows more"), entryAt(time.Minute, "newer, its clock shows less")
	older.FetchedAt, older.Expires = older.FetchedAt.In(east), older.Expires.In(west)
	newer.FetchedAt, newer.Expires = newer.FetchedAt.In(west), newer.Expires.In(east)
	return errors.Join(
		putAndWant(ctx, s, key, older),
		putAndWant(ctx, s, key, newer),
		put(ctx, s, key, older, false),
		want(ctx, s, key, newer),
	)
}

// checkWallClock puts an entry whose times have readings of the monotonic clock. The
// store must not return those readings: comparisons would use them instead of the
// wall clock, although they are meaningless after a suspend or in another process.
func checkWallClock(ctx context.Context, s cache.Store) error {
	now := time.Now()
	now = now.Add(-time.Duration(now.Nanosecond())) // unlike Truncate, Add keeps the reading
	e := cache.Entry{FetchedAt: now, Expires: now.Add(time.Hour), Data: []byte("now")}
	if err := put(ctx, s, key, e, true); err != nil {
		return err
	}
	got, err := s.Get(ctx, key)
	if err != nil {
		return err
	}
	// == compares the monotonic reading, Equal does not.
	if got.FetchedAt != got.FetchedAt.Round(0) || got.Expires != got.Expires.Round(0) {
		return fmt.Errorf("times from Get have monotonic readings: %v, %v", got.FetchedAt, got.Expires)
	}
	e.FetchedAt, e.Expires = e.FetchedAt.Round(0), e.Expires.Round(0)
	return same(key, got, e)
}

// oddKeys are keys that collide, or are not found, in a store that treats keys as
// file names, C strings, patterns, SQL, Unicode text or command arguments.
var oddKeys = []string{
	" ", "a", "A", "a ", " a", "a\n", "a\x00", "a\x00b", "\x00", "\x00\x00",
	"/", "//", ".", "..", "../a", "a/b", "a//b", "a/../a", `a\b`, "C:a", "a?b#c", "CON",
	"*", "?", "[a]", "a*", "%", "_", "a%", "a_", `\*`,
	"'", `"`, "';--", "`", "$1", "$(a)", "{a}", "{a}b", "{}a", "\r\n", "*3\r\n$3\r\nDEL",
	"é", "e\u0301", "É", "ß", "ss", "ı", "i", "İ", "K", "k", "ﬁ", "日本", "😀", "\u202e", "\ufeff", "\u00a0",
	"\xff", "\xfe", "\xc0\x80", "\xed\xa0\x80", "a\xff", "a\xfe",
	"0", "00", "0x0", "0.0", "1e3", "1000", "true", "null", "NULL", "nil",
}

func checkKeys(ctx context.Context, s cache.Store) error {
	long := strings.Repeat("k", cache.MaxKey-1)
	keys := append([]string{long, long + "1", long + "2", strings.Repeat("\xff", cache.MaxKey)}, oddKeys...)
	var errs []error
	for i, k := range keys {
		errs = append(errs, wantAbsent(ctx, s, k), put(ctx, s, k, entryAt(0, fmt.Sprint(i)), true))
	}
	for i, k := range keys {
		got, err := s.Get(ctx, k)
		if err != nil || string(got.Data) != fmt.Sprint(i) {
			errs = append(errs, fmt.Errorf("Get(%.60q) = %q, %v; want %q", k, got.Data, err, fmt.Sprint(i)))
		}
	}
	for _, k := range keys {
		errs = append(errs, s.Delete(ctx, k), wantAbsent(ctx, s, k))
	}
	return errors.Join(errs...)
}

// checkEmptyData checks that an entry without data is present, and that it replaces
// one with data.
func checkEmptyData(ctx context.Context, s cache.Store) error {
	empty, none := entryAt(time.Minute, ""), entryAt(0, "")
	none.Data = nil
	return errors.Join(
		putAndWant(ctx, s, key, entryAt(0, "something")),
		putAndWant(ctx, s, key, empty),
		putAndWant(ctx, s, "nil", none),
	)
}

func checkBinaryData(ctx context.Context, s cache.Store) error {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	var errs []error
	for i, data := range [][]byte{
		every, {0}, {0, 0, 0, 0}, []byte("a\x00"), []byte("\x00a"), []byte("\xff\xfe"), []byte("\xef\xbb\xbfa"),
		[]byte("\x1f\x8b\x08\x00not gzip"), []byte("\x28\xb5\x2f\xfdnot zstd"), []byte(" \t\r\n"), []byte("\r\n$-1\r\n"),
	} {
		e := entryAt(0, "")
		e.Data = data
		errs = append(errs, putAndWant(ctx, s, fmt.Sprint("binary ", i), e))
	}
	return errors.Join(errs...)
}

// checkBigData puts 1 MiB that is incompressible and 1 MiB that compresses well, so
// that each replaces the other.
func checkBigData(ctx context.Context, s cache.Store) error {
	noise := make([]byte, 1<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise) // never fails
	var errs []error
	for i, data := range [][]byte{noise, bytes.Repeat([]byte("a"), 1<<20), noise[1:], []byte("small"), noise} {
		e := entryAt(time.Duration(i)*time.Minute, "")
		e.Data = data
		errs = append(errs, putAndWant(ctx, s, key, e))
	}
	return errors.Join(errs...)
}

// checkPutCopies changes the data after PutIfNewer.
func checkPutCopies(ctx context.Context, s cache.Store) error {
	e := entryAt(0, "as it was put")
	if err := put(ctx, s, key, e, true); err != nil {
		return err
	}
	clear(e.Data)
	return want(ctx, s, key, cache.Entry{FetchedAt: e.FetchedAt, Expires: e.Expires, Data: []byte("as it was put")})
}

// checkGetStaysValid keeps data while its entry is replaced and deleted, and appends
// to it.
func checkGetStaysValid(ctx context.Context, s cache.Store) error {
	first, second := entryAt(0, "first"), entryAt(time.Minute, "other")
	if err := put(ctx, s, key, first, true); err != nil {
		return err
	}
	earlier, err := s.Get(ctx, key)
	if err != nil {
		return err
	}
	later, err := s.Get(ctx, key)
	if err != nil {
		return err
	}
	x, y := append(earlier.Data, 'x'), append(later.Data, 'y')
	if string(x) != "firstx" || string(y) != "firsty" {
		return fmt.Errorf("appending to the data of two calls gives %q and %q", x, y)
	}
	return errors.Join(
		want(ctx, s, key, first),
		put(ctx, s, key, second, true),
		same("earlier result", earlier, first),
		s.Delete(ctx, key),
		put(ctx, s, key, second, true),
		same("earlier result", earlier, first),
		want(ctx, s, key, second),
	)
}
