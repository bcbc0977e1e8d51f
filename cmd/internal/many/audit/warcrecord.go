package audit

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/times"
	"github.com/kosterhq/robotstxt/cmd/internal/many/warc"
	"github.com/kosterhq/robotstxt/origin"
)

// record yields the file in a record of a web archive: a response, a revisit, or a
// resource, which is a file without a response [WARC 1.1 6.4]. It skips records of other
// types, such as requests, and records from paths that do not end in /robots.txt, which
// archives of whole sites contain, unless a redirect leads to them or a revisit names them. An invalid URL that might
// be a robots.txt gives a row with a problem.
func (r *reader) record(record *warc.Record) error {
	isHTTP := (record.Type == "response" || record.Type == "revisit") && strings.HasPrefix(record.ContentType, "application/http")
	if !isHTTP && record.Type != "resource" {
		return nil
	}
	site, path, err := splitURL(record.URI)
	isRead := r.others.isFirstPass()
	if !isRobots(path) {
		isRead = err == nil && isHTTP && r.others != nil && r.others.isWanted(record.URI, r.number, r.place)
	}
	if !isRead {
		return nil
	}
	url := origin.Text(record.URI).Given() // without user name and password
	if err != nil {
		damaged := Input{Record: offset(record.Offset), URL: url, number: r.number}
		damaged.setTime(record.Date)
		damaged.Problem, damaged.Detail = Damaged, "WARC-Target-URI: "+term.Reason(err)
		return r.yield(&damaged)
	}
	in := Input{Record: offset(record.Offset), Host: site, URL: url, number: r.number}
	in.setTime(record.Date)
	if isHTTP {
		r.response(&in, record)
		if r.others != nil {
			r.others.want(cmp.Or(in.Redirect, in.RefersTo), r.number)
		}
	} else {
		r.resource(&in, record)
	}
	return r.yield(&in)
}

// splitURL returns the host of a URL, with its port unless it is the default one, and the
// path. For an invalid URL, the path is "/robots.txt" unless the text shows another path,
// or a scheme without such files.
func splitURL(text string) (host, path string, err error) {
	u := origin.Text(text)
	site, err := u.Origin()
	if err == nil {
		_, host, _ = strings.Cut(site.String(), "://")
		return host, u.Target(), nil
	}
	_, rest, hasHost := strings.Cut(text, "://")
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		path = rest[at:]
	}
	isOther := hasOtherScheme(text) && (hasHost || !strings.HasSuffix(text, "/robots.txt")) // urn:, dns:, metadata://
	switch {
	case isOther:
		path = ""
	case path == "":
		path = "/robots.txt"
	}
	return "", path, err
}

// hasOtherScheme reports whether a text is a URL of a scheme without robots.txt files.
func hasOtherScheme(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "ftp"
}

func (r *reader) response(in *Input, record *warc.Record) {
	in.PayloadDigest = record.Digest
	isRevisit := record.Type == "revisit"
	if isRevisit {
		in.RefersTo = origin.Text(record.RefersTo).Given()
		if at, err := times.Parse(record.RefersAt); err == nil {
			in.RefersAt = at.Time
		}
	}
	if isRevisit && record.Length == 0 { // the head can be missing [WARC 1.1 6.7.2]
		in.Problem, in.Detail = Revisit, revisitDetail
		return
	}
	response, err := warc.ParseResponse(record.Block, r.config.limit())
	in.Status = response.Status
	in.Body = response.Body
	in.Sent = response.Sent
	isFile := 200 <= in.Status && in.Status <= 299
	if in.Status != 0 {
		in.setHeader(response.Header)
	}
	switch {
	case in.Status == 0:
		in.Problem, in.Detail = Damaged, term.Reason(err)
	case !isFile:
	case isRevisit:
		in.Problem, in.Detail = Revisit, revisitDetail
	case err != nil:
		in.Problem, in.Detail = Undecodable, term.Reason(err)
	case record.Truncated != "" && !response.Cut:
		in.Problem, in.Detail = Truncated, truncatedDetail+record.Truncated
	default:
		in.Cut = response.Cut || record.Length > int64(len(record.Block))
	}
}

const revisitDetail = "the archive does not repeat the file of an earlier response"

func (r *reader) resource(in *Input, record *warc.Record) {
	limit := r.config.limit()
	if record.Truncated != "" && record.Length <= int64(limit) {
		in.Problem, in.Detail = Truncated, truncatedDetail+record.Truncated
		return
	}
	in.Body = record.Block[:min(limit, len(record.Block))]
	in.Cut = record.Length > int64(limit)
}

// truncatedDetail precedes the value of WARC-Truncated.
const truncatedDetail = "the archive has only the beginning of the file: "
