package past

import (
	"io"
	"net/http"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/origin"
)

// revisits are the records of archives whose files are those of other records.
type revisits struct {
	archives int
	files    []capture
	byDigest map[uint64]int   // the newest file with a digest, in files
	byURL    map[string][]int // files, by the keys of their URLs
	all      []capture
	ofURL    map[string][]int // the same of all
}

// capture is the record of a file or of a revisit.
type capture struct {
	archive, number int // number counts the records that an audit yields
	url             string
	at              time.Time
	digest          uint64 // see audit.DigestOf

	// Of a revisit.
	status   int
	refersTo string
	refersAt time.Time
}

// keyOf returns a URL in the form in which URLs are compared, "" without an origin.
func keyOf(url string) string {
	u := origin.Text(url)
	site, err := u.Origin()
	if err != nil {
		return ""
	}
	return site.String() + u.Target()
}

// note remembers a record, and reports whether it is a revisit. isFile is whether it has a file.
func (r *revisits) note(in *audit.Input, number int, isFile bool) (isRevisit bool) {
	isRevisit = in.Problem == audit.Revisit || in.Problem == "" && in.IsNotModified()
	c := capture{archive: r.archives, number: number, url: keyOf(in.URL), at: in.FetchedAt,
		digest: audit.DigestOf(in.PayloadDigest), status: in.Status, refersTo: keyOf(in.RefersTo),
		refersAt: in.RefersAt}
	if r.byDigest == nil {
		r.byDigest, r.byURL, r.ofURL = map[uint64]int{}, map[string][]int{}, map[string][]int{}
	}
	switch {
	case isFile:
		i := len(r.files)
		r.files = append(r.files, c)
		r.byURL[c.url] = append(r.byURL[c.url], i)
		if newest, ok := r.byDigest[c.digest]; c.digest != 0 && (!ok || r.files[newest].at.Before(c.at)) {
			r.byDigest[c.digest] = i
		}
	case isRevisit && !in.FetchedAt.IsZero() && c.url != "" && !in.IsTarget():
		r.ofURL[c.url] = append(r.ofURL[c.url], len(r.all))
		r.all = append(r.all, c)
	default:
		return false
	}
	return isRevisit
}

// original returns the file of a revisit, nil if it is not known: that with its digest; that of the record that it
// names; for a status 304, that of the newest earlier record of the URL.
func (r *revisits) original(c *capture) *capture {
	if file := r.referred(c); file != nil || c.status != http.StatusNotModified {
		return file
	}
	var best *capture
	var at time.Time // of the record with the file best
	newer := func(then time.Time) bool { return then.Before(c.at) && (best == nil || at.Before(then)) }
	for _, i := range r.byURL[c.url] {
		if file := &r.files[i]; newer(file.at) {
			best, at = file, file.at
		}
	}
	for _, i := range r.ofURL[c.url] {
		earlier := &r.all[i]
		if !newer(earlier.at) {
			continue
		}
		if file := r.referred(earlier); file != nil {
			best, at = file, earlier.at
		}
	}
	return best
}

func (r *revisits) referred(c *capture) *capture {
	if i, ok := r.byDigest[c.digest]; ok && c.digest != 0 {
		return &r.files[i]
	}
	if c.refersAt.IsZero() {
		return nil
	}
	for _, i := range r.byURL[c.refersTo] {
		file := &r.files[i]
		isOther := file.digest != 0 && c.digest != 0 && file.digest != c.digest
		if file.at.Equal(c.refersAt) && !isOther {
			return file
		}
	}
	return nil
}

// Resolve adds the revisits in the archives that were read, each with its file. open opens an archive again, by its
// place among them. The revisits of unknown files are skipped.
func (a *Archives) Resolve(open func(archive int) (io.ReadCloser, error)) (n, skipped int, err error) {
	of := map[[2]int][]*capture{} // the revisits of a record
	wanted := map[int]bool{}
	for i := range a.revisits.all {
		revisit := &a.revisits.all[i]
		file := a.revisits.original(revisit)
		if file == nil {
			skipped++
			continue
		}
		key := [2]int{file.archive, file.number}
		of[key] = append(of[key], revisit)
		wanted[file.archive] = true
	}
	for archive := range a.revisits.archives {
		if !wanted[archive] || err != nil {
			continue
		}
		var added, lost int
		added, lost, err = a.resolveIn(archive, of, open)
		n += added
		skipped += lost
	}
	return n, skipped, err
}

func (a *Archives) resolveIn(archive int, of map[[2]int][]*capture,
	open func(archive int) (io.ReadCloser, error)) (n, skipped int, err error) {
	data, err := open(archive)
	if err != nil {
		return 0, 0, err
	}
	defer data.Close()
	number := 0
	var failed error // other errors are those of the first reading
	n, skipped, _ = a.each(data, func(in *audit.Input) (kept int, err error) {
		number++
		for _, revisit := range of[[2]int{archive, number}] {
			o, ok := Observed(in, "warc")
			if !ok {
				return kept - 1, nil // the archive has changed
			}
			site, err := origin.Of(revisit.url)
			if err != nil {
				return kept, err
			}
			again := history.Observation{Origin: site.String(), Time: revisit.at, Source: "warc", Status: http.StatusOK,
				Body: o.Body, Truncated: o.Truncated}
			failed = a.Add(again)
			if failed != nil {
				return kept, failed
			}
			kept++
		}
		return kept, nil
	})
	return n, skipped, failed
}
