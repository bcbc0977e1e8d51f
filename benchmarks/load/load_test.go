package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == crowdCommand {
		if err := crowd(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestRun runs all parts with the service for a short time. It checks the answers and the
// bounds that attacks must not exceed, and no times.
func TestRun(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("NOT TESTED: the service under load; set ROBOTSTXT_LONG")
	}
	short(t, &run{length: time.Second}, "")
}

// TestAttacks runs a sample of the attacks.
func TestAttacks(t *testing.T) {
	if os.Getenv("ROBOTSTXT_ATTACKS") == "" {
		t.Skip("NOT TESTED: the service under attacks; set ROBOTSTXT_ATTACKS")
	}
	short(t, &run{length: 2 * time.Second, sample: true}, "attacks")
}

// TestTable checks that each attack has a key of its own, by which a crowd finds it, and that
// the unit has a limit of memory.
func TestTable(t *testing.T) {
	keys := make(map[string]bool)
	for _, k := range attacks {
		if keys[k.key()] {
			t.Errorf("there are two attacks %q", k.key())
		}
		keys[k.key()] = true
		if k.one == nil || k.sends == "" || k.addresses < 1 || k.addresses > 255 {
			t.Errorf("%s: %+v", k.key(), k)
		}
	}
	if limit, err := documentedMemory(); err != nil || limit < 100<<20 {
		t.Errorf("the memory of the unit = %d, %v", limit, err)
	}
}

// short runs parts once.
func short(t *testing.T, r *run, only string) {
	t.Helper()
	var err error
	if r.program, err = buildTool(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if r.sites, err = startSites(16); err != nil {
		t.Fatal(err)
	}
	r.out, r.procs, r.rounds, r.rate, r.connections = t.Output(), runtime.NumCPU(), 1, 200, 8
	r.patience, r.retries = time.Minute, 5 // a busy machine is no failure
	if err := r.all(context.Background(), only); err != nil {
		t.Error(err)
	}
}

func TestQuantile(t *testing.T) {
	all := latencies{5, 1, 4, 2, 3}
	for share, want := range map[float64]time.Duration{0: 1, .1: 1, .5: 3, .99: 5, 1: 5} {
		if got := all.quantile(share); got != want {
			t.Errorf("quantile %v = %v, want %v", share, got, want)
		}
	}
	if got := (latencies)(nil).quantile(.5); got != 0 {
		t.Errorf("quantile of nothing = %v", got)
	}
}

// TestClient checks that responses are read however they are cut into pieces, and told from
// wrong ones.
func TestClient(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
	for _, tt := range []struct {
		name, response string
		want           outcome
	}{
		{"allowed", head + "21\r\n\r\n" + `{"verdict":"allowed"}`, right},
		{"disallowed", head + "24\r\n\r\n" + `{"verdict":"disallowed"}`, wrong},
		{"two verdicts", head + "43\r\n\r\n" + `{"verdict":"allowed"},{"verdict":"allowed"}`, wrong},
		{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"ve\r\n11\r\nrdict\":\"allowed\"}\r\n0\r\n\r\n", right},
		{"chunked, cut off", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"ve\r\n", failed},
		{"empty", head + "0\r\n\r\n", wrong},
		{"refused", "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\n\r\n{}", busy},
		{"overloaded", "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}", busy},
		{"status", "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\n{}", failed},
		{"cut off", head + "22\r\n\r\n" + `{"verdict":"allowed"}`, failed},
		{"without a length", "HTTP/1.1 200 OK\r\n\r\n", failed},
		{"none", "", failed},
	} {
		for _, size := range []int{1, 7, 1000} {
			here, there := net.Pipe()
			go func() {
				defer there.Close()
				if _, err := there.Read(make([]byte, 100)); err != nil {
					return
				}
				for part := range slices.Chunk([]byte(tt.response), size) {
					if _, err := there.Write(part); err != nil {
						return
					}
				}
			}()
			c := client{address: "127.0.0.1:1"}
			c.use(here)
			got, err := c.send(&request{text: []byte("request"), allowed: 1}, time.Now().Add(time.Minute))
			if got != tt.want || (err == nil) != (got == right) {
				t.Errorf("%s, in pieces of %d: %v, %v, want %v", tt.name, size, got, err, tt.want)
			}
			c.close()
		}
	}
}
