package peers

import (
	"github.com/jimsmart/grobotstxt"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// jimsmart is a translation of Google's parser. It keeps no parsed form and reads
// the text again for each query. Its "parse" reads the text with a handler that
// does nothing, and its matcher keeps the text.
var jimsmart = Peer{
	Name: "grobotstxt", Module: "github.com/jimsmart/grobotstxt",
	parse: func(body corpus.Body) (Parsed, error) {
		grobotstxt.Parse(body.Text, ignore{})
		return jimsmartText(body.Text), nil
	},
	allowed: func(body corpus.Body, agent, url string) (bool, error) {
		return grobotstxt.AgentAllowed(body.Text, agent, url), nil
	},
}

type jimsmartText string

func (text jimsmartText) For(agent string) Matcher {
	return func(path string) bool { return grobotstxt.AgentAllowed(string(text), agent, path) }
}

// ignore is a handler that does nothing.
type ignore struct{}

func (ignore) HandleRobotsStart()                      {}
func (ignore) HandleRobotsEnd()                        {}
func (ignore) HandleUserAgent(int, string)             {}
func (ignore) HandleAllow(int, string)                 {}
func (ignore) HandleDisallow(int, string)              {}
func (ignore) HandleSitemap(int, string)               {}
func (ignore) HandleUnknownAction(int, string, string) {}
