package audit

import (
	"bufio"
	"hash/maphash"
	"io"
	"math"

	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
	"github.com/kosterhq/robotstxt/fetch"
)

// otherNames finds the records in a web archive that are not a robots.txt by their names, but to which redirects of
// one lead, or which a revisit of one names. A record can precede these: then it is read again.
type otherNames struct {
	pass    int64            // 1 while the archive is read the first time
	wanted  map[uint64]int64 // when a redirect first led to a URL, see keyOf and now
	latest  int64            // the newest time in wanted
	skipped []skipped        // the records that the first pass skipped, in their order
}

// skipped is where to read a record again.
type skipped struct {
	key      uint64 // of its URL, 0 for any
	from, to int64  // bytes of the stored archive
	first    int    // the number before the first record that begins there
}

// maxTargets bounds the targets of redirects that are looked for, with up to 40 MB. Those of later redirects are not
// found.
const maxTargets = 1 << 20

// maxSkippedRecords bounds the records that are noted, with up to 32 MB. If there are more, the whole archive is read
// again after any redirect to another name. Only tests change it.
var maxSkippedRecords = 1 << 19

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
func (o *otherNames) isWanted(url string, number int, at skipped) bool {
	at.key = keyOf(url)
	if at.key == 0 {
		return false
	}
	if isMissed := o.isMissed(at.key, number); isMissed || o.pass > 1 {
		return isMissed
	}
	if len(o.skipped) < maxSkippedRecords {
		o.skipped = append(o.skipped, at)
	} else {
		o.skipped[0].key, o.skipped[0].to = 0, math.MaxInt64
	}
	return false
}

// isMissed reports whether a redirect led to a URL after the record with a number was skipped.
func (o *otherNames) isMissed(key uint64, number int) bool {
	since := o.wanted[key]
	if key == 0 {
		since = o.latest
	}
	return since > o.now(number)-onePass
}

// next begins the next pass. It reports whether the last one has found redirects to other names.
func (o *otherNames) next() bool {
	begin := o.now(0)
	o.pass++
	return o.latest >= begin
}

// maxRedirects is how many redirects any policy follows.
var maxRedirects = func() (most int) {
	for _, policy := range fetch.Policies() {
		n, _ := policy.Redirects()
		most = max(most, n)
	}
	return most
}()

// otherRecords yields the records that precede the redirects to them. Those can be redirects again.
func (r *reader) otherRecords() error {
	if r.others == nil || r.reopen == nil {
		return nil
	}
	for range maxRedirects {
		if !r.others.next() {
			break
		}
		if err := r.readAgain(); err != nil {
			return err
		}
	}
	return nil
}

// readAgain reads those of the skipped records that are wanted now. Records that share bytes of the archive, such as
// those of one gzip member, are read together.
func (r *reader) readAgain() error {
	var stored *bufio.Reader
	var archive *warc.Reader
	var at int64
	for list := r.others.skipped; len(list) > 0; {
		group := list[0]
		isMissed := false
		n := 0
		for ; n < len(list) && (n == 0 || list[n].from < group.to); n++ {
			group.to = max(group.to, list[n].to)
			isMissed = isMissed || r.others.isMissed(list[n].key, group.first)
		}
		list = list[n:]
		if !isMissed {
			continue
		}
		if stored == nil {
			data, err := r.reopen()
			if err != nil {
				return err
			}
			defer data.Close()
			stored, _ = sniff(bufio.NewReaderSize(data, 64<<10))
		}
		if _, err := io.CopyN(io.Discard, stored, group.from-at); err != nil {
			return nil // the first pass has reported its error
		}
		part := &io.LimitedReader{R: stored, N: group.to - group.from}
		if archive == nil {
			archive = r.newArchive(part)
		} else {
			archive.Reset(part)
		}
		r.number, r.base = group.first, group.from
		_ = r.records(archive, func(*warc.DamageError) error { return nil })
		at = group.to - part.N
		if r.stopped != nil {
			return r.stopped
		}
	}
	return nil
}
