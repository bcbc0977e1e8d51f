package audit

import (
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// kinds groups crawlers that read files alike. Crawlers of one kind that a file does not
// name have equal rows except for their names, and most files name few crawlers or none.
type kinds struct {
	dialects []robotstxt.Dialect // of the crawlers and of their other readings
	tokens   map[string][]int    // product tokens in lower case; the crawlers that have them
	longest  int                 // of tokens
	kind     []int               // of each crawler

	// About the current file.
	shared []sharedRow // by kind
	named  []bool      // by crawler
	own    sharedRow   // of a crawler that the file names
	token  []byte
}

type sharedRow struct {
	known   bool
	row     Crawler
	verdict []byte // see appendVerdict
}

func newKinds(readers []answer.Crawler) kinds {
	type kind struct {
		dialect                     robotstxt.Dialect
		unread, namedOnly, doubtful bool
	}
	k := kinds{tokens: map[string][]int{}, named: make([]bool, len(readers))}
	numbers := map[kind]int{}
	for i, crawler := range readers {
		other, doubtful := crawler.Other()
		if !crawler.Unread {
			k.dialects = append(k.dialects, crawler.Dialect)
		}
		if !crawler.Unread && doubtful {
			k.dialects = append(k.dialects, other.Dialect)
		}
		key := kind{crawler.Dialect, crawler.Unread, crawler.NamedOnly, doubtful}
		number, ok := numbers[key]
		if !ok {
			number = len(numbers)
			numbers[key] = number
		}
		k.kind = append(k.kind, number)
		for _, token := range crawler.Tokens {
			token = ascii.ToLower(token)
			k.tokens[token] = append(k.tokens[token], i)
			k.longest = max(k.longest, len(token))
		}
	}
	slices.Sort(k.dialects)
	k.dialects = slices.Compact(k.dialects)
	k.shared = make([]sharedRow, len(numbers))
	return k
}

func (k *kinds) begin() {
	clear(k.named)
	for i := range k.shared {
		k.shared[i].known = false
	}
}

func (k *kinds) mark(robots *robotstxt.Robots) {
	for group := range robots.Groups() {
		for agent := range group.Agents() {
			if len(agent.Token) > k.longest {
				continue
			}
			k.token = append(k.token[:0], agent.Token...)
			for i, octet := range k.token {
				k.token[i] = ascii.Lower(octet)
			}
			for _, i := range k.tokens[string(k.token)] {
				k.named[i] = true
			}
		}
	}
}

// of returns the row of a crawler in the current file. The row is still unknown for the
// first crawler that shares it.
func (k *kinds) of(crawler int) *sharedRow {
	if k.named[crawler] {
		k.own.known = false
		return &k.own
	}
	return &k.shared[k.kind[crawler]]
}
