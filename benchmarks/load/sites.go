package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// site is a site on loopback, on a port of its own.
type site struct {
	url    string // without a path
	body   []byte
	robots *robotstxt.Robots
	paths  []string
}

// agent is the crawler of all requests.
const agent = "Googlebot"

// sites are the sites that the service fetches from.
type sites struct {
	all     []*site
	servers []*http.Server
}

// startSites starts n sites with generated files of usual sizes.
func startSites(n int) (*sites, error) {
	s := &sites{}
	for _, file := range corpus.Generated(corpus.DefaultSeed).Typical(corpus.DefaultSeed).Files {
		if len(s.all) == n {
			break
		}
		// Whether the service takes a file for a web page is not the subject.
		if strings.HasPrefix(strings.TrimSpace(file.Text), "<") {
			continue
		}
		if err := s.add(file.Bytes, file.Paths); err != nil {
			s.stop()
			return nil, err
		}
	}
	return s, nil
}

func (s *sites) add(body []byte, paths []string) error {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write(body) // the service may have closed the connection
	})}
	s.servers = append(s.servers, server)
	go func() { _ = server.Serve(l) }() // ends with stop
	s.all = append(s.all, &site{fmt.Sprintf("http://%s", l.Addr()), body, robotstxt.Parse(body), paths})
	return nil
}

func (s *sites) stop() {
	for _, server := range s.servers {
		_ = server.Close() // its listener may be closed
	}
}
