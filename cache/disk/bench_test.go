package disk_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
)

const benchmarkKeys = 50_000

func kilobytes(n int, fetchedAt time.Time) []cache.Entry {
	entries := make([]cache.Entry, n)
	for i := range entries {
		entries[i] = kilobyte(i, fetchedAt)
	}
	return entries
}

func BenchmarkGet(b *testing.B) {
	s := open(b, disk.Config{Dir: b.TempDir()})
	entries := kilobytes(benchmarkKeys, time.Now())
	each(b, 0, benchmarkKeys, func(i int) error {
		_, err := s.PutIfNewer(context.Background(), origin(i), entries[i])
		return err
	})
	get := func(b *testing.B, i int, want error) {
		if _, err := s.Get(context.Background(), origin(i)); !errors.Is(err, want) {
			b.Error(err)
		}
	}
	b.Run("Hit", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			get(b, rand.IntN(benchmarkKeys), nil)
		}
	})
	b.Run("Miss", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			get(b, benchmarkKeys+rand.IntN(benchmarkKeys), cache.ErrNotFound)
		}
	})
	b.Run("Parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				get(b, rand.IntN(benchmarkKeys), nil)
			}
		})
	})
}

// BenchmarkPut puts entries that are newer than the present ones: one at a
// time, and many concurrently, as a crawler does.
func BenchmarkPut(b *testing.B) {
	entries := kilobytes(1000, time.Now())
	run := func(b *testing.B, goroutines int) {
		s := open(b, disk.Config{Dir: b.TempDir()})
		var n atomic.Int64
		b.ReportAllocs()
		b.SetParallelism(goroutines)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				i := int(n.Add(1))
				e := entries[i%len(entries)]
				e.FetchedAt = e.FetchedAt.Add(time.Duration(i))
				if stored, err := s.PutIfNewer(context.Background(), origin(i%benchmarkKeys), e); !stored || err != nil {
					b.Error(stored, err)
				}
			}
		})
	}
	b.Run("One", func(b *testing.B) { run(b, 1) })
	b.Run("Hundreds", func(b *testing.B) { run(b, 256) })
}
