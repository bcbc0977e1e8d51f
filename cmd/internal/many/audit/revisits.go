package audit

import (
	"cmp"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"hash/maphash"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// refersTo is the capture that a revisit names.
type refersTo struct {
	url string
	at  Millis
}

// digestOf returns a hash of the digest of a body. It is 0 without a digest and for that of no bytes, because some
// crawlers write the digest of a revisit's own block, which has no body. Digests compare as texts, but the name of
// the algorithm in any case.
func digestOf(text string) uint64 {
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
		all = append(all, hex.EncodeToString(sum), base, base64.RawStdEncoding.EncodeToString(sum),
			base64.RawURLEncoding.EncodeToString(sum))
	}
	return all
}()

func (c *Crawl) isRevisit(e *entry) bool { return c.facts.list[e.facts].problem == string(Revisit) }

// hasFile reports whether a capture has a file.
func (c *Crawl) hasFile(e *entry) bool { return c.facts.list[e.facts].outcome == wire.OutcomeRules }

// originals are the captures with files that revisits have.
type originals struct {
	byDigest map[uint64]*entry
	named    map[refersTo]*entry
	before   map[*entry]*entry // see Crawl.before
}

// original returns the capture with the file of a revisit: any capture with its digest, else the one that it names,
// unless their digests differ, else, for a status 304, that of the newest earlier capture of the URL that has one. It
// is nil if there is none, and for other captures.
func (c *Crawl) original(e *entry) *entry {
	original := c.referred(e)
	if original == nil && c.isRevisit(e) && c.facts.list[e.facts].status == http.StatusNotModified {
		original = c.before(e)
	}
	return original
}

// before returns the capture with the file of the captures of a URL before one of them. It is kept, so that many of
// them do not search each other's past.
func (c *Crawl) before(e *entry) (original *entry) {
	for at := e.older; at >= 0 && original == nil; at = c.entries.at(at).older {
		older := c.entries.at(at)
		if c.hasFile(older) {
			original = older
			break
		}
		original = c.referred(older)
		if known, ok := c.originals.before[older]; ok {
			original = cmp.Or(original, known)
			break
		}
	}
	c.originals.before[e] = original
	return original
}

// referred returns the capture with the file of a revisit by what its record says.
func (c *Crawl) referred(e *entry) *entry {
	if !c.isRevisit(e) {
		return nil
	}
	if c.originals == nil {
		c.findOriginals()
	}
	if original := c.originals.byDigest[e.digest]; original != nil {
		return original
	}
	original := c.originals.named[c.revisits[e.place]]
	if original == nil || original.digest != 0 && e.digest != 0 && original.digest != e.digest {
		return nil
	}
	return original
}

// findOriginals finds the newest captures with the digests of revisits, and with the URLs and times that they name.
func (c *Crawl) findOriginals() {
	o := &originals{map[uint64]*entry{}, map[refersTo]*entry{}, map[*entry]*entry{}}
	c.originals = o
	c.each(func(e *entry) {
		if c.isRevisit(e) && e.digest != 0 {
			o.byDigest[e.digest] = nil
		}
	})
	c.each(func(e *entry) {
		have, isWanted := o.byDigest[e.digest]
		if isWanted && c.hasFile(e) && (have == nil || have.order(e.at, e.group, e.number) < 0) {
			o.byDigest[e.digest] = e
		}
	})
	urls := map[string]bool{}
	for _, named := range c.revisits {
		if named.at != 0 {
			o.named[named] = nil
			urls[named.url] = true
		}
	}
	for url := range urls {
		for at := c.newest(url); at >= 0; at = c.entries.at(at).older {
			e := c.entries.at(at)
			named := refersTo{url, e.at}
			if have, isWanted := o.named[named]; isWanted && have == nil && c.hasFile(e) {
				o.named[named] = e
			}
		}
	}
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

// Revisits finds the files of the revisits in web archives, as a count does. Its memory is about 130 bytes for each
// file and revisit, and 200 more for a revisit that names another record.
type Revisits struct{ crawl *Crawl }

// Record identifies a record of an archive. Number counts the records that are yielded.
type Record struct {
	Archive, Number int
	at              Millis
	digest          uint64
}

// RecordOf returns the identity of a record.
func RecordOf(in *Input, archive, number int) Record {
	return Record{archive, number, millisOf(in.FetchedAt), digestOf(in.PayloadDigest)}
}

// Visit is a revisit of the robots.txt of an origin.
type Visit struct {
	Origin string
	Time   time.Time
}

// Note notes a record. isFile is whether it has a file. It reports whether Files counts the record as a revisit.
func (r *Revisits) Note(in *Input, record Record, isFile bool) (isRevisit bool) {
	if r.crawl == nil {
		r.crawl = NewCensus(ByOrigin, false).Crawl("")
	}
	c := r.crawl
	seen := capture{at: record.at, group: int32(record.Archive), number: int64(record.Number), digest: record.digest,
		place: uint64(record.Archive)<<40 | uint64(record.Number)}
	seen.facts.status = int32(in.Status)
	site, err := origin.Of(in.URL)
	switch {
	case err != nil:
		return false
	case isFile:
		seen.facts.outcome = wire.OutcomeRules
	case in.IsRevisit():
		seen.facts.problem = string(Revisit)
		seen.refersTo = refersTo{in.RefersTo, millisOf(in.RefersAt)}
	default:
		return false
	}
	heads, key := c.sites, site.String()
	if target := targetOf(in.URL); target != "" {
		heads, key = c.targets, target
	}
	head, isKnown := heads[key]
	if isKnown {
		key = c.entries.at(head).origin // one text for all
	}
	at := c.entry(key, &seen)
	if isKnown {
		c.entries.at(at).older = head
	}
	heads[key] = at
	return !isFile && !in.IsTarget() && record.at != 0
}

// Files returns the revisits by the records with their files, and the number of all revisits.
func (r *Revisits) Files() (of map[Record][]Visit, revisits int) {
	of = map[Record][]Visit{}
	if r.crawl == nil {
		return of, 0
	}
	c := r.crawl
	c.sort(c.targets)
	c.sort(c.sites)
	for site, head := range c.sites {
		for _, at := range slices.Backward(c.capturesOf(head)) { // the oldest first
			e := c.entries.at(at)
			if !c.isRevisit(e) || e.at == 0 {
				continue
			}
			revisits++
			if file := c.original(e); file != nil {
				record := Record{int(file.group), int(file.number), file.at, file.digest}
				of[record] = append(of[record], Visit{site, e.at.Time()})
			}
		}
	}
	return of, revisits
}

// capturesOf returns the captures of a URL, in their order.
func (c *Crawl) capturesOf(head int32) (all []int32) {
	for at := head; at >= 0; at = c.entries.at(at).older {
		all = append(all, at)
	}
	return all
}

// sort sorts the captures of URLs, so that each refers to the one before it.
func (c *Crawl) sort(heads map[string]int32) {
	for url, head := range heads {
		all := c.capturesOf(head)
		slices.SortFunc(all, func(x, y int32) int {
			e := c.entries.at(y)
			return c.entries.at(x).order(e.at, e.group, e.number)
		})
		older := int32(-1)
		for _, at := range all {
			c.entries.at(at).older = older
			older = at
		}
		heads[url] = older
	}
}
