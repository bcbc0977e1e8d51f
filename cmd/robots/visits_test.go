package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kosterhq/robotstxt/visitor"
)

// TestListsThroughProxy: visits lists fetches each list through --proxy, as the other commands do.
func TestListsThroughProxy(t *testing.T) {
	var hosts []string
	for _, list := range visitor.URLs() {
		u, err := url.Parse(list)
		if err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, u.Hostname())
	}
	operators, roots := startTLS(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.UserAgent(), "robots") {
			t.Errorf("User-Agent is %q", r.UserAgent())
		}
		io.WriteString(w, `{"prefixes":[{"ipv4Prefix":"11.1.0.0/24"}]}`)
	}), hosts...)
	var asked atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		tunnel(w, operators)
	}))
	t.Cleanup(proxy.Close)
	folder := documentFolder(t)
	environment := append(os.Environ(), "SSL_CERT_FILE="+roots, "SSL_CERT_DIR="+t.TempDir(), "PATH=.bin"+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if output, err := bash(t, folder, environment, "robots visits lists --proxy "+proxy.URL+" fetched"); err != nil || asked.Load() == 0 {
		t.Fatalf("%d requests of the proxy, %v\n%s", asked.Load(), err, output)
	}
	if index := read(t, filepath.Join(folder, "fetched", "index.jsonl")); strings.Count(index, "\n") != len(hosts) {
		t.Errorf("%d lists, but the index is\n%s", len(hosts), index)
	}
	if output, err := bash(t, folder, environment, "robots visits lists --proxy http://user:secret@127.0.0.1:1 none"); err == nil || strings.Contains(output, "secret") {
		t.Errorf("without the proxy: %v\n%s", err, output)
	}
}

// TestVisitsSessions: what docs/visits.md shows of the tool is what it prints for the files of testdata/visits.
func TestVisitsSessions(t *testing.T) {
	t.Parallel()
	folder := documentFolder(t)
	if err := os.CopyFS(filepath.Join(folder, "visits"), os.DirFS("testdata/visits")); err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "PATH=../.bin"+string(filepath.ListSeparator)+os.Getenv("PATH"))
	sessions := 0
	for _, block := range shellBlock.FindAllStringSubmatch(read(t, "../../docs/visits.md"), -1) {
		command, want, _ := strings.Cut(strings.TrimPrefix(block[2], "$ "), "\n")
		got, err := bash(t, filepath.Join(folder, "visits"), environment, command)
		if err != nil || block[1] == "console" && got != want {
			t.Errorf("%s: %v\nprints\n%s\nnot\n%s", command, err, got, want)
		}
		sessions++
	}
	if sessions < 5 {
		t.Errorf("only %d sessions", sessions)
	}
	// A pipe can be read only once, so it is not compared with other logs first; but equal lines count once.
	got, err := bash(t, filepath.Join(folder, "visits"), environment, "robots visits <(cat access.log) <(gzip -c access.log)")
	if err != nil || !strings.Contains(got, ": 24 lines, 5 visits of named crawlers\n") {
		t.Errorf("logs from pipes: %v\n%s", err, got)
	}
}

// TestSameNames: an archive can have two logs of one name. Evidence tells them apart, and names a line that differs.
func TestSameNames(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(documentFolder(t), "visits")
	if err := os.CopyFS(folder, os.DirFS("testdata/visits")); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(read(t, filepath.Join(folder, "access.log")), "\n")
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for _, part := range [][]string{lines[:8], lines[8:]} {
		w, err := z.Create("a,b.log")
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, strings.Join(part, ""))
	}
	if err := errors.Join(z.Close(), os.WriteFile(filepath.Join(folder, "logs.zip"), archive.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "PATH=../.bin"+string(filepath.ListSeparator)+os.Getenv("PATH"))
	output, err := bash(t, folder, environment, `
		flags="--file robots.txt --served-since 2026-10-01T00:00:00Z --site shop.example --lists lists"
		robots visits $flags --evidence evidence logs.zip >answer || [ $? = 1 ]
		cut -d, -f1-3 evidence/verdicts.csv
		robots visits --evidence-check evidence
		sed -i.old s/verified/claimed/ evidence/verdicts.csv && rm evidence/verdicts.csv.old
		sum=$(sha256sum <evidence/verdicts.csv | cut -c1-64)
		sed -i.old "s/^.*  verdicts.csv/$sum  verdicts.csv/" evidence/SHA256SUMS && rm evidence/SHA256SUMS.old
		robots visits --evidence-check evidence || [ $? = 1 ]`)
	for _, want := range []string{"\n\"logs.zip/a,b.log (2)\",1\n", "GPTBot: 1 visit disobeyed, as the folder says\n", "line 2 of verdicts.csv is not repeated, about logs.zip/a,b.log (2):1\n"} {
		if !strings.Contains(output, want) {
			t.Errorf("%v, without %q:\n%s", err, want, output)
		}
	}
	cut := filepath.Join(folder, "cut.zip")
	write(t, cut, archive.String()[:archive.Len()-30])
	if status, _, errs := runTool(t, "visits", cut); status != 2 || !strings.Contains(errs, "whose directory cannot be read: copy it again") {
		t.Errorf("a cut archive: status %d\n%s", status, errs)
	}
}
