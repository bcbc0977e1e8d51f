package peers

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// kosterhq is this project.
var kosterhq = Peer{
	Name: Ours, Module: "github.com/kosterhq/robotstxt", Keeps: true,
	parse: func(body corpus.Body) (Parsed, error) {
		return kosterhqFile{robotstxt.Parse(body.Bytes)}, nil
	},
	allowed: func(body corpus.Body, agent, url string) (bool, error) {
		return robotstxt.Allowed(body.Bytes, url, agent), nil
	},
}

type kosterhqFile struct{ robots *robotstxt.Robots }

func (f kosterhqFile) For(agent string) Matcher {
	rules := f.robots.Rules(agent)
	return func(path string) bool { return rules.Allowed(path) }
}
