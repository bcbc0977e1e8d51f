package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
	"github.com/kosterhq/robotstxt/internal/test/localnames"
	"github.com/rogpeppe/go-internal/testscript"
)

// programs are what this test is when it is started under another name.
var programs = map[string]func(){"robots": checkedMain}

func TestMain(m *testing.M) {
	localnames.Use() // in the programs that the scenarios start, too
	testscript.Main(waiting{m}, programs)
}

// waiting runs tests, twice as many at once as there are processors unless the command line says how many: most wait,
// for a process, a server or the disk.
type waiting struct{ *testing.M }

func (w waiting) Run() int {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
	}
	return w.M.Run()
}

// TestScript runs testdata/script, where each file is one scenario. Every
// scenario finds testdata/shop.robots.txt in its directory, and those that
// fetch find sites, see withSites.
func TestScript(t *testing.T) {
	t.Parallel()
	shop := read(t, filepath.Join("testdata", "shop.robots.txt"))
	hangup := "HUP"
	if signal.Ignored(syscall.SIGHUP) { // as after nohup, and every process of a scenario inherits that
		t.Log("NOT TESTED: SIGHUP is ignored here, so services are ended by SIGTERM")
		hangup = "TERM"
	}
	checkedLines := filepath.Join(t.TempDir(), "lines")
	t.Cleanup(func() { reportCheckedLines(t, checkedLines) })
	endOld(t, checkedLinesVar+"="+checkedLines, longestRun)
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

// endOld ends processes that have a variable in their environment, whatever started them, and have run for a
// time, until a test ends, and fails it. Systems without /proc have only the limit of checkedMain.
func endOld(t testing.TB, variable string, limit time.Duration) {
	done := make(chan struct{})
	var ended sync.WaitGroup
	t.Cleanup(func() { close(done); ended.Wait() })
	ended.Go(func() {
		seen := map[string]time.Time{}
		for {
			select {
			case <-done:
				return
			case <-time.After(limit / 20):
			}
			alive := map[string]time.Time{}
			folders, _ := filepath.Glob("/proc/[0-9]*")
			for _, folder := range folders {
				variables, _ := os.ReadFile(filepath.Join(folder, "environ"))
				if !slices.Contains(strings.Split(string(variables), "\x00"), variable) {
					continue
				}
				began, ok := seen[folder]
				if !ok {
					began = time.Now()
				}
				alive[folder] = began
				if time.Since(began) < limit {
					continue
				}
				command, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
				pid, _ := strconv.Atoi(filepath.Base(folder))
				if process, err := os.FindProcess(pid); err == nil && len(command) > 0 {
					t.Errorf("a process has run for %v, and is killed: %q", limit, strings.Split(string(command), "\x00"))
					_ = process.Kill()
					alive[folder] = time.Now().Add(time.Minute) // it is told once, even if its end takes a moment
				}
			}
			seen = alive
		}
	})
}

// TestEndOld: no program of a scenario outlives the limit, even if it is not a child of the tests any more, and holds
// the output that they read.
func TestEndOld(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("NOT TESTED: there is no /proc")
	}
	variable := checkedLinesVar + "=" + t.TempDir()
	failed := &failures{TB: t}
	endOld(failed, variable, 200*time.Millisecond)
	sleep := exec.Command("sh", "-c", "(sleep 500 &) ; exec sleep 500")
	sleep.Env = append(os.Environ(), variable)
	if out, err := sleep.CombinedOutput(); err == nil {
		t.Errorf("it ends, and prints %q", out)
	}
	if failed.count.Load() != 2 {
		t.Errorf("%d failures", failed.count.Load())
	}
}

// failures counts the failures of a test instead of reporting them.
type failures struct {
	testing.TB
	count atomic.Int64
}

func (f *failures) Errorf(string, ...any) { f.count.Add(1) }

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
