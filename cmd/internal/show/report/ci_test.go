package report_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
)

// gitLabSchema is the form that GitLab documents for a Code Quality report, under
// "Code Quality report format": an array of objects with five required fields. GitLab
// publishes no schema of it.
const gitLabSchema = `{
	"type": "array",
	"items": {
		"type": "object",
		"required": ["description", "check_name", "fingerprint", "severity", "location"],
		"properties": {
			"description": {"type": "string", "minLength": 1},
			"check_name": {"type": "string", "minLength": 1},
			"fingerprint": {"type": "string", "minLength": 1},
			"severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
			"location": {
				"type": "object",
				"required": ["path", "lines"],
				"properties": {
					"path": {"type": "string", "pattern": "^[^/.]"},
					"lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}}
				}
			}
		}
	}
}`

// badFiles are the bad examples of all findings.
func badFiles() (files []*report.File, found int) {
	for i, e := range lint.Catalogue() {
		f := &report.File{Name: fmt.Sprintf("./a b/%d.txt", i), Body: []byte(e.Bad), Report: lint.Inspect([]byte(e.Bad), e.Example)}
		files, found = append(files, f), found+len(f.Findings)
	}
	return files, found
}

func TestGitLab(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(gitLabSchema))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("gitlab.json", value); err != nil {
		t.Fatal(err)
	}
	schema := compiler.MustCompile("gitlab.json")
	files, found := badFiles()
	for name, list := range map[string][]*report.File{"all": files, "none": nil} {
		text := printed(t, report.GitLab, list...)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %v in\n%.300s", name, err, text)
		}
		var issues []struct{ Fingerprint string }
		if err := json.Unmarshal([]byte(text), &issues); err != nil {
			t.Fatal(err)
		}
		seen := make(map[string]bool)
		for _, issue := range issues {
			seen[issue.Fingerprint] = true
		}
		if want := map[bool]int{true: found}[list != nil]; len(issues) != want || len(seen) != want {
			t.Errorf("%s: %d issues with %d fingerprints, want %d", name, len(issues), len(seen), want)
		}
	}
}

// TestGitLabFingerprint: it stays the same if lines are added before the finding.
func TestGitLabFingerprint(t *testing.T) {
	fingerprint := func(body string) string {
		f := &report.File{Name: "robots.txt", Body: []byte(body), Report: lint.Inspect([]byte(body), lint.Config{})}
		for i, finding := range f.Findings {
			if finding.Code == "RX202" {
				f.Findings = f.Findings[i : i+1]
				break
			}
		}
		var issues []struct{ Fingerprint string }
		if err := json.Unmarshal([]byte(printed(t, report.GitLab, f)), &issues); err != nil || len(issues) != 1 {
			t.Fatalf("%d issues, %v", len(issues), err)
		}
		return issues[0].Fingerprint
	}
	before, moved, other := fingerprint("User-agent: *\nDisallow: a/\n"), fingerprint("# x\n\nUser-agent: *\nDisallow: /b/\n  Disallow: a/\n"), fingerprint("User-agent: *\nDisallow: b/\n")
	if before != moved || before == other {
		t.Errorf("got %s, moved %s, on another line %s", before, moved, other)
	}
}

// TestJUnit reads a report back. Its types are not those that write it.
func TestJUnit(t *testing.T) {
	files, found := badFiles()
	warnings := 0
	for _, f := range files {
		f.Fails = func(s lint.Severity) bool { return s >= lint.Warning }
		for _, finding := range f.Findings {
			if finding.Severity >= lint.Warning {
				warnings++
			}
		}
	}
	files = append(files, &report.File{Name: "fine\x1b.txt"})
	var r struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
				Output  string    `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	text := printed(t, report.JUnit, files...)
	if err := xml.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	cases, outputs := 0, 0
	for _, s := range r.Suites {
		cases += len(s.Cases)
		for _, c := range s.Cases {
			if c.Output != "" {
				outputs++
			}
			if c.Name == "" || c.Output != "" && c.Failure != nil {
				t.Errorf("%s: %+v", s.Name, c)
			}
		}
	}
	clean := 1 // some examples have no finding in their bodies
	for _, f := range files[:len(files)-1] {
		if len(f.Findings) == 0 {
			clean++
		}
	}
	if want := found + clean + 1; r.Tests != want || cases != want || r.Failures != warnings || r.Errors != 1 ||
		outputs != found-warnings || warnings == 0 {
		t.Errorf("%d tests, %d cases, %d failures, %d errors, %d with output: want %d tests, %d failures", r.Tests, cases, r.Failures, r.Errors, outputs, want, warnings)
	}
	if strings.Contains(text, "\x1b") {
		t.Error("the report has a control character")
	}
}

// TestOmitted: no format hides that there are more findings.
func TestOmitted(t *testing.T) {
	body := []byte("User-agent: *\n" + strings.Repeat("Disallow: a/\n", 150))
	f := &report.File{Name: "robots.txt", Body: body, Report: lint.Inspect(body, lint.Config{MaxPerCode: 100})}
	// Of the second code nothing is shown.
	body = []byte("User-agent: *\nDisallow: a/\nNoindex: /x\n")
	none := &report.File{Name: "robots.txt", Body: body, Report: lint.Inspect(body, lint.Config{MaxFindings: 1})}
	for _, format := range report.Formats() {
		for n, f := range map[int]*report.File{50: f, 1: none} {
			text := printed(t, report.Format(format), f)
			want := map[int]string{50: "and 50 more", 1: "1 finding"}[n]
			if format == string(report.JSON) {
				want = fmt.Sprintf(`"omitted":%d`, n)
			}
			if !strings.Contains(text, want) {
				t.Errorf("%s does not contain %q:\n%.500s", format, want, text)
			}
		}
	}
}
