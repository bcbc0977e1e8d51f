package main

import (
	"encoding/json"
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
	t.Parallel()
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
		{[]string{"check", "--group-by=line", "--agent", "FooBot", "--cache", "none", site.URL + "/x"}, "disallowed", "(" + because + ")"},
		{[]string{"check", "--group-by=line", "--json", "--agent", "FooBot", "--cache", "none", site.URL + "/x"}, `"verdict":"disallowed"`, `page, which counts as 404"`},
		{[]string{"permit", "--purpose=fetch", "--cache", "none", site.URL + "/x"}, "HTTP status 500", because},
		{[]string{"lint", "--variants=false", site.URL}, "served with status 500, so crawlers treat the whole site as blocked", `served with status 500 and a "not found" page, which counts as 404, so crawlers behave as if there were no file`},
		{[]string{"ai", "--json", site.URL}, `"outcome":"disallow-all"`, `"outcome":"allow-all"`},
		{[]string{"permit", "--operator=OpenAI", "--cache", "none", site.URL + "/x"}, "The rules are not known: robots.txt has been unreachable", "page, which counts as 404), so no line"},
		{[]string{"ai", site.URL}, "has been unreachable since", "robots.txt: " + because},
		{[]string{"ai", "--format=csv", site.URL}, "has been unreachable since", `page, which counts as 404"`},
		{[]string{"check", "--format=csv", "--agent", "FooBot", "--cache", "none", site.URL + "/x"}, "has been unreachable since", `page, which counts as 404"`},
		{[]string{"permit", "--json", "--cache", "none", site.URL + "/x"}, `"outcome":"disallow-all"`, `"outcome":"allow-all"`},
		{[]string{"watch", "--once", "--allow-private", "--history", filepath.Join(dir, "history"), site.URL}, "status 500, which closes", `first seen: HTTP status 500, with a "not found" page`},
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
			unwrapped := strings.Join(strings.Fields(stdout+stderr), " ") // lines of a letter end elsewhere on another day
			if !strings.Contains(stdout+stderr, want) && !strings.Contains(unwrapped, want) {
				t.Errorf("%s %s: no %s in %s%s", name, flag, want, stdout, stderr)
			}
			os.RemoveAll(filepath.Join(dir, "history"))
		}
	}
}

// TestAuditedAnswers: an answer means the same in each form in which audit reads it, and the same as to a
// client, under each policy, with --not-found-pages and without; and no form shows a password.
func TestAuditedAnswers(t *testing.T) {
	t.Parallel()
	const secret = "s3cret"
	answers := []struct {
		status         int
		location, body string
	}{
		{500, "", notFoundPage},
		{503, "", notFoundPage},
		{500, "", "<h1>Internal server error</h1>"},
		{302, "http://user:" + secret + "@[::1/robots.txt", ""},
		{302, "ftp://user:" + secret + "@shop.example/robots.txt", ""},
		{301, "/%zz", ""},
		{300, "http://user:" + secret + "@ho st/", ""},
		{404, "", ""},
		{401, "", ""},
		{200, "", "<!DOCTYPE html><title>Shop</title>"},
		{200, "", "User-agent: *\nDisallow: /\n"},
	}
	var at int
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answers[at].location != "" {
			w.Header()["Location"] = []string{answers[at].location}
		}
		w.WriteHeader(answers[at].status)
		io.WriteString(w, answers[at].body)
	}))
	defer site.Close()
	dir := t.TempDir()
	table := filepath.Join(dir, "out.jsonl")
	file := func(name, text string) string {
		write(t, filepath.Join(dir, name), text)
		return filepath.Join(dir, name)
	}
	host := strings.TrimPrefix(site.URL, "http://")
	for at = range answers {
		a := answers[at]
		block := fmt.Sprintf("HTTP/1.1 %d \r\nLocation: %s\r\n\r\n%s", a.status, a.location, a.body)
		url := "http://user:" + secret + "@" + host + "/robots.txt"
		line, err := json.Marshal(map[string]any{"url": url, "status": a.status, "location": a.location, "body": a.body})
		if err != nil {
			t.Fatal(err)
		}
		quoted := func(cell string) string { return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"` }
		inputs := [][]string{
			{"--allow-private", "--cache", "none", "--hosts", file("hosts", site.URL+"\n")},
			{file("a.warc", fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\n"+
				"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"+
				"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(block), block))},
			{file("a.jsonl", string(line)+"\n")},
			{file("a.csv", "url,status,location,body\n"+url+","+fmt.Sprint(a.status)+","+quoted(a.location)+","+quoted(a.body)+"\n")},
		}
		for _, flags := range [][]string{{}, {"--not-found-pages"}, {"--policy=careful", "--not-found-pages"}, {"--policy=koster"}, {"--policy=rfc9309"}} {
			want := ""
			for i, input := range inputs {
				args := append(append([]string{"audit", "--agent", "FooBot", "--out", table}, input...), flags...)
				_, stdout, stderr := runTool(t, args...)
				text, err := os.ReadFile(table)
				if err != nil {
					t.Fatal(err, stderr)
				}
				if shown := string(text) + stdout + stderr; strings.Contains(shown, secret) {
					t.Errorf("%d, %q: %v shows the password: %s", a.status, a.location, args, shown)
				}
				var row struct{ Outcome, Problem, Detail string } // Detail is that of an open site
				if err := json.Unmarshal(text, &row); err != nil {
					t.Fatal(err)
				}
				if row.Outcome != "allow-all" {
					row.Detail = ""
				}
				if got := fmt.Sprint(row); i == 0 {
					want = got
				} else if got != want {
					t.Errorf("%d, %q, %q, %v: audit of %s says %s, the client %s", a.status, a.location, a.body, flags, filepath.Ext(input[0]), got, want)
				}
			}
		}
	}
}

// TestAuditedSchemes: a page that counts as 404 is an answer, so the file of https counts and not that of http.
func TestAuditedSchemes(t *testing.T) {
	dir := t.TempDir()
	archive := filepath.Join(dir, "a.jsonl")
	write(t, archive, `{"url":"https://shop.example/robots.txt","status":500,"body":"<title>Page not found</title>"}
{"url":"http://shop.example/robots.txt","status":200,"body":"User-agent: *\nDisallow: /\n"}
`)
	for flag, want := range map[string]string{"--not-found-pages": "1 host: 1 open by status", "--not-found-pages=false": "1 host: 1 text"} {
		if _, stdout, _ := runTool(t, "audit", "--agent", "FooBot", flag, archive); !strings.HasPrefix(stdout, want) {
			t.Errorf("%s: %s, want %s", flag, stdout, want)
		}
	}
}
