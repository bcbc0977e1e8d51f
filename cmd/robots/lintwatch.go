package main

import (
	"bufio"
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
)

// watchEvery is the time between two looks at the files. Events of the file system would
// arrive earlier, but are missing on network drives and in some containers, and looking
// at a few files costs nothing.
const watchEvery = 500 * time.Millisecond

// watch checks the arguments, and checks them again when a file has changed, until the
// context ends. It calls wait between two looks at the files.
func (l *lintFlags) watch(ctx context.Context, t *term.Terminal, args []string, wait func(context.Context)) error {
	for {
		out := bufio.NewWriterSize(t.Out, 1<<16)
		settings, err := l.settings(t)
		var before fileStates
		if err == nil {
			before = l.states(args, settings)
			err = l.check(ctx, t, out, args, settings)
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case out.Flush() != nil:
			return err
		case err != nil && !errors.Is(err, errFound) && !errors.Is(err, errShown):
			t.PrintError(err)
		}
		t.Note("waiting for changes; Ctrl-C ends")
		after := before
		for maps.Equal(before, after) {
			if wait(ctx); ctx.Err() != nil {
				return nil
			}
			if settings == nil { // --config names a file with an error
				break
			}
			after = l.states(args, settings)
		}
		if name := changed(before, after); name != "" {
			t.Note("%s has changed", term.Source(name))
		}
	}
}

func sleep(ctx context.Context) {
	timer := time.NewTimer(watchEvery)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// fileState has the properties that show a change of a file.
type fileState struct {
	size     int64
	modified time.Time
}

type fileStates map[string]fileState

// states returns the states of the files that arguments name, of their settings files,
// and of those that flags name.
func (l *lintFlags) states(args []string, settings *lintconfig.Finder) fileStates {
	states := make(fileStates)
	add := func(name string) {
		state := fileState{}
		if info, err := os.Stat(name); err == nil {
			state = fileState{info.Size(), info.ModTime()}
		}
		states[name] = state
	}
	for name, err := range filesOf(args, l.exclude, settings) {
		if err == nil {
			settings.Excludes(name) // so that Names has its settings file
		}
		add(name)
	}
	for _, name := range settings.Names() {
		add(name)
	}
	for _, name := range []string{l.configFile, l.baseline} {
		if name != "" {
			add(name)
		}
	}
	return states
}

// changed returns the first name, in lexical order, whose state differs.
func changed(before, after fileStates) string {
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if state, known := before[name]; !known || state != after[name] {
			return name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, found := after[name]; !found {
			return name
		}
	}
	return ""
}
