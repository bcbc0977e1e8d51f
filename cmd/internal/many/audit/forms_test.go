package audit_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"os/exec"
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

// bzipped compresses data with Python's bz2.
func bzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOT TESTED: there is no python3")
	}
	program := exec.Command(python, "-c", "import bz2, sys; sys.stdout.buffer.write(bz2.compress(sys.stdin.buffer.read()))")
	program.Stdin = bytes.NewReader(data)
	out, err := program.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

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
		"a.warc": ab, "b.warc.gz.1": members, "crawl (1).warc.gz.download": members, "c": ab, "d": members, "name": ab, "f.zip": ab, "f.zip.part": zipped,
		"g.tar.gz": string(gzipped([]byte(tarred))), "h": tarred, "i.backup": zipped, "j.warc.gz": zipped, "k.zip.download": zipped,
		"l.jsonl": line, "m.ndjson.gz": string(gzipped([]byte(line))), "n.csv": "host,body\na.example,\nb.example,\n",
		"n.csv.download": "host,body\na.example,\nb.example,\n",
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

const skipped = " skipped, neither named after a host nor an archive that is read here: "

// TestNoSites: what is no site is said once and never counted. Nothing to count is an error.
func TestNoSites(t *testing.T) {
	arc := "filedesc://x.arc 0.0.0.0 20260101000000 text/plain 76\n1 0 x\n"
	for name, c := range map[string]struct {
		data  string
		hosts []string
		note  string
		err   string
	}{
		"notes.pdf":    {"%PDF-1.7\n", nil, "", "neither an archive"},
		"README":       {"# x", nil, "", "neither an archive"},
		"x.arc":        {arc, nil, "", "this is an ARC archive"},
		"x.arc.gz":     {string(gzipped([]byte(arc))), nil, "", "this is an ARC archive"},
		"one.zip":      {inZip(entryFile{"x/README", ""}, entryFile{"a.example", ""}), []string{"a.example"}, "1 file was" + skipped + "x/README", ""},
		"none.zip":     {inZip(entryFile{"README.md", ""}, entryFile{"b.pdf", ""}), nil, "2 files were" + skipped + "README.md, b.pdf", "neither an archive"},
		"empty.zip":    {inZip(), nil, "", "neither an archive"},
		"none.tar":     {inTar(entryFile{"SHA256SUMS", "00"}), nil, "1 file was" + skipped + "SHA256SUMS", "neither an archive"},
		"damaged.zip":  {inZip(entryFile{"a.warc", siteOf("a.example")[:99]}, entryFile{"b.example", ""}), []string{"b.example"}, "", "a.warc: it ends after 99 bytes"},
		"old.zip":      {inZip(entryFile{"a.arc", arc}, entryFile{"b.example", ""}), []string{"b.example"}, "", "a.arc: this is an ARC archive"},
		"tables.zip":   {inZip(entryFile{"a.csv", "host,body\na.example,\n"}, entryFile{"z.zip", inZip()}, entryFile{"b.example", ""}), []string{"b.example"}, "2 files were" + skipped + "a.csv, z.zip", ""},
		"nested.zip":   {inZip(entryFile{"a.tar", inTar(entryFile{"b.example", ""}, entryFile{"c.warc", siteOf("c.example")})}), []string{"b.example"}, "1 file was" + skipped + "c.warc", ""},
		"part.zip":     {inZip(entryFile{"a.warc.part", siteOf("a.example")}, entryFile{"b.example", ""}), []string{"b.example"}, "1 file was" + skipped + "a.warc.part", ""},
		"pages.wacz":   {inZip(entryFile{"archive/a.warc", warcRecord("https://a.example/page", 200, "x")}), nil, "", ""},
		"pages.tar":    {inTar(entryFile{"a.warc", warcRecord("https://a.example/page", 200, "x")}), nil, "", ""},
		"pages.warc":   {warcRecord("https://a.example/page", 200, "x"), nil, "", ""},
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
		"shop.公司.cn", "a.test", "printer.local", "shop.example:8443", "robots.txt", "license.com", "readme.shop.example", "www.txt.com.txt", "www.txt.com"}
	others := []string{"SHA256SUMS", "README", "README.md", "LICENSE.txt", "Changelog", "MANIFEST.in", "datapackage.json", "index.cdx", "notes.pdf", "a", "x.7z", "data.bin", "c.warc.gz.part",
		"d.crdownload", "e.example.download", "info", "name", "docs", "example", "x.txt.part", "build", "date", "shop.example.txt.save", "robots.txt.SAVE", "shop.com.save", "shop.example.txt.zone"}
	folder := t.TempDir()
	for _, name := range slices.Concat(sites, others) {
		writeFile(t, filepath.Join(folder, "x", name), []byte(openFile))
	}
	hosts, note, err := hostsIn(t, audit.Config{}, folder)
	if err != nil || len(hosts) != len(sites) {
		t.Errorf("%d hosts, %v: %q", len(hosts), err, hosts)
	}
	if want := "26 files were" + skipped + "x/Changelog, x/LICENSE.txt, x/MANIFEST.in, …"; note != want {
		t.Errorf("%q, want %q", note, want)
	}
	// A pattern is like a folder, and a folder in a zip archive.
	hosts, again, err := hostsIn(t, audit.Config{}, filepath.Join(folder, "**", "*"))
	if err != nil || len(hosts) != len(sites) || !strings.HasPrefix(again, note[:20]) {
		t.Errorf("a pattern: %d hosts, %q, %v", len(hosts), again, err)
	}
}

// TestHidden: hidden files, such as those that macOS adds to archives, and the backups of editors are no sites, in a
// folder and in archives alike.
func TestHidden(t *testing.T) {
	none := []string{"__MACOSX/._a.example.txt", "__MACOSX/x/._a.example", "._a.example.txt", ".DS_Store", ".git/b.example.txt", "x/.b.example.txt.swp", ".#b.example.txt", ".c.example", ".one.warc"}
	noted := []string{"Thumbs.db", "desktop.ini", "b.example.txt~", "b.example~", "#b.example.txt#", "#b.example#", "b.example.txt.bak", "b.example.orig"}
	entries := []entryFile{{"./a.example.txt", ""}, {"x/a.b.example/robots.txt", ""}}
	for _, name := range slices.Concat(none, noted) {
		entries = append(entries, entryFile{name, siteOf("bank.example")})
	}
	for i := range entries {
		if slices.Contains(noted, entries[i].name) {
			entries[i].data = "x"
		}
	}
	folder := t.TempDir()
	for _, e := range entries {
		writeFile(t, filepath.Join(folder, "sites", e.name), []byte(e.data))
	}
	writeFile(t, filepath.Join(folder, "a.zip"), []byte(inZip(entries...)))
	entries[0].name = "../a.example.txt"
	writeFile(t, filepath.Join(folder, "a.tar"), []byte(inTar(entries...)))
	for _, argument := range []string{"sites", "a.zip", "a.tar"} {
		hosts, note, err := hostsIn(t, audit.Config{}, filepath.Join(folder, argument))
		if err != nil || !slices.Equal(hosts, []string{"a.b.example", "a.example"}) || !strings.HasPrefix(note, "8 files were skipped") {
			t.Errorf("%s: %q, %q, %v", argument, hosts, note, err)
		}
	}
	hosts, _, err := hostsIn(t, audit.Config{Hosts: map[string]string{".c.example": "c.example"}}, filepath.Join(folder, "a.zip"))
	if err != nil || !slices.Contains(hosts, "c.example") {
		t.Errorf("a listed file: %q, %v", hosts, err)
	}
}

// TestFolderArchive: a zip archive with a folder named archive is a WACZ only if that has web archives and the zip
// archive their description.
func TestFolderArchive(t *testing.T) {
	crawl, site := entryFile{"archive/data.warc", siteOf("c.example")}, entryFile{"archive/www.warcraft.example.txt", ""}
	for name, c := range map[string]struct {
		files []entryFile
		want  []string
	}{
		"sites":                 {[]entryFile{site, {"b.example.txt", ""}}, []string{"b.example", "www.warcraft.example"}},
		"sites with a package":  {[]entryFile{site, {"b.example.txt", ""}, {"datapackage.json", "{}"}}, []string{"b.example", "www.warcraft.example"}},
		"no description":        {[]entryFile{crawl, site, {"pages/b.example.txt", ""}}, []string{"b.example", "c.example", "www.warcraft.example"}},
		"WACZ":                  {[]entryFile{crawl, site, {"pages/b.example.txt", ""}, {"datapackage.json", "{}"}}, []string{"c.example"}},
		"WACZ with a deep file": {[]entryFile{crawl, {"archive/x/more.warc", siteOf("d.example")}, {"datapackage.json", "{}"}}, []string{"c.example"}},
	} {
		path := filepath.Join(t.TempDir(), "a.zip")
		writeFile(t, path, []byte(inZip(c.files...)))
		hosts, _, err := hostsIn(t, audit.Config{}, path)
		if err != nil || !slices.Equal(hosts, c.want) {
			t.Errorf("%s: %q, %v, want %q", name, hosts, err, c.want)
		}
	}
}

// TestBzip2: an archive that bzip2 has compressed is read, also for a record before its redirect, although nothing of
// it is seen before a whole block.
func TestBzip2(t *testing.T) {
	random := rand.NewChaCha8([32]byte{})
	noise := make([]byte, 100_000)
	_, _ = random.Read(noise)
	live := stored{url: "/live", body: closesAll + "# " + hex.EncodeToString(noise)}
	data := bzipped(t, []byte(texts([]stored{live, to(robots, "/live")})))
	names := []string{"a.warc.bz2", "a.warc.bz2.1", "crawl.bz2", "crawl", "in.zip", "in.tar"}
	for _, name := range names {
		path := filepath.Join(t.TempDir(), name)
		want := "closed by *"
		switch name {
		case "in.zip":
			writeFile(t, path, []byte(inZip(entryFile{"a.bz2", string(data)})))
		case "in.tar": // read once
			writeFile(t, path, []byte(inTar(entryFile{"a.bz2", string(data)})))
			want = "unknown"
		default:
			writeFile(t, path, data)
		}
		if got := countedIn(t, audit.ByHost, path); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	sources, _ := openSources([]string{"-"}, bytes.NewReader(data), audit.Config{})
	if files, err := filesOf(t, sources[0]); len(files) != 1 || err != nil {
		t.Errorf("standard input: %d files, %v", len(files), err)
	}
	path := filepath.Join(t.TempDir(), "a.warc.bz2")
	writeFile(t, path, data[:len(data)/2])
	if _, _, err := hostsIn(t, audit.Config{}, path); err == nil {
		t.Error("half of it is no error")
	}
}

// TestForgedArchives: a file with the name of a site is never an archive, because its content is from the site: it
// could have captures of other sites, or end the reading.
func TestForgedArchives(t *testing.T) {
	line := `{"host": "bank.example", "body": ""}` + "\n"
	forged := map[string]string{
		"warc": siteOf("bank.example"), "gzip": string(gzipped([]byte(siteOf("bank.example")))), "tar": inTar(entryFile{"bank.example", ""}),
		"zip": inZip(entryFile{"bank.example", ""}), "parquet": "PAR1", "zstd": "\x28\xb5\x2f\xfd", "arc": "filedesc://x", "lines": line,
		"bzip2": string(bzipped(t, []byte(siteOf("bank.example")))),
	}
	for name, content := range forged {
		evil, honest := entryFile{"evil.example.txt", content}, entryFile{"bank.example", openFile}
		folder := t.TempDir()
		for _, f := range []entryFile{evil, honest} {
			writeFile(t, filepath.Join(folder, "sites", f.name), []byte(f.data))
		}
		writeFile(t, filepath.Join(folder, "a.zip"), []byte(inZip(evil, honest)))
		writeFile(t, filepath.Join(folder, "a.tar"), []byte(inTar(evil, honest)))
		for _, argument := range []string{"sites", "sites/*", "a.zip", "a.tar"} {
			hosts, note, err := hostsIn(t, audit.Config{}, filepath.Join(folder, argument))
			if err != nil || note != "" || !slices.Equal(hosts, []string{"bank.example", "evil.example"}) {
				t.Errorf("%s, %s: %q, %q, %v", name, argument, hosts, note, err)
			}
		}
		// A shell makes arguments of sites/*.
		hosts, _, err := hostsIn(t, audit.Config{}, filepath.Join(folder, "sites", evil.name))
		if err != nil || !slices.Equal(hosts, []string{"evil.example"}) {
			t.Errorf("%s, as an argument: %q, %v", name, hosts, err)
		}
	}
}

// TestDamagedEntry: a damaged file in a zip archive that is no site does not end its reading.
func TestDamagedEntry(t *testing.T) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	cut := &zip.FileHeader{Name: "notes.pdf", Method: zip.Deflate, UncompressedSize64: 100}
	entry, err := w.CreateRaw(cut)
	if err != nil {
		t.Fatal(err)
	}
	entry.Write([]byte{0x4a})
	entry, _ = w.Create("a.example.txt")
	io.WriteString(entry, openFile)
	w.Close()
	path := filepath.Join(t.TempDir(), "a.zip")
	writeFile(t, path, out.Bytes())
	hosts, note, err := hostsIn(t, audit.Config{}, path)
	if err != nil || !slices.Equal(hosts, []string{"a.example"}) || !strings.HasSuffix(note, ": notes.pdf") {
		t.Errorf("%q, %q, %v", hosts, note, err)
	}
}
