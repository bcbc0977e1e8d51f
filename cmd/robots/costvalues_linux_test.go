package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// costValues are texts by their size that are wrong in any field of a request and in any flag or argument.
var costValues = map[string]func(size int) string{
	"schemes in a path":      numbered("", ":/N"),
	"schemes without an end": numbered("", `:\aN`),
	"URLs in a URL":          endingIn("@h", numbered("", "http://a:bN/")),
	"users in a URL":         numbered("http://", "N@"),
	"ports in a URL":         endingIn("/x@h", numbered("http://", "N:")),
	"labels":                 numbered("http://", "xn--N."),
	"percent codes in hosts": numbered("http://", "%6N"),
	"dot segments":           numbered("http://h/", "../%2e%2e/N/./"),
	"quotes":                 numbered(`"`, `\"N`),
	"quotations":             endingIn("@h", numbered("", `"N" `)),
	"elements of a list":     numbered("", "aN,"),
	"fallbacks":              numbered("", "aN:"),
	"an agent's header":      numbered("Mozilla/5.0 (compatible; ", "Bot-N/1.0; +https://N.example;"),
	"comments in a header":   numbered("GPTBot/1.0 ", "(N"),
	"links in a header":      numbered("", `<https://N.example/>; rel="license", `),
	"parameters of a header": numbered("<a>", `; N="\"`),
	"nested arrays":          numbered("", "["),
	"nested objects":         numbered("", `{"N":`),
	"nested groups":          numbered("", "(N|"),
	"stars":                  numbered("/", "*aN*"),
	"nested elements":        numbered("", "<a b=N>"),
	"folders":                numbered("", "N/a/"),
	"octets":                 numbered("", "\x01N\u200b"),
	"times":                  numbered("2026-01-01T", "0N:"),
}

// endingIn returns a family with the same end at each size.
func endingIn(end string, family func(int) string) func(size int) string {
	return func(size int) string { return family(size-len(end)) + end }
}

// An argument of a program has at most 128 KiB.
const (
	smallValue = 30_000
	largeValue = 120_000
)

// costValue is a place for a value: a field of a call, or a flag or argument of a command.
type costValue struct {
	name         string
	small, large int // sizes of values
	run          func(m *meter, value string) time.Duration
}

// costOfValues holds the law of cost for wrong values, each place with all of them, or with one that a seed chooses,
// of which most are refused. It prints the five dearest.
func costOfValues(t *testing.T, seed uint64, all bool) {
	probe := &meter{t: t, folder: t.TempDir()}
	places := slices.Concat(fieldPlaces(t, probe.serve().address), flagPlaces())
	random, families := rand.New(rand.NewPCG(seed, 1)), slices.Sorted(maps.Keys(costValues))
	type pair struct {
		place  costValue
		family string
	}
	pairs := make(chan pair, len(places)*len(families))
	for _, p := range places {
		if all {
			for _, family := range families {
				pairs <- pair{p, family}
			}
			continue
		}
		if !strings.HasPrefix(p.name, "/v1/") && random.IntN(8) > 0 { // starting a program takes longer
			continue
		}
		pairs <- pair{p, families[random.IntN(len(families))]}
	}
	close(pairs)
	var mu sync.Mutex
	var costs []cost
	t.Run("values", func(t *testing.T) {
		for i := range runtime.NumCPU() {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				m := &meter{t: t, folder: t.TempDir()}
				m.service = m.serve()
				for p := range pairs {
					var c cost
					for range costRuns {
						c = cost{what: p.place.name, family: p.family, lint: dearLint / costOfLint,
							large: p.place.run(m, costValues[p.family](p.place.large))}
						if c.large >= cheapRun {
							c.small = p.place.run(m, costValues[p.family](p.place.small))
						}
						if c.verdict() == "" {
							break
						}
					}
					if broken := c.verdict(); broken != "" {
						t.Errorf("%s: %v", broken, &c)
					}
					mu.Lock()
					costs = append(costs, c)
					mu.Unlock()
				}
			})
		}
	})
	slices.SortFunc(costs, func(a, b cost) int { return int(b.large - a.large) })
	t.Logf("%d values", len(costs))
	for i := range costs[:min(5, len(costs))] {
		t.Logf("%v", &costs[i])
	}
	if len(places) < 350 {
		t.Errorf("only %d places for values", len(places))
	}
}

// fieldPlaces returns each field of each call that can have a text, by its schema, and, for each call, a field that
// it does not have and a content that is not JSON.
func fieldPlaces(t *testing.T, address string) (places []costValue) {
	answer, err := http.Get(address + "openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var api struct {
		Paths      map[string]any
		Components struct{ Schemas map[string]any }
	}
	if err := json.NewDecoder(answer.Body).Decode(&api); err != nil {
		t.Fatal(err)
	}
	// filled returns an example of a schema, each text of which is the value.
	var filled func(schema map[string]any, value string) any
	filled = func(schema map[string]any, value string) any {
		if name, ok := schema["$ref"].(string); ok {
			schema, _ = api.Components.Schemas[name[strings.LastIndexByte(name, '/')+1:]].(map[string]any)
		}
		kind := fmt.Sprint(schema["type"])
		switch {
		case strings.Contains(kind, "string"):
			return value
		case strings.Contains(kind, "array"):
			items, _ := schema["items"].(map[string]any)
			return []any{filled(items, value)}
		case strings.Contains(kind, "object"):
			object := map[string]any{}
			properties, _ := schema["properties"].(map[string]any)
			for name, property := range properties {
				object[name] = filled(property.(map[string]any), value)
			}
			if more, ok := schema["additionalProperties"].(map[string]any); ok {
				object[value] = filled(more, value)
			}
			return object
		}
		return json.RawMessage("0")
	}
	const file = `"User-agent: *\nDisallow: /1\n"`
	contents := maps.Clone(costCalls)
	for _, name := range costless {
		if name, isCall := strings.CutPrefix(name, "/v1/"); isCall {
			contents[name] = `{"url":"http://127.0.0.1:1/x"}`
		}
	}
	contents["crawlers"] = `{}`
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		content := strings.ReplaceAll(contents[name], `"F"`, file)
		place := func(field string, make func(value string) any) {
			places = append(places, costValue{"/v1/" + name + " " + field, smallBody, largeBody,
				func(m *meter, value string) time.Duration {
					request := map[string]any{}
					if err := json.Unmarshal([]byte(content), &request); err != nil {
						m.t.Fatal(err)
					}
					request[field] = make(value)
					text, err := json.Marshal(request)
					if err != nil {
						m.t.Fatal(err)
					}
					return m.send(name, string(text))
				}})
		}
		path, _ := api.Paths["/v1/"+name].(map[string]any)
		post, _ := path["post"].(map[string]any)
		body, _ := post["requestBody"].(map[string]any)
		media, _ := body["content"].(map[string]any)
		schema, _ := media["application/json"].(map[string]any)
		schema, _ = schema["schema"].(map[string]any)
		if reference, ok := schema["$ref"].(string); ok {
			schema, _ = api.Components.Schemas[reference[strings.LastIndexByte(reference, '/')+1:]].(map[string]any)
		}
		properties, _ := schema["properties"].(map[string]any)
		if len(properties) == 0 {
			t.Errorf("/v1/%s has no fields", name)
		}
		for _, field := range slices.Sorted(maps.Keys(properties)) {
			of := properties[field].(map[string]any)
			if _, isNumber := filled(of, "").(json.RawMessage); !isNumber {
				place(field, func(value string) any { return filled(of, value) })
			}
		}
		place("unknown", func(value string) any { return map[string]any{value: value} })
		places = append(places, costValue{"/v1/" + name + " as a whole", smallBody, largeBody,
			func(m *meter, value string) time.Duration { return m.send(name, value) }})
	}
	return places
}

// send returns the processor time of the service for a call, which can fail.
func (m *meter) send(name, content string) time.Duration {
	m.t.Helper()
	before := m.service.used()
	answer, err := http.DefaultClient.Do(m.post(m.t.Context(), m.service, name, content))
	if err != nil {
		m.t.Fatalf("/v1/%s: %v", name, err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	return m.service.used() - before
}

// flagPlaces returns each flag with a value of each command, and an argument of each.
func flagPlaces() (places []costValue) {
	for _, cmd := range allCommands()[1:] {
		name := strings.TrimPrefix(cmd.CommandPath(), "robots ")
		if isOfCobra(name) || name == "lsp" {
			continue
		}
		command := name
		for _, known := range costCommands {
			if strings.HasPrefix(known+" ", name+" ") {
				command = known
				break
			}
		}
		place := func(argument string) {
			places = append(places, costValue{command + " " + argument, smallValue, largeValue,
				func(m *meter, value string) time.Duration { return m.give(command, argument+value) }})
		}
		place("")
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() != "bool" {
				place("--" + f.Name + "=")
			}
		})
	}
	return places
}

// endsOf is the time after which a command that a value has not stopped, such as a service, is ended.
const endsOf = 3 * time.Second

// give returns the processor time of a command with one more argument.
func (m *meter) give(command, argument string) time.Duration {
	m.t.Helper()
	files := m.files("User-agent: *\nDisallow: /1\n")
	args := strings.Fields(command)
	for i, arg := range args {
		if file, ok := files[arg]; ok {
			args[i] = file
		}
	}
	ctx, cancel := context.WithTimeout(m.t.Context(), endsOf)
	defer cancel()
	cmd := m.command(append(args, strings.ReplaceAll(argument, "\x00", "")))
	if err := cmd.Start(); err != nil {
		m.t.Fatalf("robots %s: %v", command, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	_ = cmd.Wait() // most values are wrong
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
