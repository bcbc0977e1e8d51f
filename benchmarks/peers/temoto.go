package peers

import (
	"net/url"
	"strings"

	"github.com/temoto/robotstxt"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// temoto is the parser that most Go crawlers use.
var temoto = Peer{
	Name: "temoto", Module: "github.com/temoto/robotstxt", Keeps: true,
	parse: func(body corpus.Body) (Parsed, error) {
		robots, err := robotstxt.FromBytes(body.Bytes)
		if err != nil {
			return nil, err
		}
		return temotoFile{robots}, nil
	},
	allowed: temotoAllowed,
	// It takes a path. Callers get it from a URL with net/url.
	judge: func(body corpus.Body, agent, address string) (bool, error) {
		if !strings.HasPrefix(address, "/") {
			u, err := url.Parse(address)
			if err != nil || u.Scheme == "" || u.Host == "" {
				return false, ErrInexpressible
			}
			address = u.RequestURI()
		}
		return temotoAllowed(body, agent, address)
	},
}

func temotoAllowed(body corpus.Body, agent, path string) (bool, error) {
	robots, err := robotstxt.FromBytes(body.Bytes)
	if err != nil {
		return false, err
	}
	return robots.TestAgent(path, agent), nil
}

type temotoFile struct{ robots *robotstxt.RobotsData }

func (f temotoFile) For(agent string) Matcher { return f.robots.FindGroup(agent).Test }
