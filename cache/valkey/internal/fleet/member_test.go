package fleet_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/fetch"
)

// memberEnv makes the test binary a member of a fleet. Its value is a task.
const memberEnv = "ROBOTSTXT_FLEET_MEMBER"

func TestMain(m *testing.M) {
	if text := os.Getenv(memberEnv); text != "" {
		if err := work(text, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "member:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// task configures a member.
type task struct {
	Member    int
	Addresses []string // of the store
	Port      int      // of the site
	// Timeout is for calls of the store, 0 for the default.
	Timeout time.Duration
}

// question is a line that a member reads: an origin and a number of concurrent
// callers.
type question struct {
	Origin, Callers int
	At              time.Time
}

// line is a line that a member writes: first that it is ready, then an answer
// for each caller, and at the end the statistics of its store.
type line struct {
	Ready  bool          `json:",omitempty"`
	Answer *answer       `json:",omitempty"`
	Stats  *valkey.Stats `json:",omitempty"`
}

type answer struct {
	Origin, Owner int
	Allowed       bool
	Source        string
	Error         string `json:",omitempty"`
	Took          time.Duration
}

// work runs a member. It ends when its input ends, and therefore with the test.
func work(text string, in io.Reader, out io.Writer) error {
	var assigned task
	if err := json.Unmarshal([]byte(text), &assigned); err != nil {
		return err
	}
	ctx := context.Background()
	store, err := valkey.Open(ctx, valkey.Config{Addresses: assigned.Addresses, Timeout: assigned.Timeout})
	if err != nil {
		return err
	}
	defer store.Close()
	client, err := fetch.New(fetch.Config{
		UserAgent: userAgent(assigned.Member), AllowPrivate: true,
		Store: store, StoreTimeout: assigned.Timeout,
	})
	if err != nil {
		return err
	}
	defer client.Close()
	if err := waitFor(ctx, store); err != nil {
		return err
	}

	var writing sync.Mutex
	lines := json.NewEncoder(out)
	write := func(l line) {
		writing.Lock()
		defer writing.Unlock()
		_ = lines.Encode(l) // fails only if the test has ended
	}
	write(line{Ready: true})

	var callers sync.WaitGroup
	input := bufio.NewScanner(in)
	for input.Scan() {
		var q question
		if err := json.Unmarshal(input.Bytes(), &q); err != nil {
			return err
		}
		for i := range q.Callers {
			callers.Go(func() {
				time.Sleep(time.Until(q.At))
				write(line{Answer: ask(ctx, client, q.Origin, q.Origin+i%2, assigned.Port)})
			})
		}
	}
	callers.Wait()
	stats := store.Stats()
	write(line{Stats: &stats})
	return input.Err()
}

// waitFor waits until the store answers, so that the start of many processes
// does not affect the test.
func waitFor(ctx context.Context, store cache.Store) error {
	for deadline := time.Now().Add(startTimeout); ; time.Sleep(10 * time.Millisecond) {
		_, err := store.Get(ctx, "ready")
		if errors.Is(err, cache.ErrNotFound) {
			return nil
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}

func ask(ctx context.Context, client *fetch.Client, origin, owner, port int) *answer {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	began := time.Now()
	d, err := client.Decide(ctx, urlOf(origin, owner, port))
	a := &answer{Origin: origin, Owner: owner, Took: time.Since(began)}
	if err != nil {
		a.Error = err.Error()
		return a
	}
	a.Allowed, a.Source = d.Allowed, d.Result.Source.String()
	return a
}

const (
	startTimeout = 30 * time.Second
	patience     = 40 * time.Second // of a caller: more than a fetch may take
)

// member is a process of a fleet, as the test uses it.
type member struct {
	process   *exec.Cmd
	input     io.WriteCloser
	lines     *json.Encoder // to input
	ready     chan struct{}
	ended     chan struct{} // when its last line has been read
	killed    bool
	questions int // answers that it must give
	stats     *valkey.Stats
}

// fleet is a number of members that share a store, and their site.
type fleet struct {
	t       *testing.T
	site    *site
	members []*member

	mu      sync.Mutex
	answers [][]answer // by member
}

// startFleet starts members. Timeout is that of the store, 0 for the default.
func startFleet(t *testing.T, size int, s *site, timeout time.Duration, addresses ...string) *fleet {
	t.Helper()
	f := &fleet{t: t, site: s, answers: make([][]answer, size)}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for i := range size {
		text, err := json.Marshal(task{i, addresses, s.port, timeout})
		if err != nil {
			t.Fatal(err)
		}
		m := &member{process: exec.Command(binary), ready: make(chan struct{}), ended: make(chan struct{})}
		m.process.Env = append(os.Environ(), memberEnv+"="+string(text))
		m.process.Stderr = os.Stderr
		output, err := m.process.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if m.input, err = m.process.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		m.lines = json.NewEncoder(m.input)
		if err := m.process.Start(); err != nil {
			t.Fatal(err)
		}
		f.members = append(f.members, m)
		t.Cleanup(func() {
			_ = m.process.Process.Kill() // it may have ended
			<-m.ended
			_ = m.process.Wait() // in case wait was not called
		})
		go f.read(i, m, output)
	}
	for i, m := range f.members {
		select {
		case <-m.ready:
		case <-m.ended:
			t.Fatalf("member %d ended instead of starting", i)
		case <-time.After(2 * startTimeout):
			t.Fatalf("member %d is not ready", i)
		}
	}
	return f
}

func (f *fleet) read(i int, m *member, output io.Reader) {
	defer close(m.ended)
	for lines := json.NewDecoder(output); ; {
		var l line
		err := lines.Decode(&l)
		f.mu.Lock()
		if err != nil { // it has ended; its missing answers are counted
			if !m.killed && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
				f.t.Errorf("member %d: %v", i, err)
			}
			f.mu.Unlock()
			return
		}
		switch {
		case l.Ready:
			close(m.ready)
		case l.Answer != nil:
			f.answers[i] = append(f.answers[i], *l.Answer)
		case l.Stats != nil:
			m.stats = l.Stats
		}
		f.mu.Unlock()
	}
}

// ask sends a question to a member.
func (f *fleet) ask(i int, q question) {
	m := f.members[i]
	if err := m.lines.Encode(q); err != nil {
		f.t.Errorf("member %d: %v", i, err)
	}
	m.questions += q.Callers
}

// kill ends a member with SIGKILL. Its missing answers are not counted.
func (f *fleet) kill(i int) {
	m := f.members[i]
	f.mu.Lock()
	m.killed = true
	f.mu.Unlock()
	if err := m.process.Process.Kill(); err != nil {
		f.t.Error(err)
	}
}

// wait lets all members finish, and reads their last lines.
func (f *fleet) wait() {
	f.t.Helper()
	timeout := time.After(patience + 20*time.Second)
	for _, m := range f.members {
		_ = m.input.Close() // already closed for a killed member
	}
	for i, m := range f.members {
		select {
		case <-m.ended:
		case <-timeout:
			f.t.Fatalf("member %d does not end", i)
		}
		// The exit status also reports panics and data races.
		if err := m.process.Wait(); err != nil && !m.killed {
			f.t.Errorf("member %d ended: %v", i, err)
		}
	}
}
