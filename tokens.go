package robotstxt

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// The tokens of agent lines
//
// The table of tokens is sorted by the hash of the token, then by token, then by place.
// The table of buckets has, for each value of the upper bits of a hash, the first row
// with such a hash. A bucket has two to four rows, so a search among ten thousand agents
// takes no longer than among ten. If an attacker makes thousands of tokens with the same
// hash, a binary search compares tokens.

// tokenRow is a row of tokens as one integer that sorts by hash, then by place: the
// hash, the agent, and whether the row with this hash before it has the same token.
// Agents are fewer than lines, which have 24 bits.
type tokenRow uint64

const repeatsToken tokenRow = 1

func newTokenRow(hash, agent uint32) tokenRow { return tokenRow(hash)<<32 | tokenRow(agent)<<1 }

func (t tokenRow) agent() uint32 { return uint32(t) >> 1 }
func (t tokenRow) hash() uint32  { return uint32(t >> 32) }
func (t tokenRow) repeats() bool { return t&repeatsToken != 0 }

// latestTokens has, for each value of the lower bits of a hash, the index in
// parser.named of the latest row with these bits. An index can be from an earlier
// file: then no row of this file has these bits, so the row at the index has a
// different hash.
type latestTokens [256]uint32

// name adds the row of an agent with this token, unless an earlier agent of the latest
// group has the same token. A file with many agent lines usually has few tokens. So this
// compares a token with the latest one that has the same hash, which is in the processor's
// cache. After all lines are read, each comparison would load two tokens from memory.
func (p *parser) name(agent uint32, token string) {
	row := newTokenRow(hashToken(token), agent)
	latest := &p.latest[row.hash()%uint32(len(p.latest))]
	if int(*latest) < len(p.named) && p.named[*latest].hash() == row.hash() {
		if other := p.named[*latest].agent(); ascii.EqualFold(p.token(other), token) {
			if other >= p.groups[len(p.groups)-groupWords] {
				return
			}
			row |= repeatsToken
		}
	}
	*latest = uint32(len(p.named))
	p.named = append(p.named, row)
}

// token returns the token of an agent line that is not the latest.
func (p *parser) token(agent uint32) string {
	row := p.agents[agent*agentWords:]
	return ascii.View(p.tokens[row[0]:row[agentWords]])
}

// hashToken returns the same for tokens that differ in the case of letters only. The bit
// that it sets for that also makes some other octets equal, and the hashes of such
// tokens too, which does no harm.
func hashToken(s string) uint32 {
	const caseBits, multiplier = 0x2020202020202020, 0x9E3779B97F4A7C15
	hash := uint64(len(s))
	for ; len(s) >= 8; s = s[8:] {
		hash = (hash ^ (ascii.Load8(s) | caseBits)) * multiplier
		hash ^= hash >> 32
	}
	var word uint64
	switch {
	case len(s) >= 4:
		word = uint64(load4(s)) | uint64(load4(s[len(s)-4:]))<<32 | caseBits
	case len(s) > 0:
		word = uint64(s[0]) | uint64(s[len(s)/2])<<8 | uint64(s[len(s)-1])<<16 | caseBits
	}
	return uint32((hash ^ word) * multiplier >> 32)
}

func bucketsOf(rows int) int { return 1 << max(0, bits.Len(uint(rows))-2) }

func bucketOf(hash, buckets uint32) uint32 { return hash >> (32 - bits.TrailingZeros32(buckets)) }

// named returns the range in tokens of the agent lines with token s. It searches for
// both ends, because thousands of groups can have the same token.
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

// compareToken compares a row with token s, whose hash it is given.
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

// placeTokens writes the tables of tokens and buckets from rows in file order. It moves
// the rows to their buckets by counting sort, then sorts each bucket.
func (r *Robots) placeTokens(d *draft) {
	named := d.named
	if len(named) == 1 { // of most small files
		r.tokens.rows = 1
		row := r.words[r.tokens.start:][:tokenWords]
		row[0], row[1] = named[0].agent(), named[0].hash()
		r.words[r.buckets.start+1] = 1
		return
	}
	if cap(d.sorted) < len(named) {
		d.sorted = make([]tokenRow, cap(named))
	}
	sorted := d.sorted[:len(named)]
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
		*start++ // after all rows, the start of the next bucket
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
}

// appendBucket appends the rows of a bucket in their order: by hash, by token, by
// place. If several lines have the same token and group, it appends the first.
func (r *Robots) appendBucket(tokens []uint32, bucket []tokenRow) []uint32 {
	if !slices.IsSorted(bucket) {
		slices.Sort(bucket)
	}
	for rest := bucket; len(rest) > 0; {
		n := 1
		same := true
		for n < len(rest) && rest[n].hash() == rest[0].hash() {
			same = same && rest[n].repeats()
			n++
		}
		rows := rest[:n]
		if !same {
			rows = r.sortByToken(rows)
		}
		for _, t := range rows {
			tokens = append(tokens, t.agent(), t.hash())
		}
		rest = rest[n:]
	}
	return tokens
}

// sortByToken sorts rows of one hash by token, then by place, and removes those with
// the same token and group as the row before.
func (r *Robots) sortByToken(rows []tokenRow) []tokenRow {
	slices.SortFunc(rows, func(a, b tokenRow) int {
		return cmp.Or(ascii.CompareFold(r.agent(a.agent()).token, r.agent(b.agent()).token), cmp.Compare(a, b))
	})
	return slices.CompactFunc(rows, func(a, b tokenRow) bool {
		x, y := a.agent(), b.agent()
		return r.groupOf(x) == r.groupOf(y) && ascii.EqualFold(r.agent(x).token, r.agent(y).token)
	})
}
