package audit

import (
	"bufio"
	"hash/maphash"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
	"github.com/kosterhq/robotstxt/fetch"
)

// otherNames finds the records in a web archive that are not a robots.txt by their names, but to which redirects of
// one lead, or which a revisit of one names. A record can precede these: then the archive is read again.
type otherNames struct {
	pass    int64            // 1 while the archive is read the first time
	wanted  map[uint64]int64 // when a redirect first led to a URL, see keyOf and now
	latest  int64            // the newest time in wanted
	skipped []uint64         // the URLs of records that the first pass skipped
}

// maxTargets bounds the targets of redirects that are looked for, with up to 40 MB. Those of later redirects are not
// found.
const maxTargets = 1 << 20

// maxSkippedRecords bounds the records that are noted, with up to 18 MB. If there are more, the archive is read again
// after any redirect to another name. Only tests change it.
var maxSkippedRecords = 1 << 20

func newOtherNames() *otherNames { return &otherNames{pass: 1, wanted: map[uint64]int64{}} }

// onePass is the time from a record to the same record in the next pass.
const onePass = 1 << 40

// now returns the time of a record: the pass and the number of the record.
func (o *otherNames) now(number int) int64 { return o.pass*onePass + int64(number) }

func (o *otherNames) isFirstPass() bool { return o == nil || o.pass == 1 }

// keyOf returns a hash of a URL. It is 0 if the record of the URL is read anyway, or if it has none.
func keyOf(url string) uint64 {
	target := targetOf(url)
	if target == "" || isRobots(target) {
		return 0
	}
	return max(1, maphash.String(places, target))
}

// want notes the target of a redirect in a record, or the URL that a revisit names; "" for neither.
func (o *otherNames) want(url string, number int) {
	key := keyOf(url)
	if _, known := o.wanted[key]; key != 0 && !known && len(o.wanted) < maxTargets {
		o.latest = o.now(number)
		o.wanted[key] = o.latest
	}
}

// isWanted reports whether a record is to be read: it is the target of a redirect so far, and an earlier pass has not
// read it. The first pass notes the records for which the answer is no.
func (o *otherNames) isWanted(url string, number int) bool {
	key := keyOf(url)
	since, isTarget := o.wanted[key]
	if !isTarget && key != 0 && o.pass == 1 && len(o.skipped) < maxSkippedRecords {
		o.skipped = append(o.skipped, key)
	}
	return isTarget && since > o.now(number)-onePass
}

// next begins the next pass. It reports whether one is needed: the last one has found redirects to records that the
// first one has skipped.
func (o *otherNames) next() bool {
	begin := o.now(0)
	o.pass++
	isMissed := func(key uint64) bool { return o.wanted[key] >= begin }
	return o.latest >= begin && (len(o.skipped) == maxSkippedRecords || slices.ContainsFunc(o.skipped, isMissed))
}

// maxRedirects is how many redirects any policy follows.
var maxRedirects = func() (most int) {
	for _, policy := range fetch.Policies() {
		n, _ := policy.Redirects()
		most = max(most, n)
	}
	return most
}()

// otherRecords yields the records that precede the redirects to them. Those can be redirects again. first is the number
// before the first record of the archive.
func (r *reader) otherRecords(first int) error {
	if r.others == nil || r.reopen == nil {
		return nil
	}
	for range maxRedirects {
		if !r.others.next() {
			break
		}
		r.number = first
		if err := r.readAgain(); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) readAgain() error {
	data, err := r.reopen()
	if err != nil {
		return err
	}
	defer data.Close()
	stored, _ := sniff(bufio.NewReaderSize(data, 64<<10))
	_ = r.records(stored, func(*warc.DamageError) error { return nil }) // the first pass has reported its error
	return r.stopped
}
