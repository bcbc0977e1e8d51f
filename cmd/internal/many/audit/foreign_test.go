package audit_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// warcText returns a record with any fields. Content-Length is added.
func warcText(version, fields, block string) string {
	return fmt.Sprintf("WARC/%s\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", version, strings.ReplaceAll(fields, "\n", "\r\n"), len(block), block)
}

const httpHead = "HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/plain; charset=utf-8\r\n"

// likeWget has the records that Wget 1.16 writes: warcinfo, then a request and a
// response for each URL, at last its manifest, arguments and log. The fields have the
// order of the example of the International Internet Preservation Consortium
// (warc-specifications, primers/web-archive-formats/hello-world.warc).
func likeWget() []string {
	const common = "WARC-Date: 2015-07-08T21:55:13Z\nWARC-Record-ID: <urn:uuid:8DCD2661-1B5A-445C-B4F4-2ACEB69A900B>\n"
	const url = "WARC-Target-URI: http://open.example/robots.txt\n"
	return []string{
		warcText("1.0", "WARC-Type: warcinfo\nContent-Type: application/warc-fields\n"+common+"WARC-Filename: a.warc.gz\n", "software: Wget/1.16.2 (linux-gnu)\r\nformat: WARC File Format 1.0\r\nrobots: classic\r\n"),
		warcText("1.0", "WARC-Type: request\n"+url+"Content-Type: application/http;msgtype=request\n"+common+"WARC-IP-Address: 192.0.2.1\n", "GET /robots.txt HTTP/1.1\r\nHost: open.example\r\n\r\n"),
		warcText("1.0", "WARC-Type: response\n"+common+"WARC-Warcinfo-ID: <urn:uuid:B8FDDD7C-DBB0-4EC4-BC7E-AA0B21749707>\nWARC-Concurrent-To: <urn:uuid:8DCD2661-1B5A-445C-B4F4-2ACEB69A900B>\n"+url+
			"WARC-IP-Address: 192.0.2.1\nWARC-Block-Digest: sha1:3OMBZSE4IFAWD7XYWIYPAF575DHKSV4M\nContent-Type: application/http;msgtype=response\n", httpHead+"\r\n"+openFile),
		warcText("1.0", "WARC-Type: metadata\n"+common+"WARC-Target-URI: metadata://gnu.org/software/wget/warc/MANIFEST.txt\nContent-Type: text/plain\n", "<urn:uuid:B8FDDD7C-DBB0-4EC4-BC7E-AA0B21749707>\n"),
		warcText("1.0", "WARC-Type: resource\n"+common+"WARC-Target-URI: metadata://gnu.org/software/wget/warc/wget_arguments.txt\nContent-Type: text/plain\n", "\"http://open.example/robots.txt\"\n"),
	}
}

// likeWarcio has the records of warcio 1.7 and of crawlers that use it: version 1.1, a
// request after its response, metadata, and a revisit with the HTTP head only. Some
// versions of warcio write the profile of WARC 1.0 into archives of version 1.1.
func likeWarcio() []string {
	const common = "WARC-Record-ID: <urn:uuid:12345678-feb0-11e6-8f83-68a86d1772ce>\nWARC-Date: 2026-11-22T10:00:00.123456Z\n"
	const url = "WARC-Target-URI: https://shut.example/robots.txt\n"
	chunked := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(closedFile), closedFile)
	return []string{
		warcText("1.1", "WARC-Type: warcinfo\n"+common+"WARC-Filename: a.warc.gz\nContent-Type: application/warc-fields\n", "software: warcio\r\nformat: WARC File Format 1.1\r\n"),
		warcText("1.1", "WARC-Type: response\n"+common+url+"WARC-Payload-Digest: sha1:B6QJ6BNJ3R4B23XXMRKZKHLPGJY2VE4O\nContent-Type: application/http; msgtype=response\n", httpHead+"Transfer-Encoding: chunked\r\n\r\n"+chunked),
		warcText("1.1", "WARC-Type: request\n"+common+url+"WARC-Concurrent-To: <urn:uuid:1>\nContent-Type: application/http; msgtype=request\n", "GET /robots.txt HTTP/1.1\r\nHost: shut.example\r\n\r\n"),
		warcText("1.1", "WARC-Type: metadata\n"+common+url+"Content-Type: application/warc-fields\n", "fetchTimeMs: 12\r\n"),
		warcText("1.1", "WARC-Type: revisit\n"+common+"WARC-Target-URI: https://again.example/robots.txt\nWARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\n"+
			"WARC-Refers-To-Target-URI: https://shut.example/robots.txt\nContent-Type: application/http; msgtype=response\n", httpHead+"\r\n"),
		warcText("1.1", "WARC-Type: revisit\n"+common+"WARC-Target-URI: https://same.example/robots.txt\nWARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified\n"+
			"Content-Type: application/http; msgtype=response\n", "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"),
	}
}

// inForms returns an archive as one text, with a gzip member for each record, and as one
// gzip member.
func inForms(records []string) map[string][]byte {
	var members bytes.Buffer
	for _, record := range records {
		members.Write(gzipped([]byte(record)))
	}
	all := []byte(strings.Join(records, ""))
	return map[string][]byte{"a.warc": all, "b.warc.gz": members.Bytes(), "c.warc.gz": gzipped(all)}
}

// Archives in the layouts of other programs have rows for their responses and revisits
// only.
func TestOtherPrograms(t *testing.T) {
	for program, c := range map[string]struct {
		records []string
		want    []string
	}{
		"wget": {likeWget(), []string{"open.example 200 null open"}},
		"warcio": {likeWarcio(), []string{
			"shut.example 200 null partly", "again.example 200 revisit null", "same.example 304 revisit null",
		}},
	} {
		for form, archive := range inForms(c.records) {
			name := filepath.Join(t.TempDir(), form)
			writeFile(t, name, archive)
			files, rows := run(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Exact: true}},
				audit.Config{}, name)
			var got []string
			for i, f := range files {
				got = append(got, fmt.Sprintf("%s %s %s %s", f.Host, text(f.Status), text(f.Problem), text(rows[i].Access)))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: %q", program, form, got)
			}
		}
	}
}

// TestInvalidTargets: a response whose target is invalid has a row unless it cannot be that
// of a robots.txt.
func TestInvalidTargets(t *testing.T) {
	var archive strings.Builder
	for _, url := range []string{
		"http://[::1/robots.txt", "http://@/robots.txt", "https://a b.example/robots.txt", "", "robots.txt", "http://", "://open.example/robots.txt",
		// These have none.
		"http://[::1/page.html", "http://a b.example/?robots.txt", "urn:X-pageinfo:http://open.example/", "dns:open.example",
		"metadata://gnu.org/robots.txt", "https://open.example/page", "https://open.example/robots.txt",
	} {
		archive.WriteString(warcRecord(url, 200, openFile))
	}
	path := filepath.Join(t.TempDir(), "a.warc")
	writeFile(t, path, []byte(archive.String()))
	files, _ := run(t, audit.Options{}, audit.Config{}, path)
	if len(files) != 8 {
		t.Fatalf("%d rows", len(files))
	}
	for i, f := range files {
		if i == 7 {
			if f.Host != "open.example" || f.Problem != nil {
				t.Errorf("%+v", f)
			}
			continue
		}
		if f.Host != "" || text(f.Problem) != string(audit.Damaged) || f.Outcome != nil ||
			!strings.HasPrefix(text(f.Detail), "WARC-Target-URI: ") || f.Record == "" {
			t.Errorf("row %d: %q, %s, %s at %s", i, f.Host, text(f.Problem), text(f.Detail), f.Record)
		}
	}
}
