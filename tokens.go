package robotstxt

import (
	"cmp"
	"math/bits"
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
	return tokenRows(r.words[at : at+tokenWords]).at(0)
}

// sortTokens sorts the rows of tokens. It is Shell's sort in Sedgewick's steps of
// 1986: in place, quick for the few rows that most files have, and never worse
// than in proportion to rows^(4/3).
func (r *Robots) sortTokens(rows tokenRows) {
	n := rows.len()
	for k := bits.Len(uint(n)) / 2; k >= 0; k-- {
		gap := 1
		if k > 0 {
			gap = 1<<(2*k) + 3<<(k-1) + 1
		}
		for i := gap; i < n; i++ {
			t, j := rows.at(i), i
			for j >= gap && r.below(t, rows.at(j-gap)) {
				rows.put(j, rows.at(j-gap))
				j -= gap
			}
			rows.put(j, t)
		}
	}
}

// below reports whether a stands in front of b.
func (r *Robots) below(a, b tokenRow) bool {
	if a.hash() != b.hash() {
		return a < b
	}
	return r.belowOfHash(a, b)
}

// belowOfHash is below for tokens of one hash.
func (r *Robots) belowOfHash(a, b tokenRow) bool {
	c := ascii.CompareFold(r.agent(a.agent()).token, r.agent(b.agent()).token)
	return c < 0 || c == 0 && a < b
}

// compactTokens drops the rows that name for their group what another one of its
// lines does already, and returns how many are left.
func (r *Robots) compactTokens(rows tokenRows) (left int) {
	for i := range rows.len() {
		t := rows.at(i)
		if left > 0 && r.sameName(rows.at(left-1), t) {
			continue
		}
		rows.put(left, t)
		left++
	}
	return left
}

// sameName reports whether a and b name the same for the same group.
func (r *Robots) sameName(a, b tokenRow) bool {
	if a.hash() != b.hash() {
		return false
	}
	x, y := a.agent(), b.agent()
	return r.groupOf(x) == r.groupOf(y) && ascii.EqualFold(r.agent(x).token, r.agent(y).token)
}

// tokenRows are the rows while they are sorted.
type tokenRows []uint32

func (rows tokenRows) len() int { return len(rows) / tokenWords }

func (rows tokenRows) at(i int) tokenRow { return tokenRow(rows[2*i]) | tokenRow(rows[2*i+1])<<32 }

func (rows tokenRows) put(i int, t tokenRow) { rows[2*i], rows[2*i+1] = t.agent(), t.hash() }
