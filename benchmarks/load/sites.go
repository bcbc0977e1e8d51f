package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// site is a site on loopback, on its own port.
type site struct {
	url    string // without a path
	body   []byte
	robots *robotstxt.Robots
	paths  []string
}

// agent is the crawler of all requests.
const agent = "Googlebot"

// startSites starts n sites with generated files of usual sizes. They end with the process.
func startSites(n int) (all []*site, err error) {
	for _, file := range corpus.Generated(corpus.DefaultSeed).Typical(corpus.DefaultSeed).Files {
		if len(all) == n {
			break
		}
		// This is not about files that the service takes for a web page.
		if strings.HasPrefix(strings.TrimSpace(file.Text), "<") {
			continue
		}
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		serveFile(l, file.Bytes)
		all = append(all, &site{fmt.Sprintf("http://%s", l.Addr()), file.Bytes, robotstxt.Parse(file.Bytes), file.Paths})
	}
	return all, nil
}

// serveFile serves a robots.txt until the listener is closed.
func serveFile(l net.Listener, body []byte) {
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = w.Write(body) // the service might have closed the connection
		}))
	}()
}
