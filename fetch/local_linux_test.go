package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/fetch"
)

// TestFewDescriptors runs a client with 64 descriptors and calls it for 300
// origins at once. Each has an address of its own in 127.0.0.0/8. Without a bound
// on fetches most of them fail on this machine; none of that may be booked to a
// site or stored, and all succeed soon after. With MaxFetches none fails.
func TestFewDescriptors(t *testing.T) {
	if port := os.Getenv("FETCH_TEST_PORT"); port != "" {
		fewDescriptors(t, port)
		return
	}
	ln, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(50 * time.Millisecond) // so that connections are open at the same time
		fmt.Fprint(w, file)
	})}
	go func() { _ = server.Serve(ln) }()
	defer server.Close()
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	for _, maxFetches := range []string{"10000", "16"} {
		child := exec.Command(os.Args[0], "-test.run=^TestFewDescriptors$", "-test.v")
		child.Env = append(os.Environ(), "FETCH_TEST_PORT="+port, "FETCH_TEST_MAX="+maxFetches)
		output, err := child.CombinedOutput()
		if err != nil {
			t.Errorf("MaxFetches %s: %v\n%s", maxFetches, err, output)
		}
		for line := range strings.Lines(string(output)) {
			if strings.Contains(line, "origins:") {
				t.Logf("MaxFetches %s: %s", maxFetches, strings.TrimSpace(line))
			}
		}
	}
}

func fewDescriptors(t *testing.T, port string) {
	const origins = 300
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 64, Max: 64}); err != nil {
		t.Fatal(err)
	}
	bounded := os.Getenv("FETCH_TEST_MAX") == "16"
	store := new(cachetest.Memory)
	config := fetch.Config{Store: store, Limits: fetch.Limits{MaxFetches: 10_000, StoreTimeout: time.Minute}}
	if bounded {
		config.Limits.MaxFetches = 16
	}
	client := newClient(t, config)
	call := func() (rules, local int) {
		var mu sync.Mutex
		var callers sync.WaitGroup
		for i := range origins {
			callers.Go(func() {
				r, err := client.Robots(context.Background(), fmt.Sprintf("http://127.0.%d.%d:%s/", 1+i/250, 1+i%250, port))
				mu.Lock()
				defer mu.Unlock()
				var fault *fetch.FaultError
				switch {
				case err == nil && r.Outcome == fetch.OutcomeRules:
					rules++
				case err == nil && r.Outcome == fetch.OutcomeLocal && errors.As(r.Err, &fault) && fault.Local():
					local++
				default:
					t.Errorf("%+v, %v", r, err)
				}
			})
		}
		callers.Wait()
		return rules, local
	}
	rules, local := call()
	t.Logf("%d origins: %d fetched, %d with local trouble", origins, rules, local)
	if bounded && local > 0 || !bounded && local == 0 {
		t.Errorf("%d had local trouble", local)
	}
	stored := 0
	for i := range origins {
		entry, err := store.Get(context.Background(), fmt.Sprintf("http://127.0.%d.%d:%s", 1+i/250, 1+i%250, port))
		if err != nil {
			continue
		}
		stored++
		if s, err := fetch.ReadEntry(entry); err != nil || s.Fault != nil || s.Answer == nil {
			t.Errorf("%+v, %v", s, err)
		}
	}
	if stored != rules {
		t.Errorf("%d stored, %d fetched", stored, rules)
	}
}

// TestNoRoute dials in a network namespace without any route. The errors are local,
// whatever other sites do.
func TestNoRoute(t *testing.T) {
	if os.Getenv("FETCH_TEST_NO_ROUTE") != "" {
		for _, address := range []string{"8.8.8.8:80", "[2001:4860:4860::8888]:80"} {
			_, err := net.Dial("tcp", address)
			if kind := fetch.FaultKind(err); kind != "local" {
				t.Errorf("%v is of the kind %q", err, kind)
			}
		}
		return
	}
	child := exec.Command(os.Args[0], "-test.run=^TestNoRoute$")
	child.Env = append(os.Environ(), "FETCH_TEST_NO_ROUTE=1")
	child.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET}
	output, err := child.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSPC) {
		t.Skipf("NOT TESTED: namespaces are not permitted here: %v", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
