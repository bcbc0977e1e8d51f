package audit

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/hex"
	"hash/maphash"
	"net/http"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// refersTo is the capture that a revisit names.
type refersTo struct {
	url string
	at  Millis
}

// DigestOf returns a hash of the digest of a body. It is 0 without a digest and for that of no bytes, because some
// crawlers write the digest of a revisit's own block, which has no body. Digests compare as texts, but the name of
// the algorithm in any case.
func DigestOf(text string) uint64 {
	algorithm, value, ok := strings.Cut(text, ":")
	bare := strings.TrimRight(value, "=")
	if !ok || slices.ContainsFunc(ofNothing, func(none string) bool { return strings.EqualFold(none, bare) }) {
		return 0
	}
	return max(1, maphash.String(places, strings.ToLower(algorithm)+":"+value))
}

// ofNothing has the digests of no bytes, in the notations of crawlers, without padding.
var ofNothing = func() (all []string) {
	md5, sha1 := md5.Sum(nil), sha1.Sum(nil)
	sha256, sha512 := sha256.Sum256(nil), sha512.Sum512(nil)
	for _, sum := range [][]byte{md5[:], sha1[:], sha256[:], sha512[:]} {
		base := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum)
		all = append(all, hex.EncodeToString(sum), base)
	}
	return all
}()

func (c *Crawl) isRevisit(e *entry) bool { return c.facts.list[e.facts].problem == string(Revisit) }

// hasFile reports whether a capture has a file.
func (c *Crawl) hasFile(e *entry) bool { return c.facts.list[e.facts].outcome == wire.OutcomeRules }

// original returns the capture with the file of a revisit, nil if it is not known and for other captures. For a
// status 304 it can also be that of the newest earlier capture of the URL that has one.
func (c *Crawl) original(e *entry) *entry {
	if !c.isRevisit(e) {
		return nil
	}
	if original := c.referred(e); original != nil {
		return original
	}
	if c.facts.list[e.facts].status != http.StatusNotModified {
		return nil
	}
	for at := e.older; at >= 0; {
		older := c.entries.at(at)
		if c.hasFile(older) {
			return older
		}
		if original := c.referred(older); original != nil {
			return original
		}
		at = older.older
	}
	return nil
}

// referred returns the capture with the file of a revisit by what its record says: any capture with the digest, else
// the one that the revisit names. It is nil if there is none, or if they have different digests.
func (c *Crawl) referred(e *entry) *entry {
	if !c.isRevisit(e) {
		return nil
	}
	if original := c.withDigest(e.digest); original != nil {
		return original
	}
	named := c.revisits[e.place]
	if named.at == 0 {
		return nil
	}
	for at := c.newest(named.url); at >= 0; {
		original := c.entries.at(at)
		isOther := original.digest != 0 && e.digest != 0 && original.digest != e.digest
		if original.at == named.at && c.hasFile(original) && !isOther {
			return original
		}
		at = original.older
	}
	return nil
}

// withDigest returns the newest capture with a file and that digest, nil if there is none.
func (c *Crawl) withDigest(digest uint64) *entry {
	if digest == 0 {
		return nil
	}
	if c.originals == nil {
		c.findOriginals()
	}
	return c.originals[digest]
}

// findOriginals finds the captures with the digests of revisits.
func (c *Crawl) findOriginals() {
	c.originals = map[uint64]*entry{}
	c.each(func(e *entry) {
		if c.isRevisit(e) {
			c.originals[e.digest] = nil
		}
	})
	c.each(func(e *entry) {
		have, isWanted := c.originals[e.digest]
		if isWanted && c.hasFile(e) && (have == nil || have.order(e.at, e.group, e.number) < 0) {
			c.originals[e.digest] = e
		}
	})
}

// each calls yield for each capture, in no order.
func (c *Crawl) each(yield func(*entry)) {
	for _, heads := range []map[string]int32{c.sites, c.targets} {
		for _, head := range heads {
			for ; head >= 0; head = c.entries.at(head).next {
				for at := head; at >= 0; at = c.entries.at(at).older {
					yield(c.entries.at(at))
				}
			}
		}
	}
}
