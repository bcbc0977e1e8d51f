package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// gitHubReport prints findings as the annotations of a GitHub workflow: commands on
// lines that begin with "::".
type gitHubReport struct{ out *bufio.Writer }

var gitHubLevels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "notice"}

func (r gitHubReport) File(in *File) error {
	lines := places.Of(in.Body)
	for i := range in.Findings {
		f := &in.Findings[i]
		title := string(f.Code) + " " + entryOf(f.Code).Name
		message := term.Escape(f.Message)
		properties := "title=" + gitHubProperty(title)
		if path, ok := repositoryPath(in.Name); ok {
			properties = "file=" + gitHubProperty(term.Escape(path)) + gitHubPlace(lines, f) + "," + properties
		} else {
			// Annotations exist only for files of the repository.
			message = fmt.Sprintf("%s:%d:%d: %s", term.Source(in.Name), f.Line, f.Column, message)
		}
		fmt.Fprintf(r.out, "::%s %s::%s\n", gitHubLevels[f.Severity], properties, gitHubData(message))
	}
	for _, c := range in.Counts {
		if c.Omitted > 0 {
			fmt.Fprintf(r.out, "::notice title=%s::%s\n", gitHubProperty(string(c.Code)+" "+entryOf(c.Code).Name),
				gitHubData(term.Source(in.Name)+": "+omitted(c)))
		}
	}
	return writeError(r.out)
}

func (gitHubReport) End(bool, []error) error { return nil }

// Annotate prints an annotation of a GitHub workflow about a line of a file. Line 0 means the
// whole file, and an empty name the run. The message is escaped text.
func Annotate(out *bufio.Writer, level, name string, line int, title, message string) {
	properties := "title=" + gitHubProperty(title)
	if path, ok := repositoryPath(name); ok && name != "" {
		place := ""
		if line > 0 {
			place = fmt.Sprintf(",line=%d", line)
		}
		properties = "file=" + gitHubProperty(term.Escape(path)) + place + "," + properties
	} else if name != "" {
		message = term.Source(name) + ": " + message
	}
	fmt.Fprintf(out, "::%s %s::%s\n", level, properties, gitHubData(message))
}

// gitHubPlace returns the location of a finding. GitHub uses columns only if it is
// within one line.
func gitHubPlace(lines *places.Places, f *lint.Finding) string {
	start, end := lines.Position(f.Start), lines.Position(f.End)
	text := fmt.Sprintf(",line=%d,endLine=%d", f.Line, max(f.Line, end.Line))
	if start.Line == end.Line {
		text += fmt.Sprintf(",col=%d,endColumn=%d", start.Column, end.Column)
	}
	return text
}

// The rules of GitHub's runner: bytes that would end a message or a property, and
// percent signs, are written as percent codes.
var (
	gitHubDataCodes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	gitHubPropertyCodes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func gitHubData(text string) string { return gitHubDataCodes.Replace(text) }

func gitHubProperty(text string) string { return gitHubPropertyCodes.Replace(text) }
