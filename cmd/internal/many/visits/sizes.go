package visits

import (
	"compress/flate"
	"math"
	"slices"
)

// sizes are the sizes of answers with a file, in ascending order of their times, one a minute.
type sizes []minuteSizes

type minuteSizes struct {
	least moment // when the smallest was sent
	bytes int64  // of it
	most  int64  // bytes of the largest
}

func compareSizes(s minuteSizes, minute int64) int { return compareMinute(s.least, minute) }

func (all sizes) with(m moment, bytes int64) sizes {
	i, known := slices.BinarySearchFunc(all, minuteOf(m.at), compareSizes)
	if !known {
		return slices.Insert(all, i, minuteSizes{m, bytes, bytes})
	}
	s := &all[i]
	s.most = max(s.most, bytes)
	if bytes < s.bytes || bytes == s.bytes && m.compare(s.least) < 0 {
		s.least, s.bytes = m, bytes
	}
	return all
}

// in returns the sizes in a span. The minutes of its ends count.
func (all sizes) in(from, to int64) sizes {
	begin, _ := slices.BinarySearchFunc(all, minuteOf(from), compareSizes)
	end, _ := slices.BinarySearchFunc(all, minuteOf(to)+minuteMillis, compareSizes)
	return all[begin:end]
}

// maxHeaders is the number of bytes by which two answers with a file differ at most because of their headers. For a
// small file, it is half of the file, or of the compressed one. For a large one, it is an eighth of the compressed one:
// a cookie is not mistaken for a file that is missing.
const maxHeaders = 64

// shortIn returns the first answer in a span that might have had headers only, or nil: another one to anybody was
// larger, and the copies that were in use do not explain the difference.
func (r *run) shortIn(q *inquiry, site int, from, to int64) *moment {
	most := int64(0)
	for _, s := range r.sent[everybody(site)].in(from, to) {
		most = max(most, s.most)
	}
	if most == 0 {
		return nil
	}
	operator := nobody
	if r.NoSiteCache {
		operator = q.of.operator
	}
	bodies, headers := q.bodySizes()
	whole := int64(-1)
	for _, s := range r.sent[witness{site, operator}].in(from, to) { // in a minute, the least lacks a body if any does
		difference := most - s.bytes
		if difference != whole && len(bodies) > 0 && !isWhole(difference, headers, bodies) {
			return &s.least
		}
		whole = difference
	}
	return nil
}

// bodySize is the number of bytes that an answer with a copy can have without its headers.
type bodySize struct{ least, most int64 }

// bodySizes returns the sizes of the copies that the sender might have, as they are and compressed, and the difference
// that headers can make.
func (q *inquiry) bodySizes() (all []bodySize, headers int64) {
	headers = math.MaxInt64
	for _, f := range q.files {
		if !f.none {
			all = append(all, f.size(), f.compressed())
			most := max(maxHeaders, f.compressed().least/4)
			headers = min(headers, most, f.size().least/2, f.compressed().least)
		}
	}
	return all, headers
}

func (f *file) size() bodySize { return bodySize{int64(len(f.body)), int64(len(f.body))} }

// compressed returns the sizes of a file in any of the codings that clients accept. For real files, they are between
// half of the best gzip and 1.4 of it.
func (f *file) compressed() bodySize {
	if f.deflated == 0 {
		counted := &counter{}
		w, _ := flate.NewWriter(counted, flate.BestCompression) // the level is valid
		_, _ = w.Write(f.body)
		_ = w.Close()
		f.deflated = counted.n
	}
	const frame = 18 // of gzip
	return bodySize{f.deflated / 2, (f.deflated+frame)*7/5 + frame}
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// isWhole reports whether an answer, which has fewer bytes than the largest one, must have a body: both have
// one if the difference is that of headers or of two bodies, and not that of a body and none.
func isWhole(difference, headers int64, bodies []bodySize) bool {
	if difference <= headers {
		return true
	}
	isOfTwo := false
	for _, b := range bodies {
		if difference >= b.least-headers && difference <= b.most+headers {
			return false
		}
		isOfTwo = isOfTwo || slices.ContainsFunc(bodies, func(other bodySize) bool {
			return difference >= b.least-other.most-headers && difference <= b.most-other.least+headers
		})
	}
	return isOfTwo
}
