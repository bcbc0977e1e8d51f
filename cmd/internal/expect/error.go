package expect

import (
	"fmt"
	"strconv"
)

// Problem is the kind of an Error.
type Problem int

// The problems.
const (
	BadSyntax    Problem = iota + 1 // Err is a *conformance.SyntaxError, which has the location
	HasRobots                       // a vector contains its robots.txt, so that Instead does not apply
	NoFile                          // there is no robots.txt at the path
	Unreadable                      // Err is that of ReadFile
	BadURL                          // the URL has no valid host; Err is the reason
	NotRobotsURL                    // crawlers do not request a robots.txt at the URL
	OtherSite                       // another robots.txt governs the URL of a check
	HasPassword                     // the URL of a robots.txt has a user name or password
)

// Error is the reason why expectations cannot be run.
type Error struct {
	Problem   Problem
	File      string // of expectations, "" if the error has no location in one
	FileLine  int    // from 1, 0 without File
	Name      string // the path or URL that the problem is about
	RobotsURL string // the one to use instead, for NotRobotsURL, or in a separate file, for OtherSite
	Named     string // the robots.txt that the file names, for OtherSite
	Err       error  // the cause, nil if there is none
}

// Error returns the location and the problem. Names may contain any bytes.
func (e *Error) Error() string {
	if e.File == "" {
		return e.text()
	}
	return e.File + ":" + strconv.Itoa(e.FileLine) + ": " + e.text()
}

func (e *Error) text() string {
	switch e.Problem {
	case HasRobots:
		return fmt.Sprintf("%q is a vector, which contains its robots.txt", e.Name)
	case NoFile:
		return fmt.Sprintf("there is no file %q", e.Name)
	case NotRobotsURL:
		return fmt.Sprintf("crawlers do not request a robots.txt at %q", e.Name)
	case HasPassword:
		return fmt.Sprintf("%q has a user name or password, which a file of expectations must not contain", e.Name)
	case OtherSite:
		return fmt.Sprintf("%s is not governed by %s", e.Name, e.Named)
	default:
		return e.Err.Error()
	}
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
