package audit_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// entryFile is a file in an archive.
type entryFile struct{ name, data string }

func inZip(files ...entryFile) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		entry, _ := w.Create(f.name)
		entry.Write([]byte(f.data))
	}
	w.Close()
	return out.String()
}

func inTar(files ...entryFile) string {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.data)), Mode: 0o644, Typeflag: tar.TypeReg})
		w.Write([]byte(f.data))
	}
	w.Close()
	return out.String()
}

// siteOf returns the record of a site.
func siteOf(host string) string { return warcRecord("https://"+host+"/robots.txt", 200, openFile) }

// bzippedArchive has a file at https://a.example/live and then a redirect to it, compressed by Python's bz2.
const bzippedArchive = `
QlpoOTFBWSZTWdxPALwAAHdfgAASQBP/GixkVtA6593gMAEYAYA00NGjEZANABoYYA00NGjEZANABoYFVNEajE0ap+inqZqHqPUP0oHqfqakKx
Isgl2s3Y/Oix1TUjxZLFRnLhCIUymcUOHFVzXoQhD+0Ozxs2tjq97+Lcnoyy7Lz1Oli1KqF5ErpQh6RWrPXHF+kOyGbA/yjuNB8TNEppp8n2Hd
0UaKisjk3Oazf7LW13fuWvhHttRDV0c0vCZrboTdmlHVaq4vcwUllNuLV1IVb5fJBEkGG/KVxoa34vKXlVkb1rHy4LGVuxjmdcF562E0XIOacr
jl9z4WsFm1XoQ/4u5IpwoSG4ngF4A=
`

// hostsIn audits an argument and returns its hosts, the note about skipped files, and the first error.
func hostsIn(t *testing.T, config audit.Config, argument string) (hosts []string, note string, failed error) {
	t.Helper()
	in, errs := audit.Open([]string{argument}, nil, config)
	if len(errs) > 0 {
		return nil, in.Skipped.Note(), errs[0]
	}
	for _, source := range in.Sources {
		err := source.Files(t.Context(), func(in *audit.Input) error {
			hosts = append(hosts, in.Host)
			return nil
		})
		if err != nil && failed == nil {
			failed = err
		}
	}
	slices.Sort(hosts)
	return hosts, in.Skipped.Note(), failed
}

// TestFormsByContent: what an input contains decides its form, and the name of a file in it whether it is a site.
func TestFormsByContent(t *testing.T) {
	ab := siteOf("a.example") + siteOf("b.example")
	members := string(gzipped([]byte(siteOf("a.example")))) + string(gzipped([]byte(siteOf("b.example"))))
	line := `{"host": "a.example", "body": ""}` + "\n" + `{"host": "b.example", "body": ""}` + "\n"
	tarred, zipped := inTar(entryFile{"a.example", openFile}, entryFile{"b.example.txt", ""}), inZip(entryFile{"a.example", openFile}, entryFile{"x/b.example/robots.txt", ""})
	for name, data := range map[string]string{
		"a.warc": ab, "b.warc.gz.1": members, "crawl (1).warc.gz.download": members, "c": ab, "d.txt": ab, "e.example": members, "f.zip": ab,
		"g.tar.gz": string(gzipped([]byte(tarred))), "h": tarred, "i.backup": zipped, "j.warc.gz": zipped, "k.txt": tarred,
		"l.jsonl": line, "m.ndjson.gz": string(gzipped([]byte(line))), "n.csv": "host,body\na.example,\nb.example,\n",
		// Archives in archives.
		"o.zip": inZip(entryFile{"one.warc.gz", string(gzipped([]byte(siteOf("a.example"))))}, entryFile{"two", siteOf("b.example")}),
		"p.tar": inTar(entryFile{"one.warc", siteOf("a.example")}, entryFile{"b.example", ""}),
		"q.zip": inZip(entryFile{"sites.tar", tarred}), "r.zip": inZip(entryFile{"rows.jsonl", line}),
		"s.wacz": inZip(entryFile{"archive/data.warc.gz", members}, entryFile{"pages/c.example.txt", ""}, entryFile{"datapackage.json", "{}"}, entryFile{"indexes/index.cdx", "x"}),
	} {
		path := filepath.Join(t.TempDir(), name)
		writeFile(t, path, []byte(data))
		hosts, note, err := hostsIn(t, audit.Config{}, path)
		if err != nil || !slices.Equal(hosts, []string{"a.example", "b.example"}) || note != "" {
			t.Errorf("%s: %q, %q, %v", name, hosts, note, err)
		}
	}
}

// TestNoSites: what is no site is said once and never counted. Nothing to count is an error.
func TestNoSites(t *testing.T) {
	arc := "filedesc://x.arc 0.0.0.0 20260101000000 text/plain 76\n1 0 x\n"
	for name, c := range map[string]struct {
		data  string
		hosts []string
		note  string
		err   string
	}{
		"notes.pdf":    {"%PDF-1.7\n", nil, "", "is no archive, and its name is not a host"},
		"README":       {"# x", nil, "", "is no archive"},
		"x.arc":        {arc, nil, "", "this is an ARC archive"},
		"x.arc.gz":     {string(gzipped([]byte(arc))), nil, "", "this is an ARC archive"},
		"one.zip":      {inZip(entryFile{"x/README", ""}, entryFile{"a.example", ""}), []string{"a.example"}, "1 file was skipped because its name is not a host: x/README", ""},
		"none.zip":     {inZip(entryFile{"README.md", ""}, entryFile{"b.pdf", ""}), nil, "2 files were skipped because their names are not hosts: README.md, b.pdf", "no web archive, and no file whose name is a host"},
		"empty.zip":    {inZip(), nil, "", "no web archive"},
		"none.tar":     {inTar(entryFile{"SHA256SUMS", "00"}), nil, "1 file was skipped because its name is not a host: SHA256SUMS", "no web archive"},
		"damaged.zip":  {inZip(entryFile{"a.warc", siteOf("a.example")[:99]}, entryFile{"b.example", ""}), []string{"b.example"}, "", "a.warc: it ends after 99 bytes"},
		"old.zip":      {inZip(entryFile{"a.arc", arc}, entryFile{"b.example", ""}), []string{"b.example"}, "", "a.arc: this is an ARC archive"},
		"tables.zip":   {inZip(entryFile{"a.csv", "host,body\na.example,\n"}, entryFile{"z.zip", inZip()}, entryFile{"b.example", ""}), []string{"b.example"}, "2 files were skipped because their names are not hosts: a.csv, z.zip", ""},
		"x.warc.part":  {siteOf("a.example") + siteOf("b.example")[:99], []string{"a.example"}, "", "within the record"},
		"rubbish.warc": {"rubbish", nil, "", "within the record at offset 0"},
	} {
		path := filepath.Join(t.TempDir(), name)
		writeFile(t, path, []byte(c.data))
		hosts, note, err := hostsIn(t, audit.Config{}, path)
		hosts = slices.DeleteFunc(hosts, func(host string) bool { return host == "" }) // damage
		isWanted := err == nil && c.err == "" || err != nil && c.err != "" && strings.Contains(err.Error(), c.err)
		if !slices.Equal(hosts, c.hosts) || note != c.note || !isWanted {
			t.Errorf("%s: %q, %q, %v; want %q, %q, %s", name, hosts, note, err, c.hosts, c.note, c.err)
		}
	}
	folder := t.TempDir()
	if _, _, err := hostsIn(t, audit.Config{}, folder); err == nil {
		t.Error("an empty folder is no error")
	}
	writeFile(t, filepath.Join(folder, "README"), nil)
	if _, note, err := hostsIn(t, audit.Config{}, folder); err == nil || !strings.HasPrefix(note, "1 file was skipped") {
		t.Errorf("a folder without sites: %q, %v", note, err)
	}
	hosts, note, err := hostsIn(t, audit.Config{Hosts: map[string]string{"README": "a.example"}}, folder)
	if err != nil || note != "" || !slices.Equal(hosts, []string{"a.example"}) {
		t.Errorf("with a host: %q, %q, %v", hosts, note, err)
	}
}

// TestSiteNames: a file is a site if its name says which.
func TestSiteNames(t *testing.T) {
	sites := []string{"shop.com", "shop.co.uk.txt", "0003ac6bd6a72447.txt", "SHOP.Example.", "192.0.2.7", "2001:db8::7", "localhost", "xn--mnchen-3ya.example", "MÜNCHEN.DE",
		"shop.公司.cn", "a.test", "printer.local", "shop.example:8443", "robots.txt", "license.com", "readme.shop.example"}
	others := []string{"SHA256SUMS", "README", "README.md", "LICENSE.txt", "Changelog", "MANIFEST.in", "datapackage.json", "index.cdx", "notes.pdf", "a", "x.7z", "data.bin", "c.warc.gz.part",
		"d.crdownload", "e.example.download"}
	folder := t.TempDir()
	for _, name := range slices.Concat(sites, others) {
		writeFile(t, filepath.Join(folder, "x", name), []byte(openFile))
	}
	hosts, note, err := hostsIn(t, audit.Config{}, folder)
	if err != nil || len(hosts) != len(sites) {
		t.Errorf("%d hosts, %v: %q", len(hosts), err, hosts)
	}
	if want := "15 files were skipped because their names are not hosts: x/Changelog, x/LICENSE.txt, x/MANIFEST.in, …"; note != want {
		t.Errorf("%q, want %q", note, want)
	}
	// A pattern is like a folder, and a folder in a zip archive.
	hosts, again, err := hostsIn(t, audit.Config{}, filepath.Join(folder, "**", "*"))
	if err != nil || len(hosts) != len(sites) || !strings.HasPrefix(again, note[:20]) {
		t.Errorf("a pattern: %d hosts, %q, %v", len(hosts), again, err)
	}
}

// TestBzip2: an archive that bzip2 has compressed is read, also for a record before its redirect.
func TestBzip2(t *testing.T) {
	data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(bzippedArchive, "\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.warc.bz2")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := countedIn(t, audit.ByHost, path); got != "closed by *" {
		t.Error(got)
	}
	writeFile(t, path, data[:len(data)/2])
	if _, _, err := hostsIn(t, audit.Config{}, path); err == nil {
		t.Error("half of it is no error")
	}
}
