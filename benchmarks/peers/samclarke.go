package peers

import (
	"net/url"

	"github.com/samclarke/robotstxt"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// samclarke resolves the agent again for each query. In its interface a file
// belongs to a host; the host of paths is "".
var samclarke = Peer{
	Name: "samclarke", Module: "github.com/samclarke/robotstxt", Keeps: true,
	parse: func(body corpus.Body) (Parsed, error) {
		robots, err := robotstxt.Parse(body.Text, "")
		if err != nil {
			return nil, err
		}
		return samclarkeFile{robots}, nil
	},
	allowed: func(body corpus.Body, agent, path string) (bool, error) {
		return samclarkeAllowed(body, agent, path, "")
	},
	judge: func(body corpus.Body, agent, address string) (bool, error) {
		host := ""
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			host = u.Scheme + "://" + u.Host
		}
		return samclarkeAllowed(body, agent, address, host)
	},
}

func samclarkeAllowed(body corpus.Body, agent, url, host string) (bool, error) {
	robots, err := robotstxt.Parse(body.Text, host)
	if err != nil {
		return false, err
	}
	return robots.IsAllowed(agent, url)
}

type samclarkeFile struct{ robots *robotstxt.RobotsTxt }

func (f samclarkeFile) For(agent string) Matcher {
	return func(path string) bool {
		allowed, err := f.robots.IsAllowed(agent, path)
		return allowed && err == nil
	}
}
