package visits_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/past"
	"github.com/kosterhq/robotstxt/cmd/internal/many/visits"
	"github.com/kosterhq/robotstxt/history"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/visitor"
)

// world is a simulated world: logs in five forms, lists, a history, and a judge that knows what
// each client held.
type world struct {
	t       *testing.T
	tools   string // the folder of ROBOTSTXT_VISITS
	folder  string
	history *history.Store
	lists   string
}

func newWorld(t *testing.T, seed int) *world {
	t.Helper()
	tools := os.Getenv("ROBOTSTXT_VISITS")
	if tools == "" {
		t.Skip("ROBOTSTXT_VISITS is not set")
	}
	for _, program := range []string{"python3", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	w := &world{t: t, tools: tools, folder: filepath.Join(t.TempDir(), "world")}
	w.python("world.py", fmt.Sprint(seed), w.folder)
	w.lists = filepath.Join(w.folder, "ranges")
	store, err := history.Open(t.Context(), filepath.Join(t.TempDir(), "history.db"), history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	w.history = store
	f, err := os.Open(filepath.Join(w.folder, "history.warc"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	archives := past.Archives{Add: func(o history.Observation) error { return store.Add(t.Context(), o) }}
	if _, _, err := archives.Read(f); err != nil {
		t.Fatal(err)
	}
	return w
}

// python runs a program of the tools.
func (w *world) python(program string, args ...string) (output string, err error) {
	w.t.Helper()
	cmd := exec.Command("python3", append([]string{filepath.Join(w.tools, program)}, args...)...)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	text, err := cmd.CombinedOutput()
	if program == "world.py" && err != nil {
		w.t.Fatalf("%v: %s", err, text)
	}
	return string(text), err
}

var bothSites = []string{"https://shop.example", "https://blog.example"}

// report writes the report about the logs of a form.
func (w *world) report(form string, change func(*visits.Config)) (name string) {
	w.t.Helper()
	name = filepath.Join(w.t.TempDir(), "report.jsonl")
	logs, err := filepath.Glob(filepath.Join(w.folder, "logs", form, "*"))
	if err != nil || len(logs) == 0 {
		w.t.Fatal(err, "no logs")
	}
	err = audit.WriteTable(name, func(write func(*visits.Row) error) error {
		if form != "combined" {
			return w.run(bothSites, logs, change, write)
		}
		for _, log := range logs { // whose lines have no host
			if err := w.run([]string{"https://" + strings.TrimSuffix(filepath.Base(log), ".log")}, []string{log}, change, write); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return name
}

func (w *world) run(sites, logs []string, change func(*visits.Config), write func(*visits.Row) error) error {
	lists, err := visitor.OpenLists(w.lists)
	if err != nil {
		return err
	}
	config := visits.Config{
		Sites: origins(w.t, sites...), History: w.history, Lists: lists, Hits: write,
		Note: w.t.Logf, Problem: func(err error) { w.t.Error(err) },
	}
	if change != nil {
		change(&config)
	}
	found, err := visits.Run(w.t.Context(), config, logsOf(logs...))
	if err != nil {
		return err
	}
	checkSums(w.t, found)
	return nil
}

// TestWorlds: in simulated worlds no obedient client is accused, every visit that can be proved is
// found, only real senders are verified, none is contradicted, and no address or value is printed.
// .ci/run makes the first world.
func TestWorlds(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("set ROBOTSTXT_LONG: it takes half a minute to make a world and to judge it")
	}
	forms := []string{"vhost_combined", "caddy", "cloudfront", "iis", "combined"}
	for seed := 1; seed <= 20; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t, seed)
			for _, form := range forms {
				if output, err := w.python("judge.py", w.folder, form, w.report(form, nil)); err != nil {
					t.Errorf("%s: %v\n%s", form, err, output)
				}
			}
		})
	}
}

func origins(t testing.TB, sites ...string) (all []origin.Origin) {
	t.Helper()
	for _, s := range sites {
		o, err := origin.Of(s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	return all
}

// TestOrdinaryWorld: a site with one name and nginx's combined logs of 14 days, which rotate daily; lists read daily; a
// hundredth of all answers aborted, and a rate limiter that refuses another hundredth. The share of visits that
// disobeyed, and can be proved, is printed. Nobody else is accused.
func TestOrdinaryWorld(t *testing.T) {
	const days = 14
	random := rand.New(rand.NewPCG(66, 14))
	var text strings.Builder
	disallowed := int64(0)
	answered := func(at time.Time, agent, target string) {
		line := hostless(request(at, agent, target, 200))
		switch random.IntN(100) {
		case 0:
			line = strings.Replace(line, " 200 5 ", " 200 0 ", 1)
		case 1:
			line = strings.Replace(line, " 200 5 ", " 503 190 ", 1)
		}
		if agent == "Nobody" {
			line = fmt.Sprintf("88.70.12.%d%s", 1+random.IntN(250), line)
		}
		text.WriteString(line)
	}
	for minute := range days * 24 * 60 {
		at := monday.Add(time.Duration(minute) * time.Minute)
		if minute%30 == 0 { // one of many small programs, such as a reader of feeds
			answered(at, "Nobody", "/robots.txt")
		}
		answered(at, "Nobody", "/tea")
		for i, crawler := range []string{"GPTBot", "CCBot"} {
			switch at := at.Add(time.Duration(i+1) * time.Second); {
			case minute%(12*60) == 0:
				answered(at, crawler, "/robots.txt")
			case minute%20 == 0 && i == 0 && random.IntN(2) == 0:
				answered(at, crawler, "/private/1")
				if minute > 49*60 {
					disallowed++
				}
			case minute%20 == 0:
				answered(at, crawler, "/tea")
			}
		}
	}
	logs := splitDays(text.String())
	shares := map[bool]float64{}
	for _, noSiteCache := range []bool{false, true} {
		c := visits.Config{
			Sites: origins(t, "https://shop.example"), File: []byte(after), Since: monday.AddDate(0, 0, -60), Lists: newLists(t),
			Zone: time.UTC, NoSiteCache: noSiteCache, Note: t.Logf, Problem: func(err error) { t.Error(err) },
		}
		found, err := visits.Run(t.Context(), c, logs)
		if err != nil {
			t.Fatal(err)
		}
		checkSums(t, found)
		for _, v := range found.Crawlers {
			n := v.Results[string(visits.Disobeyed)]
			if v.Crawler == "GPTBot" {
				shares[noSiteCache] = 100 * float64(n) / float64(disallowed)
			} else if n > 0 {
				t.Errorf("%s is accused of %d visits", v.Crawler, n)
			}
		}
		t.Logf("NoSiteCache %t: %.0f%% of %d visits are proved", noSiteCache, shares[noSiteCache], disallowed)
	}
	if shares[false] > shares[true] || shares[true] < 50 {
		t.Errorf("%.0f%% and %.0f%% are proved", shares[false], shares[true])
	}
}
