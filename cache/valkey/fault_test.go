package valkey_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

const (
	defaultTimeout = 50 * time.Millisecond
	// late is how much longer than its timeout a call may take, see timed. The
	// actual times are logged.
	late = 950 * time.Millisecond
)

// callUnavailable calls a store whose server is down, concurrently for a while.
// All calls must fail within their timeout.
func callUnavailable(t *testing.T, s *valkey.Store, timeout, lasting time.Duration) {
	t.Helper()
	var (
		callers  sync.WaitGroup
		mu       sync.Mutex
		took     []time.Duration
		deadline = time.Now().Add(lasting)
	)
	for i := range 64 {
		q := questions[i%len(questions)]
		callers.Go(func() {
			for n := 0; time.Now().Before(deadline); n++ {
				var err error
				d := timed(func() { err = q.call(t.Context(), s, fmt.Sprintf("https://%d-%d.example:443", i, n)) })
				mu.Lock()
				took = append(took, d)
				mu.Unlock()
				if !errors.Is(err, valkey.ErrUnavailable) || errors.Is(err, cache.ErrNotFound) ||
					errors.Is(err, cache.ErrLeased) || errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s with the server down: err = %v, want ErrUnavailable", q.name, err)
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	callers.Wait()
	slices.Sort(took)
	t.Logf("%d calls without a server: median %v, p99 %v, slowest %v; %+v", len(took), took[len(took)/2], took[len(took)*99/100], took[len(took)-1], s.Stats())
	if worst := took[len(took)-1]; worst > timeout+late {
		t.Errorf("a call with a timeout of %v took %v", timeout, worst)
	}
}

// works calls a store until all calls succeed again, within a few of the
// store's own attempts.
func works(t *testing.T, s *valkey.Store) {
	t.Helper()
	eventually(t, aWhile, func() error {
		for _, q := range questions {
			if err := q.call(t.Context(), s, fmt.Sprintf("https://%d.example:443", time.Now().UnixNano())); err != nil && !errors.Is(err, cache.ErrNotFound) {
				return err
			}
		}
		if s.Stats().Trouble {
			return errors.New("the store still reports trouble")
		}
		return nil
	})
}

// TestKilled: the store works again after each time. A server that comes and goes is one line a
// minute; Stats has the number.
func TestKilled(t *testing.T) {
	t.Parallel()
	server, log := valkeytest.Start(t), &log{}
	s := open(t, valkey.Config{Addresses: []string{server.Addr()}, Timeout: short, Logger: log.logger()})
	works(t, s)
	for i := range 2 {
		server.Kill()
		callUnavailable(t, s, short, 700*time.Millisecond)
		log.want(t, 1, min(i, 1))
		server.Restart()
		works(t, s)
		log.want(t, 1, 1)
		if n := s.Stats().Troubles; n != uint64(i+1) {
			t.Errorf("%d troubles, want %d", n, i+1)
		}
	}
}

func TestStopped(t *testing.T) {
	t.Parallel()
	server, log := valkeytest.Start(t), &log{}
	s := open(t, valkey.Config{Addresses: []string{server.Addr()}, Timeout: short, Logger: log.logger()})
	works(t, s)
	lasting := time.Second
	if long {
		lasting = 10 * time.Second
	}
	server.Stop()
	callUnavailable(t, s, short, lasting)
	server.Cont()
	works(t, s)
	log.want(t, 1, 1)
}

// TestStoppedForMany makes more concurrent calls than the client can queue.
func TestStoppedForMany(t *testing.T) {
	server := valkeytest.Start(t)
	s := open(t, valkey.Config{Addresses: []string{server.Addr()}})
	works(t, s)
	before := runtime.NumGoroutine()
	server.Stop()
	var callers sync.WaitGroup
	for i := range 5000 {
		callers.Go(func() {
			took := timed(func() {
				if _, err := s.Get(t.Context(), fmt.Sprint(i)); !errors.Is(err, valkey.ErrUnavailable) {
					t.Errorf("err = %v, want ErrUnavailable", err)
				}
			})
			if took > 2*(defaultTimeout+late) {
				t.Errorf("a call took %v", took)
			}
		})
	}
	callers.Wait()
	server.Cont()
	works(t, s)
	eventually(t, aWhile, func() error {
		if n := runtime.NumGoroutine(); n > before+10 {
			return fmt.Errorf("%d goroutines, %d before", n, before)
		}
		return nil
	})
}

func TestOpenWithoutServer(t *testing.T) {
	t.Parallel()
	for _, cut := range []struct {
		name          string
		gone, andBack func(*valkeytest.Server)
	}{
		{"killed", (*valkeytest.Server).Kill, (*valkeytest.Server).Restart},
		{"stopped", (*valkeytest.Server).Stop, (*valkeytest.Server).Cont},
	} {
		t.Run(cut.name, func(t *testing.T) {
			t.Parallel()
			server, log := valkeytest.Start(t), &log{}
			cut.gone(server)
			var s *valkey.Store
			took := timed(func() {
				s = openAtOnce(t, valkey.Config{Addresses: []string{server.Addr()}, Timeout: short,
					Logger: log.logger()})
			})
			if took > 2*time.Second {
				t.Errorf("Open took %v", took)
			}
			log.want(t, 1, 0)
			callUnavailable(t, s, short, 500*time.Millisecond)
			cut.andBack(server)
			works(t, s)
			log.want(t, 1, 1)
		})
	}
}

func TestFlushed(t *testing.T) {
	server, s := start(t, "")
	put(t, s, origin, entry(0, "before"))
	lease, err := s.Acquire(t.Context(), origin, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	server.Flush()
	server.Do("SCRIPT", "FLUSH")
	wantAbsent(t, s, origin)
	put(t, s, origin, entry(-time.Minute, "older than before"))
	wantText(t, s, origin, "older than before")
	if err := lease.Renew(t.Context(), time.Minute); !errors.Is(err, cache.ErrLeased) {
		t.Errorf("Renew after a flush: err = %v, want ErrLeased", err)
	}
	if err := lease.Release(t.Context()); err != nil {
		t.Errorf("Release after a flush: %v", err)
	}
}

// TestSilence uses servers that accept connections but do not answer.
func TestSilence(t *testing.T) {
	for name, answer := range map[string]string{
		"silent":  "",
		"loading": "-LOADING the dataset is in memory soon\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openAtOnce(t, valkey.Config{Addresses: []string{stranger(t, answer)}})
			callUnavailable(t, s, defaultTimeout, 300*time.Millisecond)
		})
	}
}

// TestStrangers uses servers of other protocols.
func TestStrangers(t *testing.T) {
	for name, answer := range map[string]string{
		"http":     "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
		"pop3":     "+OK ready\r\n-ERR what\r\n-ERR what\r\n-ERR what\r\n-ERR what\r\n-ERR what\r\n",
		"noise":    "\x00\xff\x17\r\n$99999999999\r\n*-7\r\n",
		"a string": "$99999999999999\r\n",
		"a map":    "%9999999999\r\n",
		"depth":    strings.Repeat("*1\r\n", 100),
	} {
		t.Run(name, func(t *testing.T) {
			wantRefused(t, valkey.Config{Addresses: []string{stranger(t, answer)}}, "not Valkey")
		})
	}
}

// stranger answers every input with the same text.
func stranger(t *testing.T, answer string) (address string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for buffer := make([]byte, 1024); ; {
					if _, err := conn.Read(buffer); err != nil {
						return
					}
					_, _ = conn.Write([]byte(answer)) // the next read fails too
				}
			}()
		}
	}()
	return listener.Addr().String()
}

func TestClosed(t *testing.T) {
	_, s := start(t, "")
	put(t, s, origin, entry(0, "kept"))
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Get(t.Context(), origin); !errors.Is(err, valkey.ErrUnavailable) {
		t.Errorf("Get after Close: err = %v, want ErrUnavailable", err)
	}
}

// TestCallerGivesUp checks a caller whose timeout is shorter than that of the
// store.
func TestCallerGivesUp(t *testing.T) {
	server, s := start(t, "")
	works(t, s)
	server.Stop()
	for _, q := range questions {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		took := timed(func() {
			if err := q.call(ctx, s, origin); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: err = %v, want the context's", q.name, err)
			}
		})
		if took > time.Second {
			t.Errorf("%s took %v after its context ended", q.name, took)
		}
		cancel()
	}
	if stats := s.Stats(); stats.Failures != 0 {
		t.Errorf("%d failures, although the callers did not wait for the server", stats.Failures)
	}
	server.Cont()
	// A lease that was acquired too late for its caller must not delay others.
	eventually(t, aWhile, func() error {
		_, err := s.Acquire(t.Context(), origin, time.Minute)
		return err
	})
}
