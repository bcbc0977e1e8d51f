package peers

import (
	"bytes"
	"net/http"

	"github.com/benjaminestes/robots/v2"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// benjaminestes takes an HTTP status and the body, and panics on some bodies.
var benjaminestes = Peer{
	Name: "benjaminestes", Module: "github.com/benjaminestes/robots/v2", Keeps: true,
	parse: func(body corpus.Body) (Parsed, error) {
		file, err := robots.From(http.StatusOK, bytes.NewReader(body.Bytes))
		if err != nil {
			return nil, err
		}
		return benjaminestesFile{file}, nil
	},
	allowed: func(body corpus.Body, agent, url string) (bool, error) {
		file, err := robots.From(http.StatusOK, bytes.NewReader(body.Bytes))
		if err != nil {
			return false, err
		}
		return file.Test(agent, url), nil
	},
}

type benjaminestesFile struct{ file *robots.Robots }

func (f benjaminestesFile) For(agent string) Matcher { return f.file.Tester(agent) }
