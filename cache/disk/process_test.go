package disk_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/disk"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
)

// The test binary is also the program of the child processes.
const childVariable = "ROBOTSTXT_DISK_CHILD" // "number puts start directory"

func TestMain(m *testing.M) {
	if job := os.Getenv(childVariable); job != "" {
		if err := child(job); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			os.Exit(childFailed)
		}
		return
	}
	os.Exit(m.Run())
}

// childFailed is the exit status of a child that fails. One that is killed has another one.
const childFailed = 3

// processes use a store at the same time.
var processes = func() int {
	if longTests() {
		return 8
	}
	return 4
}()

const (
	childRoutines = 8
	sharedKeys    = 32
	ownKeys       = 400
)

// childKey returns the nth key of a child. One in five is common to all
// children.
func childKey(number, n int) string {
	if n%5 == 0 {
		return fmt.Sprintf("https://shared-%d.example:443", n/5%sharedKeys)
	}
	return fmt.Sprintf("https://%d.of.%d.example:443", n%ownKeys, number)
}

// child puts a number of entries, or entries without end for 0, from several
// goroutines. It prints each stored entry, and also reads them. The times begin
// at start.
func child(job string) error {
	var number, puts int
	var start int64
	var dir string
	if _, err := fmt.Sscan(job, &number, &puts, &start, &dir); err != nil {
		return err
	}
	time.Sleep(time.Until(time.Unix(0, start)))
	ctx := context.Background()
	s, err := disk.Open(ctx, disk.Config{Dir: dir})
	if err == nil {
		err = s.Degraded()
	}
	if err != nil {
		return err
	}
	defer s.Close()
	var wg sync.WaitGroup
	errs := make([]error, childRoutines)
	for i := range childRoutines {
		wg.Go(func() {
			for n := i; errs[i] == nil && (puts == 0 || n < puts); n += childRoutines {
				errs[i] = childPut(ctx, s, childKey(number, n))
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func childPut(ctx context.Context, s *disk.Store, key string) error {
	e := newEntry(key, time.Now())
	stored, err := s.PutIfNewer(ctx, key, e)
	if err != nil {
		return err
	}
	if stored {
		// A single write to a pipe is atomic.
		os.Stdout.WriteString("stored " + key + " " + strconv.FormatInt(e.FetchedAt.UnixNano(), 10) + "\n")
	}
	got, err := s.Get(ctx, key)
	if errors.Is(err, cache.ErrNotFound) && os.Getenv(childVariable+"_DAMAGE") != "" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return wrong(key, got)
}

// family is a number of children that run concurrently.
type family struct {
	t        *testing.T
	children []*exec.Cmd
	readers  sync.WaitGroup
	first    chan struct{} // one element for each child that has stored something or has ended

	mu    sync.Mutex
	acked map[string]int64 // newest time at which each key was stored
	acks  int
}

// startFamily starts the children. They open the store at the same time.
func startFamily(t *testing.T, dir string, puts int, environment ...string) *family {
	t.Helper()
	f := &family{t: t, acked: make(map[string]int64), first: make(chan struct{}, processes)}
	start := time.Now().Add(150 * time.Millisecond).UnixNano()
	for number := range processes {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %d %s", childVariable, number, puts, start, dir))
		c.Env = append(c.Env, environment...)
		c.Stderr = t.Output()
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		f.children = append(f.children, c)
		f.readers.Go(func() { f.read(out) })
	}
	return f
}

func (f *family) read(out io.Reader) {
	hasStored := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			f.t.Errorf("a child says %q", lines.Text())
			continue
		}
		at, _ := strconv.ParseInt(fields[2], 10, 64)
		f.mu.Lock()
		f.acks++
		f.acked[fields[1]] = max(f.acked[fields[1]], at)
		f.mu.Unlock()
		if !hasStored {
			hasStored = true
			f.first <- struct{}{}
		}
	}
	if !hasStored {
		f.first <- struct{}{}
	}
}

// wait waits until all children have ended.
func (f *family) wait() {
	f.t.Helper()
	f.readers.Wait()
	for i, c := range f.children {
		if err := c.Wait(); err != nil {
			f.t.Errorf("child %d: %v", i, err)
		}
	}
}

// kill kills all children with SIGKILL. None may have failed before.
func (f *family) kill() {
	f.t.Helper()
	for _, c := range f.children {
		c.Process.Kill()
	}
	f.readers.Wait()
	for i, c := range f.children {
		if c.Wait(); c.ProcessState.ExitCode() == childFailed {
			f.t.Errorf("child %d failed", i)
		}
	}
}

// verify checks that each acknowledged entry is present or replaced by a newer
// one, and that all entries are correct. It returns the time that opening the
// store took.
func (f *family) verify(dir string) time.Duration {
	t := f.t
	t.Helper()
	began := time.Now()
	s, err := disk.Open(context.Background(), disk.Config{Dir: dir})
	took := time.Since(began)
	if err == nil {
		err = s.Degraded()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for key, at := range f.acked {
		e, err := s.Get(context.Background(), key)
		if err == nil && e.FetchedAt.UnixNano() < at {
			err = fmt.Errorf("from %d, and %d was acknowledged", e.FetchedAt.UnixNano(), at)
		}
		if err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	for info, err := range s.Entries(context.Background()) {
		var e cache.Entry
		if err == nil {
			e, err = s.Get(context.Background(), info.Key)
		}
		if err == nil {
			err = wrong(info.Key, e)
		}
		if err != nil {
			t.Errorf("%s: %v", info.Key, err)
		}
	}
	return took
}

func quarantined(t *testing.T, dir string) (names []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.damaged-*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestProcesses lets several processes create the store at the same time, and put
// and get in it.
func TestProcesses(t *testing.T) {
	rounds, puts := 1, 300
	if longTests() {
		rounds, puts = 20, 1000
	}
	for range rounds {
		dir := t.TempDir()
		f := startFamily(t, dir, puts)
		f.wait()
		f.verify(dir)
		if f.acks < processes*puts*4/5 {
			t.Errorf("%d puts were acknowledged, all of the %d with own keys should be", f.acks, processes*puts*4/5)
		}
		if names := quarantined(t, dir); names != nil {
			t.Errorf("%q although nothing was damaged", names)
		}
	}
}

// TestKill repeatedly kills processes that write, sometimes while they create a
// new store.
func TestKill(t *testing.T) {
	rounds, series := 3, 3 // the last round of a series has a new store
	if longTests() {
		rounds, series = 200, 5
	}
	dir, known := t.TempDir(), map[string]int64{}
	var acks int
	var slowest time.Duration
	for round := range rounds {
		isNew := round%series == series-1
		if isNew {
			dir, known = t.TempDir(), map[string]int64{}
		}
		f := startFamily(t, dir, 0)
		if isNew {
			time.Sleep(150*time.Millisecond + rand.N(100*time.Millisecond))
		} else {
			for range processes {
				<-f.first
			}
			time.Sleep(rand.N(200 * time.Millisecond))
		}
		f.kill()
		acks += f.acks
		for key, at := range f.acked {
			known[key] = at // newer than before, by the same clock
		}
		f.acked = known
		slowest = max(slowest, f.verify(dir))
		if names := quarantined(t, dir); names != nil {
			t.Errorf("%q although nothing was damaged", names)
		}
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	t.Logf("%d rounds: %d puts acknowledged, none lost; reopened in %v at most", rounds, acks, slowest)
}
