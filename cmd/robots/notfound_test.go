package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// notFoundPage is the page of a server that says 500 for a missing file.
const notFoundPage = "<!DOCTYPE html><title>Page not found</title><h1>Page not found</h1>"

// TestNotFoundPages: with --not-found-pages, each command with a policy reads a 500 with such a page as
// 404 and says so in its text, and without it as a fault.
func TestNotFoundPages(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, notFoundPage)
	}))
	defer site.Close()
	dir := t.TempDir()
	hosts, archive, table := filepath.Join(dir, "hosts"), filepath.Join(dir, "site.warc"), filepath.Join(dir, "out.jsonl")
	write(t, hosts, site.URL+"\n")
	empty := filepath.Join(dir, "empty.txt")
	write(t, empty, "")
	const because = `HTTP status 500, with a "not found" page, which counts as 404`
	block := "HTTP/1.1 500 Oops\r\nContent-Type: text/html\r\n\r\n" + notFoundPage
	write(t, archive, fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://shop.example/robots.txt\r\n"+
		"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block))
	for _, test := range []struct {
		args    []string
		off, on string // a part of the output
	}{
		{[]string{"check", "--json", "--agent", "FooBot", "--cache", "none", site.URL + "/x"}, `"outcome":"disallow-all"`, `"outcome":"allow-all"`},
		{[]string{"explain", "--json", "--agent", "FooBot", "--cache", "none", site.URL + "/x"}, `"outcome":"disallow-all"`, `"verdict":"allowed"`},
		{[]string{"fetch", "--json", site.URL}, `"outcome":"disallow-all"`, `"outcome":"allow-all"`},
		{[]string{"check", "--agent", "FooBot", "--cache", "none", site.URL + "/x"}, "unreachable: HTTP status 500", `HTTP status 500  ` + site.URL + `/x  (with a "not found" page, which counts as 404)`},
		{[]string{"check", "--grid", "--agent", "FooBot", "--cache", "none", site.URL + "/x"}, "disallowed  " + site.URL, `HTTP status 500, with a "not found" page`},
		{[]string{"explain", "--agent", "FooBot", "--cache", "none", site.URL + "/x"}, "is unreachable: HTTP status 500\n", because},
		{[]string{"fetch", site.URL}, "nothing may be fetched", because},
		{[]string{"overview", site.URL}, "nothing may be fetched", because},
		{[]string{"diff", site.URL, empty}, "is unreachable: HTTP status 500\n", because},
		{[]string{"ai", "--json", site.URL}, `"outcome":"disallow-all"`, `"outcome":"allow-all"`},
		{[]string{"permit", "--json", "--cache", "none", site.URL + "/x"}, `"outcome":"disallow-all"`, `"outcome":"allow-all"`},
		{[]string{"watch", "--once", "--allow-private", "--history", filepath.Join(dir, "history"), site.URL}, ": status 500: closes", `first seen: HTTP status 500, with a "not found" page`},
		{[]string{"audit", "--allow-private", "--cache", "none", "--hosts", hosts, "--agent", "FooBot", "--out", table}, `"outcome":"disallow-all"`, `"outcome":"allow-all"`},
		{[]string{"audit", archive, "--agent", "FooBot", "--out", table}, `"outcome":"disallow-all"`, `"outcome":"allow-all"`},
	} {
		name := test.args[0]
		for flag, want := range map[string]string{"--not-found-pages=false": test.off, "--not-found-pages": test.on, "--policy=careful": test.off} {
			args := append(append([]string{}, test.args...), flag)
			if flag == "--policy=careful" {
				args = append(args, "--not-found-pages")
			}
			_, stdout, stderr := runTool(t, args...)
			if text, err := os.ReadFile(table); err == nil {
				stdout = string(text)
				os.Remove(table)
			}
			if !strings.Contains(stdout+stderr, want) {
				t.Errorf("%s %s: no %s in %s%s", name, flag, want, stdout, stderr)
			}
			os.RemoveAll(filepath.Join(dir, "history"))
		}
	}
}
