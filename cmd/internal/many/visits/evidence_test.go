package visits_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/many/visits"
	"github.com/kosterhq/robotstxt/visitor"
)

// evidenceOf runs a question with evidence. It returns the folder, and how many visits disobeyed.
func evidenceOf(t *testing.T, config visits.Config, lists string, logs []visits.Log) (folder string, disobeyed int64) {
	t.Helper()
	folder = t.TempDir()
	config.Evidence = &visits.Evidence{Folder: folder, Lists: lists, Program: "a test"}
	config.Note, config.Problem = t.Logf, func(err error) { t.Error(err) }
	var err error
	config.Lists, err = visitor.OpenLists(lists)
	if err != nil {
		t.Fatal(err)
	}
	found, err := visits.Run(t.Context(), config, logs)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found.Crawlers {
		disobeyed += c.Results["disobeyed"]
	}
	if config.Evidence.IsEmpty() != (disobeyed == 0) {
		t.Errorf("%d visits disobeyed, but IsEmpty is %t", disobeyed, config.Evidence.IsEmpty())
	}
	return folder, disobeyed
}

// checkRepeats checks that a folder alone repeats its verdicts.
func checkRepeats(t *testing.T, config visits.Config, folder string, want int64) {
	t.Helper()
	kept, err := visits.OpenEvidence(folder)
	if err != nil {
		t.Fatal(err)
	}
	config.History, config.Problem = nil, func(err error) { t.Error(err) }
	config.Lists, err = visitor.OpenLists(kept.Lists())
	if err != nil {
		t.Fatal(err)
	}
	if config.File != nil {
		config.File, err = os.ReadFile(kept.File())
		if err != nil {
			t.Fatal(err)
		}
	}
	repeated, err := kept.Check(t.Context(), config, "a test")
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, n := range repeated.Visits {
		total += n
	}
	if total != want {
		t.Errorf("%d visits are repeated, want %d", total, want)
	}
}

// TestEvidence: for random logs that overlap, with refusals, outages and redirects, the folder repeats its
// verdicts without the logs.
func TestEvidence(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	total := int64(0)
	for n := range 8 {
		var text strings.Builder
		for range 700 {
			status := 200
			if random.IntN(40) == 0 {
				status = []int{403, 503, 301, 202}[random.IntN(4)]
			}
			target := []string{"/private/1", "/private/2?a=b", "/x", "/robots.txt", "/robots.txt?v=1"}[random.IntN(5)]
			at := monday.Add(time.Duration(random.IntN(14*24*60)) * time.Minute)
			line := request(at, []string{"GPTBot", "CCBot", "ChatGPT-User"}[random.IntN(3)], target, status)
			switch random.IntN(30) {
			case 0:
				line = strings.Replace(line, "11.1.0.7", "11.2.0.7", 1) // a proxy
			case 1:
				line = strings.Replace(line, "11.1.0.7", "11.77.0.7", 1) // a false sender
			case 2:
				line = strings.Replace(line, "GPTBot", "Nobody", 1)
			}
			text.WriteString(line)
			if status == 301 && strings.HasPrefix(target, "/robots.txt") && random.IntN(4) > 0 {
				text.WriteString(request(at.Add(time.Second), "GPTBot", "/rules", []int{200, 200, 403}[random.IntN(3)]))
			}
		}
		logs := splitDays(text.String())
		logs = append(logs, logs[random.IntN(len(logs)-1)]) // a repeated log
		extract := ""
		for line := range strings.Lines(text.String()) {
			if strings.Contains(line, "GPTBot") {
				extract += line
			}
		}
		logs = append(logs, logOf("extract", extract))
		logs[0], logs[5] = logs[5], logs[0]
		config := visits.Config{Sites: origins(t, "https://shop.example"), File: []byte(after), Since: monday.AddDate(0, 0, -60), Zone: time.UTC}
		if n%2 == 1 {
			config.File, config.Since, config.History = nil, time.Time{}, newHistory(t, before, after)
		}
		if n%4 > 1 {
			config.NoSiteCache = true
		}
		if n%8 > 5 {
			config.Sites = nil
		}
		folder, disobeyed := evidenceOf(t, config, listFolder(t), logs)
		total += disobeyed
		if disobeyed > 0 {
			checkRepeats(t, config, folder, disobeyed)
		}
	}
	if total < 100 {
		t.Errorf("only %d visits disobeyed", total)
	}
}

// TestEvidenceOfRepeats: a redirect that an extract has too is one redirect in the evidence, so that the same requests
// can be its target.
func TestEvidenceOfRepeats(t *testing.T) {
	whole, extract := "", ""
	for hour := range 80 {
		at := monday.Add(time.Duration(hour) * time.Hour)
		lines := request(at, "GPTBot", "/robots.txt", 301) + request(at.Add(time.Second), "GPTBot", "/rules", 200) + request(at.Add(5*time.Minute), "GPTBot", "/private/1", 200)
		whole += lines + strings.Replace(request(at.Add(time.Hour/2), "GPTBot", "/", 200), "GPTBot", "Firefox", 1)
		extract += lines
	}
	config := visits.Config{Sites: origins(t, "https://shop.example"), File: []byte(after), Since: monday.AddDate(0, 0, -60), Zone: time.UTC}
	folder, disobeyed := evidenceOf(t, config, listFolder(t), []visits.Log{logOf("access.log", whole), logOf("extract", extract)})
	if want := int64(80 - 49); disobeyed != want {
		t.Errorf("%d visits disobeyed, want %d", disobeyed, want)
	}
	checkRepeats(t, config, folder, disobeyed)
}

// TestEvidenceForms: the lines of each form of logs are kept so that they can be read again.
func TestEvidenceForms(t *testing.T) {
	at := day.Format("2006-01-02 15:04:05")
	line := strings.TrimSuffix(request(day, "GPTBot", "/private/1", 200), "\n")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, line+"\n")
	w.Close()
	object := `{"t":"2026-11-09T09:00:00Z","a":"11.1.0.7","u":"GPTBot","r":"GET /private/1?a HTTP/1.1","h":"shop.example","s":200}`
	toMap := func(c *visits.Config) {
		c.Map = accesslog.Map{"time": "t", "addr": "a", "agent": "u", "target": "r", "host": "h", "method": "r", "status": "s"}
	}
	for name, test := range map[string]struct {
		text   string
		change func(*visits.Config)
	}{
		"combined": {hostless(line) + "\n", nil}, "gzip": {packed.String(), nil}, "syslog": {"<190>1 2026-11-09T09:00:00Z web1 nginx - - - " + line, nil},
		"W3C": {"#Version: 1.0\r\n#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query cs(User-Agent) cs-host sc-status\r\n" + at + " 11.9.0.7 GET /x - Nobody shop.example:443 200\r\n" +
			at + " 11.1.0.7 GET /private/1 - GPTBot shop.example:443 200\r\n#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query cs(User-Agent) cs-host sc-status s-port\r\n" +
			at + " 11.9.0.7 GET /x - Nobody shop.example 200 443\r\n" + at + " 11.1.0.7 GET /private/1 - GPTBot shop.example 200 443\r\n", nil},
		"JSON": {object + "\n", toMap}, "a list": {"[" + object + ",\n" + object + "]", toMap}, "a mark": {"\xef\xbb\xbf" + line, nil},
		"Docker": {fmt.Sprintf(`{"log":%q,"stream":"stdout","time":"2026-11-09T09:00:00Z"}`, line+"\n"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			config := visits.Config{Sites: origins(t, "https://shop.example"), File: []byte(after), Since: monday.AddDate(0, 0, -60), LogsSince: monday.AddDate(0, 0, -60), Zone: time.UTC}
			if test.change != nil {
				test.change(&config)
			}
			folder, disobeyed := evidenceOf(t, config, listFolder(t), []visits.Log{logOf("a.log", test.text), logOf("b.log", "")})
			if disobeyed == 0 {
				t.Fatal("no visit disobeyed")
			}
			checkRepeats(t, config, folder, disobeyed)
		})
	}
}

// TestStrangersEvidence: the lines of a folder from elsewhere, whose digests are right, have no bound. One that is too
// long is an error or a difference, and its place is named.
func TestStrangersEvidence(t *testing.T) {
	config := visits.Config{Sites: origins(t, "https://shop.example"), File: []byte(after), Since: monday.AddDate(0, 0, -60), LogsSince: monday.AddDate(0, 0, -60), Zone: time.UTC}
	folder, _ := evidenceOf(t, config, listFolder(t), []visits.Log{logOf("a, b.log", request(day, "GPTBot", "/private/1", 200))})
	long := strings.Repeat("x", 5<<20)
	for _, test := range []struct{ file, from, to, want string }{
		{"verdicts.csv", "\n", "\n\"" + long, "verdicts.csv cannot be read: a verdict is over 1 MiB long"},
		{"verdicts.csv", ",disobeyed,", ",allowed,", "line 2 of verdicts.csv is not repeated, about a, b.log:1"},
		{"README.txt", "\n", "\n" + long, "line 2 of README.txt is not repeated"},
	} {
		changed := t.TempDir()
		if err := os.CopyFS(changed, os.DirFS(folder)); err != nil {
			t.Fatal(err)
		}
		change := func(name, from, to string) (before, after string) {
			name = filepath.Join(changed, name)
			text, err := os.ReadFile(name)
			if err != nil || !strings.Contains(string(text), from) {
				t.Fatalf("%s without %q: %v", name, from, err)
			}
			after = strings.Replace(string(text), from, to, 1)
			if err := os.WriteFile(name, []byte(after), 0o600); err != nil {
				t.Fatal(err)
			}
			return string(text), after
		}
		was, is := change(test.file, test.from, test.to)
		change("SHA256SUMS", fmt.Sprintf("%x", sha256.Sum256([]byte(was))), fmt.Sprintf("%x", sha256.Sum256([]byte(is))))
		kept, err := visits.OpenEvidence(changed)
		if err != nil {
			t.Fatal(err)
		}
		config.Lists, _ = visitor.OpenLists(kept.Lists())
		if _, err := kept.Check(t.Context(), config, "a test"); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.file, err, test.want)
		}
	}
}

// TestEvidenceChanged: a log that changes between its two readings is an error, and so is one that ends early.
func TestEvidenceChanged(t *testing.T) {
	line := request(day, "GPTBot", "/private/1", 200)
	readings := 0
	log := visits.Log{Name: "a.log", Open: func() (io.ReadCloser, error) {
		readings++
		return io.NopCloser(strings.NewReader(strings.Repeat(line, readings))), nil
	}}
	lists := listFolder(t)
	config := visits.Config{
		Sites: origins(t, "https://shop.example"), File: []byte(after), Since: monday, LogsSince: monday, Evidence: &visits.Evidence{Folder: t.TempDir(), Lists: lists},
		Note: t.Logf, Problem: func(error) {},
	}
	config.Lists, _ = visitor.OpenLists(lists)
	if _, err := visits.Run(t.Context(), config, []visits.Log{log}); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("a log that changes: %v", err)
	}
	config.Evidence = &visits.Evidence{Folder: t.TempDir(), Lists: lists}
	broken := visits.Log{Name: "b.log", Open: func() (io.ReadCloser, error) { return nil, os.ErrPermission }}
	_, err := visits.Run(t.Context(), config, []visits.Log{logOf("a.log", line), broken})
	if err == nil || !strings.Contains(err.Error(), "not read to their ends") {
		t.Errorf("a log that cannot be read: %v", err)
	}
}

// TestAssumptions: the guide lists the sentences that evidence lists.
func TestAssumptions(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/visits.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := strings.Join(strings.Fields(strings.ReplaceAll(string(text), "`", "")), " ")
	_, guide, _ = strings.Cut(guide, "### Assumptions")
	guide, _, _ = strings.Cut(guide, "robots judges only")
	if want := "robots does not check these: - " + strings.Join(visits.Assumptions, " - "); strings.TrimSpace(guide) != want {
		t.Errorf("the guide has\n%s\nnot\n%s", guide, want)
	}
}

// TestAddresses: the addresses add up to the visits whose address is whole, in their order.
func TestAddresses(t *testing.T) {
	addresses := &visits.Addresses{}
	config := visits.Config{Addresses: addresses, Note: t.Logf, Problem: func(err error) { t.Error(err) }}
	text := at(0, "GPTBot", "/a", 200) + at(time.Hour, "GPTBot", "/b", 200) + strings.Replace(at(0, "GPTBot", "/", 200), "11.1.0.7", "2a0f:ff07::1", 1) +
		strings.Replace(at(0, "GPTBot", "/", 200), "11.1.0.7", "9.1.0.7", 1) + strings.Replace(at(0, "GPTBot", "/", 200), "11.1.0.7", "10.0.0.1", 1) +
		strings.Replace(strings.Replace(at(0, "GPTBot", "/", 200), "11.1.0.7", "9.1.0.7", 1), "GPTBot", "Bytespider", 1)
	if _, err := visits.Run(t.Context(), config, []visits.Log{logOf("a.log", text)}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range addresses.Rows() {
		hours := (row.Last - row.First) / 3_600_000
		got = append(got, fmt.Sprint(row.Address, " ", row.Crawler, " ", row.Identity, " ", row.Visits, " ", hours))
	}
	want := []string{"9.1.0.7 Bytespider claimed 1 0", "9.1.0.7 GPTBot claimed 1 0", "11.1.0.7 GPTBot claimed 2 1", "2a0f:ff07::1 GPTBot claimed 1 0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
