package main

import (
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
