package main

import (
	"math/bits"
	"time"
)

// A histogram counts durations in buckets, each at most 1/128 wider than its lower bound.
// So a quantile is too high by less than 0.8 %.
type histogram struct {
	counts [(64 - subBits) << subBits]uint32
	n      int
	max    time.Duration
}

const subBits = 7

// bucketOf returns the bucket of a duration: the position of its highest bit, and the next
// seven bits.
func bucketOf(d time.Duration) int {
	v := uint64(max(d, 0))
	shift := max(bits.Len64(v)-1-subBits, 0)
	return shift<<subBits + int(v>>shift)
}

// upperBound returns the longest duration in a bucket.
func upperBound(bucket int) time.Duration {
	if bucket < 2<<subBits {
		return time.Duration(bucket)
	}
	shift := bucket>>subBits - 1
	return time.Duration((uint64(bucket)-uint64(shift)<<subBits+1)<<shift - 1)
}

func (h *histogram) add(d time.Duration) {
	h.counts[bucketOf(d)]++
	h.n++
	h.max = max(h.max, d)
}

func (h *histogram) merge(other *histogram) {
	for i, n := range other.counts {
		h.counts[i] += n
	}
	h.n += other.n
	h.max = max(h.max, other.max)
}

// quantile returns the duration that a share of all does not exceed, 0 if there are none.
func (h *histogram) quantile(share float64) time.Duration {
	rank := int(share * float64(h.n))
	for i, n := range h.counts {
		if rank -= int(n); rank < 0 {
			return min(upperBound(i), h.max)
		}
	}
	return h.max
}
