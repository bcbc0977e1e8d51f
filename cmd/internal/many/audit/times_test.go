package audit_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// Each form of a time is read in lines of JSON, in CSV and in web archives, and no file is lost
// for a time that cannot be read: it counts as older than any other.
func TestTimes(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"2025-03-01 12:00:00":       "2025-03-01T12:00:00Z zoneless", // DuckDB
		"2025-03-01 12:00:00+02":    "2025-03-01T10:00:00Z",
		"20250301120000":            "2025-03-01T12:00:00Z zoneless", // CDX
		"20250301":                  "2025-03-01T00:00:00Z zoneless",
		"2025-03-01":                "2025-03-01T00:00:00Z zoneless",
		"1740830400":                "2025-03-01T12:00:00Z",
		"1740830400000":             "2025-03-01T12:00:00Z",
		"1740830400000000":          "2025-03-01T12:00:00Z",
		"2025-03-01T12:00:00+01:00": "2025-03-01T11:00:00Z",
		"yesterday":                 "undated",
		"":                          "none",
	} {
		quoted := fmt.Sprintf("%q", text)
		lines := fmt.Sprintf("{\"host\": \"a.example\", \"fetched_at\": %s, \"body\": \"\"}\n", quoted)
		if strings.HasPrefix(text, "17") {
			lines = strings.Replace(lines, quoted, text, 1) // a number
		}
		warc := strings.Replace(warcRecord("https://a.example/robots.txt", 200, ""), "WARC-Date: ", "WARC-Date: "+text+"\r\nX-Was: ", 1)
		for name, content := range map[string]string{"a.ndjson": lines, "a.csv": "host,fetched_at,body\na.example," + text + ",x\n", "a.warc": warc} {
			writeFile(t, filepath.Join(dir, name), []byte(content))
			in, errs := audit.Open([]string{filepath.Join(dir, name)}, nil, audit.Config{})
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			got := "lost"
			err := in.Sources[0].Files(t.Context(), func(in *audit.Input) error {
				switch {
				case in.Problem != "":
					got = string(in.Problem)
				case in.Undated:
					got = "undated"
				case in.FetchedAt.IsZero():
					got = "none"
				default:
					got = in.FetchedAt.UTC().Format("2006-01-02T15:04:05Z")
				}
				if in.Zoneless {
					got += " zoneless"
				}
				return nil
			})
			if err != nil || got != want {
				t.Errorf("%s, %q: %s (%v), want %s", name, text, got, err, want)
			}
		}
	}
	if got, want := counted(t, audit.ByHost, captureLine(1, 200, "https://a.example", closesAll, ""), strings.Replace(captureLine(2, 404, "https://a.example", "", ""), "2026-01", "yesterday", 1)), "1 sites, 1 closed, 0 open, 0 not known"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
