package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// heavyOne is a request for much work, or a large answer.
type heavyOne struct {
	operation string
	body      []byte
}

// heavy are such requests, for all operations that need no site. The texts are as large as
// the service permits.
var heavy = sync.OnceValue(func() (list []heavyOne) {
	const file, page = 1 << 20, 4_000_000
	fill := func(size int, line string) string {
		var b strings.Builder
		for i := 0; ; i++ {
			next := strings.ReplaceAll(line, "N", fmt.Sprint(i))
			if b.Len()+len(next) > size {
				return b.String()
			}
			b.WriteString(next)
		}
	}
	add := func(operation string, fields map[string]any) {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(fields) // these types have no error
		list = append(list, heavyOne{operation, text.Bytes()})
	}
	rules, agents := "User-agent: *\n"+fill(file-20, "Allow: /\n"), fill(file, "User-agent: aN\nDisalow: /N\n")
	add("explain", map[string]any{"agents": []string{"a"}, "urls": []string{"/"}, "body": rules})
	for _, operation := range []string{"lint", "format", "ai", "diagnostics", "outline", "tokens", "symbols"} {
		add(operation, map[string]any{"body": agents})
	}
	add("lint", map[string]any{"body": fill(file, "Disalow: /N"+strings.Repeat("x", 510)+"\n"), "fix": "plain"})
	before, after := "User-agent: *\n"+fill(file-20, "Allow: /N*a\n"), "User-agent: *\n"+fill(file-20, "Disallow: /N*b\n")
	add("diff", map[string]any{"before": before, "after": after, "agents": []string{"a"}})
	add("urls", map[string]any{"text": fill(page, "http://a.example/N\n")})
	add("resources", map[string]any{"url": "http://a.example/", "html": fill(page, "<img src=N>")})
	add("remarks", map[string]any{"agents": strings.Fields(fill(9_000, "gogleN ")), "urls": strings.Fields(fill(80_000, "htp:N "))})
	return list
})
