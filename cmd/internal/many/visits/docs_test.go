package visits_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/examplestest"
	"github.com/kosterhq/robotstxt/cmd/internal/many/visits"
)

// writeHits writes the table of a log with a visit that disobeyed.
func writeHits(t *testing.T, name string) {
	t.Helper()
	err := audit.WriteTable(name, func(write func(*visits.Row) error) error {
		c := visits.Config{
			Sites: origins(t, "https://shop.example"), File: []byte(after), Since: monday, LogsSince: monday, Lists: newLists(t), Hits: write,
			Note: t.Logf, Problem: func(err error) { t.Error(err) },
		}
		_, err := visits.Run(t.Context(), c, []visits.Log{logOf("access.log", request(monday.AddDate(0, 0, 7), "GPTBot", "/private/1", 200)+
			request(monday.Add(time.Hour), "CCBot", "/x", 200))})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPandas(t *testing.T) {
	out := examplestest.Pandas(t, examplestest.Blocks(t, "visits.md", "python")[0], func(dir string) {
		writeHits(t, filepath.Join(dir, "hits.csv"))
	})
	if !strings.Contains(out, "GPTBot") {
		t.Error(out)
	}
}

func TestDuckDB(t *testing.T) {
	rows, _ := examplestest.DuckDB(t, examplestest.Blocks(t, "visits.md", "sql")[:1], func(dir string) {
		writeHits(t, filepath.Join(dir, "hits.parquet"))
	})
	if !strings.Contains(rows, "GPTBot verified disobeyed 1") {
		t.Error(rows)
	}
}
