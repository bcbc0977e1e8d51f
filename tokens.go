package robotstxt

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// The table of tokens finds the agent lines that name a token. It is sorted by
// hash, and the upper bits of a hash are the row of buckets that says where the
// hashes with those bits begin. There are two to four to a bucket, so ten
// thousand agents are searched like ten.
//
// Rows of one hash are sorted by token, then by place. Whoever makes up
// thousands of tokens with one hash gets a binary search that compares tokens,
// and nothing worse.

// tokenRow is a row of tokens as one integer: the hash above, the agent below.
type tokenRow uint64

func newTokenRow(hash, agent uint32) tokenRow { return tokenRow(hash)<<32 | tokenRow(agent) }

func (t tokenRow) agent() uint32 { return uint32(t) }
func (t tokenRow) hash() uint32  { return uint32(t >> 32) }

// hashToken is the same for tokens that are equal but for the case of ASCII
// letters. The bit that it sets maps other octets to one too, which costs
// nothing but a hash in common.
func hashToken(s string) uint32 {
	const caseBits, multiplier = 0x2020202020202020, 0x9E3779B97F4A7C15
	hash := uint64(len(s))
	for ; len(s) >= 8; s = s[8:] {
		hash = (hash ^ (ascii.Load8(s) | caseBits)) * multiplier
		hash ^= hash >> 32
	}
	var word uint64
	for i := 0; i < len(s); i++ {
		word = word<<8 | uint64(s[i]|0x20)
	}
	return uint32((hash ^ word) * multiplier >> 32)
}

// bucketsOf returns how many buckets so many rows of tokens have: a power of two.
func bucketsOf(rows int) int { return 1 << max(0, bits.Len(uint(rows))-2) }

// bucketOf returns the bucket of a hash, one of a power of two.
func bucketOf(hash, buckets uint32) uint32 { return hash >> (32 - bits.TrailingZeros32(buckets)) }

// named returns the range in tokens of the agent lines that name s. Both its
// ends are searched: a file can name one token in all of its groups.
func (r *Robots) named(s string) (start, end int) {
	if r.tokens.rows == 0 {
		return 0, 0
	}
	hash := hashToken(s)
	bucket := r.buckets.row(bucketOf(hash, r.buckets.rows), 1)
	start, end = int(r.words[bucket]), int(r.words[bucket+1])
	start += sort.Search(end-start, func(i int) bool { return r.compareToken(r.token(start+i), hash, s) >= 0 })
	end = start + sort.Search(end-start, func(i int) bool { return r.compareToken(r.token(start+i), hash, s) > 0 })
	return start, end
}

// compareToken orders a row and the token s, which has that hash.
func (r *Robots) compareToken(t tokenRow, hash uint32, s string) int {
	if t.hash() != hash {
		return cmp.Compare(t.hash(), hash)
	}
	return ascii.CompareFold(r.agent(t.agent()).token, s)
}

func (r *Robots) token(i int) tokenRow {
	at := r.tokens.row(uint32(i), tokenWords)
	return newTokenRow(r.words[at+1], r.words[at])
}

// placeTokens writes the tables of tokens and buckets from rows in file order,
// using memory that it returns. The rows are counted into their buckets, which
// are small, and each bucket is sorted.
func (r *Robots) placeTokens(named, memory []tokenRow) []tokenRow {
	sorted := slices.Grow(memory[:0], len(named))[:len(named)]
	buckets := r.words[r.buckets.start:][:r.buckets.rows+1]
	for _, t := range named {
		buckets[bucketOf(t.hash(), r.buckets.rows)]++
	}
	end := uint32(0)
	for i := range buckets {
		end, buckets[i] = end+buckets[i], end
	}
	for _, t := range named {
		start := &buckets[bucketOf(t.hash(), r.buckets.rows)]
		sorted[*start] = t
		*start++ // in the end that of the next bucket
	}
	tokens := r.words[r.tokens.start:r.tokens.start]
	start := uint32(0)
	for i := range r.buckets.rows {
		end := buckets[i]
		buckets[i] = uint32(len(tokens)) / tokenWords
		tokens = r.appendBucket(tokens, sorted[start:end])
		start = end
	}
	r.tokens.rows = uint32(len(tokens)) / tokenWords
	buckets[r.buckets.rows] = r.tokens.rows
	return sorted
}

// appendBucket appends the rows of a bucket in their order: by hash, by token,
// by place. It leaves out those that name for their group what another one of
// its lines does already.
func (r *Robots) appendBucket(tokens []uint32, bucket []tokenRow) []uint32 {
	if len(bucket) > 1 {
		slices.Sort(bucket) // by hash, by place
	}
	for rest := bucket; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].hash() == rest[0].hash() {
			n++
		}
		if n > 1 {
			r.sortByToken(rest[:n])
		}
		for i, t := range rest[:n] {
			if i == 0 || !r.sameName(rest[i-1], t) {
				tokens = append(tokens, t.agent(), t.hash())
			}
		}
		rest = rest[n:]
	}
	return tokens
}

// sortByToken sorts rows of one hash, which are in file order, by token. Nearly
// always there is but one.
func (r *Robots) sortByToken(rows []tokenRow) {
	byToken := func(a, b tokenRow) int {
		return cmp.Or(ascii.CompareFold(r.agent(a.agent()).token, r.agent(b.agent()).token), cmp.Compare(a, b))
	}
	if !slices.IsSortedFunc(rows, byToken) {
		slices.SortFunc(rows, byToken)
	}
}

// sameName reports whether a and b, of one hash, name the same for the same
// group.
func (r *Robots) sameName(a, b tokenRow) bool {
	x, y := a.agent(), b.agent()
	return r.groupOf(x) == r.groupOf(y) && ascii.EqualFold(r.agent(x).token, r.agent(y).token)
}
