package past

import (
	"io"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/origin"
)

// Archive adds the robots.txt files of a web archive, with the times of their records. It
// returns the number of files, and of records that were skipped: without a time or an
// origin, damaged, or not complete.
func Archive(data io.Reader, add Add) (n, skipped int, err error) {
	err = audit.ReadArchive(data, audit.FormWARC, audit.Config{Limit: robotstxt.DefaultBodyLimit}, func(in *audit.Input) error {
		site, err := origin.Of(in.URL)
		if err != nil || in.FetchedAt.IsZero() || in.Problem != "" {
			skipped++
			return nil
		}
		o := history.Observation{Origin: site.String(), Time: in.FetchedAt, Source: "warc", Status: in.Status}
		switch {
		case in.Status == 0 || in.Status/100 == 2:
			o.Body, o.Truncated = append([]byte{}, in.Body...), in.Cut
			if o.Status == 0 {
				o.Status = 200 // of a record without a response
			}
		case in.Status/100 == 3:
			skipped++ // the record does not say what is at the target
			return nil
		case in.Status/100 == 5:
			o.Fault = "status"
		}
		n++
		return add(o)
	})
	return n, skipped, err
}
