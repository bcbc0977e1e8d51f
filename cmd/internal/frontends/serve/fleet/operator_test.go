package fleet_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// The honest clients of TestOperator, and the sites that they ask about: as many as the
// service fetches for one client without a wait.
const (
	honestRate    = 40.0
	honestClients = 10
	honestSites   = 8
)

// TestOperator is an installation as docs/operations.md describes it: three replicas with
// their default limits after nginx with deploy/nginx.conf, and one Redis. Honest clients send requests at a
// fixed rate, while in each phase others attack or something fails. No honest request may fail
// or get a wrong answer. It prints latencies, and the most memory of each process.
//
// ROBOTSTXT_OPERATOR is how long it takes, for example "10m"; with ROBOTSTXT_LONG it takes a
// minute. The clocks of the replicas cannot be set from outside: here those of the sites step,
// and in TestSoak those of the clients.
func TestOperator(t *testing.T) {
	length, set := lengthOf(t, "ROBOTSTXT_OPERATOR", time.Minute)
	if !set && !long {
		t.Skip("NOT TESTED: an installation under attack; set ROBOTSTXT_LONG, or ROBOTSTXT_OPERATOR to its length")
	}
	if runtime.GOOS != "linux" {
		t.Skipf("NOT TESTED: on %s the loopback interface has one address", runtime.GOOS)
	}
	o := newOperated(t)
	measuring, stop := context.WithCancel(t.Context())
	var measured sync.WaitGroup
	measured.Go(func() { o.measure(measuring) })
	atRate(honestRate, func(n int, intended time.Time) { o.sending.Go(func() { o.ask(n, intended) }) }, func() {
		o.run(length)
	})
	o.sending.Wait()
	stop()
	measured.Wait()
	t.Logf("%v, %v honest requests a second of %d addresses, three replicas:\n%s", length, honestRate, honestClients, o.table())
	for _, p := range o.all {
		if p.requests == 0 || p.failed > 0 || p.wrong > 0 {
			t.Errorf("%s: of %d requests %d failed, %d answers were wrong, for example %s",
				p.name, p.requests, p.failed, p.wrong, p.example)
		}
	}
	for name, peak := range o.peaks {
		if strings.HasPrefix(name, "robots") && peak > serviceMemory {
			t.Errorf("%s took %d MB", name, peak>>20)
		}
	}
}

// serviceMemory is MemoryMax of deploy/robots.service, or less.
const serviceMemory = 2 << 30

// operated is the installation.
type operated struct {
	t        *testing.T
	store    *valkeytest.Server
	replicas []*replica
	address  string // of nginx
	port     string // of the sites
	step     atomic.Int64
	honest   []*http.Client
	sending  sync.WaitGroup

	phases                  // and what honest clients got in them
	peaks  map[string]int64 // bytes, by the name and number of a process
}

func newOperated(t *testing.T) *operated {
	o := &operated{t: t, store: valkeytest.Start(t), peaks: make(map[string]int64)}
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	o.port = strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	sites := &http.Server{Handler: http.HandlerFunc(o.site)}
	go func() { _ = sites.Serve(listener) }() // ends with Close
	t.Cleanup(func() { _ = sites.Close() })
	// What startReplica raises gets its default back.
	o.replicas = startReplicas(t, 3, "valkey://"+o.store.Addr()+"?timeout=500ms",
		"--trusted-proxy", "127.0.0.1", "--drain-delay", drainDelay.String())
	o.address = nginx.start(t, o.replicas)
	for i := range honestClients {
		o.honest = append(o.honest, clientFrom(fmt.Sprintf("127.8.0.%d", i+1)))
	}
	return o
}

// clientFrom returns a client with an address of its own.
func clientFrom(address string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: dialer.DialContext,
		MaxIdleConnsPerHost: 64, DisableCompression: true}}
}

// site answers as all sites: those at 127.5 have a file that disallows a path of their own,
// those at 127.6 answer with a gigabyte of compressed zeros.
func (o *operated) site(w http.ResponseWriter, r *http.Request) {
	host, _, _ := net.SplitHostPort(r.Host)
	if strings.HasPrefix(host, "127.6.") {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/xml")
		for range 64 {
			if _, err := w.Write(zeros()); err != nil {
				return // the service has seen enough
			}
		}
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Cache-Control", "max-age=60")
	w.Header().Set("Date", time.Now().Add(time.Duration(o.step.Load())).UTC().Format(http.TimeFormat))
	fmt.Fprintf(w, "User-agent: *\nDisallow: /%s\n", host)
}

// zeros is 16 MiB of zeros as gzip; members of gzip may follow each other.
var zeros = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(make([]byte, 16<<20)) // to memory
	_ = z.Close()
	return b.Bytes()
})

// ask sends an honest request: about a file that it brings, or about a site.
func (o *operated) ask(n int, intended time.Time) {
	p := o.present()
	host := fmt.Sprintf("127.5.0.%d", 1+n/2%honestSites)
	query := fmt.Sprintf(`{"urls":["http://%s:%s/%s","http://%s:%s/tea"]}`, host, o.port, host, host, o.port)
	if n%2 == 0 {
		query = fmt.Sprintf(`{"urls":["/%d","/tea"],"body":"User-agent: *\nDisallow: /%d\n"}`, n, n)
	}
	text, err := post(o.honest[n%honestClients], o.address, query)
	took := time.Since(intended)
	disallowed, allowed := strings.Index(text, `"verdict":"disallowed"`), strings.Index(text, `"verdict":"allowed"`)
	o.mu.Lock()
	defer o.mu.Unlock()
	p.requests++
	p.took = append(p.took, took)
	switch {
	case err != nil:
		p.failed++
		p.example = fmt.Sprintf("%s: %v", query, err)
	case disallowed < 0 || allowed < disallowed:
		p.wrong++
		p.example = query + ": " + text
	}
}

// run runs the phases, of which each takes a part of length.
func (o *operated) run(length time.Duration) {
	restarts := func(ctx context.Context) {
		for i := 0; ctx.Err() == nil; i++ {
			r := o.replicas[i%len(o.replicas)]
			r.stop()
			r.start()
			sleepUntil(ctx, failTime+failTime/2)
		}
	}
	lost := func(ctx context.Context) {
		for ctx.Err() == nil {
			o.store.Kill()
			sleepUntil(ctx, 3*time.Second)
			o.store.Restart()
			sleepUntil(ctx, 3*time.Second)
		}
	}
	clocks := func(ctx context.Context) {
		for i := 0; ctx.Err() == nil; i++ {
			o.step.Store(int64([]time.Duration{24 * time.Hour, -24 * time.Hour, -time.Hour, 0}[i%4]))
			sleepUntil(ctx, time.Second)
		}
		o.step.Store(0)
	}
	phases := []struct {
		name string
		runs []func(context.Context)
	}{
		{"nothing", nil},
		{"1,000 slow clients", []func(context.Context){o.crowd(1000, o.slow)}},
		{"32 clients with large answers", []func(context.Context){o.crowd(32, o.large)}},
		{"8 clients with bombs", []func(context.Context){o.crowd(8, o.bomb)}},
		{"replicas are restarted", []func(context.Context){restarts}},
		{"the store is gone, and back", []func(context.Context){lost}},
		{"the sites' clocks step", []func(context.Context){clocks}},
		{"all of these", []func(context.Context){o.crowd(300, o.slow), o.crowd(8, o.large), o.crowd(4, o.bomb), restarts, lost, clocks}},
	}
	for _, phase := range phases {
		o.begin(phase.name, time.Now())
		ctx, cancel := context.WithTimeout(o.t.Context(), length/time.Duration(len(phases)))
		var running sync.WaitGroup
		for _, run := range phase.runs {
			running.Go(func() { run(ctx) })
		}
		<-ctx.Done()
		running.Wait()
		cancel()
	}
}

func sleepUntil(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// crowd returns a run of clients at eight addresses, each of which does something again and again.
func (o *operated) crowd(clients int, do func(ctx context.Context, from *net.Dialer)) func(context.Context) {
	return func(ctx context.Context) {
		var running sync.WaitGroup
		for i := range clients {
			from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 9, 0, byte(1+i%8))}}
			running.Go(func() {
				for ctx.Err() == nil {
					do(ctx, from)
					sleepUntil(ctx, 100*time.Millisecond)
				}
			})
		}
		running.Wait()
	}
}

// slow sends a request, a byte a second, and ends in the middle.
func (o *operated) slow(ctx context.Context, from *net.Dialer) {
	conn, err := from.DialContext(ctx, "tcp", o.address)
	if err != nil {
		return // that is what is tried
	}
	defer conn.Close()
	head := "POST /v1/check HTTP/1.1\r\nHost: robots.example\r\nContent-Type: application/x-ndjson\r\nContent-Length: 100000\r\n\r\n"
	if _, err := io.WriteString(conn, head); err != nil {
		return
	}
	for ctx.Err() == nil {
		if _, err := io.WriteString(conn, " "); err != nil {
			return
		}
		sleepUntil(ctx, time.Second)
	}
}

// large requests an answer of some megabytes, and reads it slowly.
func (o *operated) large(ctx context.Context, from *net.Dialer) {
	var urls, agents []string
	for i := range 100 {
		urls = append(urls, fmt.Sprintf(`"/tea/%d"`, i))
	}
	for i := range 1000 {
		agents = append(agents, fmt.Sprintf(`"Bot%c%c%c"`, 'a'+i%26, 'a'+i/26%26, 'a'+i/676))
	}
	query := fmt.Sprintf(`{"urls":[%s],"agents":[%s],"body":"User-agent: *\nDisallow: /cart\n"}`, strings.Join(urls, ","), strings.Join(agents, ","))
	o.send(ctx, from, "/v1/check", query, func(answer io.Reader) {
		for ctx.Err() == nil {
			if _, err := io.CopyN(io.Discard, answer, 64<<10); err != nil {
				return
			}
			sleepUntil(ctx, 200*time.Millisecond)
		}
	})
}

// bomb lets the service fetch a gigabyte of zeros as a sitemap.
func (o *operated) bomb(ctx context.Context, from *net.Dialer) {
	query := fmt.Sprintf(`{"url":"http://127.6.0.%d:%s/sitemap.xml"}`, 1+time.Now().UnixNano()%8, o.port)
	o.send(ctx, from, "/v1/sitemap", query, func(answer io.Reader) {
		_, _ = io.Copy(io.Discard, answer) // whatever it is
	})
}

// send sends a request over a connection of its own. An error is that the request was
// refused, or the end.
func (o *operated) send(ctx context.Context, from *net.Dialer, path, query string, read func(answer io.Reader)) {
	client := &http.Client{Transport: &http.Transport{DialContext: from.DialContext, DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+o.address+path, strings.NewReader(query))
	if err != nil {
		o.t.Error(err)
		return
	}
	request.Header.Set("Content-Type", "application/json")
	if response, err := client.Do(request); err == nil {
		defer response.Body.Close()
		read(response.Body)
	}
}

// measure notes the most memory of each process that this one has started.
func (o *operated) measure(ctx context.Context) {
	for ctx.Err() == nil {
		o.note()
		sleepUntil(ctx, time.Second)
	}
}

func (o *operated) note() {
	parent := fmt.Sprintf("PPid:\t%d\n", os.Getpid())
	names, _ := filepath.Glob("/proc/[0-9]*/status")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), parent) {
			continue // it has ended, or is another's
		}
		field := func(key string) string {
			_, rest, _ := strings.Cut(string(text), "\n"+key+":")
			return cmp.Or(strings.Fields(strings.SplitN(rest, "\n", 2)[0] + " ?")[0], "?")
		}
		program, _ := strings.CutPrefix(strings.SplitN(string(text), "\n", 2)[0], "Name:\t")
		kilobytes, _ := strconv.ParseInt(field("VmHWM"), 10, 64)
		o.mu.Lock()
		o.peaks[program] = max(o.peaks[program], kilobytes<<10)
		o.mu.Unlock()
	}
}

// table returns the phases and the memory.
func (o *operated) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-32s %8s %7s %6s %9s %9s %9s\n", "phase", "requests", "failed", "wrong", "p50", "p99", "slowest")
	for _, p := range o.all {
		fmt.Fprintf(&b, "%-32s %8d %7d %6d %9v %9v %9v\n",
			p.name, p.requests, p.failed, p.wrong, p.quantile(.5), p.quantile(.99), p.quantile(1))
	}
	for _, name := range slices.Sorted(maps.Keys(o.peaks)) {
		fmt.Fprintf(&b, "most memory of a process %s: %d MB\n", name, o.peaks[name]>>20)
	}
	return b.String()
}
