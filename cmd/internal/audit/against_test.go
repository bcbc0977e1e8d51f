package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/semdiff"
)

// variants are files with every access of GPTBot, by name and by "*".
var variants = []struct{ status, body string }{
	{"200", ""}, {"200", "User-agent: *\nDisallow: /\n"}, {"200", "User-agent: *\nDisallow: /a\n"}, {"200", "User-agent: GPTBot\nDisallow: /\n"},
	{"200", "User-agent: GPTBot\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n"}, {"200", "User-agent: CCBot\nDisallow: /\n"},
	{"404", ""}, {"503", ""}, {"200", "<html><body>shop</body></html>"}, {"301", ""},
}

// randomAudit audits random files of some of the hosts.
func randomAudit(t *testing.T, dir string, random *rand.Rand, crawlers string) *audit.Parts {
	t.Helper()
	var lines strings.Builder
	for host := range 400 {
		for range random.IntN(3) { // no, one or two files
			v := variants[random.IntN(len(variants))]
			body, _ := json.Marshal(v.body)
			fmt.Fprintf(&lines, `{"host": "h%d.example", "status": %s, "fetched_at": "2026-01-%02dT00:00:00Z", "body": %s}`+"\n", host, v.status, 1+random.IntN(28), body)
		}
	}
	writeFile(t, filepath.Join(dir, "in.ndjson"), []byte(lines.String()))
	sources, _ := audit.Open([]string{filepath.Join(dir, "in.ndjson")}, nil, audit.Config{})
	parts, err := audit.OpenParts(filepath.Join(dir, "parts"), audit.PartsConfig{Bodies: true, Files: 100})
	if err != nil {
		t.Fatal(err)
	}
	questions := audit.Questions{Crawlers: crawlersOf(t, crawlers), Exact: true, Bodies: true}
	if _, err := audit.Run(context.Background(), sources, parts, audit.Options{Questions: questions}); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{parts.WriteCrawlers(filepath.Join(dir, "crawlers.parquet")), parts.WriteCrawlers(filepath.Join(dir, "crawlers.jsonl")), parts.WriteBodies(filepath.Join(dir, "bodies.parquet"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return parts
}

// latestRows returns the rows that count of a table, by crawler and host, and the hosts.
func latestRows(t *testing.T, dir string) (rows map[[2]string]map[string]any, hosts map[string]bool) {
	rows, hosts = map[[2]string]map[string]any{}, map[string]bool{}
	recount(t, filepath.Join(dir, "crawlers.jsonl"), func(row map[string]any) {
		host := row["host"].(string)
		hosts[host] = true
		isFile := row["body"] == "text" || row["body"] == "empty"
		if row["access"] == nil || !isFile && (row["body"] != nil || row["access"] != "open") {
			return
		}
		key := [2]string{row["crawler"].(string), host}
		if last := rows[key]; last == nil || row["fetched_at"].(string) >= last["fetched_at"].(string) {
			rows[key] = row
		}
	})
	return rows, hosts
}

// A comparison has the counts of a plain recount, in one pass and in many.
func TestCompare(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	oldDir, newDir := t.TempDir(), t.TempDir()
	randomAudit(t, oldDir, random, "GPTBot,CCBot,Googlebot")
	parts := randomAudit(t, newDir, random, "*,CCBot,GPTBot")
	oldRows, oldHosts := latestRows(t, oldDir)
	newRows, newHosts := latestRows(t, newDir)
	want := map[string]int{}
	for host := range newHosts {
		if oldHosts[host] {
			want["both"]++
		} else {
			want["appeared"]++
		}
	}
	want["vanished"] = len(oldHosts) - want["both"]
	for key, after := range newRows {
		before := oldRows[key]
		if before == nil {
			continue
		}
		want[fmt.Sprint(key[0], " ", before["access"], " ", after["access"])]++
		switch named, was := after["matched_by"] == "name", before["matched_by"] == "name"; {
		case named && !was:
			want[key[0]+" named"]++
		case was && !named:
			want[key[0]+" unnamed"]++
		}
	}
	q := &audit.Questions{Crawlers: crawlersOf(t, "*,CCBot,GPTBot")}
	for _, hosts := range []int{0, 50} {
		c, err := parts.Compare(context.Background(), audit.CompareConfig{
			Old: filepath.Join(oldDir, "crawlers.parquet"), OldBodies: filepath.Join(oldDir, "bodies.parquet"), Questions: q, Hosts: hosts,
			Purposes: func(string) []string { return []string{"training"} },
		})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{"both": c.Hosts, "appeared": c.Appeared, "vanished": c.Vanished}
		for name, change := range c.Crawlers {
			got[name+" named"], got[name+" unnamed"] = change.Named, change.Unnamed
			for before, moves := range change.Moves {
				for after, n := range moves {
					got[fmt.Sprint(name, " ", before, " ", after)] = n
				}
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("compared\n%v\ncounted\n%v", got, want)
		}
		if fmt.Sprint(c.OnlyOld, c.OnlyNew) != "[Googlebot] [*]" || len(c.Closed) != 20 || len(c.Opened) != 20 || c.NoWitnesses != "" {
			t.Errorf("only in one audit %v %v, %d examples closed, %d opened, %q", c.OnlyOld, c.OnlyNew, len(c.Closed), len(c.Opened), c.NoWitnesses)
		}
		hasWitnesses(t, c, oldRows, newRows)
		hasPurpose(t, c, oldRows, newRows)
	}
	c, err := parts.Compare(context.Background(), audit.CompareConfig{Old: filepath.Join(oldDir, "crawlers.parquet"), Questions: q, Purposes: func(string) []string { return nil }})
	if err != nil || c.NoWitnesses != audit.NoOldBodies {
		t.Errorf("%v, %v", c, err)
	}
	if err := audit.CheckCrawlers(filepath.Join(oldDir, "bodies.parquet")); err == nil {
		t.Error("a table of bodies is taken for one of crawlers")
	}
}

// hasWitnesses checks that examples with two files have witnesses.
func hasWitnesses(t *testing.T, c *audit.Comparison, oldRows, newRows map[[2]string]map[string]any) {
	t.Helper()
	witnesses := 0
	for i, moved := range append(append([]audit.Moved{}, c.Closed...), c.Opened...) {
		for _, move := range moved.Moves {
			key := [2]string{move.Crawler, moved.Host}
			before, after := oldRows[key], newRows[key]
			if before["access"] != string(move.Before) || after["access"] != string(move.After) || (move.After != semdiff.ExtentOpen) != (i < len(c.Closed)) && move.After != semdiff.ExtentPartly {
				t.Errorf("%s: %+v, but the rows say %v and %v", moved.Host, move, before["access"], after["access"])
			}
			if hasFiles := before["digest"] != nil && after["digest"] != nil; hasFiles != (move.Witness != "") {
				t.Errorf("%s: witness %q, files %v", moved.Host, move.Witness, hasFiles)
			}
			if move.Witness != "" {
				witnesses++
			}
		}
	}
	if witnesses == 0 {
		t.Error("there are no witnesses")
	}
}

// hasPurpose checks the counts of the purpose of all crawlers.
func hasPurpose(t *testing.T, c *audit.Comparison, oldRows, newRows map[[2]string]map[string]any) {
	t.Helper()
	strictness := map[any]int{"open": 1, "partly": 2, "closed": 3}
	known, closed, opened := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for key, after := range newRows {
		before := oldRows[key]
		if before == nil {
			continue
		}
		known[key[1]] = true
		switch was, is := strictness[before["access"]], strictness[after["access"]]; {
		case is > was:
			closed[key[1]] = true
		case is < was:
			opened[key[1]] = true
		}
	}
	if p := c.Purposes["training"]; p.Known != len(known) || p.Closed != len(closed) || p.Opened != len(opened) {
		t.Errorf("purpose %+v, counted %d, %d closed, %d opened", p, len(known), len(closed), len(opened))
	}
}
