package visits_test

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	if _, _, err := past.Archive(f, func(o history.Observation) error {
		return store.Add(t.Context(), o)
	}); err != nil {
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

// TestEachRuleIsNeeded leaves each rule of the join out, and wants the judge to see it.
func TestEachRuleIsNeeded(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("set ROBOTSTXT_LONG: several worlds are judged for each rule")
	}
	worlds := map[int]*world{}
	for _, rule := range []string{"cache", "keep", "witness", "fallbacks", "proxy", "late lists", "identity"} {
		failed := false
		for seed := 1; seed <= 20 && !failed; seed++ {
			if worlds[seed] == nil {
				worlds[seed] = newWorld(t, seed)
			}
			w := *worlds[seed]
			if rule == "late lists" {
				w.lists = laterLists(t, w.lists)
			}
			report := w.report("vhost_combined", func(c *visits.Config) {
				if rule != "late lists" {
					c.Without(rule)
				}
			})
			output, err := w.python("judge.py", w.folder, "vhost_combined", report)
			failed = err != nil
			if failed {
				_, why, _ := strings.Cut(output, "FAIL")
				t.Logf("without %s, seed %d: FAIL%.100s", rule, seed, why)
			}
		}
		if !failed {
			t.Errorf("without %s the judge finds nothing", rule)
		}
	}
}

// laterLists returns lists whose dates are 48 hours later, so that those that are in use are never
// from after a visit.
func laterLists(t *testing.T, dir string) string {
	t.Helper()
	later := t.TempDir()
	text, err := os.ReadFile(filepath.Join(dir, "index.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var index bytes.Buffer
	for line := range bytes.Lines(text) {
		var r map[string]string
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, r["date"])
		if err != nil {
			t.Fatal(err)
		}
		r["date"] = at.Add(48 * time.Hour).Format(time.RFC3339)
		changed, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		index.Write(append(changed, '\n'))
		list, err := os.ReadFile(filepath.Join(dir, r["file"]))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(later, r["file"]), list, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(later, "index.jsonl"), index.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return later
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
