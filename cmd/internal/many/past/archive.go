package past

import (
	"cmp"
	"io"
	"net/http"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/origin"
)

// Archives adds the robots.txt files of web archives, with the times of their records. For revisits it needs the memory
// of [audit.Revisits].
type Archives struct {
	Add Add

	archives int // that were read
	revisits audit.Revisits
}

// Read adds the files of an archive. Of its revisits, it remembers those with a time and an origin for
// [Archives.Resolve]. It returns the number of files, and of records that were skipped: without a time or an origin,
// damaged, or not complete. The error means that the archive was not read to its end, or is Add's error, or is the
// first internal error, after which the other records were read.
func (a *Archives) Read(data io.Reader) (n, skipped int, err error) {
	defer func() { a.archives++ }()
	number := 0
	skipped, err = each(data, func(in *audit.Input) (isSkipped bool, err error) {
		number++
		o, ok := Observed(in, "warc")
		isRevisit := a.revisits.Note(in, audit.RecordOf(in, a.archives, number), o.Body != nil)
		if !ok {
			return !isRevisit, nil
		}
		err = a.Add(o)
		if err == nil {
			n++
		}
		return false, err
	})
	return n, skipped, err
}

// Resolve adds the revisits in the archives that were read, each with its file. open opens an archive again, by its
// place among them. Revisits of unknown files are skipped, and those of files that can no longer be read.
func (a *Archives) Resolve(open func(archive int) (io.ReadCloser, error)) (n, skipped int, err error) {
	of, revisits := a.revisits.Files()
	isWanted := map[int]bool{}
	for file := range of {
		isWanted[file.Archive] = true
	}
	for archive := range a.archives {
		if !isWanted[archive] {
			continue
		}
		data, err := open(archive)
		if err != nil {
			continue
		}
		number := 0
		var failed error // other errors are those of the first reading
		_, _ = each(data, func(in *audit.Input) (isSkipped bool, err error) {
			number++
			o, _ := Observed(in, "warc")
			o.Status = http.StatusOK
			for _, revisit := range of[audit.RecordOf(in, archive, number)] {
				o.Origin, o.Time = revisit.Origin, revisit.Time
				failed = a.Add(o)
				if failed != nil {
					break
				}
				n++
			}
			return false, failed
		})
		data.Close()
		if failed != nil {
			return n, revisits - n, failed
		}
	}
	return n, revisits - n, nil
}

// each calls yield for each record of an archive. It returns the number of records that yield has skipped, or at which
// it has panicked.
func each(data io.Reader, yield func(*audit.Input) (isSkipped bool, err error)) (skipped int, err error) {
	var failed error
	err = audit.ReadWARC(data, audit.Config{Limit: robotstxt.DefaultBodyLimit}, func(in *audit.Input) error {
		isSkipped := false
		err := panics.Contain(in.URL, &in.Body, func() (err error) {
			isSkipped, err = yield(in)
			return err
		})
		if term.TraceOf(err) != "" {
			failed, isSkipped, err = cmp.Or(failed, err), true, nil
		}
		if isSkipped {
			skipped++
		}
		return err
	})
	return skipped, cmp.Or(err, failed)
}

// Observed turns a file of an audit into an observation of its site, from one of
// history.Sources. ok is false if the file has no time or no origin, is damaged or
// incomplete, is a redirect, because its target is unknown, or is not the robots.txt of an
// origin. The observation has the body of a file even then.
func Observed(in *audit.Input, source string) (o history.Observation, ok bool) {
	site, err := origin.Of(in.URL)
	if err != nil || in.Problem != "" || in.IsRevisit() {
		return o, false
	}
	o = history.Observation{Origin: site.String(), Time: in.FetchedAt, Source: source, Status: in.Status}
	o.Header = in.Header
	meaning := fetch.Meaning{Outcome: fetch.Outcome(in.Outcome), File: in.Body}
	switch {
	case in.Status == 0:
		meaning.Outcome = fetch.OutcomeRules
		o.Status = http.StatusOK // of a record without a response
	case meaning.Outcome == "" || meaning.Outcome == fetch.OutcomeDisallowAll && in.Status/100 != 3:
		meaning = fetch.GooglePolicy.Meaning(in.Response()) // a policy can disallow all without a fault
	}
	switch meaning.Outcome {
	case "":
		return o, false
	case fetch.OutcomeRules:
		o.Body, o.Truncated = append([]byte{}, meaning.File...), in.Cut
	case fetch.OutcomeDisallowAll: // 5xx, 429, a part of a file
		o.Fault = "status"
	}
	return o, !in.FetchedAt.IsZero() && !in.IsTarget()
}
