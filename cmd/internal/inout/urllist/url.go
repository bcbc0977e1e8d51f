package urllist

import (
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/origin"
)

// The reasons why a text is not a URL.
const (
	notURL   = "not a URL"
	noHost   = "a path without a host"
	noScheme = "a host without a scheme"
	badHost  = "not a valid URL"
)

var hints = map[string]string{
	notURL:   "a URL begins with https:// or http://, a path with /",
	noHost:   "--site https://shop.example sets the host of paths",
	noScheme: "--site https://shop.example sets the scheme; a path begins with one slash",
}

// Problem returns the reason why a text is neither a URL nor a path, and a hint. For a URL
// or a path the reason is "".
func Problem(text string) (problem, hint string) {
	paths := List{Config: Config{Paths: true}}
	_, problem = paths.urlOf(text)
	return problem, hints[problem]
}

// urlOf reads a text as a URL, or as a path, which it joins with the site. If the text is
// neither, problem is the reason.
func (l *List) urlOf(text string) (url, problem string) {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, "/"):
		return l.joined(text)
	case !accesslog.HasScheme(text):
		return "", notURL
	}
	if _, err := origin.Of(text); err != nil {
		return "", badHost
	}
	return text, ""
}

func (l *List) joined(path string) (url, problem string) {
	isHost := strings.HasPrefix(path, "//")
	if isHost {
		if _, err := origin.Of("https:" + path); err != nil {
			return "", badHost
		}
	}
	switch {
	case l.Site != "" && isHost:
		scheme, _, _ := strings.Cut(l.Site, "//")
		return scheme + path, ""
	case l.Site != "":
		return l.Site + path, ""
	case l.Paths:
		return path, ""
	case isHost:
		return "", noScheme
	default:
		return "", noHost
	}
}

// TypedError returns a *LineError with the same words as for a line if a text as typed is neither a URL nor a path.
func TypedError(text string) error {
	problem, hint := Problem(text)
	if problem == "" {
		return nil
	}
	return &LineError{Problem: quote(text) + ": " + problem, Hint: hint}
}

func isURL(text string) bool {
	_, problem := new(List).urlOf(text)
	return problem == ""
}

func quote(text string) string {
	text = origin.Text(text).Given() // before it is cut, because an @ can end a password
	return `"` + term.Clip(term.Escape(text[:min(len(text), 200)]), 60) + `"`
}
