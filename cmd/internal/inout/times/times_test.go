package times_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/times"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"20250301":                           "2025-03-01T00:00:00Z none",
		"2025-03-01":                         "2025-03-01T00:00:00Z none",
		"20250301120000":                     "2025-03-01T12:00:00Z none",
		"1740830400":                         "2025-03-01T12:00:00Z",
		"1740830400123":                      "2025-03-01T12:00:00.123Z",
		"1740830400123456":                   "2025-03-01T12:00:00.123456Z",
		"1740830400.25":                      "2025-03-01T12:00:00.25Z",
		"1740830400123.5":                    "2025-03-01T12:00:00.1235Z",
		"2025-03-01T12:00:00Z":               "2025-03-01T12:00:00Z",
		"2025-03-01t12:00:00z":               "2025-03-01T12:00:00Z",
		"2025-03-01T12:00:00.5+01:00":        "2025-03-01T11:00:00.5Z",
		"2025-03-01 12:00:00":                "2025-03-01T12:00:00Z none",
		"2025-03-01 12:00:00,25":             "2025-03-01T12:00:00.25Z none",
		"2025-03-01 12:00:00+00":             "2025-03-01T12:00:00Z",
		"2025-03-01 12:00:00 -0730":          "2025-03-01T19:30:00Z",
		"2025-03-01 12:00:00 UTC":            "2025-03-01T12:00:00Z",
		"2025-03-01 12:00":                   "2025-03-01T12:00:00Z none",
		"2025-03-01T12:00Z":                  "2025-03-01T12:00:00Z",
		"01/Mar/2025:13:00:00 +0100":         "2025-03-01T12:00:00Z",
		"01/Mar/2025:13:00:00":               "2025-03-01T13:00:00Z none",
		"Sat, 01 Mar 2025 12:00:00 GMT":      "2025-03-01T12:00:00Z",
		"2025-03-01T12:00:00.1234567891234Z": "2025-03-01T12:00:00.123456789Z",
		"9999-12-31":                         "9999-12-31T00:00:00Z none",
	} {
		got, err := times.Parse(text)
		shown := got.Format(time.RFC3339Nano)
		if got.Zoneless {
			shown += " none"
		}
		if err != nil || shown != want {
			t.Errorf("Parse(%q) = %s, %v, want %s", text, shown, err, want)
		}
		if b, err := times.Parse([]byte(text)); err != nil || b != got {
			t.Errorf("Parse([]byte(%q)) = %v, %v, want %v", text, b, err, got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "-", "yesterday", "2025", "202503", "2025-3-1", "2025-02-30", "20250230", "0000-01-01", "2025-13-01", "2025-00-10",
		"2025-03-01T", "2025-03-01T25:00:00Z", "2025-03-01T12:60", "2025-03-01T12:00:00.", "2025-03-01T12:00:00+", "2025-03-01T12:00:00+24:00",
		"2025-03-01 12:00:00 Mars", "2025-03-01x12:00:00", "202503011200", "202503011200001", "1740830400.", "1740830400x",
		"20250301.5", "01/anF/2025:13:00:00 +0100", "01/Mar/2025", "01/Mar/2025:13:00:00 +0100 x", "Sat, 01 Mar 2025 12:00:00 CET", "٢٠٢٥-٠٣-٠١",
		"20250301120000Z",
	} {
		if got, err := times.Parse(text); err == nil || !got.IsZero() || !strings.Contains(err.Error(), "2026-11-22T10:00:00Z") {
			t.Errorf("Parse(%q) = %v, %v, want an error that shows a form", text, got, err)
		}
	}
}

func TestIn(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no database of zones")
	}
	for text, want := range map[string][2]string{
		"2026-07-01 12:00:00":  {"2026-07-01T10:00:00Z", "2026-07-01T10:00:00Z"},
		"2026-12-01 12:00:00":  {"2026-12-01T11:00:00Z", "2026-12-01T11:00:00Z"},
		"2026-10-25 01:59:59":  {"2026-10-24T23:59:59Z", "2026-10-24T23:59:59Z"},
		"2026-10-25 02:30:00":  {"2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"}, // the clocks are set back from 3 to 2
		"2026-10-25 03:00:00":  {"2026-10-25T02:00:00Z", "2026-10-25T02:00:00Z"},
		"2026-03-29 02:30:00":  {"2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"}, // left out
		"2026-03-29 02:30:00Z": {"2026-03-29T02:30:00Z", "2026-03-29T02:30:00Z"},
	} {
		at, err := times.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		first, last := at.In(berlin)
		if got := [2]string{first.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339)}; got != want {
			t.Errorf("%s in Berlin = %v, want %v", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"20250301", "2025-03-01 12:00:00.5 +0100", "1740830400.25", "01/Mar/2025:13:00:00 +0100"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := times.Parse(text)
		if err != nil {
			return
		}
		again, err := times.Parse(got.Format(time.RFC3339Nano))
		if inRange := got.Year() > 0 && got.Year() < 10_000; inRange && (err != nil || !again.Equal(got.Time)) {
			t.Errorf("Parse(%q) = %v, which is read as %v, %v", text, got, again, err)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{"2025-03-01T12:00:00Z", "01/Mar/2025:13:00:00 +0100", "1740830400.123"} {
		b.Run(text[:4], func(b *testing.B) {
			b.ReportAllocs()
			line := []byte(text)
			for b.Loop() {
				if _, err := times.Parse(line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
