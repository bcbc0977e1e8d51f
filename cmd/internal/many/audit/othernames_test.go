package audit_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
)

// to returns the record of a redirect.
func to(url, location string) stored {
	return stored{url: url, status: 302, head: "Location: " + location + "\r\n"}
}

// archiveForms are the compressions of archives: with a member for each record, as one member, in pieces that end
// within records, with zstd, and in a WACZ.
var archiveForms = []string{"plain.warc", "members.warc.gz", "one.warc.gz", "pieces.warc.gz", "a.warc.zst", "a.wacz"}

// inArchive writes an archive in one of its forms.
func inArchive(t *testing.T, folder, form string, records []stored) (name string) {
	t.Helper()
	all := []byte(texts(records))
	var data []byte
	switch form {
	case "plain.warc":
		data = all
	case "a.wacz":
		data = []byte(inZip(entryFile{"archive/a.warc", string(all)}, entryFile{"pages/pages.jsonl", "{}"}, entryFile{"datapackage.json", "{}"}))
	case "members.warc.gz":
		for _, r := range records {
			data = append(data, gzipped([]byte(r.text()))...)
		}
	case "one.warc.gz":
		data = gzipped(all)
	case "pieces.warc.gz":
		for i := 0; i < len(all); i += 700 {
			data = append(data, gzipped(all[i:min(i+700, len(all))])...)
		}
	default:
		encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		data = encoder.EncodeAll(all, nil)
	}
	name = filepath.Join(folder, form)
	writeFile(t, name, data)
	return name
}

// TestOtherNames: a redirect leads to a record of any name, and a revisit names one, before or after it, in every
// compression, in a zip archive, and also if few records can be noted.
func TestOtherNames(t *testing.T) {
	page := stored{url: "/page", body: "<html><body>shop</body></html>"}
	cdn := stored{url: "https://cdn.example/r", day: 1, body: closesAll}
	named := func(day int, digest string) stored {
		return stored{url: robots, day: 3, revisit: true, digest: digest, refersTo: day, refersURL: cdn.url}
	}
	digested := func(digest string) stored {
		s := cdn
		s.digest = digest
		return s
	}
	dir := t.TempDir()
	for name, c := range map[string]struct {
		records []stored
		want    string
	}{
		"one":         {[]stored{page, to(robots, "/live"), {url: "/live", body: closesAll}}, "closed by *"},
		"chain":       {[]stored{to(robots, "/a"), to("/a", "//b.example/c?x=1"), {url: "https://b.example/c?x=1", body: closesAll}, page}, "closed by *"},
		"long chain":  {[]stored{to(robots, "/a"), to("/a", "/b"), to("/b", "/c"), {url: "/c", body: closesAll}}, "closed by *"},
		"root":        {[]stored{to(robots, "https://b.example"), {url: "https://b.example/", body: closesAll}}, "closed by *"},
		"missing":     {[]stored{to(robots, "/a"), to("/a", "/b"), page}, "unknown"},
		"page":        {[]stored{to(robots, "/page"), page}, "unknown"},
		"404":         {[]stored{to(robots, "/404.html"), {url: "/404.html", status: 404}}, "open by status"},
		"cycle":       {[]stored{to(robots, "/a"), to("/a", "/b"), to("/b", "/a"), file("https://b.example/robots.txt", 1, "")}, "open by status"},
		"revisit":     {[]stored{page, named(1, ""), cdn}, "closed by *"},
		"other time":  {[]stored{named(2, ""), cdn}, "unknown"},
		"digests":     {[]stored{named(1, "sha1:x"), digested("sha1:y")}, "unknown"},
		"same digest": {[]stored{named(2, "sha1:x"), digested("sha1:x")}, "closed by *"},
		"the nearest": {[]stored{{url: "/a", day: 1, body: openFile}, to(robots, "/a"), {url: "/a", body: closesAll}, page}, "closed by *"},
	} {
		for _, few := range []int{1 << 20, 2} {
			restore := audit.SetMaxSkippedRecords(few)
			number := 0
			orders(c.records, func(records []stored) {
				form := archiveForms[number%len(archiveForms)]
				number++
				if got := countedIn(t, audit.ByHost, inArchive(t, dir, form, records)); got != c.want {
					t.Errorf("%s, %s: %s, want %s: %+v", name, form, got, c.want, records)
				}
			})
			restore()
		}
		for _, form := range archiveForms[1:3] {
			path := inArchive(t, dir, form, c.records)
			for i, got := range throughTables(t, audit.ByHost, path) {
				if got != c.want {
					t.Errorf("%s, %s, %d: %s, want %s", name, filepath.Base(path), i, got, c.want)
				}
			}
		}
	}
}

// TestOtherNamesOnce: the captures of a URL have a row each, and their numbers are in the order of the archive although
// some are read at its end.
func TestOtherNamesOnce(t *testing.T) {
	records := []stored{{url: "/a", body: "1"}, {url: "/b"}, {url: "/a", body: "2"}, to(robots, "/a"),
		{url: "/a", body: "3"}, {url: "/b"}}
	for _, few := range []int{1 << 20, 1} {
		restore := audit.SetMaxSkippedRecords(few)
		for _, form := range archiveForms {
			path := inArchive(t, t.TempDir(), form, records)
			files, _ := run(t, audit.Options{}, audit.Config{}, path)
			sizes := map[int64]string{}
			for _, f := range files {
				sizes[*f.Position] = text(f.URL) + " " + text(f.Digest)[:4]
			}
			if len(files) != 4 || len(sizes) != 4 {
				t.Errorf("%s: %d rows, %v", filepath.Base(path), len(files), sizes)
			}
			var order []string
			for position := range int64(10) {
				if at, ok := sizes[position]; ok {
					order = append(order, at)
				}
			}
			if len(order) != 4 || !strings.HasSuffix(order[2], "robots.txt null") || order[0] == order[1] {
				t.Errorf("%s: %q", filepath.Base(path), order)
			}
		}
		restore()
	}
}

// TestOtherNamesAfterDamage: a record that is read again has its place in the order, even after a damaged one.
func TestOtherNamesAfterDamage(t *testing.T) {
	all := "WARC/1.0\r\nContent-Length: x\r\n\r\n" + texts([]stored{{url: "/a"}, {url: "/b"}, to(robots, "/b"), to(robots, "/a")})
	for form, data := range map[string][]byte{"plain.warc": []byte(all), "one.warc.gz": gzipped([]byte(all))} {
		path := filepath.Join(t.TempDir(), form)
		writeFile(t, path, data)
		files, _ := run(t, audit.Options{}, audit.Config{}, path)
		slices.SortFunc(files, func(a, b audit.File) int { return int(*a.Position - *b.Position) })
		var order []string
		for _, f := range files {
			order = append(order, fmt.Sprint(*f.Position)+" "+text(f.URL))
		}
		want := []string{"1 null", "2 https://a.example/a", "3 https://a.example/b", "4 https://a.example/robots.txt",
			"5 https://a.example/robots.txt"}
		if !slices.Equal(order, want) {
			t.Errorf("%s: %q", form, order)
		}
	}
}

// TestOnlyWantedIsReadAgain: of an archive with a gzip member for each record, only the members with targets are read
// again.
func TestOnlyWantedIsReadAgain(t *testing.T) {
	records := []stored{{url: "/page"}, to("/a", "/b"), {url: "/x"}, {url: "/b", body: closesAll}, to(robots, "/a"), {url: "/y"}}
	var archive, wanted []byte
	for i, record := range records {
		member := gzipped([]byte(record.text()))
		archive = append(archive, member...)
		if i != 1 && i != 3 {
			member = bytes.Repeat([]byte{'x'}, len(member))
		}
		wanted = append(wanted, member...)
	}
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	writeFile(t, path, archive)
	sources, _ := openSources([]string{path}, nil, audit.Config{})
	var urls []string
	err := sources[0].Files(t.Context(), func(in *audit.Input) error {
		urls = append(urls, in.URL)
		writeFile(t, path, wanted)
		return nil
	})
	if err != nil || len(urls) != 3 {
		t.Errorf("%q, %v", urls, err)
	}
}

// TestRequestRecords: a request or metadata record of the target does not hide its response, although they have one
// offset in an archive that is one gzip member.
func TestRequestRecords(t *testing.T) {
	request := strings.Replace(stored{url: "/live"}.text(), "WARC-Type: response", "WARC-Type: request", 1)
	response := stored{url: "/live", body: closesAll}.text()
	for _, records := range []string{request + response, response + request} {
		path := filepath.Join(t.TempDir(), "a.warc.gz")
		writeFile(t, path, gzipped([]byte(records+to(robots, "/live").text())))
		if got := countedIn(t, audit.ByHost, path); got != "closed by *" {
			t.Error(got)
		}
	}
}

// TestOtherNamesOfCutArchive: a chain of redirects is followed in every order, even in an archive that ends early.
func TestOtherNamesOfCutArchive(t *testing.T) {
	records := []stored{to(robots, "/a"), to("/a", "/b"), {url: "/b"}}
	orders(records, func(records []stored) {
		for _, form := range archiveForms[:5] {
			last := stored{url: "/z", body: strings.Repeat("z", 5000)}
			path := inArchive(t, t.TempDir(), form, append(slices.Clone(records), last))
			data := readFile(t, path)
			writeFile(t, path, []byte(data[:len(data)-20]))
			sources, _ := openSources([]string{path}, nil, audit.Config{})
			files, err := filesOf(t, sources[0])
			if form == "a.warc.zst" && len(files) == 0 { // one frame
				continue
			}
			if len(files) != 3 || err == nil {
				t.Errorf("%s: %d files, %v: %v", form, len(files), err, records)
			}
		}
	})
}

// TestOnlyRedirectsLead: a Location in an answer that is not a redirect leads nowhere.
func TestOnlyRedirectsLead(t *testing.T) {
	for _, status := range []int{200, 201, 404, 503} {
		records := []stored{{url: robots, status: status, head: "Location: /a\r\n"}, {url: "/a"}}
		path := inArchive(t, t.TempDir(), "plain.warc", records)
		files, _ := run(t, audit.Options{}, audit.Config{}, path)
		if len(files) != 1 || files[0].Redirect != nil {
			t.Errorf("%d: %d rows, %s", status, len(files), text(files[0].Redirect))
		}
	}
}

// TestPositions: the rows of archives and files in one archive are numbered in their order, however many records are
// skipped between them.
func TestPositions(t *testing.T) {
	pages := texts([]stored{{url: "/x"}, {url: "/y"}, {url: "/z"}})
	path := filepath.Join(t.TempDir(), "a.tar")
	writeFile(t, path, []byte(inTar(entryFile{"a.warc", pages + siteOf("a.example") + pages}, entryFile{"b.example", ""},
		entryFile{"c.warc", siteOf("c.example")}, entryFile{"d.jsonl", `{"host": "d.example", "body": ""}`}, entryFile{"e.example", ""})))
	files, _ := run(t, audit.Options{}, audit.Config{}, path)
	var hosts []string
	for i, f := range files {
		hosts = append(hosts, f.Host)
		if i > 0 && *f.Position <= *files[i-1].Position {
			t.Errorf("%s has position %d, after %d", f.Host, *f.Position, *files[i-1].Position)
		}
	}
	if want := []string{"a.example", "b.example", "c.example", "d.example", "e.example"}; !slices.Equal(hosts, want) {
		t.Errorf("%q", hosts)
	}
}

// TestResumeOtherNames: an audit that ends at any row and is continued has the rows of an undisturbed one, although
// some are of records before others.
func TestResumeOtherNames(t *testing.T) {
	var records []stored
	for i := range 8 {
		at := func(path string) string { return fmt.Sprintf("https://h%d.example%s", i, path) }
		live, second := stored{url: at("/live"), body: closesAll}, to(at("/second"), "/live")
		records = append(records, []stored{live, to(at(robots), "/second"), second, live}[i%2:]...)
	}
	for _, form := range []string{"members.warc.gz", "a.wacz"} {
		dir := t.TempDir()
		path := inArchive(t, dir, form, records)
		questions := audit.Questions{Crawlers: crawlersOf(t, "*")}
		want, _ := run(t, audit.Options{Questions: questions}, audit.Config{}, path)
		sources, _ := openSources([]string{path}, nil, audit.Config{})
		for after := 1; after <= len(want); after++ {
			config := audit.PartsConfig{Files: 2}
			parts, err := audit.OpenParts(filepath.Join(dir, fmt.Sprint("parts", after)), config)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			stopped := []audit.Source{&stops{sources[0], after, cancel}}
			if _, err := audit.Run(ctx, stopped, parts, audit.Options{Questions: questions}); err != context.Canceled {
				t.Fatal(err)
			}
			if _, err := audit.Run(t.Context(), sources, parts, audit.Options{Questions: questions}); err != nil {
				t.Fatal(err)
			}
			if got, _ := rowsOf(t, parts); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, after %d rows: %d rows, want %d", form, after, len(got), len(want))
			}
		}
		if len(want) < 24 {
			t.Errorf("%s: %d rows", form, len(want))
		}
	}
}

// TestOtherNamesOfStdin: of standard input only later records are found.
func TestOtherNamesOfStdin(t *testing.T) {
	for records, want := range map[string]int{
		texts([]stored{to(robots, "/a"), {url: "/a"}}):              2,
		texts([]stored{{url: "/a"}, to(robots, "/a")}):              1,
		texts([]stored{{url: "/a"}, to(robots, "/a"), {url: "/a"}}): 2,
	} {
		sources, errs := openSources([]string{"-"}, strings.NewReader(records), audit.Config{})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		files, err := filesOf(t, sources[0])
		if err != nil || len(files) != want {
			t.Errorf("%d files, want %d, %v", len(files), want, err)
		}
	}
}

// TestHostOfDomain: of the hosts of a domain, the domain itself and www come first, a file before a status and that
// before an answer that is not known, then other hosts likewise, and faults last. Redirects are followed before.
func TestHostOfDomain(t *testing.T) {
	lines := map[string]func(host string) string{
		"closed by *":      func(host string) string { return captureLine(0, 200, host, closesAll, "") },
		"open by status":   func(host string) string { return captureLine(0, 404, host, "", "") },
		"unknown":          func(host string) string { return captureLine(0, 301, host, "", "https://b.example/robots.txt") },
		"closed by status": func(host string) string { return captureLine(0, 503, host, "", "") },
		"":                 func(string) string { return "" },
	}
	order := []string{
		"0 closed by *", "1 closed by *", "0 open by status", "1 open by status", "0 unknown", "1 unknown",
		"2 closed by *", "2 open by status", "2 unknown", "0 closed by status", "1 closed by status", "2 closed by status",
	}
	path := filepath.Join(t.TempDir(), "a.ndjson")
	for apex := range lines {
		for www := range lines {
			for blog := range lines {
				each := [3]string{apex, www, blog}
				counts := slices.IndexFunc(order, func(o string) bool { return each[o[0]-'0'] == o[2:] })
				if counts < 0 {
					continue // no host was captured
				}
				writeFile(t, path, []byte(lines[apex]("https://a.example")+lines[www]("https://www.a.example")+lines[blog]("https://blog.a.example")))
				if got := countedIn(t, audit.ByDomain, path); got != order[counts][2:] {
					t.Errorf("%q: %s, want %s", each, got, order[counts])
				}
			}
		}
	}
	// The origin of a host is the one that is counted by host.
	writeFile(t, path, []byte(captureLine(0, 404, "https://a.example", "", "")+captureLine(0, 200, "http://a.example", closesAll, "")))
	for _, by := range []audit.By{audit.ByHost, audit.ByDomain} {
		if got := countedIn(t, by, path); got != "open by status" {
			t.Errorf("by %s: %s", by, got)
		}
	}
	writeFile(t, path, []byte(captureLine(0, 404, "https://a.example", "", "")+
		captureLine(0, 301, "https://www.a.example", "", "https://cdn.a.example/robots.txt")+
		captureLine(0, 200, "https://cdn.a.example", closesAll, "")))
	if got := countedIn(t, audit.ByDomain, path); got != "closed by *" {
		t.Errorf("a file after a redirect: %s", got)
	}
}

// FuzzArchive: of any archive, the same files are read twice, and no record twice.
func FuzzArchive(f *testing.F) {
	f.Add([]byte(texts([]stored{{url: "/a"}, to(robots, "/a"), file("https://b.example/robots.txt", 1, "x"), again(2, "sha1:x", 1)})))
	f.Add(gzipped([]byte(texts([]stored{{url: "/a"}, to("/a", "/b"), to(robots, "/a"), {url: "/b", status: 304}}))))
	f.Add([]byte(texts([]stored{{url: "/a", head: "Content-Encoding: deflate\r\n", body: "\x03\x00"}, to(robots, "a"), to("/a", "/a")})))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "a.warc")
		writeFile(t, name, data)
		in, errs := audit.Open([]string{name}, nil, audit.Config{Limit: 1000})
		if len(errs) > 0 || len(in.Sources) == 0 {
			return
		}
		once, err := filesOf(t, in.Sources[0])
		twice, again := filesOf(t, in.Sources[0])
		if !reflect.DeepEqual(once, twice) || fmt.Sprint(err) != fmt.Sprint(again) {
			t.Errorf("%d files, %v, and then %d, %v", len(once), err, len(twice), again)
		}
		var mu sync.Mutex
		positions := map[int64]bool{}
		observe := func(in *audit.Input) error {
			mu.Lock()
			defer mu.Unlock()
			positions[in.Position] = true
			return nil
		}
		_, err = audit.Run(t.Context(), in.Sources, nil, audit.Options{Observe: observe})
		if err != nil || len(positions) != len(once) {
			t.Errorf("%d files, and %d records, %v", len(once), len(positions), err)
		}
	})
}
