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
// 404, and without it as a fault.
func TestNotFoundPages(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, notFoundPage)
	}))
	defer site.Close()
	dir := t.TempDir()
	hosts, archive, table := filepath.Join(dir, "hosts"), filepath.Join(dir, "site.warc"), filepath.Join(dir, "out.jsonl")
	write(t, hosts, site.URL+"\n")
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
			if !strings.Contains(stdout, want) {
				t.Errorf("%s %s: no %s in %s%s", name, flag, want, stdout, stderr)
			}
		}
	}
}
