package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// The honest clients of attacks: each sends 5 requests a second.
const (
	honestRate    = 50
	honestClients = 10
)

// honest returns what honest clients send: questions with a file of 1 KB and of 20 KB, a
// question about a known site, a stream of ten questions, reasons, problems, and the page; each
// over a connection that is kept open, and over a new one.
func honest(all []*site) (list []request) {
	large := all[0]
	for _, s := range all {
		if len(s.body) > len(large.body) && len(s.body) < 20_000 {
			large = s
		}
	}
	known, body := requests(all, 1, false), requests(all, 1, true)
	padded := *large
	padded.body = slices.Concat(large.body, bytes.Repeat([]byte("# more\n"), 3000))
	long := requests([]*site{&padded}, 1, true)
	reasons := query{Agents: []string{agent}, URLs: []string{"/preview/tea"}, Body: "User-agent: *\nDisallow: /preview/\n"}
	problems := map[string]string{"body": "User-agent: *\nDisalow: /cart\n"}
	stream := request{text: []byte(streamOf(`{"agents":["Googlebot"],"body":"User-agent: *\nDisallow: /p"}`+"\n") + chunk(strings.Repeat("\"/path\"\n\"/tea\"\n", 5)) + chunk("")), allowed: 5, disallowed: 5}
	for i := range 40 {
		list = append(list, body[i%len(body)], known[i%len(known)], long[i%len(long)], stream,
			request{text: apiRequest("explain", reasons), part: `"verdict":"disallowed"`},
			request{text: apiRequest("lint", problems), part: `"findings":[{`},
			request{text: []byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), part: "<!doctype html>"})
	}
	for i := 0; i < len(list); i += 5 { // of each kind, because there are seven
		list[i].text = []byte(strings.Replace(string(list[i].text), "\r\n", "\r\nConnection: close\r\n", 1))
	}
	return list
}

// apiRequest returns a request for an operation.
func apiRequest(operation string, body any) []byte {
	text, _ := json.Marshal(body) // these types have no error
	return new(attacker).request(operation, text)
}
