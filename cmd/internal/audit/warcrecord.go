package audit

import (
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/warc"
	"github.com/kosterhq/robotstxt/origin"
)

// record yields the file in a record of a web archive. Records of other types, such as
// requests, are skipped. So are responses from other paths than /robots.txt, which
// archives of whole sites contain, except that a robots.txt may have been fetched from
// another path after a redirect: Common Crawl's subset for robots.txt keeps these
// without saying for which site, so they are about nobody's rules.
func (r *reader) record(record *warc.Record) error {
	if record.Type != "response" && record.Type != "revisit" || !strings.HasPrefix(record.ContentType, "application/http") {
		return nil
	}
	site, path, ok := splitURL(record.URI)
	if !ok || path != "/robots.txt" {
		return nil
	}
	in := Input{Record: offset(record.Offset), Host: site, URL: record.URI, FetchedAt: record.Date}
	r.response(&in, record)
	return r.yield(&in)
}

// splitURL returns the host of a URL, with its port if it is not the default one, and
// the path.
func splitURL(url string) (host, path string, ok bool) {
	site, err := origin.Of(url)
	if err != nil {
		return "", "", false
	}
	_, rest, _ := strings.Cut(url, "://")
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		path = rest[at:]
	}
	_, host, _ = strings.Cut(site.String(), "://")
	return host, path, true
}

// response reads the response in a record.
func (r *reader) response(in *Input, record *warc.Record) {
	response, err := warc.ParseResponse(record.Block, r.config.limit())
	in.Status = response.Status
	isFile := 200 <= in.Status && in.Status <= 299
	switch {
	case in.Status == 0:
		in.Problem, in.Detail = Damaged, err.Error()
	case !isFile:
	case record.Type == "revisit":
		in.Problem, in.Detail = Revisit, "the archive says that the file is as before, and does not repeat it"
	case err != nil:
		in.Problem, in.Detail = Undecodable, err.Error()
	case record.Truncated != "" && !response.Cut:
		in.Problem, in.Detail = Truncated, "the archive has only the beginning of the file: "+record.Truncated
	default:
		in.Body, in.Cut = response.Body, response.Cut || record.Length > int64(len(record.Block))
	}
}
