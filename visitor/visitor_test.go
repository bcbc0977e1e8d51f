package visitor_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/visitor"
)

const (
	gptBot    = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
	googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	yandexBot = "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)" // without a list
	gptList   = "https://openai.com/gptbot.json"

	googleList = "https://developers.google.com/static/crawling/ipranges/common-crawlers.json"
)

var noon = time.Date(2026, 11, 10, 12, 0, 0, 0, time.UTC)

// read is a list at a time.
type read struct {
	url      string
	at       time.Duration // after noon
	prefixes []string
}

// listsOf returns lists.
func listsOf(t testing.TB, all ...read) *visitor.Lists {
	t.Helper()
	dir := t.TempDir()
	var index strings.Builder
	for i, r := range all {
		name := fmt.Sprintf("%d.json", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(listOf(r.prefixes...)), 0o644); err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(map[string]any{"url": r.url, "date": noon.Add(r.at), "file": name})
		if err != nil {
			t.Fatal(err)
		}
		index.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(dir, "index.jsonl"), []byte(index.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	lists, err := visitor.OpenLists(dir)
	if err != nil {
		t.Fatal(err)
	}
	return lists
}

// listOf returns a list as operators publish it.
func listOf(prefixes ...string) string {
	var entries []string
	for _, p := range prefixes {
		key := "ipv4Prefix"
		if strings.Contains(p, ":") {
			key = "ipv6Prefix"
		}
		entries = append(entries, fmt.Sprintf(`{%q:%q}`, key, p))
	}
	return `{"creationTime":"2026-11-10T00:00:00","prefixes":[` + strings.Join(entries, ",") + `]}`
}

func identify(v *visitor.Verifier, agent, addr string, at time.Time) visitor.Identity {
	ip, _ := netip.ParseAddr(addr)
	return v.Identify(context.Background(), visitor.Request{UserAgent: agent, Addr: ip, Time: at})
}

func TestLists(t *testing.T) {
	const h = time.Hour
	reasons := map[string]visitor.Reason{ // if it is not FewLists
		"list of another one": visitor.NoList, "user fetchers' list": visitor.NoList, "too old": visitor.NoList, "without lists": visitor.NoList,
		"no address": visitor.NoAddress, "private address": visitor.NoAddress, "documentation": visitor.NoAddress,
		"moved": visitor.Moved, "moved, late": visitor.Moved, "another program's": visitor.OtherList,
		"nothing published": visitor.Unpublished,
	}
	ours, other := []string{"11.1.0.0/24", "2a0f:ff07::/64", "11.1.1.7"}, []string{"11.9.0.0/24"}
	for name, test := range map[string]struct {
		lists []read
		agent string
		addr  string
		want  visitor.State
	}{
		"nobody":                  {[]read{{gptList, 0, ours}}, "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0", "11.1.0.7", visitor.None},
		"unknown name":            {[]read{{gptList, 0, ours}}, "NobodysBot/1.0", "11.1.0.7", visitor.None},
		"in its list":             {[]read{{gptList, -h, ours}}, gptBot, "11.1.0.7", visitor.Verified},
		"first address":           {[]read{{gptList, -h, ours}}, gptBot, "11.1.0.0", visitor.Verified},
		"last address":            {[]read{{gptList, -h, ours}}, gptBot, "11.1.0.255", visitor.Verified},
		"IPv6":                    {[]read{{gptList, -h, ours}}, gptBot, "2a0f:ff07::9", visitor.Verified},
		"IPv4 in IPv6":            {[]read{{gptList, -h, ours}}, gptBot, "::ffff:11.1.0.7", visitor.Verified},
		"one address":             {[]read{{gptList, -h, ours}}, gptBot, "11.1.1.7", visitor.Verified},
		"beside one address":      {[]read{{gptList, -h, ours}}, gptBot, "11.1.1.8", visitor.Claimed},
		"list of another one":     {[]read{{"https://www.bing.com/toolbox/bingbot.json", -h, ours}}, gptBot, "11.1.0.7", visitor.Claimed},
		"user fetchers' list":     {[]read{{"https://openai.com/chatgpt-user.json", -h, ours}}, gptBot, "11.1.0.7", visitor.Claimed},
		"old list":                {[]read{{gptList, -30 * 24 * h, ours}}, gptBot, "11.1.0.7", visitor.Verified},
		"too old":                 {[]read{{gptList, -30*24*h - 1e9, ours}}, gptBot, "11.1.0.7", visitor.Claimed},
		"only the nearest before": {[]read{{gptList, -9 * h, ours}, {gptList, -h, other}}, gptBot, "11.1.0.7", visitor.Claimed},
		"late list":               {[]read{{gptList, -h, other}, {gptList, 10 * h, ours}}, gptBot, "11.1.0.7", visitor.Verified},
		"each of 48 hours": {[]read{{gptList, -h, other}, {gptList, 10 * h, ours}, {gptList, 40 * h, other}},
			gptBot, "11.1.0.7", visitor.Verified},
		"the nearest after":     {[]read{{gptList, 200 * h, ours}}, gptBot, "11.1.0.7", visitor.Verified},
		"not the second after":  {[]read{{gptList, 100 * h, other}, {gptList, 200 * h, ours}}, gptBot, "11.1.0.7", visitor.Claimed},
		"moved":                 {[]read{{gptList, -h, ours}, {gptList, 10 * h, other}}, gptBot, "11.1.0.7", visitor.Claimed},
		"moved, late":           {[]read{{gptList, -h, ours}, {gptList, 100 * h, other}}, gptBot, "11.1.0.7", visitor.Claimed},
		"not listed":            {[]read{{gptList, -24 * h, other}, {gptList, 24 * h, other}}, gptBot, "11.1.0.7", visitor.NotListed},
		"not listed to the end": {[]read{{gptList, -h, other}, {gptList, 48 * h, other}}, gptBot, "11.1.0.7", visitor.NotListed},
		"an hour of jitter":     {[]read{{gptList, -25 * h, other}, {gptList, 23 * h, other}}, gptBot, "11.1.0.7", visitor.NotListed},
		"another program's":     {[]read{{gptList, -h, other}, {gptList, 30 * h, other}, {"https://openai.com/chatgpt-user.json", -h, ours}}, gptBot, "11.1.0.7", visitor.Claimed},
		"masks are not asked":   {[]read{{googleList, -h, other}, {googleList, 30 * h, other}}, googlebot, "11.1.0.7", visitor.NotListed},
		"read too early":        {[]read{{gptList, -25*h - 1e9, other}, {gptList, 24 * h, other}}, gptBot, "11.1.0.7", visitor.Claimed},
		"read too late":         {[]read{{gptList, -h, other}, {gptList, 49*h + 1e9, other}}, gptBot, "11.1.0.7", visitor.Claimed},
		"read too soon":         {[]read{{gptList, -h, other}, {gptList, 23*h - 1e9, other}}, gptBot, "11.1.0.7", visitor.Claimed},
		"no address":            {[]read{{gptList, -h, other}, {gptList, 30 * h, other}}, gptBot, "", visitor.Claimed},
		"private address":       {[]read{{gptList, -h, other}, {gptList, 30 * h, other}}, gptBot, "10.0.0.1", visitor.Claimed},
		"documentation":         {[]read{{gptList, -h, other}, {gptList, 30 * h, other}}, gptBot, "192.0.2.1", visitor.Claimed},
		"nothing published":     {nil, "curl/8.9", "11.1.0.7", visitor.Claimed},
		"without lists":         {nil, gptBot, "11.1.0.7", visitor.Claimed},
	} {
		v := &visitor.Verifier{Lists: listsOf(t, test.lists...)}
		got := identify(v, test.agent, test.addr, noon)
		if want := reasons[name]; test.want == visitor.Claimed && got.Reason != cmp.Or(want, visitor.FewLists) ||
			test.want != visitor.Claimed && got.Reason != "" {
			t.Errorf("%s: the reason is %q, want %q", name, got.Reason, want)
		}
		if got.State != test.want || (got.By == visitor.ByList) !=
			(test.want == visitor.Verified || test.want == visitor.NotListed) || got.By != "" && got.Date.IsZero() {
			t.Errorf("%s: %+v, want %s", name, got, test.want)
		}
	}
	if got := identify(&visitor.Verifier{}, gptBot, "11.1.0.7", noon); got.State != visitor.Claimed || got.Crawler != "GPTBot" {
		t.Errorf("the zero Verifier: %+v", got)
	}
}

// TestNear: an address is the crawler's at a time if a list of the 48 hours after it, or lists on both sides
// of at most 7 days, have it. One list a week before does not show who had the address.
func TestNear(t *testing.T) {
	const h = time.Hour
	ours, other := []string{"11.1.0.0/24"}, []string{"11.9.0.0/24"}
	for name, test := range map[string]struct {
		lists []read
		want  bool
	}{
		"after":               {[]read{{gptList, 48 * h, ours}}, true},
		"later":               {[]read{{gptList, 48*h + 1e9, ours}}, false},
		"before":              {[]read{{gptList, -h, ours}}, false},
		"both sides":          {[]read{{gptList, -168 * h, ours}, {gptList, 168 * h, ours}}, true},
		"one side is far":     {[]read{{gptList, -169 * h, ours}, {gptList, 168 * h, ours}}, false},
		"the other is far":    {[]read{{gptList, -h, ours}, {gptList, 169 * h, ours}}, false},
		"late":                {[]read{{gptList, -h, other}, {gptList, 47 * h, ours}}, true},
		"before another list": {[]read{{gptList, -h, other}, {gptList, 49 * h, ours}}, false},
	} {
		got := identify(&visitor.Verifier{Lists: listsOf(t, test.lists...)}, gptBot, "11.1.0.7", noon)
		if got.State != visitor.Verified || got.Near != test.want {
			t.Errorf("%s: %+v, want Near %t", name, got, test.want)
		}
	}
}

// TestPages: a list can be shown in a web page, with escaped quotes and ip_prefix.
func TestPages(t *testing.T) {
	object := strings.ReplaceAll(listOf("11.1.0.0/24"), `"`, "&quot;")
	for name, test := range map[string]struct {
		page string
		want visitor.State
	}{
		"escaped":    {`<script>var a = {"prefixes": 1};</script><pre>` + object + "</pre>", visitor.Verified},
		"ip_prefix":  {`<pre>{"x":{"y":1},"prefixes":[{"ip_prefix":"11.1.0.0/24"}]}</pre>`, visitor.Verified},
		"in another": {`<pre>{"a":[{"b":{"prefixes":[{"ip_prefix":"11.1.0.0/24"}]}}]}</pre>`, visitor.Verified},
		"two":        {"<pre>" + object + "</pre><pre>" + object + "</pre>", visitor.Claimed},
		"none":       {"<p>moved</p>" + strings.Repeat(`{"prefixes":`, 10_000), visitor.Claimed},
	} {
		dir := t.TempDir()
		for file, content := range map[string]string{"index.jsonl": fmt.Sprintf(`{"url":%q,"date":"2026-11-10T13:00:00Z","file":"p.json"}`, gptList), "p.json": test.page} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		lists, err := visitor.OpenLists(dir)
		if err != nil {
			t.Fatal(err)
		}
		got := identify(&visitor.Verifier{Lists: lists}, gptBot, "11.1.0.7", noon)
		if got.State != test.want || (lists.Err() == nil) != (test.want == visitor.Verified) {
			t.Errorf("%s: %+v, %v", name, got, lists.Err())
		}
	}
}

// TestRefused has lists that cannot be right.
func TestRefused(t *testing.T) {
	many := strings.Repeat(`{"ipv4Prefix":"11.1.0.0/24"},`, 100_001)
	for name, text := range map[string]string{
		"web page": "<!doctype html><p>moved", "no JSON": "11.1.0.0/24", "nothing": "{}", "empty": "", "other form": `{"prefixes":[{"ip":"11.1.0.0/24"}]}`,
		"short prefix": listOf("11.0.0.0/7"), "short IPv6": listOf("2a00::/18"), "everything": listOf("0.0.0.0/0"), "private": listOf("10.0.0.0/8"),
		"reaches into private": listOf("172.16.0.0/12"), "no prefix": listOf("11.1.0.0/33"), "mapped": listOf("::ffff:11.1.0.0/120"),
		"large": `{"prefixes":[` + strings.Repeat(" ", 5<<20) + `{"ipv4Prefix":"11.1.0.0/24"}]}`, "many": `{"prefixes":[` + strings.TrimSuffix(many, ",") + "]}",
	} {
		dir := t.TempDir()
		line := fmt.Sprintf(`{"url":%q,"date":"2026-11-10T11:00:00Z","file":"bad.json"}`, gptList)
		for file, content := range map[string]string{"index.jsonl": line, "bad.json": text} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		lists, err := visitor.OpenLists(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := identify(&visitor.Verifier{Lists: lists}, gptBot, "11.1.0.7", noon); got.State != visitor.Claimed ||
			lists.Err() == nil {
			t.Errorf("%s: %+v, %v, want claimed and an error", name, got, lists.Err())
		}
	}
	dir := t.TempDir()
	for _, line := range []string{"{", `{"url":"https://a.example/"}`, `{"url":"https://a.example/","date":"2026-11-10T11:00:00Z","file":"../x"}`} {
		whole := fmt.Sprintf("\n{\"url\":%q,\"date\":\"2026-11-10T11:00:00Z\",\"file\":\"a.json\"}\n", gptList)
		if err := os.WriteFile(filepath.Join(dir, "index.jsonl"), []byte(line+whole), 0o644); err != nil {
			t.Fatal(err)
		}
		lists, err := visitor.OpenLists(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := lists.Err(); err == nil || !strings.Contains(err.Error(), "index.jsonl:1") || len(lists.Dates()) != 1 {
			t.Errorf("the index %s: %v, %v, want an error with its line, and the other line", line, err, lists.Dates())
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "index.jsonl"), []byte(strings.Repeat("x\n", 100_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	lists, err := visitor.OpenLists(dir)
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(lists.Err()); strings.Count(text, "\n") != 10 || !strings.HasSuffix(text, ": 99990 more") {
		t.Errorf("an index of bad lines: %.2000s", text)
	}
}

// zone is a Resolver with a few names.
type zone struct {
	names map[string][]string // by address
	back  map[string][]string
	err   error
	asked atomic.Int64
	now   atomic.Int64
	most  atomic.Int64
}

func (z *zone) LookupAddr(_ context.Context, addr string) ([]string, error) {
	z.asked.Add(1)
	z.most.Store(max(z.most.Load(), z.now.Add(1)))
	defer z.now.Add(-1)
	if z.err != nil {
		return nil, z.err
	}
	if names, ok := z.names[addr]; ok {
		return names, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: addr, IsNotFound: true}
}

func (z *zone) LookupNetIP(_ context.Context, _, host string) (all []netip.Addr, err error) {
	for _, text := range z.back[host] {
		all = append(all, netip.MustParseAddr(text))
	}
	if len(all) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return all, nil
}

func TestDNS(t *testing.T) {
	z := &zone{
		names: map[string][]string{
			"11.1.0.1": {"crawl-11-1-0-1.googlebot.com."}, "11.1.0.2": {"crawl-11-1-0-2.googlebot.com"}, "11.1.0.3": {"crawl-1.googlebot.com.evil.example."},
			"11.1.0.4": {"host.yandex.net."}, "11.1.0.5": {"a.example.", "Fetch-1.Yandex.COM."}, "11.1.0.6": {"x.evilyandex.com."},
		},
		back: map[string][]string{
			"crawl-11-1-0-1.googlebot.com": {"::ffff:11.1.0.1"}, "crawl-11-1-0-2.googlebot.com": {"11.1.0.9"},
			"host.yandex.net": {"11.1.0.7", "11.1.0.4"}, "fetch-1.yandex.com": {"11.1.0.5"}, "x.evilyandex.com": {"11.1.0.6"},
		},
	}
	now := time.Now()
	for _, test := range []struct {
		agent, addr string
		at          time.Time
		want        visitor.State
	}{
		{googlebot, "11.1.0.1", now, visitor.Verified},
		{googlebot, "11.1.0.1", now.AddDate(-1, 0, 0), visitor.Verified},
		{googlebot, "11.1.0.2", now, visitor.Claimed}, // does not resolve back, but its list is not at hand
		{googlebot, "11.1.0.3", now, visitor.Claimed},
		{yandexBot, "11.1.0.4", now, visitor.Verified},
		{yandexBot, "11.1.0.5", now, visitor.Verified},
		{yandexBot, "11.1.0.6", now, visitor.Contradicted},
		{yandexBot, "11.1.0.1", now, visitor.Contradicted},
		{yandexBot, "11.1.0.8", now.Add(-23 * time.Hour), visitor.Contradicted},
		{yandexBot, "11.1.0.8", now.Add(-25 * time.Hour), visitor.Claimed},
		{gptBot, "11.1.0.1", now, visitor.Claimed},
	} {
		v := &visitor.Verifier{Resolver: z}
		got := identify(v, test.agent, test.addr, test.at)
		want := visitor.NoList
		if test.agent == yandexBot {
			want = visitor.NoDNS
		}
		if test.want == visitor.Claimed && got.Reason != want {
			t.Errorf("%s from %s: the reason is %q, want %q", test.agent, test.addr, got.Reason, want)
		}
		if got.State != test.want || got.State != visitor.Claimed && got.By != visitor.ByDNS {
			t.Errorf("%s from %s at %v: %+v, want %s", test.agent, test.addr, test.at.Sub(now), got, test.want)
		}
	}
	for name, err := range map[string]error{
		"SERVFAIL": &net.DNSError{Err: "server misbehaving", IsTemporary: true}, "timeout": &net.DNSError{Err: "i/o timeout", IsTimeout: true}, "other": errors.New("x"),
	} {
		got := identify(&visitor.Verifier{Resolver: &zone{err: err}}, yandexBot, "11.1.0.8", now)
		if got.State != visitor.Claimed || got.Reason != visitor.NoDNS {
			t.Errorf("%s: %+v, want claimed", name, got)
		}
	}
}

// TestOnce checks that DNS is asked once about an address, about few at the same time, and that
// what is remembered has a bound.
func TestOnce(t *testing.T) {
	z := &zone{}
	v := &visitor.Verifier{Resolver: z}
	var all sync.WaitGroup
	for i := range 400 {
		all.Go(func() { identify(v, yandexBot, fmt.Sprintf("11.1.0.%d", i%100), time.Now()) })
	}
	all.Wait()
	if z.asked.Load() != 100 || z.most.Load() > 16 {
		t.Errorf("DNS was asked %d times, %d at once, want 100 and at most 16", z.asked.Load(), z.most.Load())
	}
	v = &visitor.Verifier{Resolver: &zone{}, Remember: 10}
	for range 2 {
		for i := range 20 {
			identify(v, yandexBot, fmt.Sprintf("11.1.0.%d", i), time.Now())
		}
	}
	if asked := v.Resolver.(*zone).asked.Load(); asked <= 20 {
		t.Errorf("DNS was asked %d times about 20 addresses twice, of which 10 are remembered", asked)
	}
}

// TestData checks that each list of the data is fetched over HTTPS, and that the masks have a
// domain that ends them.
func TestData(t *testing.T) {
	lists := 0
	masks := 0
	for c := range crawlers.All() {
		if !visitor.IsVerifiable(&c) {
			continue
		}
		for _, url := range c.IPRanges {
			if lists++; !strings.HasPrefix(url, "https://") {
				t.Errorf("%s: the list %s", c.Token, url)
			}
		}
		for _, mask := range c.ReverseDNS {
			if masks++; strings.Count(mask[strings.LastIndex(mask, "*")+1:], ".") < 2 || strings.HasSuffix(mask, "*") {
				t.Errorf("%s: the mask %s", c.Token, mask)
			}
		}
	}
	if len(visitor.URLs()) < 21 || lists < 43 || masks < 37 {
		t.Errorf("%d lists at %d addresses, %d masks", lists, len(visitor.URLs()), masks)
	}
}

// operators answers as the servers of all operators.
type operators struct {
	mu      sync.Mutex
	answers map[string]http.HandlerFunc // by URL
	asked   map[string]int
}

func (o *operators) RoundTrip(r *http.Request) (*http.Response, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked[r.URL.String()]++
	w := httptest.NewRecorder()
	if answer := o.answers[r.URL.String()]; answer != nil {
		answer(w, r)
	} else {
		fmt.Fprint(w, listOf("11.1.0.0/24"))
	}
	return w.Result(), nil
}

func TestFetch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lists")
	lists, err := visitor.OpenLists(dir)
	if err != nil {
		t.Fatal(err)
	}
	bing := "https://www.bing.com/toolbox/bingbot.json"
	servers := &operators{asked: map[string]int{}, answers: map[string]http.HandlerFunc{
		gptList: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"1"`)
			if r.Header.Get("If-None-Match") == `"1"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			fmt.Fprint(w, listOf("11.1.0.0/24"))
		},
		bing: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>moved") },
	}}
	client := &http.Client{Transport: servers}
	err = lists.Fetch(t.Context(), client)
	var failed *visitor.FetchError
	if !errors.As(err, &failed) || failed.URL != bing || !strings.Contains(err.Error(), "a web page") {
		t.Fatalf("%v, want an error about %s", err, bing)
	}
	if n := len(lists.Dates()); n != len(visitor.URLs())-1 {
		t.Errorf("%d lists, want all but one", n)
	}
	// Within an hour only the one that failed is asked for again.
	servers.answers[bing] = func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	if err := lists.Fetch(t.Context(), client); err == nil || !strings.Contains(err.Error(), "status 503") {
		t.Errorf("%v, want status 503", err)
	}
	if servers.asked[gptList] != 1 || servers.asked[bing] != 2 {
		t.Errorf("asked %d and %d times, want 1 and 2", servers.asked[gptList], servers.asked[bing])
	}
	// Another process reads the same lists. Two hours later they are older.
	index := filepath.Join(dir, "index.jsonl")
	text, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC()
	for _, hour := range []time.Time{now, now.Add(-time.Hour)} {
		text = []byte(strings.ReplaceAll(string(text), hour.Format("2006-01-02T15:"), now.Add(-3*time.Hour).Format("2006-01-02T15:")))
	}
	text = append(text, `{"url":"https://a.exa`...) // by a process that was killed
	if err := os.WriteFile(index, text, 0o644); err != nil {
		t.Fatal(err)
	}
	lists, err = visitor.OpenLists(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := lists.FetchURL(t.Context(), client, gptList); err != nil || servers.asked[gptList] != 2 {
		t.Errorf("%v, asked %d times, want 2", err, servers.asked[gptList])
	}
	again, err := visitor.OpenLists(dir)
	if err != nil || len(again.Readings(gptList)) != 2 {
		t.Errorf("%v and %v after a line that was cut off, want two readings", again.Readings(gptList), err)
	}
	v := &visitor.Verifier{Lists: lists}
	if got := identify(v, gptBot, "11.1.0.7", time.Now()); got.State != visitor.Verified {
		t.Errorf("after a fetch: %+v", got)
	}
}
