package conformance_test

import (
	"bytes"
	"fmt"

	"github.com/kosterhq/robotstxt/conformance"
)

// Run an implementation that supports one dialect and does not know line numbers. This
// one has a bug: it obeys a "Disallow: /" of any group.
func ExampleRun() {
	impl := func(_ string, body []byte, _ []string, _ string) (bool, int) {
		return !bytes.Contains(body, []byte("Disallow: /")), conformance.AnyLine
	}
	v, err := conformance.ParseVector("example/others", []byte(`format: 2
clause: G37
note: rules in the groups of others are ignored
dialect: google, koster1996
agents: FooBot
allow: [0] /x
agents: BarBot
deny: [2] /x

User-agent: BarBot
Disallow: /x
`))
	if err != nil {
		panic(err)
	}
	for _, f := range conformance.Run(impl, conformance.Only([]conformance.Vector{v}, conformance.Google)) {
		fmt.Println(f)
	}
	// Output:
	// example/others:6: [G37] rules in the groups of others are ignored: google ["FooBot"] "/x": expected allow [0], got deny
}

func ExampleVectors() {
	vectors, err := conformance.Vectors()
	if err != nil {
		panic(err)
	}
	for _, v := range vectors {
		if v.Name == "agents/star-with-junk" {
			fmt.Printf("%s: %s\n%s", v.Clauses[0], v.Note, v.Body)
		}
	}
	// Output:
	// G25: a star, white space and anything is the global agent
	// User-agent: * junk
	// Disallow: /x
}

func ExampleParseExpectations() {
	e, err := conformance.ParseExpectations("shop.robots-test", []byte(`# The shop may be found, the basket may not.
robots: public/robots.txt

agents: Googlebot, Googlebot-News:Googlebot
allow: https://shop.example/
deny: [7] /cart
`))
	if err != nil {
		panic(err)
	}
	fmt.Println(e.Robots)
	for _, c := range e.Checks {
		fmt.Println(c.HeadLine, c.Agents, c.URL, c.Allowed, c.Line)
	}
	// Output:
	// public/robots.txt
	// 5 [Googlebot] https://shop.example/ true -1
	// 5 [Googlebot-News Googlebot] https://shop.example/ true -1
	// 6 [Googlebot] /cart false 7
	// 6 [Googlebot-News Googlebot] /cart false 7
}
