package main

import (
	"errors"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// The exit codes. Scripts rely on them: an unknown verdict is never 0 or 1.
const (
	exitAllowed    = 0 // every crawler may fetch every URL
	exitDisallowed = 1 // a crawler may not fetch a URL
	exitUnknown    = 2 // unknown: wrong usage, unreadable input

	exitInterrupted = 130 // by Ctrl-C, as shells count it
)

// errDisallowed ends a command that disallowed a URL. It is not printed.
var errDisallowed = errors.New("something is disallowed")

// errFound ends a command that has printed problems.
var errFound = errors.New("something is wrong with a file")

// errShown ends a command that has printed its errors already.
var errShown = errors.New("shown already")

// errInterrupted ends a command that Ctrl-C has ended.
var errInterrupted = term.Errorf("interrupted").Hint("the answers above are correct, but incomplete")

var endings = map[wire.Verdict]error{wire.VerdictDisallowed: errDisallowed, wire.VerdictUnknown: errShown}

// ending returns the error of a command that has found problems, or could not decide
// something: 2 takes precedence over 1.
func ending(unknown, found bool) error {
	switch {
	case unknown:
		return errShown
	case found:
		return errFound
	}
	return nil
}

// graver returns the one of two endings that decides the exit status: 2 takes precedence
// over 1, and 1 over 0.
func graver(a, b error) error {
	if a == nil || b == errShown {
		return b
	}
	return a
}
