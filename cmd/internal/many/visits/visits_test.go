package visits_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/visits"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/visitor"
)

func logsOf(names ...string) (logs []visits.Log) {
	for _, name := range names {
		logs = append(logs, visits.Log{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }})
	}
	return logs
}

// logOf returns a log with a text.
func logOf(name, text string) visits.Log {
	return visits.Log{Name: name, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}}
}

// checkSums checks that states and results add up to the visits.
func checkSums(t testing.TB, v *wire.Visits) {
	t.Helper()
	open := map[string]int64{}
	for _, c := range v.Crawlers {
		for _, counts := range []struct {
			name string
			all  map[string]int64
			want int64
		}{
			{"identity", c.Identity, c.Visits}, {"claimed", c.Claimed, c.Identity["claimed"]}, {"statuses", c.Statuses, c.Visits}, {"sites", c.Sites, c.Visits},
			{"results", c.Results, c.Visits}, {"exempt", c.Exempt, c.Results["exempt"]},
			{"withheld", c.Withheld, c.Results["no-promise"] + c.Results["unproved"] + c.Results["old-copy"] + c.Results["not-judged"]},
		} {
			if sum := audit.Sum(counts.all); sum != counts.want && !(counts.name == "results" && v.Judged == "nothing" && sum == 0) {
				t.Errorf("%s: %s add up to %d, want %d", c.Crawler, counts.name, sum, counts.want)
			}
			if counts.all[""] > 0 {
				t.Errorf("%s: %s have no name", c.Crawler, counts.name)
			}
		}
		for why, n := range c.NotProved {
			open[why] += n
			if n > c.Withheld[why] {
				t.Errorf("%s: %d visits not proved because of %s, of %d", c.Crawler, n, why, c.Withheld[why])
			}
		}
	}
	for _, w := range v.Withheld {
		open[w.Why] -= w.Visits
	}
	for why, n := range open {
		if n != 0 {
			t.Errorf("%s: %d more visits of crawlers than of all", why, n)
		}
	}
}

// monday is when a rule is added.
var monday = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

const (
	before = "User-agent: *\nDisallow: /cart\n"
	after  = "User-agent: *\nDisallow: /cart\nDisallow: /private\n"
)

// addresses are of crawlers, as the lists of newLists have them.
var addresses = map[string]string{"GPTBot": "11.1.0.7", "CCBot": "11.2.0.7", "Amazonbot": "11.3.0.7", "Googlebot": "11.6.0.7", "GoogleOther-Image": "11.6.0.7", "bingbot": "11.7.0.7"}

func newLists(t testing.TB) *visitor.Lists {
	t.Helper()
	lists, err := visitor.OpenLists(listFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	return lists
}

// listFolder returns a folder with daily lists.
func listFolder(t testing.TB) string {
	t.Helper()
	dir, index := t.TempDir(), ""
	for day := -10; day < 70; day++ {
		for url, net := range map[string]string{
			"https://openai.com/gptbot.json": "11.1.0.0/24", "https://index.commoncrawl.org/ccbot.json": "11.2.0.0/24", "https://developer.amazon.com/amazonbot/ip-addresses/": "11.3.0.0/24", "https://openai.com/chatgpt-user.json": "11.5.0.0/24",
			"https://developers.google.com/static/crawling/ipranges/common-crawlers.json": "11.6.0.0/24", "https://www.bing.com/toolbox/bingbot.json": "11.7.0.0/24",
		} {
			name := strings.NewReplacer("/", "-", ":", "").Replace(net) + ".json"
			if day == -10 {
				if err := os.WriteFile(filepath.Join(dir, name), fmt.Appendf(nil, `{"prefixes":[{"ipv4Prefix":%q}]}`, net), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			index += fmt.Sprintf(`{"url":%q,"date":%q,"file":%q}`+"\n", url, monday.AddDate(0, 0, day).Format(time.RFC3339), name)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "index.jsonl"), []byte(index), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// newHistory returns a site whose file changes on Monday at 09:00.
func newHistory(t testing.TB, bodies ...string) *history.Store {
	t.Helper()
	store, err := history.Open(t.Context(), filepath.Join(t.TempDir(), "h.db"), history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	add := func(at time.Time, body string) {
		o := history.Observation{Origin: "https://shop.example", Time: at, Status: 200, Body: []byte(body), Source: "watch"}
		if err := store.Add(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	add(monday.Add(-time.Millisecond), bodies[0])
	for day := -60; day < 60; day++ {
		at := monday.AddDate(0, 0, day)
		body := bodies[0]
		if day >= 0 {
			body = bodies[1]
		}
		add(at, body)
	}
	return store
}

// request is a line of a log.
func request(at time.Time, crawler, target string, status int) string {
	return fmt.Sprintf("shop.example:443 %s - - [%s] \"GET %s HTTP/1.1\" %d 5 \"-\" \"Mozilla/5.0 (compatible; %s/1.0; +https://bot.example)\"\n",
		addresses[crawler], at.Format("02/Jan/2006:15:04:05 -0700"), target, status, crawler)
}

// results returns the results of a log, in the order of its lines.
func results(t testing.TB, c visits.Config, text string) (all []string) {
	t.Helper()
	c.Sites, c.Note, c.Problem = origins(t, "https://shop.example"), t.Logf, func(err error) { t.Error(err) }
	c.LogsSince = monday.AddDate(0, 0, -100)
	c.Hits = func(row *visits.Row) error {
		all = append(all, row.Identity+" "+*row.Result)
		return nil
	}
	found, err := visits.Run(t.Context(), c, []visits.Log{logOf("access.log", text)})
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, found)
	return all
}

// TestTimes has the hours at which a new rule is sure to be known.
func TestTimes(t *testing.T) {
	c := visits.Config{History: newHistory(t, before, after), Lists: newLists(t)}
	wednesday := monday.AddDate(0, 0, 2)
	for _, test := range []struct{ line, want string }{
		{request(monday.Add(-time.Hour), "GPTBot", "/private/1", 200), "verified allowed"},
		{request(monday.Add(time.Hour), "GPTBot", "/private/1", 200), "verified old-copy"},
		{request(wednesday.Add(9*time.Minute), "GPTBot", "/private/1", 200), "verified old-copy"},
		{request(wednesday.Add(11*time.Minute), "GPTBot", "/private/1", 200), "verified disobeyed"},
		{request(wednesday.Add(11*time.Minute), "GPTBot", "/robots.txt", 200), "verified exempt"},
		{request(wednesday.Add(11*time.Minute), "GPTBot", "/public", 200), "verified allowed"},
		{strings.Replace(request(wednesday.Add(11*time.Minute), "GPTBot", "/private/1", 200), "GET", "POST", 1), "verified exempt"},
		{strings.Replace(request(wednesday.Add(11*time.Minute), "GPTBot", "/private/1", 200), "shop.", "www.shop.", 1), "verified exempt"},
		{strings.Replace(request(wednesday.Add(11*time.Minute), "GPTBot", "/private/1", 200), "11.1.0.7", "11.77.0.7", 1), "claimed unproved"},
		{request(monday.AddDate(0, 0, 10), "Amazonbot", "/private/1", 200), "verified old-copy"},
		{request(monday.AddDate(0, 0, 32), "Amazonbot", "/private/1", 200), "verified disobeyed"},
		{request(monday.AddDate(0, 0, 59), "GPTBot", "/private/1", 200), "verified not-judged"},
	} {
		if got := results(t, c, test.line); !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s is %q, want %s", test.line, got, test.want)
		}
	}
	later := monday.AddDate(0, 0, 7)
	got := results(t, c, request(later.Add(-time.Hour), "CCBot", "/robots.txt", 403)+request(later, "CCBot", "/private/1", 200)+request(later, "GPTBot", "/private/1", 200))
	if want := []string{"verified exempt", "verified old-copy", "verified disobeyed"}; !slices.Equal(got, want) {
		t.Errorf("after a 403 for CCBot: %q, want %q", got, want)
	}
	// 304 shortens nothing.
	got = results(t, c, request(later.Add(-time.Hour), "CCBot", "/robots.txt", 304)+request(later, "CCBot", "/private/1", 200))
	if want := []string{"verified exempt", "verified disobeyed"}; !slices.Equal(got, want) {
		t.Errorf("after a 304: %q, want %q", got, want)
	}
	// A proxy: names of two operators from one address.
	got = results(t, c, request(later, "GPTBot", "/private/1", 200)+strings.Replace(request(later, "CCBot", "/x", 200), "11.2.0.7", "11.1.0.7", 1))
	if want := []string{"claimed unproved", "claimed allowed"}; !slices.Equal(got, want) {
		t.Errorf("a proxy: %q, want %q", got, want)
	}
	// An address outside of the lists is shown as false only beside a verified one.
	foreign := strings.Replace(request(later, "GPTBot", "/private/1", 200), "11.1.0.7", "11.77.0.7", 1)
	got = results(t, c, request(later, "GPTBot", "/x", 200)+foreign)
	if want := []string{"verified allowed", "not-listed unproved"}; !slices.Equal(got, want) {
		t.Errorf("an impostor: %q, want %q", got, want)
	}
}

// TestMoments: a refusal is found in each span that has its minute, and a million in an hour are few.
func TestMoments(t *testing.T) {
	const minute = int64(time.Minute / time.Millisecond)
	random := rand.New(rand.NewPCG(13, 14))
	var all []int64
	for range 1000 {
		all = append(all, random.Int64N(60*minute))
	}
	kept := visits.MomentsOf(all)
	if len(kept) > 60 {
		t.Fatalf("%d times are kept of an hour", len(kept))
	}
	for range 1000 {
		from := random.Int64N(120*minute) - 30*minute
		to := from + random.Int64N(5*minute)
		has := func(margin int64) bool {
			return slices.ContainsFunc(all, func(at int64) bool { return from-margin <= at && at <= to+margin })
		}
		if got := kept.AnyIn(from, to); has(0) && !got || got && !has(minute) {
			t.Fatalf("a time from %d to %d: %t", from, to, got)
		}
	}
}

// TestServedSince: a file that was served since a time is a history with that file.
func TestServedSince(t *testing.T) {
	lists := newLists(t)
	random := rand.New(rand.NewPCG(7, 8))
	store, err := history.Open(t.Context(), filepath.Join(t.TempDir(), "h.db"), history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for at := monday; at.Before(monday.AddDate(0, 0, 40)); at = at.Add(12 * time.Hour) {
		if err := store.Add(t.Context(), history.Observation{Origin: "https://shop.example", Time: at, Status: 200, Body: []byte(after), Source: "watch"}); err != nil {
			t.Fatal(err)
		}
	}
	text := randomLog(random, 400)
	byHistory := results(t, visits.Config{History: store, Lists: lists}, text)
	bySince := results(t, visits.Config{File: []byte(after), Since: monday, Lists: lists}, text)
	if !slices.Equal(byHistory, bySince) {
		t.Errorf("the results differ:\n%q\n%q", byHistory, bySince)
	}
}

// randomLog returns requests in the 30 days around Monday.
func randomLog(random *rand.Rand, lines int) string {
	var b strings.Builder
	names, targets := []string{"GPTBot", "CCBot", "Amazonbot"}, []string{"/private/1", "/cart/2", "/x?a=secret-1", "/robots.txt"}
	for range lines {
		at := monday.Add(time.Duration(random.IntN(30*24*60)-5*24*60) * time.Minute)
		line := request(at, names[random.IntN(3)], targets[random.IntN(4)],
			[]int{200, 200, 200, 403, 503}[random.IntN(5)])
		switch random.IntN(12) {
		case 0:
			line = strings.Replace(line, "11.", "12.", 1)
		case 1:
			line = "garbage\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// TestOrder: order, packing and splitting change no count.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	store, lists := newHistory(t, before, after), newLists(t)
	run := func(logs ...visits.Log) *wire.Visits {
		begun := 0
		found, err := visits.Run(t.Context(), visits.Config{
			Sites: origins(t, "https://shop.example"), History: store, Lists: lists, Note: t.Logf, Problem: func(err error) { t.Error(err) }, Begun: func() { begun++ },
		}, logs)
		if err != nil {
			t.Fatal(err)
		}
		if begun+len(found.Duplicates) != len(logs) {
			t.Errorf("%d logs of %d were begun, and %q are duplicates", begun, len(logs), found.Duplicates)
		}
		checkSums(t, found)
		for i := range found.Proofs {
			found.Proofs[i].Log, found.Proofs[i].Line = "", 0
		}
		for i := range found.Withheld {
			found.Withheld[i].Log, found.Withheld[i].Line = "", 0
		}
		return found
	}
	for range 5 {
		text := randomLog(random, 500)
		want := run(logOf("one", text))
		byDay := func(a, b string) int { return strings.Compare(dayIn(a), dayIn(b)) }
		lines := slices.SortedFunc(strings.Lines(text), byDay)
		cut := random.IntN(len(lines)) // as if the log was rotated then
		for cut > 0 && cut < len(lines) && dayIn(lines[cut]) == dayIn(lines[cut-1]) {
			cut++
		}
		for _, part := range [][]string{lines[:cut], lines[cut:]} {
			random.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		io.WriteString(z, strings.Join(lines[:cut], ""))
		z.Close()
		got := run(logOf("second", strings.Join(lines[cut:], "")), logOf("first.gz", packed.String()), logOf("again.gz", packed.String()))
		if !slices.Equal(got.Duplicates, []string{"again.gz"}) && cut > 0 {
			t.Errorf("duplicates %q", got.Duplicates)
		}
		got.Duplicates = want.Duplicates
		if !reflect.DeepEqual(got, want) {
			t.Errorf("another order:\n%+v\nwant\n%+v", got, want)
		}
	}
}

// dayIn returns the day in a line, "" without one.
func dayIn(line string) string {
	_, rest, _ := strings.Cut(line, "[")
	at, err := time.Parse("02/Jan/2006", rest[:min(len(rest), 11)])
	if err != nil {
		return ""
	}
	return at.Format(time.DateOnly)
}

// TestMoreVersions: a larger set of versions never adds a visit that disobeyed.
func TestMoreVersions(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	lists := newLists(t)
	for range 6 {
		text := randomLog(random, 300)
		body := []string{before, after, "User-agent: *\nDisallow: /\n", ""}
		more := newHistory(t, before, after) // and another version each day
		for day := -20; day < 30; day++ {
			o := history.Observation{Origin: "https://shop.example", Time: monday.AddDate(0, 0, day).Add(time.Hour), Status: 200, Body: []byte(body[random.IntN(4)]), Source: "watch"}
			if err := more.Add(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
		base := results(t, visits.Config{History: newHistory(t, before, after), Lists: lists}, text)
		got := results(t, visits.Config{History: more, Lists: lists}, text)
		for i := range got {
			// What was said before about a visit may have been allowed.
			if strings.HasSuffix(got[i], "disobeyed") && !strings.HasSuffix(base[i], "disobeyed") && !strings.HasSuffix(base[i], "allowed") {
				t.Errorf("visit %d: %s, with fewer versions %s", i, got[i], base[i])
			}
		}
	}
}

// TestInput has logs that are none, and parts of logs.
func TestInput(t *testing.T) {
	text := request(monday, "GPTBot", "/x?token=secret-9&b", 200)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for i := range 20_000 {
		io.WriteString(z, request(monday.Add(time.Duration(i)*time.Second), "GPTBot", fmt.Sprintf("/x%d", i*i), 200))
	}
	z.Close()
	for name, test := range map[string]struct {
		text    string
		problem string
		lines   int64
		bad     int64
		visits  int64
	}{
		"empty":       {"", "", 0, 0, 0},
		"no log":      {"hello\nworld\n", "is not an access log", 0, 0, 0},
		"binary":      {strings.Repeat("\x00\x01\x02\n", 5000), "is not an access log", 0, 0, 0},
		"half a gzip": {packed.String()[:packed.Len()/2], "was cut", -1, 0, -1},
		"mixed forms": {text + `{"ts":1,"request":{"uri":"/"}}` + "\n" + text, "", 3, 1, 2},
		"still grows": {text + text[:len(text)/2], "", 2, 1, 1},
		"long line":   {text + strings.Repeat("x", 70_000) + "\n" + text, "", 3, 1, 2},
		"no line end": {strings.TrimSuffix(text, "\n"), "", 1, 0, 1},
		"no agent":    {`192.0.2.1 - - [01/Mar/2026:13:00:00 +0000] "GET /a HTTP/1.1" 200 5` + "\n", "no User-Agent", 1, 0, 0},
		"no host":     {text + strings.Replace(text, "shop.example:443", "-", 1), "", 2, 0, 2},
		"wrong time":  {text + strings.Replace(text, ":09:00:00", ":29:00:00", 1), "", 2, 1, 1},
		"wrong zone":  {text + strings.Replace(text, "+0000]", "+9900]", 1), "", 2, 1, 1},
		"UTF-16":      {"\xff\xfe1\x001\x00\n\x00", "is text in UTF-16", 0, 0, 0},
		"web page":    {"<!doctype html>\n<html></html>\n", "is not an access log", 0, 0, 0},
		"no zone":     {strings.Replace(text, " +0000]", "]", 1), "have no zone", 0, 0, 0},
	} {
		var problems []string
		c := visits.Config{Note: t.Logf, Problem: func(err error) { problems = append(problems, err.Error()) }}
		found, err := visits.Run(t.Context(), c, []visits.Log{logOf("access.log", test.text)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := int64(0)
		for _, c := range found.Crawlers {
			got += c.Visits
		}
		if strings.Join(problems, "") != "" != (test.problem != "") ||
			!strings.Contains(strings.Join(problems, ""), test.problem) || found.Incomplete != (test.problem != "") {
			t.Errorf("%s: problems %q, want %q", name, problems, test.problem)
		}
		if test.lines >= 0 && (found.Lines != test.lines || found.Unreadable != test.bad || got != test.visits) ||
			test.lines < 0 && got == 0 {
			t.Errorf("%s: %d lines, %d unreadable, %d visits, want %d, %d, %d", name, found.Lines, found.Unreadable, got, test.lines, test.bad, test.visits)
		}
	}
}

// TestScreen: the screen says why visits are not verified, whose group decides, which visits are not judged,
// and which cannot be contradicted yet, in 80 columns. It has no control character and no value of a query.
func TestScreen(t *testing.T) {
	file := "User-agent: *\nDisallow: /cart\n\nUser-agent: Googlebot\nDisallow: /x*\x1b]0;\n"
	hostile := strings.Replace(request(monday, "Applebot", "/x\x1b]0;title\x07?a\x1b=secret-1", 200), "shop.example:443 ", "shop.example:443 11.7.0.7", 1)
	elsewhere := strings.Replace(request(monday, "GPTBot", "/cart", 200), "shop.", "a\x1b[2J.", 1)
	foreign := strings.Replace(request(monday.AddDate(0, 0, 69), "GPTBot", "/cart/1", 200), "11.1.0.7", "11.77.0.7", 1)
	text := request(monday, "GPTBot", "/robots.txt", 200) + request(monday, "GPTBot", "/y", 200) + foreign + hostile + elsewhere
	c := visits.Config{Sites: origins(t, "https://shop.example"), File: []byte(file), Since: monday.AddDate(0, 0, -9), Lists: newLists(t), Note: t.Logf, Problem: func(err error) { t.Error(err) }}
	found, err := visits.Run(t.Context(), c, []visits.Log{logOf("access.log", text)})
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, found)
	var screen strings.Builder
	if err := visits.WriteText(&screen, found); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"10 January 2027: 1 visit in no list cannot be contradicted yet.", "\n  name only 1 (in no list so far 1)\n", "\n  sites: shop.example 3; other hosts 1\n",
		"outside 2 (robots.txt 1, another site 1)", "\n  name only 1 (no list of that time 1)\n", "\n  disallowed by the group for Googlebot\n",
		`  line 5  Disallow: /x*\x1b]0;  1 visit, for example /x\x1b]0;title\x07?a\x1b=…`, "robots.txt none in these logs",
	} {
		if !strings.Contains(screen.String(), want) {
			t.Errorf("the screen lacks %q:\n%s", want, screen.String())
		}
	}
	for line := range strings.Lines(screen.String()) {
		if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool { return r < ' ' }) ||
			strings.Contains(line, "secret") {
			t.Errorf("%q", line)
		}
		if term.Width(line) > 81 && strings.HasPrefix(line, " ") {
			t.Errorf("a line of %d columns: %s", term.Width(line), line)
		}
	}
}

// TestManyAgents has more agents and hosts than are kept.
func TestManyAgents(t *testing.T) {
	var b strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&b, "h%d.example 11.1.%d.%d - - [02/Nov/2026:09:00:00 +0000] \"GET /x HTTP/1.1\" 200 5 \"-\" \"GPTBot/%d\"\n", i, i/250, i%250, i)
	}
	found, err := visits.Run(t.Context(), visits.Config{Note: t.Logf, Problem: func(err error) { t.Error(err) }},
		[]visits.Log{logOf("access.log", b.String())})
	if err != nil || len(found.Crawlers) != 1 || found.Crawlers[0].Visits != 30_000 || len(found.OtherHosts) > 100 {
		t.Errorf("%v, %+v", err, found.Crawlers)
	}
}
