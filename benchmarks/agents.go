package benchmarks

import (
	"bytes"

	"github.com/benjaminestes/robots/v2"
	temoto "github.com/temoto/robotstxt"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
	"github.com/kosterhq/robotstxt/benchmarks/peers"
)

// The contests of Agents.
const (
	AgentsParse   = "parse"
	AgentsPresent = "resolve, present"
	AgentsAbsent  = "resolve, absent"
)

// Agents measures the time to find one crawler's rules in a file with 10,000 crawlers.
// Only peers that can do so once for many queries take part.
func (d Drivers) Agents() Experiment {
	file, present, absent := corpus.Agents()
	names := []string{peers.Ours, "temoto", "benjaminestes"}
	return Experiment{
		Name: "Agents", Title: "10,000 user agents", Unit: "operation",
		About: "500 groups with 20 agents and 5 rules each. First the file is parsed; then the rules of one agent are found, " +
			"which is named at four fifths of the file, or nowhere. Only peers that can find them once for many queries take part.",
		Contests: []Contest{
			d.Parse(AgentsParse, alone(file)).Only(append(names, driver.GoogleName, driver.FastName)...),
			resolve(AgentsPresent, file.Body, present),
			resolve(AgentsAbsent, file.Body, absent),
		},
	}
}

func resolve(name string, body corpus.Body, agent string) Contest {
	return Contest{Name: name, Ops: resolveTimes, Base: peers.Ours, Entries: []Entry{
		{Name: peers.Ours, Note: "Robots.Rules", Start: func() func() {
			file := robotstxt.Parse(body.Bytes)
			return repeat(func() robotstxt.Rules { return file.Rules(agent) })
		}},
		{Name: "temoto", Note: "FindGroup", Start: func() func() {
			file, err := temoto.FromBytes(body.Bytes)
			if err != nil {
				panic(err)
			}
			return repeat(func() *temoto.Group { return file.FindGroup(agent) })
		}},
		{Name: "benjaminestes", Note: "Tester", Start: func() func() {
			file, err := robots.From(200, bytes.NewReader(body.Bytes))
			if err != nil {
				panic(err)
			}
			return repeat(func() func(string) bool { return file.Tester(agent) })
		}},
	}}
}

const resolveTimes = 20

// repeat calls once repeatedly. Because once has a result, the compiler cannot
// remove the work.
func repeat[T any](once func() T) func() {
	return func() {
		for range resolveTimes {
			once()
		}
	}
}
