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

// Archives adds the robots.txt files of web archives, with the times of their records. Its memory is about 100 bytes
// for each file, for the revisits of it.
type Archives struct {
	Add Add

	revisits revisits
}

// Read adds the files of an archive. Of its revisits, it remembers those with a time and an origin for
// [Archives.Resolve]. It returns the number of files, and of records that were skipped: without a time or an origin,
// damaged, or not complete. The error means that the archive was not read to its end, or is Add's error, or is the
// first internal error, after which the other records were read.
func (a *Archives) Read(data io.Reader) (n, skipped int, err error) {
	defer func() { a.revisits.archives++ }()
	number := 0
	return a.each(data, func(in *audit.Input) (kept int, err error) {
		number++
		o, ok := Observed(in, "warc")
		isRevisit := a.revisits.note(in, number, ok && o.Body != nil)
		switch {
		case isRevisit:
			return 0, nil
		case !ok:
			return -1, nil
		}
		return 1, a.Add(o)
	})
}

// each calls yield for each record of an archive. It sums the positive and the negative numbers that yield returns.
func (a *Archives) each(data io.Reader, yield func(*audit.Input) (int, error)) (n, skipped int, err error) {
	var failed error
	err = audit.ReadWARC(data, audit.Config{Limit: robotstxt.DefaultBodyLimit}, func(in *audit.Input) error {
		kept := 0
		err := panics.Contain(in.URL, &in.Body, func() (err error) {
			kept, err = yield(in)
			return err
		})
		if term.TraceOf(err) != "" {
			failed, kept, err = cmp.Or(failed, err), -1, nil
		}
		n += max(kept, 0)
		skipped += max(-kept, 0)
		return err
	})
	return n, skipped, cmp.Or(err, failed)
}

// Observed turns a file of an audit into an observation of its site, from one of
// history.Sources. ok is false if the file has no time or no origin, is damaged or
// incomplete, is a redirect, because its target is unknown, or is not the robots.txt of an
// origin.
func Observed(in *audit.Input, source string) (o history.Observation, ok bool) {
	site, err := origin.Of(in.URL)
	if err != nil || in.FetchedAt.IsZero() || in.IsTarget() || in.Problem != "" || in.IsNotModified() {
		return o, false
	}
	o = history.Observation{Origin: site.String(), Time: in.FetchedAt, Source: source, Status: in.Status}
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
	return o, true
}
