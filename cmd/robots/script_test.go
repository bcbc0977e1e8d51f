package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/localnames"
	"github.com/rogpeppe/go-internal/testscript"
)

// programs are what this test is when it is started under another name.
var programs = map[string]func(){"robots": checkedMain}

func TestMain(m *testing.M) {
	localnames.Use() // in the programs that the scenarios start, too
	testscript.Main(m, programs)
}

// TestScript runs testdata/script, where each file is one scenario. Every
// scenario finds testdata/shop.robots.txt in its directory, and those that
// fetch find sites, see withSites.
func TestScript(t *testing.T) {
	shop := read(t, filepath.Join("testdata", "shop.robots.txt"))
	hangup := "HUP"
	if signal.Ignored(syscall.SIGHUP) { // as after nohup, and every process of a scenario inherits that
		t.Log("NOT TESTED: SIGHUP is ignored here, so services are ended by SIGTERM")
		hangup = "TERM"
	}
	checkedLines := filepath.Join(t.TempDir(), "lines")
	t.Cleanup(func() { reportCheckedLines(t, checkedLines) })
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "asked": asked, "requested": requested, "credentials": sentCredentials, "step": runStep,
			"revision": setRevision, "hook": runHook,
		},
		Setup: func(env *testscript.Env) error {
			withSites(env, []byte(shop))
			env.Setenv(checkedLinesVar, checkedLines)
			env.Setenv("HANGUP", hangup)
			// Where the cache of the user is, which no test may touch.
			for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
				env.Setenv(name, filepath.Join(env.WorkDir, ".user"))
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "shop.robots.txt"), []byte(shop), 0o644)
		},
	})
}

// exits is a script command, "exits CODE robots ARGS...": it runs a program as
// exec does, and wants exactly that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := (*exec.ExitError)(nil)
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
	for _, name := range []string{"stdout", "stderr"} {
		if strings.Contains(ts.ReadFile(name), "SECRET") { // what scripts have as a password
			ts.Fatalf("%s shows a password", name)
		}
	}
}
