package disk_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
)

// An entry that one process puts is available to other processes, even after the
// first one has ended.
func Example() {
	dir, err := os.MkdirTemp("", "robots-cache-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx, key := context.Background(), "https://example.com:443"

	one, err := disk.Open(ctx, disk.Config{Dir: dir, MaxBytes: 256 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Now()
	stored, err := one.PutIfNewer(ctx, key, cache.Entry{FetchedAt: now, Expires: now.Add(time.Hour), Data: []byte("User-agent: *")})
	fmt.Println(stored, err, one.Close())

	another, err := disk.Open(ctx, disk.Config{Dir: dir, MaxBytes: 256 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer another.Close()
	e, err := another.Get(ctx, key)
	fmt.Println(string(e.Data), err)
	for info, err := range another.Entries(ctx) {
		fmt.Println(info.Key, info.Size, err)
	}
	// Output:
	// true <nil> <nil>
	// User-agent: * <nil>
	// https://example.com:443 13 <nil>
}
