package wasm_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/wasm"
	"github.com/kosterhq/robotstxt/origin"
)

const shop = "User-agent: *\nDisallow: /cart\n\nUser-agent: Googlebot\nDisallow: /a b\nDisallow: /ü\nCrawl-delay: 1.5\nSitemap: /s.xml\nHost: shop.example\n"

// input writes an input and returns its size.
func input(t testing.TB, m *wasm.Module, text string) int32 {
	t.Helper()
	if copy(m.Input(int32(len(text))), text) != len(text) {
		t.Fatal("the input is too small")
	}
	return int32(len(text))
}

// failed returns the error of a result.
func failed(t testing.TB, m *wasm.Module, result int32) (e calls.Error) {
	t.Helper()
	if result >= 0 || int(-result) != len(m.Output()) {
		t.Fatalf("got %d and an output of %d bytes, want an error", result, len(m.Output()))
	}
	if err := json.Unmarshal(m.Output(), &e); err != nil || e.Code == "" || e.Message == "" {
		t.Fatalf("got %s, %v", m.Output(), err)
	}
	return e
}

func handle(t testing.TB, m *wasm.Module, result int32) int32 {
	t.Helper()
	if result <= 0 {
		t.Fatalf("got %d: %s", result, m.Output())
	}
	return result
}

// The fast path gives the verdicts of the engine, one by one and in a batch.
func TestVerdicts(t *testing.T) {
	urls := []string{"/cart", "/a b", "/a%20b", "https://shop.example/ü?x#y", "/%C3%BC", "", "//x", "/cart\x00x"}
	for i, dialect := range robotstxt.Dialects() {
		m := wasm.New(nil)
		file := handle(t, m, m.Parse(input(t, m, shop), int32(i), 0))
		for _, asSent := range []bool{false, true} {
			flags := int32(0)
			if asSent {
				flags = wasm.FlagAsSent
			}
			rules := handle(t, m, m.Rules(file, input(t, m, "Googlebot-News:Googlebot"), flags))
			batch := m.Verdicts(rules, input(t, m, strings.Join(urls, "\n")+"\n"))
			if int(batch) != 4*len(urls) {
				t.Fatalf("got %d bytes: %s", batch, m.Output())
			}
			results := append([]byte{}, m.Output()...)
			for j, url := range urls {
				compared := url
				if !asSent {
					compared = origin.Text(url).Compared()
				}
				allowed, line := dialect.Parse([]byte(shop)).Rules("Googlebot-News", "Googlebot").Verdict(compared)
				want := int32(line) << 1
				if allowed {
					want |= 1
				}
				one := m.Verdict(rules, input(t, m, url))
				of := int32(binary.LittleEndian.Uint32(results[4*j:]))
				if one != want || of != want {
					t.Errorf("%s, as it is %v, %q: got %d, in a batch %d, want %d", dialect, asSent, url, one, of, want)
				}
			}
			m.ReleaseRules(rules)
		}
	}
}

// An explanation is the engine's decision.
func TestExplain(t *testing.T) {
	m := wasm.New(nil)
	file := handle(t, m, m.Parse(input(t, m, shop), 0, 0))
	rules := handle(t, m, m.Rules(file, input(t, m, "Googlebot"), 0))
	for _, url := range []string{"/ü", "/x", "https://shop.example/a b#c"} {
		size := m.Explain(rules, input(t, m, url))
		want, err := json.Marshal(robotstxt.Parse([]byte(shop)).Rules("Googlebot").Explain(origin.Text(url).Compared()))
		if err != nil || int(size) != len(want) || string(m.Output()) != string(want) {
			t.Errorf("%q: got %s, want %s", url, m.Output(), want)
		}
	}
	failed(t, m, m.Explain(0, input(t, m, "/")))
}

// Known crawlers have their documented fallbacks, unless they are left out.
func TestFallbacks(t *testing.T) {
	m := wasm.New(nil)
	file := handle(t, m, m.Parse(input(t, m, shop), 0, 0))
	for flags, want := range map[int32]int32{0: 1, wasm.FlagExact: 2 << 1} {
		rules := handle(t, m, m.Rules(file, input(t, m, "Googlebot-Image"), flags))
		if got := m.Verdict(rules, input(t, m, "/cart")); got != want {
			t.Errorf("flags %d: got %d, want %d", flags, got, want)
		}
		by := map[int32]string{0: "fallback", wasm.FlagExact: "star"}[flags]
		if n := m.MatchedBy(rules); n < 0 || string(m.Output()) != by {
			t.Errorf("flags %d: matched by %q, want %q", flags, m.Output(), by)
		}
	}
}

func TestSummarize(t *testing.T) {
	m := wasm.New(nil)
	file := handle(t, m, m.Parse(input(t, m, shop), 0, 0))
	var got wasm.Summary
	if n := m.Summarize(file); n < 0 || json.Unmarshal(m.Output(), &got) != nil || len(got.Sitemaps) != 1 ||
		len(got.Hosts) != 1 || got.Truncated {
		t.Errorf("got %s", m.Output())
	}
	rules := handle(t, m, m.Rules(file, input(t, m, "Googlebot"), 0))
	if delay := m.CrawlDelay(rules); delay != 1.5 {
		t.Errorf("got a delay of %v", delay)
	}
	cut := handle(t, m, m.Parse(input(t, m, shop), 0, 20))
	if m.Summarize(cut); !strings.Contains(string(m.Output()), `"truncated":true`) {
		t.Errorf("got %s", m.Output())
	}
	for _, n := range []int32{rules, 0, -1, 1 << 30} {
		m.ReleaseRules(n)
		if delay := m.CrawlDelay(n); delay >= 0 || m.MatchedBy(n) >= 0 {
			t.Errorf("handle %d has a delay of %v", n, delay)
		}
	}
}

// Rules outlive their file, and a handle is not valid after its release, nor is the one of
// another value in its place.
func TestReleased(t *testing.T) {
	m := wasm.New(nil)
	file := handle(t, m, m.Parse(input(t, m, shop), 0, 0))
	rules := handle(t, m, m.Rules(file, input(t, m, "Foo"), 0))
	m.ReleaseFile(file)
	m.ReleaseFile(file)
	if got := m.Verdict(rules, input(t, m, "/cart")); got != 2<<1 {
		t.Errorf("got %d after the release of the file", got)
	}
	other := handle(t, m, m.Parse(input(t, m, ""), 0, 0))
	if other == file {
		t.Error("the next file has the same handle")
	}
	failed(t, m, m.Rules(file, input(t, m, "Foo"), 0))
	failed(t, m, m.Summarize(file))
	m.ReleaseRules(rules)
	failed(t, m, m.Verdict(rules, 0))
	failed(t, m, m.Verdicts(rules, 0))
}

// Whatever a host does, the result is an error and the module goes on.
func TestErrors(t *testing.T) {
	m := wasm.New(map[string]calls.Call{
		"panic": func(context.Context, []byte, calls.Limits) ([]byte, error) { panic("on purpose") },
		"error": func(context.Context, []byte, calls.Limits) ([]byte, error) { return nil, context.Canceled },
	})
	file := handle(t, m, m.Parse(input(t, m, shop), 0, 0))
	for name, result := range map[string]func() int32{
		"too many bytes":   func() int32 { return m.Parse(1<<30, 0, 0) },
		"a negative size":  func() int32 { return m.Parse(-1, 0, 0) },
		"no dialect":       func() int32 { return m.Parse(0, 3, 0) },
		"no crawler":       func() int32 { return m.Rules(file, input(t, m, "a,,b"), 0) },
		"two crawlers":     func() int32 { return m.Rules(file, input(t, m, "a,b"), 0) },
		"an unknown call":  func() int32 { return m.Call(input(t, m, "nothing"), 0) },
		"sizes too large":  func() int32 { return m.Call(1<<30, 1<<30) },
		"a panic":          func() int32 { return m.Call(input(t, m, "panic"), 0) },
		"any other error":  func() int32 { return m.Call(input(t, m, "error"), 0) },
		"a negative start": func() int32 { return m.Call(-1, 1) },
	} {
		if e := failed(t, m, result()); e.Code == "" {
			t.Errorf("%s: got %+v", name, e)
		}
	}
	for _, size := range []int32{-1, wasm.MostInput + 1} {
		if m.Input(size) != nil {
			t.Errorf("there is an input of %d bytes", size)
		}
	}
	if rules := m.Rules(file, input(t, m, "Foo"), 0); m.Verdict(rules, input(t, m, "/cart")) != 2<<1 {
		t.Error("the module does not go on")
	}
}

func TestCall(t *testing.T) {
	m := wasm.New(calls.Calls())
	const name, request = "check", `{"body":"User-agent: *\nDisallow: /a","urls":["/a"]}`
	input(t, m, name+request)
	if n := m.Call(int32(len(name)), int32(len(request))); n <= 0 || !strings.Contains(string(m.Output()), `"verdict":"disallowed"`) {
		t.Errorf("got %s", m.Output())
	}
}

// A URL that needs no encoding is not allocated for.
func TestAllocations(t *testing.T) {
	m := wasm.New(nil)
	file := handle(t, m, m.Parse(input(t, m, shop), 0, 0))
	rules := handle(t, m, m.Rules(file, input(t, m, "Foo"), 0))
	const url = "https://shop.example/teas/green/sencha?sort=price&page=2"
	batch := strings.Repeat(url+"\n", 100)
	m.Verdicts(rules, input(t, m, batch))
	if n := testing.AllocsPerRun(100, func() { m.Verdict(rules, input(t, m, url)) }); n != 0 {
		t.Errorf("a verdict allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { m.Verdicts(rules, input(t, m, batch)) }); n != 0 {
		t.Errorf("a batch allocates %v times", n)
	}
}

// FuzzModule: no sequence of functions panics, whatever their arguments.
func FuzzModule(f *testing.F) {
	f.Add([]byte(shop), []byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08"))
	f.Fuzz(func(t *testing.T, text, orders []byte) {
		m := wasm.New(calls.Calls())
		last := int32(1)
		for i, order := range orders[:min(len(orders), 64)] {
			size := input(t, m, string(text))
			switch n := int32(order>>4) - 1; order % 9 {
			case 0:
				last = m.Parse(size, n%3, 0)
			case 1:
				last = m.Rules(last, size, n)
			case 2:
				m.Verdict(last, size)
			case 3:
				m.Verdicts(n, size)
			case 4:
				m.Summarize(last)
			case 5:
				m.CrawlDelay(n)
			case 6:
				m.ReleaseFile(n)
			case 7:
				m.ReleaseRules(last)
			case 8:
				m.Call(n, int32(i))
			}
		}
	})
}
