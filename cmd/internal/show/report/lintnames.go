package report

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/origin"
)

// Severities are the names of the severities, the highest first.
func Severities() []string { return []string{"error", "warning", "info", "off"} }

// Profiles returns the names of the profiles, the default first.
func Profiles() (names []string) {
	for _, p := range lint.Profiles() {
		names = append(names, p.String())
	}
	return names
}

// ProfileNamed returns the profile with a name, ignoring case. An error suggests the
// closest name.
func ProfileNamed(text string) (p lint.Profile, err error) {
	if err = p.UnmarshalText([]byte(text)); err != nil {
		err = unknownValue(err, text, Profiles())
	}
	return p, err
}

// SeverityNamed returns the severity with a name, ignoring case. An error suggests the
// closest name.
func SeverityNamed(text string) (s lint.Severity, err error) {
	if err = s.UnmarshalText([]byte(text)); err != nil {
		err = unknownValue(err, text, Severities())
	}
	return s, err
}

// CodeNamed returns the code of a kind of finding, given by its code or name, ignoring
// case. An error suggests the closest one.
func CodeNamed(text string) (lint.Code, error) {
	if e, ok := lint.Named(text); ok {
		return e.Code, nil
	}
	var known []string
	for _, e := range lint.Catalogue() {
		known = append(known, e.Name)
	}
	err := fmt.Errorf("there is no code %q; --list lists them", text)
	if near := term.Closest(strings.ToLower(text), known); near != "" {
		err = fmt.Errorf("there is no code %q; did you mean %s?", text, near)
	}
	return "", err
}

// ServedAt returns a URL unchanged if a file can be served there. Otherwise it returns
// an error.
func ServedAt(text string) (string, error) {
	if _, err := origin.Of(text); err != nil {
		return "", errors.New(term.Printable(err))
	}
	return text, nil
}

// unknownValue adds the closest known value to an error.
func unknownValue(err error, text string, known []string) error {
	if near := term.Closest(strings.ToLower(text), known); near != "" {
		return fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return err
}
