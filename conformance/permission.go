package conformance

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// PermissionFormat is the version of the format of permission cases.
const PermissionFormat = 1

// PermissionCase contains the signals of a site about a URL, and the expected answers about its
// use. README.md describes the fields. Texts are lists of lines, which Text joins.
type PermissionCase struct {
	Name    string `json:"name"`
	Clause  string `json:"clause"`
	Note    string `json:"note"`
	Reading bool   `json:"reading"` // no specification decides: an implementation can differ

	URL     string `json:"url"`
	Crawler string `json:"crawler"` // a product token, or "*"
	Time    string `json:"time"`    // RFC 3339, or empty

	Robots    []string            `json:"robots"`    // nil: the site has no such file
	Header    [][2]string         `json:"header"`    // name and value of each line of the response
	HTML      []string            `json:"html"`      // nil: the response is not a web page
	TDMRep    []string            `json:"tdmrep"`    // nil: the site has no such file
	Documents map[string][]string `json:"documents"` // RSL documents by URL; nil: the site has none there
	NotGiven  []string            `json:"not_given"` // of robots, header, html, tdmrep, documents: not known

	Want        map[string]string   `json:"want"`        // the verdict for each purpose that is checked
	Provisional []string            `json:"provisional"` // the purposes whose verdict is provisional
	Deciding    map[string]string   `json:"deciding"`    // the place of the deciding reason, see PermissionAnswer
	Conflicts   map[string][]string `json:"conflicts"`   // "within" or "across" for each conflict
	Limits      map[string][]string `json:"limits"`      // the texts of limits
	Findings    []string            `json:"findings"`    // the purposes for which a signal without effect is reported
}

// Text joins the lines of a text. Each ends in a line feed.
func (*PermissionCase) Text(lines []string) []byte { return joined(lines) }

func joined(lines []string) []byte {
	if len(lines) == 0 {
		return nil
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// PermissionAnswer is the answer of an implementation for one purpose. Place is where the
// deciding reason is: "line 4" of robots.txt, "header X-Robots-Tag 0" with the index of the
// line, "offset 12" of the page, "pointer /0" of another document; empty if it is not known.
type PermissionAnswer struct {
	Verdict     string
	Provisional bool
	Place       string
	Conflicts   []string
	Limits      []string
	Findings    bool
}

//go:embed permission/*.json
var permissionFiles embed.FS

// PermissionCases returns the permission cases of this package. Names are unique. Each call
// reads them again, so a caller can change the result.
func PermissionCases() (cases []PermissionCase, err error) {
	err = fs.WalkDir(permissionFiles, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := permissionFiles.ReadFile(file)
		if err != nil {
			return err
		}
		of, err := casesIn[PermissionCase](file, text, PermissionFormat)
		cases = append(cases, of...)
		return err
	})
	return cases, err
}

func casesIn[Case any](file string, text []byte, format int) ([]Case, error) {
	var of struct {
		Format int    `json:"format"`
		Cases  []Case `json:"cases"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&of); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if of.Format != format {
		return nil, fmt.Errorf("%s: format %d is not %d, the only one known", file, of.Format, format)
	}
	return of.Cases, nil
}

// RunPermission calls impl for each purpose of each case, and returns a line for each
// difference.
func RunPermission(impl func(c *PermissionCase, purpose string) PermissionAnswer,
	cases []PermissionCase) (failures []string) {
	for i := range cases {
		c := &cases[i]
		for purpose, verdict := range c.Want {
			got := impl(c, purpose)
			differ := func(what string, got, want any) {
				failures = append(failures, fmt.Sprintf("%s: [%s] %s: %s: %s: expected %v, got %v", c.Name, c.Clause, c.Note, purpose, what, want, got))
			}
			if got.Verdict != verdict {
				differ("verdict", got.Verdict, verdict)
			}
			if want := slices.Contains(c.Provisional, purpose); got.Provisional != want {
				differ("provisional", got.Provisional, want)
			}
			if want := c.Deciding[purpose]; want != "" && got.Place != "" && got.Place != want {
				differ("deciding", got.Place, want)
			}
			if want := c.Conflicts[purpose]; !slices.Equal(got.Conflicts, want) {
				differ("conflicts", got.Conflicts, want)
			}
			if want := c.Limits[purpose]; !slices.Equal(got.Limits, want) {
				differ("limits", got.Limits, want)
			}
			if want := slices.Contains(c.Findings, purpose); got.Findings != want {
				differ("findings", got.Findings, want)
			}
		}
	}
	slices.Sort(failures)
	return failures
}
