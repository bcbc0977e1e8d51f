package audit

import (
	"errors"
	"hash/maphash"
	"io"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
	"github.com/kosterhq/robotstxt/fetch"
)

// otherNames finds the records in a web archive that are not a robots.txt by their names, but to which redirects of
// one lead. A record can precede the redirect, so the places of skipped records are kept until the archive ends.
type otherNames struct {
	wanted  map[uint64]bool // URLs to which redirects lead, see keyOf
	skipped []skippedRecord // in the order of the archive
	full    bool            // some records were skipped that are not in skipped
	read    map[int]bool    // the numbers of records that were read
}

type skippedRecord struct {
	url    uint64 // see keyOf
	offset int64
	number int // of the record in the archive
}

// maxTargets bounds the targets that are looked for, with about 30 MB. Those of later redirects are not found.
const maxTargets = 1 << 20

// maxSkippedRecords bounds the skipped records whose places are kept, with 24 MB. If there are more, the archive is
// read again from its beginning. Only tests change it.
var maxSkippedRecords = 1 << 20

func newOtherNames() *otherNames {
	return &otherNames{wanted: map[uint64]bool{}, read: map[int]bool{}}
}

// keyOf returns a hash of a URL. It is 0 if the record of the URL is read anyway, or if it has none.
func keyOf(url string) uint64 {
	target := targetOf(url)
	if target == "" || isRobots(target) {
		return 0
	}
	return max(1, maphash.String(places, target))
}

// want notes the target of a redirect.
func (o *otherNames) want(url string) {
	if key := keyOf(url); key != 0 && len(o.wanted) < maxTargets {
		o.wanted[key] = true
	}
}

// skip notes a record, and reports whether it is not to be read: it is not the target of a redirect so far, or was
// read before.
func (o *otherNames) skip(record *warc.Record, number int) bool {
	key := keyOf(record.URI)
	switch {
	case key == 0:
		return true
	case o.wanted[key]:
		isRead := o.read[number]
		o.read[number] = true
		return isRead
	case len(o.skipped) == maxSkippedRecords:
		o.full = true
	default:
		o.skipped = append(o.skipped, skippedRecord{key, record.Offset, number})
	}
	return true
}

// missed returns the skipped records to which redirects lead.
func (o *otherNames) missed() (missed []skippedRecord) {
	o.skipped = slices.DeleteFunc(o.skipped, func(s skippedRecord) bool {
		if o.wanted[s.url] {
			missed = append(missed, s)
		}
		return o.wanted[s.url]
	})
	return missed
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
func (r *reader) otherRecords(archive *warc.Reader) error {
	if r.others == nil || r.reopen == nil {
		return nil
	}
	for range maxRedirects {
		known := len(r.others.wanted)
		missed := r.others.missed()
		if len(missed) == 0 && !(r.others.full && known > 0) {
			return nil
		}
		if err := r.again(archive, missed); err != nil {
			return err
		}
		if r.others.full && len(r.others.wanted) == known {
			return nil
		}
	}
	return nil
}

// again reads records of the archive again: at their offsets if that is possible, else all.
func (r *reader) again(archive *warc.Reader, missed []skippedRecord) error {
	data, err := r.reopen()
	if err != nil {
		return err
	}
	defer data.Close()
	file, isSeeker := data.(io.ReadSeeker)
	if !isSeeker || !archive.CanSeek() || r.others.full {
		r.number = r.first
		return r.records(warc.NewReader(data, r.warcConfig()), func(record *warc.Record) error {
			if r.others.wanted[keyOf(record.URI)] {
				return r.record(record)
			}
			return nil
		}, func(*warc.DamageError) error { return nil })
	}
	for len(missed) > 0 {
		offset := missed[0].offset
		if _, err := file.Seek(offset, io.SeekStart); err != nil {
			return err
		}
		archive.Reset(file, offset)
		missed, err = r.recordsAt(archive, missed)
		if err != nil {
			return err
		}
	}
	return nil
}

// recordsAt reads the records at the first offset of those that are missed, and returns the rest.
func (r *reader) recordsAt(archive *warc.Reader, missed []skippedRecord) (rest []skippedRecord, err error) {
	offset := missed[0].offset
	end := slices.IndexFunc(missed, func(s skippedRecord) bool { return s.offset != offset })
	if end < 0 {
		end = len(missed)
	}
	here, rest := missed[:end], missed[end:]
	for len(here) > 0 {
		record, err := archive.Next()
		switch {
		case errors.As(err, new(*warc.DamageError)): // within a member, before its first record
			continue
		case err != nil:
			return rest, nil // the first time it was an error too
		case record.Offset > offset:
			return rest, nil
		case keyOf(record.URI) == here[0].url:
			r.number = here[0].number
			here = here[1:]
			if err := r.record(&record); err != nil {
				return nil, err
			}
		}
	}
	return rest, nil
}
