package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// hostile answers a request to a hostile site.
type hostile func(a *attacked, w http.ResponseWriter, r *http.Request)

// server answers as the victim, as the service's proxy, and as all hostile sites.
func (a *attacked) server(site hostile) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.Host)
		switch {
		case host == victim && !r.URL.IsAbs():
			a.count(func(s *seen) { s.Fetched++ })
			_, _ = io.WriteString(w, "User-agent: *\nAllow: /\n") // the service might be gone
		case host == proxyAddress && !r.URL.IsAbs():
			a.count(func(s *seen) { s.Leaked++ })
			_, _ = io.WriteString(w, "<urlset><url><loc>http://secret.example/</loc></url></urlset>")
		default:
			a.count(func(s *seen) { s.Sites++ })
			site(a, w, r)
		}
	}
}

// drippingSite sends a byte every 5 s.
func drippingSite(_ *attacked, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", contentType(r))
	for i := range 1 << 10 {
		if _, err := fmt.Fprintf(w, "%c", "<urlset> "[min(i, 8)]); err != nil {
			return
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		time.Sleep(5 * time.Second)
	}
}

// smallFile answers with a robots.txt of one rule.
func smallFile(_ *attacked, w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "User-agent: *\nDisallow: /cart\n") // the service might be gone
}

// contentType returns the type of what is requested.
func contentType(r *http.Request) string {
	switch {
	case r.URL.Path == "/robots.txt":
		return "text/plain"
	case strings.HasSuffix(r.URL.Path, "/resources"):
		return "text/html"
	}
	return "application/xml"
}

// redirecting redirects to a path of a host.
func redirecting(host string) hostile {
	return func(a *attacked, w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, fmt.Sprintf("http://%s:%d%s", host, a.port, r.URL.Path), http.StatusFound)
	}
}

// licensing names 16 documents of hosts in its robots.txt.
func licensing(host func(*attacked) string) hostile {
	return func(a *attacked, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType(r))
		for i := range 16 {
			if r.URL.Path == "/robots.txt" {
				_, _ = fmt.Fprintf(w, "License: http://%s:%d/%d.xml\n", host(a), a.port, i) // the service might be gone
			}
		}
	}
}

var (
	// member is 16 MB of short elements, which are also lines, as gzip of 16 KB.
	member = sync.OnceValue(func() []byte { return squeeze(bytes.Repeat([]byte("<a></a>\n"), 2<<20)) })
	nested = sync.OnceValue(func() []byte { return squeeze(bytes.Repeat(member(), 1<<10)) })
)

// squeeze compresses a text.
func squeeze(text []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level exists
	_, _ = w.Write(text)                                    // a buffer has no errors
	_ = w.Close()
	return out.Bytes()
}

// bomb sends a number of members: 16 MB each.
func bomb(members int) hostile {
	return func(_ *attacked, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType(r))
		if r.URL.Path == "/robots.txt" {
			w.Header().Set("Content-Encoding", "gzip")
		}
		_, err := w.Write(squeeze([]byte("<urlset>\n")))
		for i := 0; i < members && err == nil; i++ {
			_, err = w.Write(member())
		}
	}
}

// nestedBomb sends a bomb of 1 TB that is compressed once more.
func nestedBomb(_ *attacked, w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/gzip")
	for range 64 {
		if _, err := w.Write(nested()); err != nil {
			return
		}
	}
}

// largeFile sends a robots.txt of 500 KB with many rules, of another text for each site.
func largeFile(_ *attacked, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	_, _ = fmt.Fprintf(w, "# %s\nUser-agent: *\n%s", r.Host, strings.Repeat("Disallow: /a*\n", 35_000)) // the service might be gone
}
